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

// RequestID is the response header with the request's id in the log.
const RequestID = "X-Request-Id"

// methods are the methods that are logged by name. Any other is text of the client's, and is logged as "other".
var methods = []string{"GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "CONNECT", "TRACE"}

// Logged logs one line for each request: id, route, status, bytes and duration. Nothing that a client sent is logged:
// no path, header or address. A panic of a handler is answered with status 500, and logged with its stack.
func Logged(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start, seen := time.Now(), &recorder{ResponseWriter: w}
		id := rand.Text()[:16]
		w.Header().Set(RequestID, id)
		defer func() {
			problem := recover()
			if problem != nil && problem != http.ErrAbortHandler {
				log.Error("a handler panicked",
					"id", id, "err", fmt.Sprint(problem), "stack", string(debug.Stack()))
				if seen.status == 0 {
					http.Error(seen, "internal error; request "+id, http.StatusInternalServerError)
				}
			}
			ms := float64(time.Since(start).Microseconds()) / 1000
			log.Log(r.Context(), level(r, seen.status), "request",
				"id", id, "method", method(r), "route", route(r),
				"status", cmp.Or(seen.status, http.StatusOK), "bytes", seen.bytes, "ms", ms)
			if problem == http.ErrAbortHandler {
				panic(problem) // net/http closes the connection without logging it
			}
		}()
		next.ServeHTTP(seen, r)
	})
}

// method returns the name of a request's method for the log.
func method(r *http.Request) string {
	if slices.Contains(methods, r.Method) {
		return r.Method
	}
	return "other"
}

// route returns the ServeMux pattern that matched the request, "page" for those that none did.
func route(r *http.Request) string {
	if r.Pattern == "" {
		return "page"
	}
	return r.Pattern
}

// level is the level of a request's line: errors of the server are errors, and health checks are not logged by default.
func level(r *http.Request, status int) slog.Level {
	switch {
	case status >= 500:
		return slog.LevelError
	case r.Pattern == HealthPath:
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// recorder is a ResponseWriter that records the status and the number of bytes.
type recorder struct {
	http.ResponseWriter
	status int // 0 before the header is written
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	// A handler may send several 1xx responses before the final one; 101 is final.
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

// Hijack implements http.Hijacker for websockets, whose status is 101.
func (r *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(r.ResponseWriter).Hijack()
	if err == nil {
		r.status = http.StatusSwitchingProtocols
	}
	return conn, buffered, err
}

// Unwrap returns the underlying writer, for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
