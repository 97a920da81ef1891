package endpoint

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/runner/people"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
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
	g := &gate{Device: cpu.New(cpu.Options{})}
	r := New(Options{
		Devices: []sched.Device{{ID: "cpu", Device: g}}, Limits: protocol.DefaultLimits(), Access: Access{People: file}, Log: logger,
	})
	mux := http.NewServeMux()
	mux.Handle(protocol.Path, r)
	mux.Handle(MetricsPath, r.Metrics())
	s := httptest.NewServer(mux)
	t.Cleanup(func() { r.Shutdown(0); s.Close() })
	d := &desk{t, r, s.URL, g}
	connect := func(token string, resume *protocol.Resume) *wire {
		w := d.silent()
		w.say(protocol.ClientMessage{Hello: &protocol.ClientHello{Version: protocol.Version, Token: token, Resume: resume}})
		m, _ := w.next()
		if w.hello = m.Hello; w.hello == nil {
			w.hello = &protocol.ServerHello{Newt: m.Error.Diagnostic.Code}
		}
		return w
	}
	if w := connect("", nil); w.hello.Newt != "runner-token" {
		t.Errorf("without a token the runner says %q", w.hello.Newt)
	}
	w, b := connect(adas, nil), connect(bobs, nil)
	w.works(1)
	b.works(1)
	if stolen := connect(bobs, &protocol.Resume{Session: w.hello.Session}); stolen.hello.Newt != "runner-session-unknown" {
		t.Errorf("another person resumes the session: %+v", stolen.hello)
	}
	w = connect(adas, nil)
	hold := make(chan struct{})
	g.set(hold, false, false)
	defer close(hold)
	w.submit(2, fill, nil)
	w.until("start", func(m *protocol.ServerMessage) bool { return m.Started != nil })
	w.submit(3, fill, nil)
	w.until("refusal", func(m *protocol.ServerMessage) bool {
		return m.Error != nil && m.Error.Diagnostic.Code == "runner-client-full"
	})
	answer, err := http.Get(s.URL + MetricsPath)
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
	if again := connect(adas, &protocol.Resume{Session: w.hello.Session}); again.hello.Newt != "runner-token" {
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
