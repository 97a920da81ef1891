package server

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/newtlab/newt/frontend/packed"
)

func TestSite(t *testing.T) {
	squeezed := packed.Pack([]byte("plain"))
	files := fstest.MapFS{
		"index.html":             {Data: []byte("<!doctype html>")},
		"manifest.json.br":       {Data: packed.Pack([]byte("{}"))},
		"assets/main-AB12.js.br": {Data: squeezed},
		"assets/app-CD34.wasm":   {Data: []byte("\x00asm")},
	}
	handler, err := Site(files)
	if err != nil {
		t.Fatal(err)
	}
	const good, script = "public, max-age=31536000, immutable", "text/javascript; charset=utf-8"
	for _, c := range []struct {
		method, path, accept  string
		status                int
		body, encoding, ctype string
		cache                 string
	}{
		{"GET", "/", "", 200, "<!doctype html>", "", "text/html; charset=utf-8", "no-cache"},
		{"HEAD", "/", "", 200, "", "", "text/html; charset=utf-8", "no-cache"},
		{"GET", "/manifest.json", "", 200, "{}", "", "application/json", "no-cache"},
		{"GET", "/assets/main-AB12.js", "gzip, deflate, br", 200, string(squeezed), "br", script, good},
		{"GET", "/assets/main-AB12.js", "gzip", 200, "plain", "gzip", script, good},
		{"GET", "/assets/main-AB12.js", "gzip;q=1.0", 200, "plain", "gzip", script, good},
		{"GET", "/assets/main-AB12.js", "br;q=0", 200, "plain", "", script, good},
		{"HEAD", "/assets/main-AB12.js", "", 200, "", "", script, good},
		{"GET", "/assets/main-AB12.js.br", "br", 404, "404 page not found\n", "", "text/plain; charset=utf-8", ""},
		{"GET", "/assets/app-CD34.wasm", "br", 200, "\x00asm", "", "application/wasm", good},
		{"GET", "/assets", "", 404, "404 page not found\n", "", "text/plain; charset=utf-8", ""},
		{"GET", "/../../etc/passwd", "", 404, "404 page not found\n", "", "text/plain; charset=utf-8", ""},
		{"GET", "/nothing", "", 404, "404 page not found\n", "", "text/plain; charset=utf-8", ""},
		{"POST", "/", "", 405, "only GET and HEAD are supported here\n", "", "text/plain; charset=utf-8", ""},
	} {
		t.Run(c.method+" "+c.path+" "+c.accept, func(t *testing.T) {
			r := httptest.NewRequest(c.method, "http://localhost/", nil)
			r.URL.Path = c.path
			r.Header.Set("Accept-Encoding", c.accept)
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			body := w.Body.String()
			if c.encoding == "gzip" {
				body = unzipped(t, w.Body)
			}
			if w.Code != c.status || body != c.body {
				t.Errorf("got %d %q, want %d %q", w.Code, body, c.status, c.body)
			}
			for name, want := range map[string]string{"Content-Encoding": c.encoding, "Content-Type": c.ctype, "Cache-Control": c.cache} {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}
			for name, want := range securityHeaders {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}
		})
	}
}

func unzipped(t *testing.T, from io.Reader) string {
	t.Helper()
	r, err := gzip.NewReader(from)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestSiteValidators: who has a file that has no hash in its name is told that it is the same, and given another.
func TestSiteValidators(t *testing.T) {
	get := func(files fstest.MapFS, tag string) *httptest.ResponseRecorder {
		handler, err := Site(files)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("If-None-Match", tag)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}
	plain := fstest.MapFS{"index.html": {Data: []byte("<p>1")}}
	tag := get(plain, "").Header().Get("ETag")
	if tag == "" {
		t.Fatal("index.html has no validator")
	}
	brotli := fstest.MapFS{"index.html.br": {Data: packed.Pack([]byte("<p>1"))}}
	other := fstest.MapFS{"index.html.br": {Data: packed.Pack([]byte("<p>2"))}}
	for _, c := range []struct {
		name   string
		files  fstest.MapFS
		tag    string
		status int
		body   string
	}{
		{"the same", plain, tag, 304, ""},
		{"the same among others", plain, `"x", ` + tag, 304, ""},
		{"the same, packed", brotli, tag, 304, ""},
		{"another", other, tag, 200, "<p>2"},
		{"none", brotli, "", 200, "<p>1"},
	} {
		if w := get(c.files, c.tag); w.Code != c.status || w.Body.String() != c.body {
			t.Errorf("%s: %d %q, want %d %q", c.name, w.Code, w.Body, c.status, c.body)
		}
	}
}

// unread fails the test where a file is read whole.
type unread struct {
	fstest.MapFS
	t *testing.T
}

func (u unread) ReadFile(name string) ([]byte, error) {
	u.t.Errorf("%s is read into memory", name)
	return u.MapFS.ReadFile(name)
}

// Many visitors fetch large files at once, and share the memory that holds them.
func TestSiteStreams(t *testing.T) {
	handler, err := Site(unread{fstest.MapFS{"index.html": {}, "assets/app.wasm": {Data: make([]byte, 1<<20)}}, t})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", "/assets/app.wasm", nil))
	if w.Body.Len() != 1<<20 || w.Header().Get("Content-Length") != "1048576" {
		t.Errorf("%d bytes, Content-Length %s", w.Body.Len(), w.Header().Get("Content-Length"))
	}
}

func TestSiteNotBuilt(t *testing.T) {
	if _, err := Site(fstest.MapFS{"README": {}}); err == nil {
		t.Error("a page that was not built is served")
	}
}

var _ http.Handler = (*site)(nil)
