package server

import (
	"log/slog"
	"net/http"
	"time"
)

// Bounds on a connection: the page needs no more, and a slow or idle client holds nothing for long.
const (
	ReadTimeout     = 10 * time.Second // for a whole request
	WriteTimeout    = 60 * time.Second // for a whole answer
	IdleTimeout     = 120 * time.Second
	MaxHeaderBytes  = 16 << 10
	ShutdownTimeout = 1 * time.Second // for the requests in flight when the server stops
)

// Bounded is a server of handler that keeps these bounds, writes a line for each request and for what is wrong with its
// connections, and gives every answer the headers that keep a browser from misusing it.
func Bounded(log *slog.Logger, handler http.Handler) *http.Server {
	return &http.Server{
		Handler: Logged(log, secured(handler)), ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn), ReadHeaderTimeout: ReadTimeout, ReadTimeout: ReadTimeout,
		WriteTimeout: WriteTimeout, IdleTimeout: IdleTimeout, MaxHeaderBytes: MaxHeaderBytes,
	}
}

// bareHeaders are those of an answer that says nothing else: it may load nothing and be shown nowhere.
var bareHeaders = map[string]string{
	"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options":  "nosniff",
	"Referrer-Policy":         "no-referrer",
}

func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range bareHeaders {
			w.Header().Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}
