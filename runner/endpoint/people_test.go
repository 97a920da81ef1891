package endpoint

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/newtlab/newt/runner/people"
	"github.com/newtlab/newt/runner/people/peopletest"
	"github.com/newtlab/newt/runner/protocol"
)

// lockedBuffer is a log that is read while it is written.
type lockedBuffer struct {
	lock sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.Buffer.Write(text)
}

func (b *lockedBuffer) String() string {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.Buffer.String()
}

// TestPeople: each token is a person's, whose jobs are counted and bounded, and end with the token.
func TestPeople(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people")
	adas, ada := people.NewToken()
	bobs, bob := people.NewToken()
	keep := func(list ...people.Person) {
		t.Helper()
		if err := people.Edit(path, func([]people.Person) ([]people.Person, error) { return list, nil }); err != nil {
			t.Fatal(err)
		}
	}
	one := people.Person{Name: "ada", Hash: ada, Weight: 1, Jobs: 1}
	other := people.Person{Name: "bob", Hash: bob, Weight: 1}
	keep(one, other)
	log := &lockedBuffer{}
	logger := slog.New(slog.NewTextHandler(log, nil))
	file, err := people.Open(path, logger)
	if err != nil {
		t.Fatal(err)
	}
	d := openFor(t, Options{Limits: protocol.DefaultLimits(), Access: Access{People: file}, Log: logger})
	g, r := d.gate, d.runner
	if w := d.as("", nil); w.hello.Newt != "runner-token-missing" {
		t.Errorf("without a token the runner says %q", w.hello.Newt)
	}
	w, b := d.as(adas, nil), d.as(bobs, nil)
	w.works(1)
	b.works(1)
	if stolen := d.as(bobs, &protocol.Resume{Session: w.hello.Session}); stolen.hello.Newt != "runner-session-unknown" {
		t.Errorf("another person resumes the session: %+v", stolen.hello)
	}
	w = d.as(adas, nil)
	hold := make(chan struct{})
	g.set(hold, false, false)
	defer close(hold)
	w.submit(2, fill, nil)
	w.until("start", func(m *protocol.ServerMessage) bool { return m.Started != nil })
	w.submit(3, fill, nil)
	w.until("refusal", func(m *protocol.ServerMessage) bool {
		return m.Error != nil && m.Error.Diagnostic.Code == "runner-client-full"
	})
	answer, err := http.Get(d.url + MetricsPath)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	for _, line := range []string{`newt_person_jobs_total{person="ada",state="done"} 1`, `newt_person_device_seconds_total{person="bob"}`} {
		if !strings.Contains(string(text), line) {
			t.Errorf("the metrics have no line %q", line)
		}
	}
	keep(other)
	for m, _ := w.next(); m.Error == nil || m.Error.Diagnostic.Code != "runner-revoked"; m, _ = w.next() {
		if m.Done == nil && m.Progress == nil && m.Queued == nil {
			t.Fatalf("the runner says %s", show(m))
		}
	}
	if again := d.as(adas, &protocol.Resume{Session: w.hello.Session}); again.hello.Newt != "runner-token" {
		t.Errorf("the revoked token gets %+v", again.hello)
	}
	eventually(t, "the revoked job has left the device", func() bool {
		devices, _ := r.sched.Status()
		return devices[0].Running == 0
	})
	g.set(nil, false, false)
	b.works(2)
	for _, want := range []string{"msg=client person=ada", "msg=job person=bob", "msg=person person=ada change=revoked"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log has no %q", want)
		}
	}
	if strings.Contains(log.String(), adas) || strings.Contains(string(text), adas) {
		t.Error("a token is in the log or the metrics")
	}
}

// atClient calls do when a log says that a client has come, before its session is opened.
type atClient struct {
	slog.Handler
	do func()
}

func (h atClient) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "client" {
		h.do()
	}
	return nil
}

// TestShareStays: a person's share holds in a session that is opened while the scheduler forgets clients without one.
func TestShareStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people")
	token, hash := people.NewToken()
	err := people.Edit(path, func([]people.Person) ([]people.Person, error) {
		return []people.Person{{Name: "ada", Hash: hash, Weight: 1, Jobs: 1}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	file, err := people.Open(path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	limits := protocol.DefaultLimits()
	limits.Sessions = 1
	var d *desk
	log := slog.New(atClient{slog.NewTextHandler(io.Discard, nil), func() {
		for i := range 2 * limits.Sessions { // as many as are known
			d.runner.sched.Charge(fmt.Sprint(i), 0)
		}
	}})
	d = openFor(t, Options{Limits: limits, Access: Access{People: file}, Log: log})
	hold := make(chan struct{})
	d.gate.set(hold, false, false)
	defer close(hold)
	w := d.as(token, nil)
	w.submit(1, fill, nil)
	w.submit(2, fill, nil)
	w.until("refusal", func(m *protocol.ServerMessage) bool {
		return m.Error != nil && m.Error.Diagnostic.Code == "runner-client-full"
	})
}

// TestTokenEnds: a session with an ID token ends when that does, and goes on with another token of the same person.
func TestTokenEnds(t *testing.T) {
	issuer := peopletest.StartIssuer(t)
	provider, err := people.Discover(t.Context(), people.ProviderOptions{Issuer: issuer.URL, Audience: "newt", Claim: "sub"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	token := func(name string, life time.Duration) string {
		return issuer.Token(t, map[string]any{"alg": "RS256", "kid": "one"},
			map[string]any{"iss": issuer.URL, "aud": "newt", "sub": name, "exp": time.Now().Add(life).Unix()})
	}
	if _, ok := provider.Lookup(t.Context(), token("ada", time.Hour)); !ok { // it has read the keys from now on
		t.Fatal("the token is not accepted")
	}
	synctest.Test(t, func(t *testing.T) {
		d := openForInBubble(t, Options{Limits: testLimits(nil), Access: Access{Provider: provider}})
		if w := d.as("no.id.token", nil); w.hello.Newt != "runner-token" {
			t.Errorf("the runner says %q", w.hello.Newt)
		}
		w := d.as(token("ada", time.Minute), nil)
		w.works(1)
		w.until("the token's end", func(m *protocol.ServerMessage) bool {
			return m.Error != nil && m.Error.Diagnostic.Code == "runner-token" && m.Error.Fatal
		})
		d.as(token("ada", time.Hour), nil).works(1)
	})
}
