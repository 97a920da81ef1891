// Package server serves the page over HTTP, with request logging, security headers and status endpoints.
package server

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/newtlab/newt/frontend"
	"github.com/newtlab/newt/frontend/packed"
)

// contentSecurityPolicy is the page's policy, and forbids other sites to frame it.
const contentSecurityPolicy = frontend.CSP + "; frame-ancestors 'none'"

var securityHeaders = map[string]string{
	"Content-Security-Policy":      contentSecurityPolicy,
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	// With the opener's policy this isolates the page, whose clock then counts 5 µs and not 100.
	"Cross-Origin-Embedder-Policy": "require-corp",
	"Permissions-Policy":           "camera=(), microphone=(), geolocation=()",
}

// site is the handler of the built page: its files by name, and index.html at "/".
type site struct {
	files fs.FS
	lock  sync.Mutex
	// gzipped are the files that somebody has asked for who does not take brotli, as browsers do over plain HTTP. They
	// are compressed once, when they are first wanted.
	gzipped map[string]func() []byte
}

// Site returns a handler that serves the page from files: index.html and assets with hashed names, each as it is or in
// the form that package packed reads. It fails if the page was not built.
func Site(files fs.FS) (http.Handler, error) {
	if !packed.Exists(files, "index.html") {
		return nil, fmt.Errorf("the page was not built into this program: " +
			"run `make play`, or `go run ./frontend/build` and build again")
	}
	return &site{files: files, gzipped: map[string]func() []byte{}}, nil
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
	if !packed.Exists(s.files, name) || path.Ext(name) == packed.Ext {
		http.NotFound(w, r)
		return
	}
	s.serveFile(w, r, name)
}

// serveFile serves a file that exists, in the best encoding that the client accepts.
func (s *site) serveFile(w http.ResponseWriter, r *http.Request, name string) {
	header := w.Header()
	header.Set("Content-Type", contentType(name))
	header.Set("Vary", "Accept-Encoding")
	header.Set("Cache-Control", cacheControl(name))
	if !isHashed(name) { // else the name changes with the content
		tag := s.tag(name)
		header.Set("ETag", tag)
		if slices.Contains(strings.Split(r.Header.Get("If-None-Match"), ", "), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	data, size := s.open(r.Header.Get("Accept-Encoding"), header, name)
	if data == nil {
		http.NotFound(w, r)
		return
	}
	defer data.Close()
	if size >= 0 {
		header.Set("Content-Length", fmt.Sprint(size))
	}
	if r.Method == http.MethodGet {
		// The error is ignored: the client has disconnected.
		io.Copy(w, data)
	}
}

// open opens a file in the best encoding that the client accepts, and says so in the header; size is -1 where it is not
// known. Files are streamed, rather than read: that would copy an embedded one for each of a thousand clients.
func (s *site) open(accept string, header http.Header, name string) (data io.ReadCloser, size int64) {
	form := name
	if _, err := fs.Stat(s.files, name); err != nil { // it is there in compressed form
		switch {
		case accepts(accept, "br"):
			header.Set("Content-Encoding", "br")
			form = name + packed.Ext
		case accepts(accept, "gzip"):
			header.Set("Content-Encoding", "gzip")
			zipped := s.gzip(name)
			return io.NopCloser(bytes.NewReader(zipped)), int64(len(zipped))
		default:
			data, _ := packed.Open(s.files, name)
			return data, -1
		}
	}
	file, err := s.files.Open(form)
	if err != nil {
		return nil, 0
	}
	info, err := file.Stat()
	if err != nil {
		return file, -1
	}
	return file, info.Size()
}

// gzip returns a compressed file in gzip's format.
func (s *site) gzip(name string) []byte {
	s.lock.Lock()
	zipped := s.gzipped[name]
	if zipped == nil {
		zipped = sync.OnceValue(func() []byte { return zip(s.files, name) })
		s.gzipped[name] = zipped
	}
	s.lock.Unlock()
	return zipped()
}

func zip(files fs.FS, name string) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	// A bytes.Buffer takes every write, and the file is one that the build has made.
	if data, err := packed.Open(files, name); err == nil {
		io.Copy(w, data)
		data.Close()
	}
	w.Close()
	return out.Bytes()
}

// tag returns the validator of a file without a hash in its name: a hash of its content. It is weak, since the
// encodings have it in common.
func (s *site) tag(name string) string {
	data, err := packed.ReadFile(s.files, name)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return `W/"` + hex.EncodeToString(sum[:12]) + `"`
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
	if isHashed(name) {
		return "public, max-age=31536000, immutable"
	}
	return "no-cache"
}

// isHashed reports whether the name of a file holds a hash of its content.
func isHashed(name string) bool { return strings.HasPrefix(name, "assets/") }

// SecurityHeaders returns the headers of every response with a part of the page, for other servers of it.
func SecurityHeaders() map[string]string { return maps.Clone(securityHeaders) }
