package sched

import (
	"encoding/json"
	"fmt"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/protocol"
)

// Stream is a connection's side of a session. What receives calls Submit, Part, Cancel and
// Release from one goroutine; what sends calls Next from another.
type Stream struct {
	session *Session
	wake    chan struct{}
	closed  chan struct{}
	why     *diag.Diagnostic
}

// Key is what resumes the session.
func (st *Stream) Key() string { return st.session.key }

// Wake is readable when Next may have something.
func (st *Stream) Wake() <-chan struct{} { return st.wake }

// Closed is closed when the stream has no session any more; Why then says what happened, nil
// where Close was called.
func (st *Stream) Closed() <-chan struct{} { return st.closed }

// Why says why the stream was closed.
func (st *Stream) Why() *diag.Diagnostic {
	s := st.session.sched
	s.lock.Lock()
	defer s.lock.Unlock()
	return st.why
}

// Close lets go of the session, which can be resumed for a while.
func (st *Stream) Close() {
	s := st.session.sched
	s.lock.Lock()
	defer s.lock.Unlock()
	if st.session.stream == st {
		st.session.detach(nil)
		st.session.linger()
	}
}

// Idle reports whether no job of the session waits, runs or arrives.
func (st *Stream) Idle() bool {
	s := st.session.sched
	s.lock.Lock()
	defer s.lock.Unlock()
	return st.session.unended() == 0
}

// Evict takes the session from the connection, which is told why. It can be resumed for a while.
func (st *Stream) Evict(why *diag.Diagnostic) {
	s := st.session.sched
	s.lock.Lock()
	defer s.lock.Unlock()
	if st.session.stream == st {
		st.session.detach(why)
		st.session.linger()
	}
}

// Jobs lists the session's jobs for a hello.
func (st *Stream) Jobs() []protocol.JobState {
	s := st.session.sched
	s.lock.Lock()
	defer s.lock.Unlock()
	out := make([]protocol.JobState, 0, len(st.session.order))
	for _, j := range st.session.order {
		name := j.outcome
		if j.state != ended {
			name = stateNames[j.state]
		}
		out = append(out, protocol.JobState{Job: j.spec.Job, State: name})
	}
	return out
}

// Submit takes a job, whose IR and tensors are to follow, or says why it does not.
func (st *Stream) Submit(spec *protocol.Submit) *diag.Diagnostic {
	s := st.session.sched
	wrong := spec.Check(s.options.Limits)
	s.lock.Lock()
	defer s.lock.Unlock()
	if st.session.stream != st {
		return refusal("runner-session-taken")
	}
	return st.session.submit(spec, wrong)
}

// Cancel ends a job that has not ended.
func (st *Stream) Cancel(number int64) *diag.Diagnostic {
	return st.on(number, func(j *job) { j.cancel(refusal("runner-cancelled")) })
}

// Release drops a job that has ended; one that has not is cancelled first, and dropped later.
func (st *Stream) Release(number int64) *diag.Diagnostic {
	return st.on(number, func(j *job) {
		j.cancel(refusal("runner-cancelled"))
		if j.state == ended {
			st.session.forget(j)
		}
	})
}

// on does something with a job. Of one that is gone nothing more is said: the client may not
// have heard of its end yet.
func (st *Stream) on(number int64, do func(*job)) *diag.Diagnostic {
	s := st.session.sched
	s.lock.Lock()
	defer s.lock.Unlock()
	if j := st.session.jobs[number]; j != nil {
		do(j)
	} else if number > st.session.last {
		return refusal("runner-job-unknown", number)
	}
	return nil
}

// Part says where the first of n bytes of a frame's payload belong, at least one of them: into a buffer that is nil where
// the job no longer wants them. An error means that the client does not keep to the protocol.
func (st *Stream) Part(h protocol.Header, n int) ([]byte, *diag.Diagnostic) {
	s := st.session.sched
	s.lock.Lock()
	defer s.lock.Unlock()
	j := st.session.jobs[h.Job]
	switch {
	case h.Job > st.session.last:
		return nil, refusal("runner-job-unknown", h.Job)
	case j == nil || j.state != arriving:
		return nil, nil
	case h.Kind == protocol.IRFrame:
		return j.partOfIR(h, n)
	}
	return j.partOfTensor(h, n)
}

func disorder(format string, args ...any) *diag.Diagnostic {
	return refusal("runner-message", fmt.Sprintf(format, args...))
}

func (j *job) partOfIR(h protocol.Header, n int) ([]byte, *diag.Diagnostic) {
	have := len(j.wire)
	if j.verified || h.Offset != int64(have) || n == 0 || n > j.spec.IRBytes-have {
		return nil, disorder("job %d: IR from byte %d of %d on, %d bytes; byte %d comes next", h.Job, h.Offset, j.spec.IRBytes, n, have)
	}
	if more := have + n - cap(j.wire); more > 0 {
		size := min(j.spec.IRBytes, max(have+n, 2*cap(j.wire)))
		if !j.reserve(int64(size - cap(j.wire))) {
			j.end(refused(refusal("runner-total-memory")))
			return nil, nil
		}
		j.wire = append(make([]byte, 0, size), j.wire...)
	}
	j.wire = j.wire[:have+n]
	return j.wire[have:], nil
}

func (j *job) partOfTensor(h protocol.Header, n int) ([]byte, *diag.Diagnostic) {
	next := j.next()
	if !j.verified || h.Tensor != next {
		return nil, disorder("job %d: a part of tensor %d arrived out of order", h.Job, h.Tensor)
	}
	p, bytes := &j.parts[next], j.spec.Tensors[next].Bytes
	if h.Offset != int64(p.have) || n == 0 || n > bytes-p.have {
		return nil, disorder("job %d: tensor %d from byte %d of %d on, %d bytes; byte %d comes next", h.Job, h.Tensor, h.Offset, bytes, n, p.have)
	}
	size := j.session.sched.options.Limits.ChunkBytes
	if p.have == len(p.pieces)*size {
		piece := min(size, bytes-p.have)
		if !j.reserve(int64(piece)) {
			j.end(refused(refusal("runner-total-memory")))
			return nil, nil
		}
		p.pieces = append(p.pieces, make([]byte, piece))
	}
	rest := p.pieces[p.have/size][p.have%size:]
	return rest[:min(n, len(rest))], nil
}

// next is the tensor whose bytes come next; there are none left where it is beyond the last.
func (j *job) next() int {
	for i, t := range j.spec.Tensors {
		if !t.Zero && j.parts[i].have < t.Bytes {
			return i
		}
	}
	return len(j.spec.Tensors)
}

// Filled says that the buffer that Part gave for this header holds its n bytes now. The job is
// verified when its IR is complete, and waits in the queue when all is.
func (st *Stream) Filled(h protocol.Header, n int) {
	s := st.session.sched
	s.lock.Lock()
	defer s.lock.Unlock()
	j := st.session.jobs[h.Job]
	if j == nil || j.state != arriving {
		return
	}
	j.received += int64(n)
	j.awaitPart()
	if h.Kind == protocol.TensorFrame {
		j.parts[h.Tensor].have += n
	} else if len(j.wire) < j.spec.IRBytes {
		return
	} else if !st.verify(j) {
		return
	}
	if j.next() == len(j.spec.Tensors) {
		s.enter(j)
	}
}

// Frame is what a client is to be sent next: a message, or a header and a part of a result.
type Frame struct {
	Message []byte
	Header  protocol.Header
	Payload []byte

	job *job
	seq int
}

// Next is the next frame; ok is false where there is none at the time. Jobs take turns.
func (st *Stream) Next() (f Frame, ok bool) {
	s, c := st.session.sched, st.session
	s.lock.Lock()
	defer s.lock.Unlock()
	if c.stream != st {
		return Frame{}, false
	}
	for range c.order {
		c.turn = (c.turn + 1) % len(c.order)
		if f, ok := c.order[c.turn].next1(); ok {
			return f, true
		}
	}
	return Frame{}, false
}

// next1 is the job's next frame: an event, or what is new about a job that waits or runs.
func (j *job) next1() (Frame, bool) {
	if j.sent < len(j.events) {
		e := j.events[j.sent]
		j.sent++
		f := Frame{Message: e.message, job: j, seq: j.sent}
		if e.message == nil {
			at := int64(e.piece) * int64(j.session.sched.options.Limits.ChunkBytes)
			f.Header = protocol.Header{Kind: protocol.ResultFrame, Tensor: e.tensor, Job: j.spec.Job, Seq: j.sent, Offset: at}
			f.Payload = j.parts[e.tensor].pieces[e.piece]
		}
		return f, true
	}
	if !j.news {
		return Frame{}, false
	}
	j.news = false
	m := protocol.ServerMessage{Job: j.spec.Job}
	switch j.state {
	case queued:
		m.Queued = &protocol.Queued{Position: j.position}
	case running:
		progress := j.progress
		m.Progress = &progress
	default:
		return Frame{}, false
	}
	text, err := json.Marshal(m)
	return Frame{Message: text}, err == nil
}

// Written says that the client was sent the frame.
func (st *Stream) Written(f Frame) {
	if f.job == nil {
		return
	}
	s := st.session.sched
	s.lock.Lock()
	defer s.lock.Unlock()
	f.job.seen = max(f.job.seen, f.seq)
}
