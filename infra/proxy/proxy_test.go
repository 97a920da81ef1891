// Package proxy holds examples of proxies that put TLS in front of newt, and their tests.
package proxy

import (
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/newtlab/newt/runner/server"
)

// examples are the files, and how each names newt's address, sets a header for the browser,
// bounds a request, and passes a websocket on (Caddy does by itself).
var examples = map[string]struct{ upstream, header, limit, websocket string }{
	"Caddyfile":  {`(?m)^\s*reverse_proxy (\S+)`, `(?m)^\s*header ([>+?\w-]+)`, `(?m)^\s*max_size 1MB$`, ``},
	"nginx.conf": {`(?m)^\s*server (\S+);`, `(?m)^\s*add_header (\S+)`, `(?m)^\s*client_max_body_size 1m;`, `(?m)^\s*proxy_set_header Upgrade +\$http_upgrade;`},
}

// newtHeaders are those that newt sends with its page.
func newtHeaders(t *testing.T) http.Header {
	t.Helper()
	site, err := server.Site(fstest.MapFS{"index.html": {}})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	site.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	return w.Header()
}

// An example reaches newt where it listens by itself, adds no header that newt sends, since
// browsers take the sum of two policies, and adds what only TLS may promise.
func TestExamples(t *testing.T) {
	sent := newtHeaders(t)
	for name, form := range examples {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := regexp.MustCompile(`(?m)#.*$`).ReplaceAllString(string(data), "")
		if strings.Count(text, "{") != strings.Count(text, "}") {
			t.Errorf("%s: braces do not match", name)
		}
		if found := regexp.MustCompile(form.upstream).FindStringSubmatch(text); found == nil || found[1] != "127.0.0.1:8080" {
			t.Errorf("%s: newt's address is %q", name, found)
		}
		if !regexp.MustCompile(form.limit).MatchString(text) {
			t.Errorf("%s does not bound requests", name)
		}
		if !regexp.MustCompile(form.websocket).MatchString(text) {
			t.Errorf("%s does not pass websockets on", name)
		}
		strict := false
		for _, set := range regexp.MustCompile(form.header).FindAllStringSubmatch(text, -1) {
			strict = strict || set[1] == "Strict-Transport-Security"
			if sent.Get(set[1]) != "" {
				t.Errorf("%s sets %s, which newt sends itself", name, set[1])
			}
		}
		if !strict {
			t.Errorf("%s does not set Strict-Transport-Security", name)
		}
	}
}
