package endpoint

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/runner/protocol"
)

// kept makes the tensor of a job the session's buffer of a number; held has it begin as that is.
func kept(number int64, held bool) func(*protocol.Submit) {
	return func(s *protocol.Submit) {
		s.Tensors[0].Buffer, s.Tensors[0].Held, s.Tensors[0].Zero, s.Tensors[0].Return = number, held, !held, false
	}
}

// fetch asks for a buffer, without a kernel.
func (w *wire) fetch(number, buffer int64, bytes int) ([]byte, *protocol.Done) {
	w.t.Helper()
	w.say(protocol.ClientMessage{Submit: &protocol.Submit{Job: number, Grid: []int{1, 1, 1}, Args: []protocol.Arg{},
		Tensors: []protocol.Tensor{{Bytes: bytes, Buffer: buffer, Held: true, Return: true}}}})
	return w.done(number)
}

// TestBuffers: a buffer outlives its job and a lost connection, is charged to its client, and goes when it is freed.
func TestBuffers(t *testing.T) {
	d := open(t, nil)
	w := d.client(nil)
	sevens := strings.Repeat("\x07\x00\x00\x00", 256)
	w.submit(1, fill, kept(5, false))
	w.ends(1, protocol.StateDone)
	w.say(protocol.ClientMessage{Release: job(1)})
	eventually(t, "the buffer alone is charged", func() bool { return d.bytes() == 1024 })
	w.conn.Close()
	w = d.client(&protocol.Resume{Session: w.hello.Session})
	if got, done := w.fetch(2, 5, 1024); string(got) != sevens {
		t.Errorf("the buffer is %d bytes, %s", len(got), why(done))
	}
	w.submit(3, fill, kept(5, true))
	w.ends(3, protocol.StateDone)
	for n, c := range []struct {
		buffer int64
		bytes  int
		code   string
	}{{6, 1024, "runner-buffer-unknown"}, {5, 512, "runner-buffer-unknown"}, {5, 1024, protocol.StateDone}} {
		if _, done := w.fetch(int64(4+n), c.buffer, c.bytes); why(done) != c.code {
			t.Errorf("%+v: %s", c, why(done))
		}
	}
	w.say(protocol.ClientMessage{Free: &protocol.Buffers{Buffers: []int64{5, 6}}})
	if _, done := w.fetch(7, 5, 1024); why(done) != "runner-buffer-unknown" {
		t.Errorf("a buffer that was freed: %s", why(done))
	}
	other := d.client(nil)
	if _, done := other.fetch(1, 5, 1024); why(done) != "runner-buffer-unknown" {
		t.Errorf("another session's buffer: %s", why(done))
	}
}

// TestBufferLimits: buffers count as their client's memory, and the sessions that have some are few: an idle one gives
// way, one at work does not.
func TestBufferLimits(t *testing.T) {
	d := open(t, func(l *protocol.Limits) {
		l.Buffers, l.BufferSessions, l.TotalBytes, l.ClientBytes = 2, 1, 40_000, 30_000
	})
	w := d.client(nil)
	for number := int64(1); number <= 2; number++ {
		w.submit(number, fill, kept(number, false))
		w.ends(number, protocol.StateDone)
	}
	w.submit(3, fill, kept(3, false))
	w.ends(3, "runner-total-memory") // a third
	w.submit(4, fill, func(s *protocol.Submit) { kept(2, false)(s); s.Tensors[0].Bytes = 35_000 })
	w.ends(4, "runner-total-memory") // too large
	other := d.client(nil)
	hold := make(chan struct{})
	d.gate.set(hold, false, false)
	w.submit(5, fill, kept(1, true))
	w.started(5)
	other.submit(1, fill, kept(1, false))
	close(hold)
	w.ends(5, protocol.StateDone)
	other.ends(1, protocol.StateDone) // its turn came when w had ended, and w's buffers gave way
	if _, done := w.fetch(6, 1, 1024); why(done) != "runner-buffer-unknown" {
		t.Errorf("the buffer of a session that gave way: %s", why(done))
	}
}

// TestAnnouncedTensor: a tensor that a client announces and does not send takes no other client's buffer; its bytes do.
func TestAnnouncedTensor(t *testing.T) {
	const bytes, more = 13_000, 28_000 // together more than there is
	// A client has room for both of its jobs: the result of the second may not be delivered yet when the first goes on.
	d := open(t, func(l *protocol.Limits) { l.TotalBytes, l.ClientBytes, l.ChunkBytes = 40_000, 35_000, more })
	modest, greedy := d.clientFrom("198.51.100.1"), d.clientFrom("198.51.100.2")
	modest.submit(1, fill, func(s *protocol.Submit) { kept(1, false)(s); s.Tensors[0].Bytes = bytes })
	modest.ends(1, protocol.StateDone)
	greedy.submit(1, fill, func(s *protocol.Submit) { s.Tensors[0] = protocol.Tensor{Bytes: more} })
	greedy.works(2) // so the first was read
	if _, done := modest.fetch(2, 1, bytes); why(done) != protocol.StateDone {
		t.Errorf("the buffer of the other client: %s", why(done))
	}
	modest.say(protocol.ClientMessage{Release: job(2)})
	eventually(t, "the result is gone", func() bool { return d.bytes() < 2*bytes })
	greedy.raw(frame(protocol.Header{Kind: protocol.TensorFrame, Job: 1}, make([]byte, more)))
	greedy.ends(1, protocol.StateDone)
	if _, done := modest.fetch(3, 1, bytes); why(done) != "runner-buffer-unknown" {
		t.Errorf("the buffer that gave way: %s", why(done))
	}
}

// TestBufferRequests: what makes no sense is refused.
func TestBufferRequests(t *testing.T) {
	d := open(t, nil)
	w := d.client(nil)
	for n, change := range []func(*protocol.Submit){
		kept(-1, false),
		func(s *protocol.Submit) { s.Tensors[0].Held = true },
		func(s *protocol.Submit) { kept(1, true)(s); s.Tensors[0].Zero = true },
		func(s *protocol.Submit) { kept(1, false)(s); s.Tensors = append(s.Tensors, s.Tensors[0]) },
		func(s *protocol.Submit) { s.IRBytes = 0 },
	} {
		w.submit(int64(n+1), fill, change)
		w.ends(int64(n+1), "runner-request")
	}
	w.works(9)
}
