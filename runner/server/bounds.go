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
	ShutdownTimeout = 5 * time.Second // for the requests in flight when the server stops
)

// Bounded is a server of handler that keeps these bounds, and writes a line for each request and
// for what is wrong with its connections.
func Bounded(log *slog.Logger, handler http.Handler) *http.Server {
	return &http.Server{
		Handler: Logged(log, handler), ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn), ReadHeaderTimeout: ReadTimeout, ReadTimeout: ReadTimeout,
		WriteTimeout: WriteTimeout, IdleTimeout: IdleTimeout, MaxHeaderBytes: MaxHeaderBytes,
	}
}
