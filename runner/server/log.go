package server

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"time"
)

// RequestID is the header that carries a request's id in the log back to the client.
const RequestID = "X-Request-Id"

// methods are those that the log names; the rest, which a stranger may make up, are "other".
var methods = []string{"GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "CONNECT", "TRACE"}

// Logged writes one line for each request: its id, the route that answered it, status, bytes and
// duration. Nothing that a client sent is written, neither path nor header nor address. A handler
// that panics is an answer of status 500 and an error with its stack.
func Logged(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start, seen := time.Now(), &recorder{ResponseWriter: w}
		id := rand.Text()[:16]
		w.Header().Set(RequestID, id)
		defer func() {
			problem := recover()
			if problem != nil && problem != http.ErrAbortHandler {
				log.Error("a handler panicked", "id", id, "problem", fmt.Sprint(problem), "stack", string(debug.Stack()))
				if seen.status == 0 {
					http.Error(seen, "internal error; request "+id, http.StatusInternalServerError)
				}
			}
			log.Log(r.Context(), level(r, seen.status), "request", "id", id, "method", method(r), "route", route(r),
				"status", cmp.Or(seen.status, http.StatusOK), "bytes", seen.bytes, "ms", float64(time.Since(start).Microseconds())/1000)
			if problem == http.ErrAbortHandler {
				panic(problem) // the server's own way to cut the connection
			}
		}()
		next.ServeHTTP(seen, r)
	})
}

func method(r *http.Request) string {
	if slices.Contains(methods, r.Method) {
		return r.Method
	}
	return "other"
}

// route is the pattern that a ServeMux found for the request; the page has none.
func route(r *http.Request) string {
	if r.Pattern == "" {
		return "page"
	}
	return r.Pattern
}

// level keeps probes of the server's health out of the log, and lifts its own faults.
func level(r *http.Request, status int) slog.Level {
	switch {
	case status >= 500:
		return slog.LevelError
	case r.Pattern == HealthPath:
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// recorder sees what goes through a ResponseWriter.
type recorder struct {
	http.ResponseWriter
	status int // 0 before the header is written
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 && status >= 200 || status == http.StatusSwitchingProtocols {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(data []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(data)
	r.bytes += int64(n)
	return n, err
}

// Hijack hands the connection over to a websocket.
func (r *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(r.ResponseWriter).Hijack()
	if err == nil {
		r.status = http.StatusSwitchingProtocols
	}
	return conn, buffered, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
