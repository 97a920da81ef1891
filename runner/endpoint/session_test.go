package endpoint

import (
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/newtlab/newt/runner/protocol"
)

func job(number int64) *protocol.JobRef { return &protocol.JobRef{Job: number} }

func (w *wire) cancel(number int64) { w.say(protocol.ClientMessage{Cancel: job(number)}) }

// started waits for a job to run.
func (w *wire) started(number int64) {
	w.t.Helper()
	w.until("started", func(m *protocol.ServerMessage) bool { return m.Job == number && m.Started != nil })
}

func (w *wire) ends(number int64, want string) *protocol.Done {
	w.t.Helper()
	_, done := w.done(number)
	if got := why(done); got != want {
		w.t.Errorf("job %d ends with %s, want %s", number, got, want)
	}
	return done
}

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, nil)
		hold := make(chan struct{})
		d.gate.set(hold, false, false)
		w, other := d.client(nil), d.client(nil)
		w.submit(1, fill, nil)
		w.started(1)
		w.submit(2, fill, nil)
		other.submit(1, fill, nil)
		w.until("queued", func(m *protocol.ServerMessage) bool { return m.Job == 2 && m.Queued != nil })
		w.cancel(2)
		if done := w.ends(2, "runner-cancelled"); done.State != protocol.StateCancelled || done.Fault == nil || done.Fault.Code != "launch-cancelled" {
			t.Errorf("a job that was cancelled in the queue: %+v", done)
		}
		w.cancel(1)
		if done := w.ends(1, "runner-cancelled"); done.State != protocol.StateCancelled || done.Fault.Code != "launch-cancelled" {
			t.Errorf("a job that was cancelled while it ran: %+v", done)
		}
		w.cancel(1) // once more is of no consequence
		close(hold)
		if _, done := other.done(1); done.State != protocol.StateDone {
			t.Errorf("the other client's job is %s", why(done))
		}
		w.works(3)
	})
}

func TestSameNumber(t *testing.T) {
	d := open(t, nil)
	hold := make(chan struct{})
	d.gate.set(hold, false, false)
	w := d.client(nil)
	w.submit(5, fill, nil)
	w.started(5)
	wire := kernel(t, fill)
	for _, number := range []int64{5, 4} {
		s := submission(number, wire, 256)
		w.say(protocol.ClientMessage{Submit: &s})
		m := w.until("an error", func(m *protocol.ServerMessage) bool { return m.Error != nil })
		if m.Job != number || m.Error.Fatal || m.Error.Diagnostic.Code != "runner-job-number" {
			t.Errorf("job %d after job 5: %s", number, show(m))
		}
	}
	close(hold)
	if got, done := w.done(5); done.State != protocol.StateDone || len(got) != 1024 {
		t.Errorf("the first job 5 is %s", why(done))
	}
}

// Clients take turns, however many jobs each has; positions say so. Who had fewer kernels verified is first.
func TestFairness(t *testing.T) {
	d := open(t, nil)
	hold := make(chan struct{})
	d.gate.set(hold, false, false)
	greedy, modest := d.client(nil), d.client(nil)
	greedy.submit(1, fill, nil)
	greedy.started(1)
	for number := int64(2); number <= 5; number++ {
		greedy.submit(number, fill, nil)
		at := int(number - 1)
		greedy.until("a position", func(m *protocol.ServerMessage) bool {
			return m.Job == number && m.Queued != nil && m.Queued.Position == at
		})
	}
	modest.submit(1, fill, nil)
	modest.until("a position", func(m *protocol.ServerMessage) bool { return m.Queued != nil && m.Queued.Position == 1 })
	greedy.until("a new position", func(m *protocol.ServerMessage) bool { return m.Job == 5 && m.Queued != nil && m.Queued.Position == 5 })
	greedy.cancel(2)
	greedy.ends(2, "runner-cancelled")
	greedy.until("a new position", func(m *protocol.ServerMessage) bool { return m.Job == 5 && m.Queued != nil && m.Queued.Position == 4 })
	close(hold)
	if _, done := modest.done(1); done.State != protocol.StateDone {
		t.Errorf("the modest client's job is %s", why(done))
	}
	if _, done := greedy.done(5); done.State != protocol.StateDone {
		t.Errorf("the greedy client's last job is %s", why(done))
	}
}

func TestFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.ClientJobs, l.QueuedJobs = 2, 3 })
		hold := make(chan struct{})
		d.gate.set(hold, false, false)
		w := d.client(nil)
		w.submit(1, fill, nil)
		w.started(1)
		w.submit(2, fill, nil)
		w.submit(3, fill, nil)
		w.ends(3, "runner-client-full")
		second := d.client(nil)
		second.submit(1, fill, nil)
		second.submit(2, fill, nil)
		second.until("the third place", func(m *protocol.ServerMessage) bool { return m.Job == 2 && m.Queued != nil })
		third := d.client(nil)
		third.submit(1, fill, nil) // takes the place of the session with two
		second.ends(2, "runner-queue-displaced")
		fourth := d.client(nil)
		fourth.submit(1, fill, nil) // all have one
		fourth.ends(1, "runner-queue-full")
		close(hold)
		for c, number := range map[*wire]int64{w: 2, second: 1, third: 1} {
			if _, done := c.done(number); done.State != protocol.StateDone {
				t.Errorf("a job in a full queue is %s", why(done))
			}
		}
		fourth.works(2)
	})
}

// Memory that results of clients who are away take is given to those who are there.
func TestTotalMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.TotalBytes = 40_000 })
		hold := make(chan struct{})
		d.gate.set(hold, false, false)
		away := d.client(nil)
		key := away.hello.Session
		away.submit(1, fill, func(s *protocol.Submit) { s.Tensors[0].Bytes = 10_000 })
		eventually(t, "memory for the result is reserved", func() bool { return d.bytes() > 10_000 })
		w := d.client(nil)
		w.submit(1, fill, func(s *protocol.Submit) { s.Tensors[0].Bytes = 20_000 })
		w.ends(1, "runner-total-memory")
		away.conn.Close()
		close(hold)
		eventually(t, "the job ends without its client", func() bool {
			devices, _ := d.runner.sched.Status()
			return devices[0].Running == 0 && devices[0].Queued == 0
		})
		w.submit(2, fill, func(s *protocol.Submit) { s.Tensors[0].Bytes = 20_000 })
		if _, done := w.done(2); done.State != protocol.StateDone {
			t.Errorf("a job where a result could have made room is %s", why(done))
		}
		back := d.silent()
		back.say(protocol.ClientMessage{Hello: &protocol.ClientHello{Version: 1, Token: token, Resume: &protocol.Resume{Session: key}}})
		m, _ := back.next()
		if m.Error == nil || m.Error.Diagnostic.Code != "runner-session-unknown" {
			t.Errorf("the client whose result is gone hears %s", show(m))
		}
	})
}

// A connection is lost while a job runs, and again while its result is under way; the client has
// every event once.
// TestLateResume: a hello that comes after that of a later connection is refused, and the later one goes on. A client that
// does not count has its newest hello win.
func TestLateResume(t *testing.T) {
	d := open(t, nil)
	hold := make(chan struct{})
	d.gate.set(hold, false, false)
	first := d.client(nil)
	key := first.hello.Session
	first.submit(1, fill, nil)
	first.started(1)
	w := d.client(&protocol.Resume{Session: key, Seen: []protocol.Seen{{Job: 1, Seq: 1}}, Connection: 2})
	late := d.silent()
	late.say(protocol.ClientMessage{Hello: &protocol.ClientHello{Version: protocol.Version, Token: token, Resume: &protocol.Resume{Session: key, Connection: 1}}})
	if m, _ := late.next(); m == nil || m.Error == nil || m.Error.Diagnostic.Code != "runner-session-taken" {
		t.Errorf("the late hello is answered by %+v", m)
	}
	close(hold)
	if _, done := w.done(1); done.State != protocol.StateDone {
		t.Errorf("the job of the later connection: %s", why(done))
	}
	if w := d.client(&protocol.Resume{Session: key}); !w.hello.Resumed {
		t.Error("a client that does not count is not let in")
	}
}

func TestResume(t *testing.T) {
	const elements = 1 << 16
	d := open(t, func(l *protocol.Limits) { l.ChunkBytes = 4096 })
	hold := make(chan struct{})
	d.gate.set(hold, false, false)
	w := d.client(nil)
	key := w.hello.Session
	w.submit(1, fill, func(s *protocol.Submit) { s.Tensors[0].Bytes = 4 * elements })
	w.started(1)
	w.conn.Close()

	w = d.client(&protocol.Resume{Session: key, Seen: []protocol.Seen{{Job: 1, Seq: 1}}})
	if !w.hello.Resumed || w.hello.Session != key || len(w.hello.Jobs) != 1 || w.hello.Jobs[0].State != protocol.StateRunning {
		t.Errorf("hello after a resume: %+v", w.hello)
	}
	close(hold)
	seq, bytes := 1, 0
	for seq < 20 {
		if _, data := w.next(); data != nil {
			h, err := protocol.ReadHeader(data)
			if err != nil || h.Seq != seq+1 || h.Offset != int64(bytes) {
				t.Fatalf("result %+v after event %d and %d bytes: %v", h, seq, bytes, err)
			}
			seq, bytes = h.Seq, bytes+len(data)-protocol.HeaderBytes
		}
	}
	w.conn.Close()

	w = d.client(&protocol.Resume{Session: key, Seen: []protocol.Seen{{Job: 1, Seq: seq}, {Job: 99, Seq: 5}}})
	rest, done := w.done(1)
	if done.State != protocol.StateDone || bytes+len(rest) != 4*elements {
		t.Errorf("%s after %d and %d bytes of %d", why(done), bytes, len(rest), 4*elements)
	}
	w.conn.Close()

	w = d.client(&protocol.Resume{Session: key})
	if all, done := w.done(1); done.State != protocol.StateDone || len(all) != 4*elements {
		t.Errorf("from the beginning: %s and %d bytes", why(done), len(all))
	}
	w.works(2)
}

func TestTakeOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, nil)
		first := d.client(nil)
		second := d.client(&protocol.Resume{Session: first.hello.Session})
		m := first.until("the end", func(m *protocol.ServerMessage) bool { return m.Error != nil })
		if !m.Error.Fatal || m.Error.Diagnostic.Code != "runner-session-taken" {
			t.Errorf("the older connection hears %s", show(m))
		}
		second.works(1)
	})
}

// What a client began to send and did not finish is dropped at once; what it waited for is
// cancelled after a while.
func TestVanish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.DisconnectGraceMS = 100 })
		d.gate.set(make(chan struct{}), false, false)
		w := d.client(nil)
		w.submit(1, fill, nil)
		w.started(1)
		w.submit(2, fill, nil)
		s := submission(3, kernel(t, fill), 256)
		w.say(protocol.ClientMessage{Submit: &s})
		w.until("queued", func(m *protocol.ServerMessage) bool { return m.Job == 2 && m.Queued != nil })
		w.cancel(99) // an error says that the runner has read everything before it
		w.until("an error", func(m *protocol.ServerMessage) bool { return m.Error != nil })
		w.conn.Close()
		other := d.client(nil)
		other.submit(1, fill, nil)
		other.started(1) // so the vanished client's jobs are out of its way
		other.cancel(1)
		other.ends(1, "runner-cancelled")
		back := d.client(&protocol.Resume{Session: w.hello.Session, Seen: []protocol.Seen{{Job: 1, Seq: 1}}})
		back.ends(1, "runner-vanished")
	})
}

func TestUploadLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, nil)
		w := d.client(nil)
		head, h, ir := tensors(w, 1)
		w.raw(frame(head, ir))
		w.raw(frame(h, make([]byte, 10)))
		w.cancel(99)
		w.until("an error", func(m *protocol.ServerMessage) bool { return m.Error != nil })
		w.conn.Close()
		back := d.client(&protocol.Resume{Session: w.hello.Session})
		back.ends(1, "runner-upload-lost")
		back.works(2)
	})
}

func TestUploadStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.UploadIdleTimeoutMS = 50 })
		w := d.client(nil)
		head, h, ir := tensors(w, 1)
		w.raw(frame(head, ir))
		w.raw(frame(h, make([]byte, 10)))
		w.ends(1, "runner-upload-stalled")
		h.Offset = 10
		w.raw(frame(h, make([]byte, 10))) // too late, and of no consequence
		w.works(2)
	})
}

func TestQueueDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.QueueMS = 50 })
		hold := make(chan struct{})
		d.gate.set(hold, false, false)
		w := d.client(nil)
		w.submit(1, fill, nil)
		w.started(1)
		w.submit(2, fill, nil)
		w.ends(2, "runner-queue-deadline")
		close(hold)
		w.works(3)
	})
}

func TestKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.ResultTTLMS, l.KeptJobs = 100, 2 })
		w := d.client(nil)
		for number := range int64(5) {
			w.works(number + 1)
		}
		eventually(t, "at most two results are kept", func() bool { _, bytes := d.runner.sched.Usage(); return bytes <= 2*1024 })
		eventually(t, "results are dropped after a while", func() bool { _, bytes := d.runner.sched.Usage(); return bytes == 0 })
		w.works(6)
		w.conn.Close()
		eventually(t, "so are sessions", func() bool { sessions, _ := d.runner.sched.Usage(); return sessions == 0 })
	})
}

// A client that does not read costs itself its connection, and gets its result all the same.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const bytes = 3 << 20
		d := openInBubble(t, nil)
		w := d.client(nil)
		w.submit(1, fill, func(s *protocol.Submit) { s.Tensors[0].Bytes = bytes })
		bystander := d.client(nil)
		bystander.works(1)
		eventually(t, "the slow reader is disconnected", func() bool { return d.runner.connectionCount() == 1 })
		back := d.client(&protocol.Resume{Session: w.hello.Session})
		if got, done := back.done(1); done.State != protocol.StateDone || len(got) != bytes {
			t.Errorf("the result is %s with %d bytes", why(done), len(got))
		}
	})
}

// A client that makes errors and reads none of them is cut off before they take memory.
func TestErrorsPileUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.WriteMS = 200 })
		w := d.client(nil)
		for range 200_000 {
			if w.conn.WriteMessage(websocket.TextMessage, []byte(`{"cancel":{"job":9}}`)) != nil {
				break
			}
		}
		eventually(t, "the client is disconnected", func() bool { return d.runner.connectionCount() == 0 })
		d.client(nil).works(1)
	})
}

// A client that does not answer pings is gone.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openInBubble(t, func(l *protocol.Limits) { l.PingMS = 30 })
		silent := d.client(nil)
		go io.Copy(io.Discard, silent.conn.NetConn())
		awake := d.client(nil)
		over := make(chan struct{})
		go func() { awake.conn.ReadMessage(); close(over) }()
		eventually(t, "the silent client is disconnected", func() bool { return d.runner.connectionCount() == 1 })
		select {
		case <-over:
			t.Error("so is the one that answers")
		case <-time.After(time.Second):
		}
		awake.conn.Close()
		<-over
	})
}
