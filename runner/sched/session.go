package sched

import (
	"encoding/json"
	"math"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/protocol"
)

// Session is one client program with its jobs. It outlives its connection by disconnectGraceMs.
type Session struct {
	sched   *Scheduler
	client  *client
	tenant  string // of the parts of devices that its jobs use: see Scheduler.Open
	account account
	key     string         // names the session in resume
	jobs    map[int64]*job // by number
	jobList []*job         // in the order of their numbers

	residents map[*queue]*resident // what it has on devices between jobs
	charged   time.Duration        // device time since its beginning

	lastNumber      int64       // the highest job number that was submitted; numbers must increase
	lastServed      int         // index into jobList of the job whose event was sent last
	stream          *Stream     // nil while no connection is attached
	connection      int         // the latest that has resumed it, as the client counts
	disconnectTimer *time.Timer // runs while no connection is attached
	detachedAt      time.Time   // when the last connection was lost
}

// wakeStream tells the attached connection that Next may return a frame.
func (c *Session) wakeStream() {
	if c.stream == nil {
		return
	}
	select {
	case c.stream.wake <- struct{}{}:
	default: // the channel holds one token, which is enough: the writer calls Next until it returns nothing
	}
}

// attach makes a stream for a new connection. The state of waiting and running jobs is sent to it at once.
func (c *Session) attach() *Stream {
	stopTimer(&c.disconnectTimer)
	c.stream = &Stream{session: c, wake: make(chan struct{}, 1), closed: make(chan struct{})}
	for _, j := range c.jobList {
		j.statusChanged = j.state == queued || j.state == running
	}
	c.wakeStream()
	return c.stream
}

// detach closes the session's stream. Jobs whose upload is not complete are cancelled: the rest of it was on the
// connection. The caller calls startDisconnectGrace unless it attaches another stream.
func (c *Session) detach(why *diag.Diagnostic) {
	c.stream.closeReason = why
	close(c.stream.closed)
	c.stream, c.detachedAt = nil, time.Now()
	for _, j := range slices.Clone(c.jobList) {
		if j.state == arriving {
			j.cancel(refusal("runner-upload-lost"))
		}
	}
}

// startDisconnectGrace lets the jobs of a detached session go on for disconnectGraceMs, and then cancels them and frees
// the session's buffers.
func (c *Session) startDisconnectGrace() {
	if c.closeIfUnused() {
		return
	}
	limit := c.sched.options.Limits.DisconnectGraceMS
	c.sched.startTimer(&c.disconnectTimer, millis(limit), func() {
		for _, j := range slices.Clone(c.jobList) {
			j.cancel(refusal("runner-vanished", wholeSeconds(limit)))
		}
		for q := range c.residents {
			c.freeResident(q)
		}
		c.closeIfUnused()
	})
}

// closeIfUnused closes a session that has neither a connection nor jobs nor buffers, and reports whether it did.
func (c *Session) closeIfUnused() bool {
	if c.stream != nil || len(c.jobList) > 0 || len(c.residents) > 0 {
		return false
	}
	c.unregister()
	return true
}

// unregister removes the session from the scheduler: it can no longer be resumed, and counts towards no limit.
func (c *Session) unregister() {
	stopTimer(&c.disconnectTimer)
	if c.sched.sessions[c.key] == c {
		delete(c.sched.sessions, c.key)
		c.client.sessions--
	}
	for q := range c.residents {
		c.freeResident(q)
	}
}

// isUnregistered reports whether the session was closed or evicted.
func (c *Session) isUnregistered() bool { return c.sched.sessions[c.key] != c }

// evict closes a detached session and cancels its jobs. A job on a device ends when the device has stopped; finish then
// drops it, since the session is unregistered.
func (c *Session) evict(why *diag.Diagnostic) {
	c.unregister()
	for _, j := range slices.Clone(c.jobList) {
		if j.cancel(why); j.state == ended {
			c.forgetJob(j)
		}
	}
}

// forgetJob drops a job with its events and results, and gives back the bytes that are charged for it.
func (c *Session) forgetJob(j *job) {
	stopTimer(&j.timer)
	j.chargeBytes(-j.heldBytes)
	c.sched.removeEnded(j)
	delete(c.jobs, j.spec.Job)
	c.jobList = slices.DeleteFunc(c.jobList, func(other *job) bool { return other == j })
	c.closeIfUnused()
}

// trimResults drops the oldest delivered results beyond keptJobs, for clients that do not release jobs.
func (c *Session) trimResults() {
	kept := 0
	for _, j := range c.jobList {
		if j.state == ended {
			kept++
		}
	}
	for _, j := range slices.Clone(c.jobList) {
		if kept <= c.sched.options.Limits.KeptJobs {
			return
		}
		if j.state == ended && j.isDelivered() {
			c.forgetJob(j)
			kept--
		}
	}
}

// chargeTime charges a turn on a device to the session and its client.
func (c *Session) chargeTime(took time.Duration) {
	now := c.sched.now()
	c.charged += took
	c.account.charge(took, now)
	weighted := c.client.weighted(took)
	c.client.account.charge(weighted, now)
	if charged := c.sched.options.Charged; charged != nil {
		charged(c.client.address, weighted)
	}
}

// unfinishedJobs returns the number of jobs that have not ended.
func (c *Session) unfinishedJobs() int {
	n := 0
	for _, j := range c.jobList {
		if j.state != ended {
			n++
		}
	}
	return n
}

// submitJob adds a job in state arriving, or returns why it is refused. invalid is the result of Submit.Check. The
// number of a refused job is used up as well: its frames may already be on their way, and are ignored by their number.
func (c *Session) submitJob(spec *protocol.Submit, invalid *diag.Diagnostic) *diag.Diagnostic {
	s := c.sched
	if spec.Job <= c.lastNumber {
		return refusal("runner-job-number", spec.Job, c.lastNumber)
	}
	c.lastNumber = min(spec.Job, math.MaxUint32) // a frame's header has 32 bits for it
	if invalid != nil {
		return invalid
	}
	q, why := s.findQueue(spec.Device)
	if why != nil {
		return why
	}
	if s.stopping {
		return refusal("runner-stopping")
	}
	if n := c.unfinishedJobs(); n >= s.options.Limits.ClientJobs {
		return refusal("runner-client-full", n)
	}
	if s.hasTooManyJobs(c.client) {
		return refusal("runner-client-full", c.client.share.Jobs)
	}
	if len(c.jobList) > s.options.Limits.ClientJobs+s.options.Limits.KeptJobs {
		return refusal("runner-client-full", len(c.jobList))
	}
	if why := s.checkQueueRoom(c, q); why != nil {
		return why
	}
	if !s.couldMakeRoom(c.client, spec.NewBytes()+int64(spec.IRBytes)) { // they are charged as they arrive
		return refusal("runner-total-memory")
	}
	j := &job{session: c, queue: q, spec: spec, tensors: make([]tensorData, len(spec.Tensors)), submittedAt: time.Now()}
	if !j.reserveBytes(j.descriptionBytes()) {
		return refusal("runner-total-memory")
	}
	c.jobs[spec.Job] = j
	c.jobList = append(c.jobList, j)
	j.resetUploadTimeout()
	// Without a kernel there is nothing to verify.
	if j.verified = spec.IRBytes == 0; j.verified && j.nextTensor() == len(spec.Tensors) {
		s.enqueue(j)
	}
	return nil
}

// findQueue finds the queue of a device by its ID; the empty ID is the first device.
func (s *Scheduler) findQueue(id string) (*queue, *diag.Diagnostic) {
	var ids []string
	for _, q := range s.offered() {
		ids = append(ids, q.id)
	}
	for _, q := range s.queues { // one without workers is not offered, and a client that knows it may wait
		if id == q.id || id == "" && q.id == ids[0] {
			return q, nil
		}
	}
	return nil, refusal("runner-device-unknown", id, jsonList(ids))
}

// jsonList writes IDs for a message.
func jsonList(ids []string) string {
	text, _ := json.Marshal(ids)
	return string(text)
}
