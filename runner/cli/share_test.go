package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/newtlab/newt/runner/fleet"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/share/sharetest"
	"github.com/newtlab/newt/runner/share/sqlite"
)

// TestShareIsServed holds the links of `newt serve` to the table that every home passes.
func TestShareIsServed(t *testing.T) {
	data := t.TempDir()
	handler, stop := withShare(t.Context(), &Env{Stderr: io.Discard}, linkOptions{data: data}, http.NotFoundHandler())
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
	handler, stop := withShare(t.Context(), &Env{Stderr: io.Discard}, linkOptions{data: filepath.Join(blocked, "data")}, page)
	defer stop()
	for path, want := range map[string]int{"/": http.StatusOK, "/api/share/aaaaaaaaaaaaaaaa": http.StatusServiceUnavailable} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != want {
			t.Errorf("%s: status %d, want %d: %s", path, w.Code, want, w.Body)
		}
	}
}

// TestLinksMove: a machine that becomes a gateway brings its short links to where all gateways find them, once.
func TestLinksMove(t *testing.T) {
	data, ctx := t.TempDir(), t.Context()
	path := filepath.Join(data, shareFile)
	file, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for id, until := range map[string]time.Time{"always": {}, "soon": time.Now().Add(time.Hour), "gone": time.Now().Add(-time.Hour)} {
		if _, err := file.Put(ctx, id, []byte(id), until); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := fleet.StartServer(fleet.ServerOptions{Addr: "127.0.0.1:0", Store: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	gateway, err := fleet.NewGateway(fleet.Options{Server: s}, protocol.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer gateway.Close()
	for range 2 {
		store, stop, err := linkOptions{data: data, gateway: gateway}.open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for id, want := range map[string]bool{"always": true, "soon": true, "gone": false} {
			value, err := store.Get(ctx, id)
			if (string(value) == id) != want {
				t.Errorf("%s is %q, %v", id, value, err)
			}
		}
		if err := stop(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the file is read again at the next start")
	}
}
