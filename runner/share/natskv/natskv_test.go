package natskv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/newtlab/newt/runner/share"
	"github.com/newtlab/newt/runner/share/link"
	"github.com/newtlab/newt/runner/share/sharetest"
)

// start starts a NATS server of its own for a test, with a bound on its storage.
func start(t *testing.T, folder string, storage int64) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: folder, JetStreamMaxStore: storage, NoSigs: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	return s
}

// open opens a store with a connection of its own, as each gateway does.
func open(t *testing.T, of *server.Server, o Options) *Store {
	t.Helper()
	conn, err := nats.Connect("", nats.InProcessServer(of))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), js, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const room = 1 << 30

func put(t *testing.T, s *Store, id, value string, until time.Time) {
	t.Helper()
	if created, err := s.Put(t.Context(), id, []byte(value), until); !created || err != nil {
		t.Fatalf("Put(%q): %v, %v", id, created, err)
	}
}

func TestStore(t *testing.T) {
	sharetest.Store(t, open(t, start(t, t.TempDir(), room), Options{}))
}

func TestHome(t *testing.T) {
	store := open(t, start(t, t.TempDir(), room), Options{})
	home := httptest.NewServer(share.New(sharetest.Options(store)))
	defer home.Close()
	sharetest.Run(t, sharetest.Home{URL: home.URL, Burst: sharetest.DefaultBurst, Put: func(t *testing.T, id string, value []byte) {
		put(t, store, id, string(value), time.Now().Add(time.Hour))
	}})
}

// TestTwoGateways: what is posted at one gateway is found at another one, and after the server was started again.
func TestTwoGateways(t *testing.T) {
	folder := t.TempDir()
	first := start(t, folder, room)
	text, err := link.Encode(link.State{Source: "# shared\n"})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(s *Store, method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, bytes.NewReader([]byte(body)))
		r.Header.Set("Content-Type", share.ContentType)
		w := httptest.NewRecorder()
		share.New(sharetest.Options(s)).ServeHTTP(w, r)
		return w
	}
	a, b := open(t, first, Options{}), open(t, first, Options{})
	posted := ask(a, "POST", "/api/share", text)
	if posted.Code != http.StatusCreated {
		t.Fatalf("%d %s", posted.Code, posted.Body)
	}
	path := "/api/share/" + posted.Header().Get("Location")[len("/s/"):]
	if got := ask(b, "GET", path, ""); got.Code != http.StatusOK || got.Body.String() != text {
		t.Errorf("the other gateway has %d %s", got.Code, got.Body)
	}
	first.Shutdown()
	first.WaitForShutdown()
	if got := ask(open(t, start(t, folder, room), Options{}), "GET", path, ""); got.Body.String() != text {
		t.Errorf("after a new start: %d %s", got.Code, got.Body)
	}
}

func TestBounds(t *testing.T) {
	rows := open(t, start(t, t.TempDir(), room), Options{MaxRows: 2})
	put(t, rows, "a", "one", time.Time{})
	put(t, rows, "b", "two", time.Time{})
	if _, err := rows.Put(t.Context(), "c", nil, time.Time{}); !errors.Is(err, share.ErrFull) {
		t.Errorf("a third value of two: %v", err)
	}
	if created, err := rows.Put(t.Context(), "a", []byte("one"), time.Time{}); created || err != nil {
		t.Errorf("what a full store has already: %v, %v", created, err)
	}
	if err := rows.Delete(t.Context(), "b"); err != nil {
		t.Error(err)
	}
	put(t, rows, "c", "three", time.Time{})

	size := open(t, start(t, t.TempDir(), room), Options{MaxBytes: 1 << 20})
	var err error
	n := 0
	for ; err == nil && n < 100; n++ {
		_, err = size.Put(t.Context(), fmt.Sprint(n), make([]byte, 200<<10), time.Time{})
	}
	if !errors.Is(err, share.ErrFull) || n != 6 {
		t.Errorf("1 MiB is full after %d values of 200 KiB: %v", n, err)
	}
	if _, err := size.Put(t.Context(), "large", make([]byte, maxValue+1), time.Time{}); err == nil {
		t.Error("a value that no link has is stored")
	}
}

// TestSmallDisk: where the servers have less room than the bucket may take, it takes less.
func TestSmallDisk(t *testing.T) {
	put(t, open(t, start(t, t.TempDir(), 64<<20), Options{}), "a", "one", time.Time{})
}

// TestExpiry: what has passed its time is gone, and makes room.
func TestExpiry(t *testing.T) {
	s := open(t, start(t, t.TempDir(), room), Options{MaxRows: 2})
	put(t, s, "short", "1", time.Now().Add(time.Second))
	put(t, s, "long", "2", time.Now().Add(time.Hour))
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if _, err := s.Get(t.Context(), "short"); errors.Is(err, share.ErrNotFound) {
			break
		} else if err != nil || time.Now().After(end) {
			t.Fatalf("the value stays: %v", err)
		}
	}
	put(t, s, "next", "3", time.Time{})
	if value, err := s.Get(t.Context(), "long"); string(value) != "2" {
		t.Errorf("the other value is %q, %v", value, err)
	}
}

// TestRemoved: a bucket that somebody removes is made again by the next value.
func TestRemoved(t *testing.T) {
	s := open(t, start(t, t.TempDir(), room), Options{})
	put(t, s, "a", "one", time.Time{})
	if err := s.js.DeleteStream(t.Context(), Stream); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), "a"); !errors.Is(err, share.ErrNotFound) {
		t.Errorf("Get: %v", err)
	}
	put(t, s, "a", "two", time.Time{})
}

// TestAway: without a server the store is busy, and says so before the context ends and after.
func TestAway(t *testing.T) {
	of := start(t, t.TempDir(), room)
	s := open(t, of, Options{})
	of.Shutdown()
	of.WaitForShutdown()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := s.Put(ctx, "a", nil, time.Time{}); !errors.Is(err, share.ErrBusy) {
		t.Errorf("Put: %v", err)
	}
	if _, err := s.Get(ctx, "a"); !errors.Is(err, share.ErrBusy) {
		t.Errorf("Get: %v", err)
	}
	if err := s.Delete(ctx, "a"); !errors.Is(err, share.ErrBusy) {
		t.Errorf("Delete: %v", err)
	}
}
