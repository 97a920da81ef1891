package client

import (
	"context"
	"slices"
	"time"

	"github.com/newtlab/newt/runner/client/codec"
	"github.com/newtlab/newt/runner/protocol"
)

// Job is what Run runs. Submit's Job and IRBytes are filled in.
type Job struct {
	Submit  protocol.Submit
	IR      []byte   // as ir.Encode gives it
	Tensors [][]byte // one for each of Submit.Tensors; nil for those that begin as zeros
	// Event is told of what happens, one call at a time; may be nil. Of a job that had to be
	// submitted again, events come again.
	Event func(*protocol.ServerMessage)
}

// Outcome is what a job gave.
type Outcome = codec.Answer

// pending is a job that has not ended. Its fields belong to the client's lock, but for what the
// listener alone fills in before over is closed.
type pending struct {
	job     Job
	number  int64
	seq     int // the last event that came
	outcome Outcome
	arrived []int64 // bytes of each result so far
	failure *Fault
	over    chan struct{}

	cancelled bool // nobody wants it any more
}

func (p *pending) reset() {
	p.seq, p.outcome = 0, Outcome{Results: make([][]byte, len(p.job.Tensors))}
	p.arrived = make([]int64, len(p.job.Tensors))
	for i, t := range p.job.Submit.Tensors {
		if t.Return {
			p.outcome.Results[i] = make([]byte, t.Bytes)
		}
	}
}

func (p *pending) fail(why *Fault) {
	p.failure = why
	close(p.over)
}

// cancelTime is what a runner has to answer a cancel: a program that is told to end must not linger.
const cancelTime = 1500 * time.Millisecond

// Run runs a job to its end. The outcome is never nil; the error is nil where the kernel ran to
// its end, and a Fault otherwise. When ctx ends the job is cancelled.
func (c *Client) Run(ctx context.Context, job Job) (*Outcome, error) {
	select {
	case c.room <- struct{}{}:
		defer func() { <-c.room }()
	case <-ctx.Done():
		return &Outcome{}, fault("launch-cancelled", 0, 0)
	}
	p := &pending{job: job, over: make(chan struct{})}
	p.job.Submit.IRBytes = len(job.IR) // the limits are checked before the bytes arrive
	p.reset()
	go c.submitJob(p) // a runner that does not read holds it up, whatever becomes of ctx
	select {
	case <-p.over:
	case <-ctx.Done():
		c.cancelJob(p)
	}
	return p.result()
}

// cancelJob cancels a job and waits for its end, though not for ever. One that the runner does not have ends here: its
// submit may wait behind another job's upload.
func (c *Client) cancelJob(p *pending) {
	c.lock.Lock()
	p.cancelled = true // submitJob leaves it alone from now on
	l, number := c.link, p.number
	sent := c.jobs[number] == p
	if !sent && !p.isOver() {
		c.waiting = slices.DeleteFunc(c.waiting, func(other *pending) bool { return other == p })
		p.fail(fault("launch-cancelled", 0, 0))
	}
	c.lock.Unlock()
	if !sent {
		return
	}
	if l != nil {
		go l.send(protocol.ClientMessage{Cancel: &protocol.JobRef{Job: number}})
	}
	select {
	case <-p.over:
	case <-time.After(cancelTime):
		c.lock.Lock()
		if c.jobs[number] == p {
			delete(c.jobs, number)
			p.fail(fault("launch-cancelled", 0, 0))
		}
		c.lock.Unlock()
	}
}

// isOver reports whether a job has ended. The lock is held.
func (p *pending) isOver() bool {
	select {
	case <-p.over:
		return true
	default:
		return false
	}
}

func (p *pending) result() (*Outcome, error) {
	why := p.failure
	if why == nil {
		why = p.outcome.Fault()
	}
	if why != nil {
		return &p.outcome, why
	}
	return &p.outcome, nil
}

// submitJob sends a job, or leaves it to the next connection where there is none. What goes wrong
// ends the connection, and the next one sends it again.
func (c *Client) submitJob(p *pending) {
	for {
		c.lock.Lock()
		l := c.link
		switch {
		case p.cancelled: // and ended
		case c.failure != nil:
			p.fail(c.failure)
		case l == nil:
			c.waiting = append(c.waiting, p)
		}
		over := c.failure != nil || p.cancelled || l == nil
		c.lock.Unlock()
		if over || c.uploadJob(l, p) {
			return
		}
	}
}

// assignNumber gives a job the next number, unless the connection is no longer the client's or the job was cancelled.
func (c *Client) assignNumber(l *link, p *pending) (number int64, ok bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.link != l || p.cancelled {
		return 0, false
	}
	c.last++
	p.number = c.last
	c.jobs[p.number] = p
	return p.number, true
}

// uploadJob sends a job over a connection; it is false where assignNumber gives it none.
func (c *Client) uploadJob(l *link, p *pending) bool {
	// Numbers must reach the runner in order.
	l.lock.Lock()
	number, ok := c.assignNumber(l, p)
	if !ok {
		l.lock.Unlock()
		return false
	}
	spec := p.job.Submit
	spec.Job = number
	err := l.write(protocol.ClientMessage{Submit: &spec})
	l.lock.Unlock()
	if err != nil || c.sendChunks(l, protocol.Header{Kind: protocol.IRFrame, Job: spec.Job}, p.job.IR) != nil {
		return true
	}
	for i, t := range spec.Tensors {
		if !t.Sent() {
			continue
		}
		header := protocol.Header{Kind: protocol.TensorFrame, Tensor: i, Job: spec.Job}
		if c.sendChunks(l, header, p.job.Tensors[i]) != nil {
			return true
		}
	}
	return true
}

// sendChunks sends data in frames as large as the runner takes.
func (c *Client) sendChunks(l *link, h protocol.Header, data []byte) error {
	chunk := c.Hello().Limits.ChunkBytes
	for from := 0; from < len(data); from += chunk {
		h.Offset = int64(from)
		if err := l.frame(h, data[from:min(len(data), from+chunk)]); err != nil {
			return err
		}
	}
	return nil
}

// takeResult takes a binary frame.
func (c *Client) takeResult(data []byte) error {
	h, err := protocol.ReadHeader(data)
	if err != nil || h.Kind != protocol.ResultFrame || len(data) == protocol.HeaderBytes {
		return fault("protocol-error", "a binary frame that is not a result")
	}
	payload := data[protocol.HeaderBytes:]
	c.lock.Lock()
	defer c.lock.Unlock()
	p := c.jobs[h.Job]
	if p == nil || h.Seq <= p.seq { // repeated after a resume
		return nil
	}
	if h.Tensor >= len(p.outcome.Results) || h.Offset > int64(len(p.outcome.Results[h.Tensor])-len(payload)) {
		return fault("protocol-error", "a result that is larger than its tensor")
	}
	if h.Offset != p.arrived[h.Tensor] {
		return fault("protocol-error", "a result with missing bytes")
	}
	copy(p.outcome.Results[h.Tensor][h.Offset:], payload)
	p.arrived[h.Tensor] += int64(len(payload))
	p.seq = h.Seq
	return nil
}

// hasAllResults reports whether all results have arrived.
func (p *pending) hasAllResults() bool {
	for i, data := range p.outcome.Results {
		if p.arrived[i] < int64(len(data)) {
			return false
		}
	}
	return true
}

// takeMessage takes a text frame.
func (c *Client) takeMessage(text []byte) error {
	m, err := protocol.ReadServer(text)
	if err != nil {
		return fault("protocol-error", visible(err.Error()))
	}
	if m.Error != nil && m.Error.Fatal {
		return c.fatalError(m.Error)
	}
	c.lock.Lock()
	p := c.jobs[m.Job]
	if p == nil || m.Seq > 0 && m.Seq <= p.seq {
		c.lock.Unlock()
		return nil
	}
	p.seq = max(p.seq, m.Seq)
	c.lock.Unlock()
	if p.job.Event != nil {
		p.job.Event(m)
	}
	c.takeEvent(p, m)
	return nil
}

// passing are the refusals that may pass.
var passing = []string{"runner-stopping", "runner-connections", "runner-no-workers"}

// fatalError is what the runner says before it closes the connection. One that stops may be back.
func (c *Client) fatalError(e *protocol.Error) error {
	if slices.Contains(passing, e.Diagnostic.Code) {
		return nil
	}
	return codec.Reported(&e.Diagnostic)
}

// takeEvent adds what an event says to the outcome.
func (c *Client) takeEvent(p *pending, m *protocol.ServerMessage) {
	if m.Prints != nil {
		for i := range m.Prints.Prints {
			m.Prints.Prints[i].Text = visible(m.Prints.Prints[i].Text)
		}
	}
	if m.Error == nil && m.Done == nil {
		p.outcome.Add(m)
		return
	}
	c.endJob(p, func() {
		p.outcome.Add(m)
		if m.Done != nil && m.Done.State == protocol.StateDone && !p.hasAllResults() {
			p.failure, p.outcome.Results = fault("protocol-error",
				"the job is done, but some of its results are missing"), nil
		}
	})
}

// endJob is the last event of a job, unless it says that the job never arrived: then it is sent again.
func (c *Client) endJob(p *pending, how func()) {
	c.lock.Lock()
	if c.jobs[p.number] != p {
		c.lock.Unlock()
		return
	}
	how()
	l, number := c.link, p.number
	if why := p.outcome.Done.Reason; why != nil && why.Code == "runner-upload-lost" {
		c.resubmit(p)
	} else {
		delete(c.jobs, p.number)
		close(p.over)
	}
	c.lock.Unlock()
	// A job that the runner refused, or that failed here, is none that it keeps results of.
	if l != nil && p.failure == nil && p.outcome.Refused == nil {
		l.send(protocol.ClientMessage{Release: &protocol.JobRef{Job: number}})
	}
}
