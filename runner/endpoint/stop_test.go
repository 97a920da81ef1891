package endpoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/newtlab/newt/runner/people"
	"github.com/newtlab/newt/runner/people/peopletest"
	"github.com/newtlab/newt/runner/protocol"
)

// A device that panics costs one job; one that does not stop costs one job and its patience.
func TestDevicesGoWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.CancelGraceMS = 50 })
		w := d.client(nil)
		d.gate.set(nil, false, true)
		w.submit(1, fill, nil)
		w.ends(1, "runner-internal")
		hold := make(chan struct{})
		d.gate.set(hold, true, false)
		w.submit(2, fill, func(s *protocol.Submit) { s.DeadlineMS = 50 })
		w.ends(2, "runner-stuck")
		if _, body := d.runner.Health(); body != "ok\ncpu: CPU, 0 waiting, idle, 1 stuck\n" && body != "ok\ncpu: CPU, 0 waiting, running, 1 stuck\n" {
			t.Errorf("health is %q", body)
		}
		d.gate.set(nil, false, false)
		w.works(3)
		close(hold)
		eventually(t, "the stuck job ends", func() bool { devices, _ := d.runner.sched.Status(); return devices[0].Stuck == 0 })
	})
}

func TestShutdown(t *testing.T) {
	for _, c := range []struct {
		name         string
		grace        time.Duration
		release      bool
		first, other string // how the running job and the waiting one end
	}{
		{"in time", patience, true, protocol.StateDone, "runner-stopping"},
		{"too late", 0, false, "runner-stopped", "runner-stopping"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := openInBubble(t, nil)
				hold := make(chan struct{})
				d.gate.set(hold, false, false)
				w := d.client(nil)
				w.submit(1, fill, nil)
				w.started(1)
				other := d.client(nil)
				other.submit(1, fill, nil)
				other.until("queued", func(m *protocol.ServerMessage) bool { return m.Queued != nil })
				over := make(chan struct{})
				go func() { d.runner.Shutdown(c.grace); close(over) }()
				other.ends(1, c.other)
				other.submit(2, fill, nil)
				if c.release {
					close(hold)
				}
				got, done := w.done(1)
				if why(done) != c.first || done.State == protocol.StateDone && len(got) != 1024 {
					t.Errorf("the running job ends with %s and %d bytes, want %s", why(done), len(got), c.first)
				}
				m := w.until("the end", func(m *protocol.ServerMessage) bool { return m.Error != nil })
				if m.Error.Diagnostic.Code != "runner-stopping" || !m.Error.Fatal {
					t.Errorf("the last word is %s", show(m))
				}
				<-over
				if _, answer, err := d.dial(nil); err == nil || answer.StatusCode != 503 {
					t.Errorf("a connection after the end: %v", fmt.Sprint(err))
				}
			})
		})
	}
}

// TestShutdownIsLogged: the log says that the runner stops, with how much it has, and that it has stopped.
func TestShutdownIsLogged(t *testing.T) {
	var log bytes.Buffer
	d := openFor(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	d.runner.Shutdown(0)
	for _, want := range []string{`msg="the runner stops" waiting=0 running=0 connections=0`, `msg="the runner has stopped" ms=`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, log.String())
		}
	}
}

// stops waits until the runner has stopped without grace.
func (d *desk) stops() {
	d.t.Helper()
	over := make(chan struct{})
	go func() { d.runner.Shutdown(0); close(over) }()
	select {
	case <-over:
	case <-time.After(patience):
		d.t.Error("the runner does not stop")
	}
}

// Connections that say nothing and connections that do not read do not keep a runner from stopping.
func TestShutdownHangsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.HandshakeTimeoutMS, l.WriteMS = 600_000, 600_000 })
		d.silent()
		deaf := d.client(nil)
		deaf.submit(1, fill, func(s *protocol.Submit) { s.Tensors[0].Bytes = 64 << 20 })
		eventually(t, "the job ends", func() bool {
			devices, _ := d.runner.sched.Status()
			_, bytes := d.runner.sched.Usage()
			return devices[0].Running == 0 && bytes > 64<<20
		})
		d.stops()
	})
}

// TestShutdownDuringLookup: a provider that does not answer about a token does not keep a runner from stopping.
func TestShutdownDuringLookup(t *testing.T) {
	asked, over := make(chan struct{}, 1), make(chan struct{})
	mux := http.NewServeMux()
	provider := httptest.NewServer(mux)
	t.Cleanup(func() { close(over); provider.Close() })
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(map[string]any{"issuer": provider.URL, "jwks_uri": provider.URL + "/keys"})
	})
	mux.HandleFunc("/keys", func(http.ResponseWriter, *http.Request) { asked <- struct{}{}; <-over })
	o := people.ProviderOptions{Issuer: provider.URL, Audience: "newt", Claim: "preferred_username", Timeout: time.Hour}
	found, err := people.Discover(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	idToken := peopletest.StartIssuer(t).Token(t, map[string]any{"alg": "RS256", "kid": "one"}, map[string]any{
		"iss": provider.URL, "aud": "newt", "preferred_username": "ada", "exp": time.Now().Add(time.Hour).Unix(),
	})
	d := openFor(t, Options{Limits: protocol.DefaultLimits(), Access: Access{Provider: found}})
	w := d.silent()
	w.say(protocol.ClientMessage{Hello: &protocol.ClientHello{Version: protocol.Version, Token: idToken}})
	<-asked
	d.stops()
	if m, _ := w.next(); m == nil || m.Error == nil || m.Error.Diagnostic.Code != "runner-stopping" {
		t.Errorf("the client hears %s", show(m))
	}
}

// TestPanicHangsUp: a bug in the handling of a connection ends it.
func TestPanicHangsUp(t *testing.T) {
	d := openFor(t, Options{
		Limits: protocol.DefaultLimits(), Access: Access{Token: token},
		Log: slog.New(atClient{slog.NewTextHandler(io.Discard, nil), func() { panic("a bug") }}),
	})
	w := d.silent()
	w.say(protocol.ClientMessage{Hello: &protocol.ClientHello{Version: protocol.Version, Token: token}})
	w.conn.SetReadDeadline(time.Now().Add(patience))
	if _, _, err := w.conn.ReadMessage(); err == nil || isTimeout(err) {
		t.Errorf("the connection gives %v", err)
	}
}
