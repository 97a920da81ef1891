// Package server serves the page over HTTP, with request logging, security headers and status endpoints.
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

// contentSecurityPolicy is the page's policy, and forbids other sites to frame it.
const contentSecurityPolicy = frontend.CSP + "; frame-ancestors 'none'"

var securityHeaders = map[string]string{
	"Content-Security-Policy":      contentSecurityPolicy,
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), microphone=(), geolocation=()",
}

// encodings are the suffixes of precompressed files next to the original, in order of preference.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// site is the handler of the built page: its files by name, and index.html at "/".
type site struct{ files fs.FS }

// Site returns a handler that serves the page from files: index.html, assets with hashed names, and their precompressed
// forms. It fails if the page was not built.
func Site(files fs.FS) (http.Handler, error) {
	if _, err := fs.Stat(files, "index.html"); err != nil {
		return nil, fmt.Errorf("the page was not built into this program: " +
			"run `make play`, or `go run ./frontend/build` and build again")
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

// serveFile serves a file that exists, in the best encoding that the client accepts.
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
	// Streaming, rather than fs.ReadFile: that would copy the embedded file for each of a thousand clients.
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
		// The error is ignored: the client has disconnected.
		io.Copy(w, data)
	}
}

// accepts reports whether an Accept-Encoding header allows an encoding.
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

// contentType returns the media type of a file by its extension.
func contentType(name string) string {
	if t := contentTypes[path.Ext(name)]; t != "" {
		return t
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}

// cacheControl caches files with a content hash in their name for good; others are revalidated.
func cacheControl(name string) string {
	if strings.HasPrefix(name, "assets/") {
		return "public, max-age=31536000, immutable"
	}
	return "no-cache"
}

// SecurityHeaders returns the headers of every response with a part of the page, for other servers of it.
func SecurityHeaders() map[string]string { return maps.Clone(securityHeaders) }
