// Package server is newt's HTTP side: the page and, on the same origin, what it talks to.
package server

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/newtlab/newt/frontend"
)

// contentSecurityPolicy is the page's own, and keeps it out of other sites' frames.
const contentSecurityPolicy = frontend.CSP + "; frame-ancestors 'none'"

var securityHeaders = map[string]string{
	"Content-Security-Policy":      contentSecurityPolicy,
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), microphone=(), geolocation=()",
}

// encodings are the precompressed forms that a file may lie beside itself in, best first.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// site serves the built page: files by name, the page itself at "/".
type site struct{ files fs.FS }

// Site serves the page from files, which hold index.html, hashed assets and their precompressed
// forms. It fails where the page has not been built.
func Site(files fs.FS) (http.Handler, error) {
	if _, err := fs.Stat(files, "index.html"); err != nil {
		return nil, fmt.Errorf("the page was not built into this program: run `make play`, or `go run ./frontend/build` and build again")
	}
	return site{files}, nil
}

func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range securityHeaders {
		w.Header().Set(name, value)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are supported here", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	if info, err := fs.Stat(s.files, name); err != nil || info.IsDir() {
		http.NotFound(w, r)
		return
	}
	s.serveFile(w, r, name)
}

func (s site) serveFile(w http.ResponseWriter, r *http.Request, name string) {
	header := w.Header()
	header.Set("Content-Type", contentType(name))
	header.Set("Vary", "Accept-Encoding")
	header.Set("Cache-Control", cacheControl(name))
	file := name
	for _, e := range encodings {
		if !accepts(r.Header.Get("Accept-Encoding"), e.name) {
			continue
		}
		if _, err := fs.Stat(s.files, name+e.suffix); err == nil {
			header.Set("Content-Encoding", e.name)
			file = name + e.suffix
			break
		}
	}
	// Reading a file whole would copy it: a thousand visitors at once would take a thousand copies.
	data, err := s.files.Open(file)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer data.Close()
	if info, err := data.Stat(); err == nil {
		header.Set("Content-Length", fmt.Sprint(info.Size()))
	}
	if r.Method == http.MethodGet {
		// A client that is gone needs no more.
		io.Copy(w, data)
	}
}

// accepts reports whether an Accept-Encoding header takes the encoding.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(part, ";")
		if strings.TrimSpace(name) == encoding {
			return strings.ReplaceAll(quality, " ", "") != "q=0"
		}
	}
	return false
}

var contentTypes = map[string]string{
	".wasm": "application/wasm", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8", ".json": "application/json", ".svg": "image/svg+xml", ".woff2": "font/woff2",
	".webmanifest": "application/manifest+json",
}

func contentType(name string) string {
	if t := contentTypes[path.Ext(name)]; t != "" {
		return t
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}

// cacheControl keeps for ever what carries a content hash in its name, and asks again for the rest.
func cacheControl(name string) string {
	if strings.HasPrefix(name, "assets/") {
		return "public, max-age=31536000, immutable"
	}
	return "no-cache"
}

// SecurityHeaders are what every answer with a part of the page carries, for other servers of it.
func SecurityHeaders() map[string]string { return maps.Clone(securityHeaders) }
