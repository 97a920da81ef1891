package server

import (
	"log/slog"
	"net/http"
	"time"
)

// Timeouts and limits of a connection: ample for the page, and a slow or idle client is cut off.
const (
	ReadTimeout     = 10 * time.Second // for a whole request
	WriteTimeout    = 60 * time.Second // for a whole response
	IdleTimeout     = 120 * time.Second
	MaxHeaderBytes  = 16 << 10
	ShutdownTimeout = 1 * time.Second // for the requests in flight when the server stops
)

// Bounded returns a server for handler with these limits. It logs each request and each connection error, and sets the
// security headers of every response.
func Bounded(log *slog.Logger, handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           Logged(log, secured(handler)),
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		ReadHeaderTimeout: ReadTimeout, ReadTimeout: ReadTimeout,
		WriteTimeout: WriteTimeout, IdleTimeout: IdleTimeout, MaxHeaderBytes: MaxHeaderBytes,
	}
}

// bareHeaders are the security headers of a response that sets none of its own: it may load nothing, and may not be
// framed.
var bareHeaders = map[string]string{
	"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options":  "nosniff",
	"Referrer-Policy":         "no-referrer",
}

// secured sets bareHeaders before next runs, which may replace them.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range bareHeaders {
			w.Header().Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}
