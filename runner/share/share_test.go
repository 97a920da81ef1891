package share_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/newtlab/newt/runner/share"
	"github.com/newtlab/newt/runner/share/link"
	"github.com/newtlab/newt/runner/share/sharetest"
)

func TestMemory(t *testing.T) {
	sharetest.Store(t, &sharetest.Memory{})
	store := &sharetest.Memory{}
	server := httptest.NewServer(share.New(sharetest.Options(store)))
	defer server.Close()
	sharetest.Run(t, sharetest.Home{URL: server.URL, Burst: sharetest.DefaultBurst, Put: func(t *testing.T, id string, value []byte) {
		if created, err := store.Put(t.Context(), id, value, time.Time{}); !created || err != nil {
			t.Fatal(created, err)
		}
	}})
}

// slow is a store that answers when nobody waits any more.
type slow struct{}

func (slow) Put(ctx context.Context, _ string, _ []byte, _ time.Time) (bool, error) {
	<-ctx.Done()
	return false, ctx.Err()
}

func (slow) Get(ctx context.Context, _ string) ([]byte, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (slow) Delete(ctx context.Context, _ string) error {
	<-ctx.Done()
	return ctx.Err()
}

func payload(t testing.TB, s link.State) string {
	t.Helper()
	text, err := link.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func request(method, path, body string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", share.ContentType)
	}
	return r
}

// TestBrokenStores: a store that is full, slow or gone is a 503 that says which, in time, and tells
// the operator what the visitor is not told.
func TestBrokenStores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		secret := errors.New("disk /dev/sda1 is on fire")
		text := payload(t, link.State{})
		for _, c := range []struct {
			name  string
			store share.Store
			err   error
			code  string
			retry bool
		}{
			{"full", share.Unavailable(share.ErrFull), share.ErrFull, "share-full", false},
			{"slow", slow{}, context.DeadlineExceeded, "share-busy", true},
			{"busy", share.Unavailable(share.ErrBusy), share.ErrBusy, "share-busy", true},
			{"gone", share.Unavailable(secret), secret, "share-unavailable", true},
		} {
			var reported error
			h := share.New(share.Options{Store: c.store, Timeout: 20 * time.Millisecond, Report: func(err error) { reported = err }})
			for _, r := range []*http.Request{
				request("POST", "/api/share", text), request("GET", "/api/share/0123456789abcdef", ""),
				request("GET", "/s/0123456789abcdef", ""), request("GET", "/s/0123456789abcdef/card.png", ""),
				request("DELETE", "/api/share/0123456789abcdef", ""),
			} {
				w := httptest.NewRecorder()
				reported = nil
				h.ServeHTTP(w, r)
				if w.Code != http.StatusServiceUnavailable || (w.Header().Get("Retry-After") != "") != c.retry {
					t.Errorf("%s: %s %s: %d, Retry-After %q", c.name, r.Method, r.URL, w.Code, w.Header().Get("Retry-After"))
				}
				if strings.HasPrefix(r.URL.Path, "/api") && !strings.Contains(w.Body.String(), `"`+c.code+`"`) {
					t.Errorf("%s: %s %s: %s", c.name, r.Method, r.URL, w.Body)
				}
				if strings.Contains(w.Body.String(), "sda1") || w.Header().Get("Cache-Control") != "no-store" {
					t.Errorf("%s: %s %s: %v %s", c.name, r.Method, r.URL, w.Header(), w.Body)
				}
				if !errors.Is(reported, c.err) {
					t.Errorf("%s: %s %s: reported %v", c.name, r.Method, r.URL, reported)
				}
			}
		}
	})
}

// TestUnreadableRecord: what a store has lost its sense of is no page and no panic.
func TestUnreadableRecord(t *testing.T) {
	for _, value := range []string{"", "null", "[]", `{"link":7}`, `{"link":"AAAA"}`} {
		store := &sharetest.Memory{}
		if _, err := store.Put(t.Context(), "0123456789abcdef", []byte(value), time.Time{}); err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		share.New(sharetest.Options(store)).ServeHTTP(w, request("GET", "/s/0123456789abcdef", ""))
		if w.Code < 400 || !strings.Contains(w.Body.String(), "<h1>newt</h1>") {
			t.Errorf("%q: %d %s", value, w.Code, w.Body)
		}
	}
}

// TestIDTaken: a text never takes the place of another one, whatever the store holds.
func TestIDTaken(t *testing.T) {
	text := payload(t, link.State{Source: "mine"})
	other := share.Record{Link: payload(t, link.State{Source: "other"})}
	value, err := other.Encode()
	if err != nil {
		t.Fatal(err)
	}
	store := &sharetest.Memory{}
	id := share.Record{Link: text}.ID()
	if _, err := store.Put(t.Context(), id, value, time.Time{}); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	share.New(sharetest.Options(store)).ServeHTTP(w, request("POST", "/api/share", text))
	if kept, _ := store.Get(t.Context(), id); w.Code != http.StatusServiceUnavailable || string(kept) != string(value) {
		t.Errorf("%d %s; the store holds %s", w.Code, w.Body, kept)
	}
}

// TestKeyIsNotKept: the store never sees the delete key.
func TestKeyIsNotKept(t *testing.T) {
	store := &sharetest.Memory{}
	w := httptest.NewRecorder()
	text := payload(t, link.State{})
	share.New(sharetest.Options(store)).ServeHTTP(w, request("POST", "/api/share", text))
	value, err := store.Get(t.Context(), share.Record{Link: text}.ID())
	_, after, found := strings.Cut(w.Body.String(), `"key":"`)
	key, _, _ := strings.Cut(after, `"`)
	if err != nil || !found || len(key) < 20 || strings.Contains(string(value), key) {
		t.Errorf("%v: the store holds %s, the author has %q", err, value, key)
	}
}

// TestCachedUntilExpiry: nobody may keep what a link opens for longer than a minute, or than the link lasts.
func TestCachedUntilExpiry(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	for left, want := range map[time.Duration]string{0: "60", 5 * time.Second: "5", time.Hour: "60"} {
		record := share.Record{Link: payload(t, link.State{})}
		if left > 0 {
			record.Expires = now.Add(left).Unix()
		}
		value, err := record.Encode()
		if err != nil {
			t.Fatal(err)
		}
		store := &sharetest.Memory{}
		if _, err := store.Put(t.Context(), record.ID(), value, time.Time{}); err != nil {
			t.Fatal(err)
		}
		o := sharetest.Options(store)
		o.Now = func() time.Time { return now }
		w := httptest.NewRecorder()
		share.New(o).ServeHTTP(w, request("GET", "/api/share/"+record.ID(), ""))
		if got := w.Header().Get("Cache-Control"); got != "public, max-age="+want {
			t.Errorf("a link with %v left: %d %s", left, w.Code, got)
		}
	}
}

// TestBase: addresses come from the option, or from a request that looks like one.
func TestBase(t *testing.T) {
	text := payload(t, link.State{})
	id := share.Record{Link: text}.ID()
	for _, c := range []struct{ base, host, proto, want string }{
		{"https://newt.example/", "other.example", "", "https://newt.example/s/" + id},
		{"", "newt.lab:8080", "", "http://newt.lab:8080/s/" + id},
		{"", "[::1]:8080", "https", "https://[::1]:8080/s/" + id},
		{"", `"><script>`, "", "/s/" + id},
		{"", "", "", "/s/" + id},
	} {
		o := sharetest.Options(&sharetest.Memory{})
		o.Base = c.base
		r := request("POST", "/api/share", text)
		r.Host = c.host
		r.Header.Set("X-Forwarded-Proto", c.proto)
		w := httptest.NewRecorder()
		share.New(o).ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), `"url":"`+c.want+`"`) {
			t.Errorf("%+v: %s", c, w.Body)
		}
	}
}

// TestTenThousandPosts: a client that posts without end fills nothing and stops no one else.
func TestTenThousandPosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // all posts come at once
		store := &sharetest.Memory{}
		o := sharetest.Options(store)
		o.Limiter = share.NewBuckets(sharetest.DefaultBurst, 3*time.Second)
		h := share.New(o)
		texts := make([]string, 200)
		for i := range texts {
			texts[i] = payload(t, link.State{Puzzle: i})
		}
		statuses := map[int]int{}
		for i := range 10_000 {
			r := request("POST", "/api/share", texts[i%len(texts)])
			r.RemoteAddr = "192.0.2.1:1"
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			statuses[w.Code]++
		}
		if statuses[201] != store.Len() || statuses[201]+statuses[200]+statuses[429] != 10_000 || statuses[201] != sharetest.DefaultBurst {
			t.Errorf("statuses %v, %d kept", statuses, store.Len())
		}
		r := request("POST", "/api/share", payload(t, link.State{View: "other"}))
		r.RemoteAddr = "192.0.2.2:1"
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusCreated {
			t.Errorf("another client: %d", w.Code)
		}
	})
}

// TestCutBody: a client that goes away in the middle leaves nothing behind.
func TestCutBody(t *testing.T) {
	store := &sharetest.Memory{}
	r := request("POST", "/api/share", "")
	r.Header.Set("Content-Type", share.ContentType)
	r.Body = io.NopCloser(io.MultiReader(strings.NewReader("AQ"), failing{}))
	w := httptest.NewRecorder()
	share.New(sharetest.Options(store)).ServeHTTP(w, r)
	if w.Code != http.StatusBadRequest || store.Len() != 0 {
		t.Errorf("%d %s, %d kept", w.Code, w.Body, store.Len())
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
