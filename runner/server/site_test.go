package server

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"
)

func TestSite(t *testing.T) {
	files := fstest.MapFS{
		"index.html":             {Data: []byte("<!doctype html>")},
		"assets/main-AB12.js":    {Data: []byte("plain")},
		"assets/main-AB12.js.br": {Data: []byte("brotli")},
		"assets/main-AB12.js.gz": {Data: []byte("gzip")},
		"assets/app-CD34.wasm":   {Data: []byte("\x00asm")},
	}
	handler, err := Site(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, path, accept  string
		status                int
		body, encoding, ctype string
		cache                 string
	}{
		{"GET", "/", "", 200, "<!doctype html>", "", "text/html; charset=utf-8", "no-cache"},
		{"HEAD", "/", "", 200, "", "", "text/html; charset=utf-8", "no-cache"},
		{"GET", "/assets/main-AB12.js", "gzip, deflate, br", 200, "brotli", "br", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"GET", "/assets/main-AB12.js", "gzip", 200, "gzip", "gzip", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"GET", "/assets/main-AB12.js", "br;q=0", 200, "plain", "", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"GET", "/assets/app-CD34.wasm", "br", 200, "\x00asm", "", "application/wasm", "public, max-age=31536000, immutable"},
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
			if w.Code != c.status || w.Body.String() != c.body {
				t.Errorf("got %d %q, want %d %q", w.Code, w.Body, c.status, c.body)
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

var _ http.Handler = site{}
