package server

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/newtlab/newt/runner/version"
)

// logged serves one request and returns the answer and the lines of the log.
func logged(t *testing.T, h http.Handler, r *http.Request) (*httptest.ResponseRecorder, []map[string]any) {
	t.Helper()
	var text bytes.Buffer
	w := httptest.NewRecorder()
	Logged(slog.New(slog.NewJSONHandler(&text, nil)), h).ServeHTTP(w, r)
	var lines []map[string]any
	for d := json.NewDecoder(&text); ; {
		var line map[string]any
		if err := d.Decode(&line); err == io.EOF {
			return w, lines
		} else if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
}

func TestLogged(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/s/{id}", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404); io.WriteString(w, "gone") })
	mux.HandleFunc("/quiet", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/early", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(103); w.WriteHeader(204) })
	mux.HandleFunc("/broken", func(http.ResponseWriter, *http.Request) { panic("a bug") })
	mux.HandleFunc("/late", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "part"); panic("a bug") })
	for _, c := range []struct {
		method, path         string
		status, bytes, lines int
		route, level, logged string
	}{
		{"GET", "/s/secret-id", 404, 4, 1, "/s/{id}", "INFO", "GET"},
		{"GET", "/quiet", 200, 0, 1, "/quiet", "INFO", "GET"},
		{"BREW", "/quiet", 200, 0, 1, "/quiet", "INFO", "other"},
		{"GET", "/early", 204, 0, 1, "/early", "INFO", "GET"},
		{"GET", "/broken", 500, 41, 2, "/broken", "ERROR", "GET"},
		{"GET", "/late", 200, 4, 2, "/late", "INFO", "GET"},
		{"GET", "/secret-path", 404, 19, 1, "page", "INFO", "GET"},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			r := httptest.NewRequest(c.method, c.path+"?secret-query", nil)
			r.Header.Set(RequestID, "secret-header")
			r.RemoteAddr = "192.0.2.77:1"
			w, lines := logged(t, mux, r)
			if len(lines) != c.lines {
				t.Fatalf("lines: %v", lines)
			}
			line := lines[len(lines)-1]
			if line["status"] != float64(c.status) || line["bytes"] != float64(c.bytes) || line["route"] != c.route || line["level"] != c.level || line["method"] != c.logged {
				t.Errorf("line: %v", line)
			}
			id := w.Header().Get(RequestID)
			if len(id) != 16 || line["id"] != id {
				t.Errorf("id %q, line: %v", id, line)
			}
			if text, _ := json.Marshal(lines); bytes.Contains(text, []byte("secret")) || bytes.Contains(text, []byte("192.0.2.77")) || bytes.Contains(text, []byte("BREW")) {
				t.Errorf("the client's text is in the log: %s", text)
			}
		})
	}
}

// TestLoggedErrors: what went wrong has the key that Go's programs give it.
func TestLoggedErrors(t *testing.T) {
	_, lines := logged(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a bug") }), httptest.NewRequest("GET", "/", nil))
	if len(lines) != 2 || lines[0]["err"] != "a bug" {
		t.Errorf("lines: %v", lines)
	}
}

func TestLoggedKeepsAborts(t *testing.T) {
	defer func() {
		if recover() != http.ErrAbortHandler {
			t.Error("http.ErrAbortHandler did not reach the server")
		}
	}()
	logged(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), httptest.NewRequest("GET", "/", nil))
}

func TestStatus(t *testing.T) {
	h, err := Status(version.Info{Version: "v1.2.3", Go: "go1.26.0", Platform: "linux/amd64"}, nil, http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, path string
		status       int
		body         string
		lines        int
	}{
		{"GET", "/healthz", 200, Healthy, 0},
		{"HEAD", "/healthz", 200, "", 0},
		{"POST", "/healthz", 404, "404 page not found\n", 1},
		{"GET", "/healthz/", 404, "404 page not found\n", 1},
		{"GET", "/version", 200, `{"version":"v1.2.3","modified":false,"go":"go1.26.0","platform":"linux/amd64"}` + "\n", 1},
		{"GET", "/", 404, "404 page not found\n", 1},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			w, lines := logged(t, h, httptest.NewRequest(c.method, c.path, strings.NewReader("")))
			if w.Code != c.status || w.Body.String() != c.body || len(lines) != c.lines {
				t.Errorf("got %d %q and %d lines", w.Code, w.Body, len(lines))
			}
			if got := w.Header().Get("X-Content-Type-Options"); got != "nosniff" {
				t.Errorf("X-Content-Type-Options: %q", got)
			}
		})
	}
}

// TestLoggedSwitch: a websocket's request is logged as what it was answered with.
func TestLoggedSwitch(t *testing.T) {
	var log bytes.Buffer
	logged := Logged(slog.New(slog.NewJSONHandler(&log, nil)), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		conn.Close()
	}))
	done := make(chan struct{}) // a server does not wait for the handler of a hijacked connection
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(done)
		logged.ServeHTTP(w, r)
	}))
	defer s.Close()
	r, err := http.NewRequest("GET", s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "websocket")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	<-done
	if !strings.Contains(log.String(), `"status":101`) {
		t.Errorf("the log says %s", log.String())
	}
}
