package server

import (
	"bytes"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestHeaders: every answer, whoever gives it, has the headers that keep a browser from misusing it.
func TestHeaders(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/s/{id}", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "gone", http.StatusServiceUnavailable) })
	mux.HandleFunc("/own", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'")
	})
	mux.HandleFunc("/broken", func(http.ResponseWriter, *http.Request) { panic("a bug") })
	h := Bounded(slog.New(slog.DiscardHandler), mux).Handler
	for path, policy := range map[string]string{
		"/s/x": "default-src 'none'; frame-ancestors 'none'", "//s/x": "default-src 'none'; frame-ancestors 'none'",
		"/nothing": "default-src 'none'; frame-ancestors 'none'", "/broken": "default-src 'none'; frame-ancestors 'none'",
		"/own": "default-src 'self'",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		for name, want := range map[string]string{"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
	}
}

// A request with a header beyond the bound is refused, and one within it is answered and logged.
func TestBounded(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	s := Bounded(slog.New(slog.NewJSONHandler(&log, nil)), http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	done := make(chan error)
	go func() { done <- s.Serve(l) }()
	for size, want := range map[int]int{MaxHeaderBytes / 2: 200, 2 * MaxHeaderBytes: 431} {
		r, err := http.NewRequest("GET", "http://"+l.Addr().String(), nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Long", strings.Repeat("x", size))
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("a header of %d bytes: status %d, want %d", size, answer.StatusCode, want)
		}
	}
	s.Close()
	<-done
	if lines := strings.Count(log.String(), `"msg":"request"`); lines != 1 {
		t.Errorf("%d lines in the log: %s", lines, log.String())
	}
}
