package sched

import (
	"encoding/json"
	"math"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/protocol"
)

// Session is a client program and its jobs. It outlives a connection for a while.
type Session struct {
	sched   *Scheduler
	client  *client
	account account
	key     string
	jobs    map[int64]*job
	order   []*job // by number
	last    int64  // the greatest number so far
	turn    int    // whose event the stream takes next, an index into order
	stream  *Stream
	gone    *time.Timer // runs while nobody is attached
	since   time.Time   // when the last connection was lost
}

func (c *Session) wake() {
	if c.stream == nil {
		return
	}
	select {
	case c.stream.wake <- struct{}{}:
	default:
	}
}

func (c *Session) attach() *Stream {
	stop(&c.gone)
	c.stream = &Stream{session: c, wake: make(chan struct{}, 1), closed: make(chan struct{})}
	for _, j := range c.order {
		j.news = j.state == queued || j.state == running
	}
	c.wake()
	return c.stream
}

// detach leaves the session without a connection. Jobs that are not complete never will be.
func (c *Session) detach(why *diag.Diagnostic) {
	c.stream.why = why
	close(c.stream.closed)
	c.stream, c.since = nil, time.Now()
	for _, j := range slices.Clone(c.order) {
		if j.state == arriving {
			j.cancel(refusal("runner-upload-lost"))
		}
	}
}

// linger lets the jobs of a session without a connection go on for a while.
func (c *Session) linger() {
	if c.retire() {
		return
	}
	limit := c.sched.options.Limits.DisconnectGraceMS
	c.sched.after(&c.gone, millis(limit), func() {
		for _, j := range slices.Clone(c.order) {
			j.cancel(refusal("runner-vanished", seconds(limit)))
		}
		c.retire()
	})
}

// retire ends a session that has neither a connection nor a job.
func (c *Session) retire() bool {
	if c.stream != nil || len(c.order) > 0 {
		return false
	}
	c.leave()
	return true
}

// leave takes the session off the scheduler's list.
func (c *Session) leave() {
	stop(&c.gone)
	if c.sched.sessions[c.key] == c {
		delete(c.sched.sessions, c.key)
		c.client.sessions--
	}
}

// dropped reports whether nobody can come back to the session.
func (c *Session) dropped() bool { return c.sched.sessions[c.key] != c }

// drop ends a session without a connection. What it had on a device is forgotten once it has stopped.
func (c *Session) drop(why *diag.Diagnostic) {
	c.leave()
	for _, j := range slices.Clone(c.order) {
		if j.cancel(why); j.state == ended {
			c.forget(j)
		}
	}
}

// forget drops a job that has ended, with its result.
func (c *Session) forget(j *job) {
	stop(&j.timer)
	j.charge(-j.held)
	c.sched.unlist(j)
	delete(c.jobs, j.spec.Job)
	c.order = slices.DeleteFunc(c.order, func(other *job) bool { return other == j })
	c.retire()
}

// trim drops the oldest results of a client that never releases any.
func (c *Session) trim() {
	kept := 0
	for _, j := range c.order {
		if j.state == ended {
			kept++
		}
	}
	for _, j := range slices.Clone(c.order) {
		if kept <= c.sched.options.Limits.KeptJobs {
			return
		}
		if j.state == ended && j.delivered() {
			c.forget(j)
			kept--
		}
	}
}

// charge counts time that the session and its client used.
func (c *Session) charge(took time.Duration) {
	now := c.sched.now()
	c.account.charge(took, now)
	c.client.account.charge(took, now)
}

// unended counts the client's jobs that have not ended.
func (c *Session) unended() int {
	n := 0
	for _, j := range c.order {
		if j.state != ended {
			n++
		}
	}
	return n
}

// submit takes a job, or says why it does not. wrong is what Check says of it. The number of a
// job that is not taken counts: its frames may already be on their way.
func (c *Session) submit(spec *protocol.Submit, wrong *diag.Diagnostic) *diag.Diagnostic {
	s := c.sched
	if spec.Job <= c.last {
		return refusal("runner-job-number", spec.Job, c.last)
	}
	c.last = min(spec.Job, math.MaxUint32)
	if wrong != nil {
		return wrong
	}
	q, why := s.pick(spec.Device)
	if why != nil {
		return why
	}
	if s.stopping {
		return refusal("runner-stopping")
	}
	if n := c.unended(); n >= s.options.Limits.ClientJobs {
		return refusal("runner-client-full", n)
	}
	if len(c.order) > s.options.Limits.ClientJobs+s.options.Limits.KeptJobs {
		return refusal("runner-client-full", len(c.order))
	}
	if why := s.crowded(c, q); why != nil {
		return why
	}
	if !s.room(c.client, spec.TensorBytes()+int64(spec.IRBytes)) { // bytes are charged when they arrive
		return refusal("runner-total-memory")
	}
	j := &job{session: c, queue: q, spec: spec, parts: make([]part, len(spec.Tensors)), begun: time.Now()}
	if !j.reserve(j.overhead()) {
		return refusal("runner-total-memory")
	}
	c.jobs[spec.Job] = j
	c.order = append(c.order, j)
	j.awaitPart()
	return nil
}

// pick finds the queue of a device.
func (s *Scheduler) pick(id string) (*queue, *diag.Diagnostic) {
	var ids []string
	for _, q := range s.queues {
		if id == "" || id == q.device.ID {
			return q, nil
		}
		ids = append(ids, q.device.ID)
	}
	return nil, refusal("runner-device-unknown", id, list(ids))
}

func list(ids []string) string {
	text, _ := json.Marshal(ids)
	return string(text)
}
