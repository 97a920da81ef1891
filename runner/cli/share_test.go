package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/newtlab/newt/runner/share/sharetest"
	"github.com/newtlab/newt/runner/share/sqlite"
)

// TestShareIsServed holds the links of `newt serve` to the table that every home passes.
func TestShareIsServed(t *testing.T) {
	data := t.TempDir()
	handler, stop := withShare(t.Context(), &Env{Stderr: io.Discard}, data, http.NotFoundHandler())
	defer stop()
	server := httptest.NewServer(handler)
	defer server.Close()
	sharetest.Run(t, sharetest.Home{URL: server.URL, Burst: sharetest.DefaultBurst, Put: func(t *testing.T, id string, value []byte) {
		second, err := sqlite.Open(t.Context(), filepath.Join(data, shareFile), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer second.Close()
		if _, err := second.Put(t.Context(), id, value, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}})
}

// A data directory that cannot be used costs the short links and nothing else.
func TestShareWithoutData(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "the page") })
	handler, stop := withShare(t.Context(), &Env{Stderr: io.Discard}, filepath.Join(blocked, "data"), page)
	defer stop()
	for path, want := range map[string]int{"/": http.StatusOK, "/api/share/aaaaaaaaaaaaaaaa": http.StatusServiceUnavailable} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != want {
			t.Errorf("%s: status %d, want %d: %s", path, w.Code, want, w.Body)
		}
	}
}
