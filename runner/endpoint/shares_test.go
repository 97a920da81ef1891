package endpoint

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/newtlab/newt/runner/protocol"
)

// endless is a kernel that runs until it is stopped.
const endless = `func @endless(%z: *i32) {
  %zero = const {value=i32(0)} : i32
  %r = while %zero : i32 cond (%a: i32) {
    %t = eq %a, %a : i1
    condition %t, %a
  } do (%b: i32) {
    yield %b
  }
  return
}
`

// busy gives the client a job that runs until hold is closed.
func (w *wire) busy() *wire {
	w.submit(1, fill, nil)
	w.until("a job in the queue or on the device", func(m *protocol.ServerMessage) bool { return m.Started != nil || m.Queued != nil })
	return w
}

func (d *desk) refused(t *testing.T, header http.Header, what string) {
	t.Helper()
	_, answer, err := d.dial(header)
	if err == nil || answer == nil || answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Errorf("%s: %v, %v", what, answer, err)
	}
}

// evicted waits until the connection is told that it gave way.
func (w *wire) evicted() {
	w.t.Helper()
	w.until("the end", func(m *protocol.ServerMessage) bool {
		return m.Error != nil && m.Error.Diagnostic.Code == "runner-evicted" && m.Error.Fatal
	})
}

// TestConnections: connections without a job give way, those with one do not.
func TestConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.Connections = 3 })
		hold := make(chan struct{})
		d.gate.set(hold, false, false)
		first, second, idle := d.client(nil).busy(), d.client(nil).busy(), d.client(nil)
		third := d.client(nil).busy()
		idle.evicted()
		d.refused(t, nil, "a connection beyond three with jobs")
		close(hold)
		for _, w := range []*wire{first, second, third} {
			w.done(1)
		}
		for range 10 {
			d.client(nil).works(1)
		}
	})
}

// TestClientConnections: one address cannot take all connections, nor those of others.
func TestClientConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.Connections, l.ClientConnections = 6, 4 })
		hold := make(chan struct{})
		d.gate.set(hold, false, false)
		modest := d.clientFrom("198.51.100.1")
		var greedy []*wire
		for range 4 {
			greedy = append(greedy, d.clientFrom("203.0.113.7").busy())
		}
		d.refused(t, from("203.0.113.7"), "a fifth connection of one address")
		d.clientFrom("198.51.100.2")
		d.clientFrom("198.51.100.3") // of two addresses without jobs the older connection gives way
		modest.evicted()
		close(hold)
		for _, w := range greedy {
			w.done(1)
		}
		d.clientFrom("198.51.100.4").works(1)
		greedy[0].evicted()
	})
}

// TestUnauthenticated: who says no hello takes no room from those who do, whether through a proxy or not.
func TestUnauthenticated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.MaxUnauthenticated = 2 })
		silent := func(client string) error {
			_, _, err := d.dial(from(client))
			return err
		}
		for range 3 {
			d.clientFrom("203.0.113.7")
		}
		for range 2 {
			if err := silent("203.0.113.7"); err != nil {
				t.Fatal(err)
			}
		}
		d.refused(t, from("203.0.113.7"), "a third connection without a hello")
		d.refused(t, from("made up, 203.0.113.7"), "another first address of a proxy's list")
		if err := silent("198.51.100.9"); err != nil {
			t.Errorf("another address behind the same proxy: %v", err)
		}
		d.runner.mu.Lock()
		for p := range d.runner.conns {
			p.connectedAt = p.connectedAt.Add(-2 * handshakeGrace)
		}
		d.runner.mu.Unlock()
		d.clientFrom("203.0.113.7").works(1)
	})
}

// TestSessions: sessions without a connection give way to a new one, and none of another client's are taken.
func TestSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.Sessions, l.ClientSessions = 6, 4 })
		modest := d.clientFrom("198.51.100.1")
		modest.works(1)
		for i := range 30 {
			w := d.clientFrom("203.0.113.7")
			w.submit(1, fill, nil)
			w.until(fmt.Sprint("job ", i), func(m *protocol.ServerMessage) bool { return m.Done != nil })
			w.conn.Close()
			eventually(t, "the connection is gone", func() bool { return d.runner.connectionCount() == 1 })
		}
		if sessions, _ := d.runner.sched.Usage(); sessions > 5 {
			t.Errorf("%d sessions are kept", sessions)
		}
		d.clientFrom("198.51.100.2").works(1)
		modest.works(2)
	})
}

// TestOtherSessions: a client that has all its sessions connected gets no more, and others do.
func TestOtherSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.ClientSessions = 2 })
		d.clientFrom("203.0.113.7")
		d.clientFrom("203.0.113.7")
		w, _, err := d.dial(from("203.0.113.7"))
		if err != nil {
			t.Fatal(err)
		}
		w.say(protocol.ClientMessage{Hello: &protocol.ClientHello{Version: protocol.Version, Token: token}})
		if m, _ := w.next(); m == nil || m.Error == nil || m.Error.Diagnostic.Code != "runner-client-sessions" {
			t.Errorf("a third session gets %s", show(m))
		}
		d.clientFrom("198.51.100.1").works(1)
	})
}

// TestQueueFull: in a full queue, who has most jobs in it gives way.
func TestQueueFull(t *testing.T) {
	d := open(t, func(l *protocol.Limits) { l.ClientJobs, l.QueuedJobs = 5, 4 })
	hold := make(chan struct{})
	d.gate.set(hold, false, false)
	greedy := d.clientFrom("203.0.113.7")
	for i := range 5 {
		greedy.submit(int64(i+1), fill, nil)
	}
	greedy.until("the last place", func(m *protocol.ServerMessage) bool { return m.Job == 5 && m.Queued != nil })
	modest := d.clientFrom("198.51.100.1")
	modest.submit(1, fill, nil)
	greedy.ends(5, "runner-queue-displaced")
	greedy.submit(6, fill, nil)
	greedy.ends(6, "runner-queue-full")
	close(hold)
	for i := range 4 {
		if _, done := greedy.done(int64(i + 1)); done.State != protocol.StateDone {
			t.Errorf("job %d is %s", i+1, why(done))
		}
	}
	if _, done := modest.done(1); done.State != protocol.StateDone {
		t.Errorf("the other client's job is %s", why(done))
	}
}

// TestAnnouncedBytes: what a client announces and does not send takes no memory from others.
func TestAnnouncedBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) {
			l.JobBytes, l.TotalBytes, l.ClientBytes, l.ChunkBytes = 1<<20, 4<<20, 3<<20, 1<<12
		})
		greedy := d.client(nil)
		for i := range 5 {
			greedy.submit(int64(i+1), fill, func(s *protocol.Submit) { s.Tensors[0] = protocol.Tensor{Bytes: 1 << 20, Return: true} })
			greedy.raw(frame(protocol.Header{Kind: protocol.TensorFrame, Job: int64(i + 1)}, []byte{1}))
		}
		eventually(t, "the bytes arrive", func() bool { return d.bytes() > 5<<12 })
		if d.bytes() > 1<<17 {
			t.Errorf("five bytes take %d", d.bytes())
		}
		d.client(nil).works(1)
	})
}

// TestUploadDeadline: an upload that never stalls ends all the same.
func TestUploadDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.UploadTimeoutMS, l.UploadIdleTimeoutMS = 300, 200 })
		w := d.client(nil)
		w.submit(1, fill, func(s *protocol.Submit) { s.Tensors[0] = protocol.Tensor{Bytes: 1 << 20} })
		over := make(chan struct{})
		go func() {
			defer close(over)
			for i := range int64(100) {
				w.raw(frame(protocol.Header{Kind: protocol.TensorFrame, Job: 1, Offset: i}, []byte{1}))
				time.Sleep(10 * time.Millisecond)
			}
		}()
		w.ends(1, "runner-upload-deadline")
		<-over
	})
}

// TestSecondIR: IR that is sent again for a job is a mistake.
func TestSecondIR(t *testing.T) {
	d := open(t, nil)
	w := d.client(nil)
	wire := kernel(t, fill)
	w.submit(1, fill, func(s *protocol.Submit) { s.Tensors[0] = protocol.Tensor{Bytes: 4} })
	w.raw(frame(protocol.Header{Kind: protocol.IRFrame, Job: 1}, wire))
	m := w.until("an error", func(m *protocol.ServerMessage) bool { return m.Error != nil })
	if m.Error.Diagnostic.Code != "runner-message" || !m.Error.Fatal {
		t.Errorf("the runner says %s", show(m))
	}
}

// TestGuesses: wrong tokens of one client are answered later and later; a right one, and others', at once.
func TestGuesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, nil)
		guess := func(client string) time.Duration {
			w, _, err := d.dial(from(client))
			if err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			w.say(protocol.ClientMessage{Hello: &protocol.ClientHello{Version: protocol.Version, Token: "0123456789abcdefX"}})
			if m, _ := w.next(); m == nil || m.Error == nil || m.Error.Diagnostic.Code != "runner-token" {
				t.Errorf("a wrong token gets %s", show(m))
			}
			return time.Since(begin)
		}
		for i, want := range []time.Duration{firstTokenDelay, 2 * firstTokenDelay, 4 * firstTokenDelay} {
			if took := guess("203.0.113.7"); took != want {
				t.Errorf("guess %d is answered after %v, want %v", i+1, took, want)
			}
		}
		d.clientFrom("203.0.113.7").works(1)
		if wait := d.runner.tokenDelay("198.51.100.1", time.Now()); wait != firstTokenDelay {
			t.Errorf("another client waits %v", wait)
		}
		for range 20 {
			d.runner.tokenDelay("198.51.100.1", time.Now())
		}
		if wait := d.runner.tokenDelay("198.51.100.1", time.Now()); wait != maxTokenDelay {
			t.Errorf("after many guesses a client waits %v", wait)
		}
		if wait := d.runner.tokenDelay("198.51.100.1", time.Now().Add(2*tokenFailureTTL)); wait != firstTokenDelay {
			t.Errorf("after a quiet time a client waits %v", wait)
		}
		for i := range maxFailingClients + 10 {
			d.runner.tokenDelay(fmt.Sprint(i), time.Now())
		}
		if len(d.runner.wrongTokens) > maxFailingClients {
			t.Errorf("%d clients are remembered", len(d.runner.wrongTokens))
		}
	})
}

// TestShutdownIsShort: whatever clients and devices do, a runner has stopped within two seconds.
func TestShutdownIsShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.HandshakeTimeoutMS, l.WriteMS, l.CancelGraceMS = 600_000, 600_000, 600_000 })
		hold := make(chan struct{})
		d.gate.set(hold, true, false) // the job does not stop
		d.silent()
		w := d.client(nil)
		w.submit(1, fill, nil)
		w.started(1)
		d.client(nil).submit(1, endless, nil)
		begin := time.Now()
		d.runner.Shutdown(time.Second)
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("it took %v", took)
		}
		close(hold)
	})
}
