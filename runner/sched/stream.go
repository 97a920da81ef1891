package sched

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/protocol"
)

// Stream attaches a connection to a session. The connection's reader calls Submit, UploadBuffer, Uploaded, Cancel and
// Release from one goroutine, its writer Next and Written from another.
type Stream struct {
	session     *Session
	wake        chan struct{}
	closed      chan struct{}
	closeReason *diag.Diagnostic
}

// Key returns the secret key that resumes the session.
func (st *Stream) Key() string { return st.session.key }

// DeviceTime returns the device time that the session was charged since its beginning.
func (st *Stream) DeviceTime() time.Duration {
	s := st.session.sched
	s.mu.Lock()
	defer s.mu.Unlock()
	return st.session.charged
}

// Owner returns the client that the session belongs to.
func (st *Stream) Owner() string { return st.session.client.address }

// Wake returns a channel that receives when Next may return a frame.
func (st *Stream) Wake() <-chan struct{} { return st.wake }

// Closed returns a channel that is closed when the stream is detached from its session; CloseReason then says why.
func (st *Stream) Closed() <-chan struct{} { return st.closed }

// CloseReason returns why the stream was detached, nil if by Close.
func (st *Stream) CloseReason() *diag.Diagnostic {
	s := st.session.sched
	s.mu.Lock()
	defer s.mu.Unlock()
	return st.closeReason
}

// Close detaches the stream from its session, which can be resumed for disconnectGraceMs.
func (st *Stream) Close() {
	s := st.session.sched
	s.mu.Lock()
	defer s.mu.Unlock()
	if st.session.stream == st {
		st.session.detach(nil)
		st.session.startDisconnectGrace()
	}
}

// Idle reports whether all jobs of the session have ended.
func (st *Stream) Idle() bool {
	s := st.session.sched
	s.mu.Lock()
	defer s.mu.Unlock()
	return st.session.unfinishedJobs() == 0
}

// Evict detaches the stream for a reason that the connection reports. The session can be resumed for disconnectGraceMs.
func (st *Stream) Evict(why *diag.Diagnostic) {
	s := st.session.sched
	s.mu.Lock()
	defer s.mu.Unlock()
	if st.session.stream == st {
		st.session.detach(why)
		st.session.startDisconnectGrace()
	}
}

// Jobs returns the states of the session's jobs for a hello.
func (st *Stream) Jobs() []protocol.JobState {
	s := st.session.sched
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]protocol.JobState, 0, len(st.session.jobList))
	for _, j := range st.session.jobList {
		name := j.outcome
		if j.state != ended {
			name = stateNames[j.state]
		}
		out = append(out, protocol.JobState{Job: j.spec.Job, State: name})
	}
	return out
}

// Submit adds a job, whose IR and tensors are uploaded next, or returns why it is refused.
func (st *Stream) Submit(spec *protocol.Submit) *diag.Diagnostic {
	s := st.session.sched
	// Without the lock, which a long message would hold up for all clients.
	wrong := spec.Check(s.options.Limits)
	s.mu.Lock()
	defer s.mu.Unlock()
	if st.session.stream != st {
		return refusal("runner-session-taken")
	}
	return st.session.submitJob(spec, wrong)
}

// Cancel cancels a job that has not ended.
func (st *Stream) Cancel(number int64) *diag.Diagnostic {
	return st.withJob(number, func(j *job) { j.cancel(refusal("runner-cancelled")) })
}

// Release drops a job that has ended. One that has not is cancelled, and kept until its results expire.
func (st *Stream) Release(number int64) *diag.Diagnostic {
	return st.withJob(number, func(j *job) {
		j.cancel(refusal("runner-cancelled"))
		if j.state == ended {
			st.session.forgetJob(j)
		}
	})
}

// withJob calls do for a job. A job that was dropped already is no error: the client may not have received its end yet.
func (st *Stream) withJob(number int64, do func(*job)) *diag.Diagnostic {
	s := st.session.sched
	s.mu.Lock()
	defer s.mu.Unlock()
	if j := st.session.jobs[number]; j != nil {
		do(j)
	} else if number > st.session.lastNumber {
		return refusal("runner-job-unknown", number)
	}
	return nil
}

// UploadBuffer returns the buffer for the first bytes, at least one, of the n bytes of a frame's payload. It is nil if
// the job has ended and the payload is to be ignored. An error is a violation of the protocol.
func (st *Stream) UploadBuffer(h protocol.Header, n int) ([]byte, *diag.Diagnostic) {
	s := st.session.sched
	s.mu.Lock()
	defer s.mu.Unlock()
	j := st.session.jobs[h.Job]
	switch {
	case h.Job > st.session.lastNumber:
		return nil, refusal("runner-job-unknown", h.Job)
	case j == nil || j.state != arriving:
		return nil, nil
	case h.Kind == protocol.IRFrame:
		return j.irBuffer(h, n)
	}
	return j.tensorBuffer(h, n)
}

// protocolError is the diagnostic of a message that violates the protocol.
func protocolError(format string, args ...any) *diag.Diagnostic {
	return refusal("runner-message", fmt.Sprintf(format, args...))
}

// irBuffer is UploadBuffer for a chunk of the IR, which has to arrive in order and before the tensors.
func (j *job) irBuffer(h protocol.Header, n int) ([]byte, *diag.Diagnostic) {
	have := len(j.wire)
	if j.verified || h.Offset != int64(have) || n == 0 || n > j.spec.IRBytes-have {
		return nil, protocolError("job %d: IR from byte %d of %d on, %d bytes; byte %d comes next",
			h.Job, h.Offset, j.spec.IRBytes, n, have)
	}
	if more := have + n - cap(j.wire); more > 0 {
		size := min(j.spec.IRBytes, max(have+n, 2*cap(j.wire))) // amortized growth, up to what was announced
		if !j.reserveBytes(int64(size - cap(j.wire))) {
			j.finish(refused(refusal("runner-total-memory")))
			return nil, nil
		}
		j.wire = append(make([]byte, 0, size), j.wire...)
	}
	j.wire = j.wire[:have+n]
	return j.wire[have:], nil
}

// tensorBuffer is UploadBuffer for a chunk of a tensor. Tensors arrive in order, each from its first byte to its last.
func (j *job) tensorBuffer(h protocol.Header, n int) ([]byte, *diag.Diagnostic) {
	next := j.nextTensor()
	if !j.verified || h.Tensor != next {
		return nil, protocolError("job %d: a part of tensor %d arrived out of order", h.Job, h.Tensor)
	}
	p, bytes := &j.tensors[next], j.spec.Tensors[next].Bytes
	if h.Offset != int64(p.received) || n == 0 || n > bytes-p.received {
		return nil, protocolError("job %d: tensor %d from byte %d of %d on, %d bytes; byte %d comes next",
			h.Job, h.Tensor, h.Offset, bytes, n, p.received)
	}
	size := j.session.sched.options.Limits.ChunkBytes
	if p.received == len(p.chunks)*size { // the last chunk is full
		piece := min(size, bytes-p.received)
		if !j.reserveBytes(int64(piece)) {
			j.finish(refused(refusal("runner-total-memory")))
			return nil, nil
		}
		p.chunks = append(p.chunks, make([]byte, piece))
	}
	// A frame may cross the end of a chunk: the caller then asks again for what is left.
	rest := p.chunks[p.received/size][p.received%size:]
	return rest[:min(n, len(rest))], nil
}

// nextTensor returns the index of the tensor whose bytes arrive next, len(Tensors) if the upload is complete.
func (j *job) nextTensor() int {
	for i, t := range j.spec.Tensors {
		if t.Sent() && j.tensors[i].received < t.Bytes {
			return i
		}
	}
	return len(j.spec.Tensors)
}

// Uploaded records that n bytes were copied into the buffer that UploadBuffer returned for this header. When the IR is
// complete the kernel is verified; when everything is, the job enters the queue.
func (st *Stream) Uploaded(h protocol.Header, n int) {
	s := st.session.sched
	s.mu.Lock()
	defer s.mu.Unlock()
	j := st.session.jobs[h.Job]
	if j == nil || j.state != arriving {
		return
	}
	j.receivedBytes += int64(n)
	j.resetUploadTimeout()
	if h.Kind == protocol.TensorFrame {
		j.tensors[h.Tensor].received += n
	} else if len(j.wire) < j.spec.IRBytes {
		return
	} else if !st.verifyKernel(j) {
		return
	}
	if j.nextTensor() == len(j.spec.Tensors) {
		s.enqueue(j)
	}
}

// Frame is one frame to send to a client: a message, or the header and payload of a chunk of a result.
type Frame struct {
	Message []byte
	Header  protocol.Header
	Payload []byte

	job *job
	seq int
}

// Next returns the next frame to send; ok is false if there is none now. Jobs are served round robin, so that a large
// result does not delay the events of other jobs.
func (st *Stream) Next() (f Frame, ok bool) {
	s, c := st.session.sched, st.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.stream != st {
		return Frame{}, false
	}
	for range c.jobList {
		c.lastServed = (c.lastServed + 1) % len(c.jobList)
		if f, ok := c.jobList[c.lastServed].nextFrame(); ok {
			return f, true
		}
	}
	return Frame{}, false
}

// nextFrame returns the job's next frame: its next event, or else its queue position or progress if that has changed.
func (j *job) nextFrame() (Frame, bool) {
	if j.sent < len(j.events) {
		e := j.events[j.sent]
		j.sent++
		f := Frame{Message: e.message, job: j, seq: j.sent}
		if e.message == nil {
			at := int64(e.chunk) * int64(j.session.sched.options.Limits.ChunkBytes)
			f.Header = protocol.Header{
				Kind: protocol.ResultFrame, Tensor: e.tensor, Job: j.spec.Job, Seq: j.sent, Offset: at,
			}
			f.Payload = j.tensors[e.tensor].chunks[e.chunk]
		}
		return f, true
	}
	if !j.statusChanged {
		return Frame{}, false
	}
	// Status messages have no sequence number: they are not kept, and only the latest is worth sending.
	j.statusChanged = false
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

// Written records that a frame was written to the connection; trimResults and makeRoom may drop delivered results.
func (st *Stream) Written(f Frame) {
	if f.job == nil {
		return
	}
	s := st.session.sched
	s.mu.Lock()
	defer s.mu.Unlock()
	// Frames of an earlier connection may be confirmed after those of its successor.
	f.job.written = max(f.job.written, f.seq)
}
