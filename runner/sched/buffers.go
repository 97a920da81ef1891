package sched

import (
	"errors"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
)

// resident is what a session has on one device between its jobs: a part of the device, where that can be divided, and
// the buffers there. The scheduler's lock guards it; the device's own calls are made without the lock.
type resident struct {
	queue   *queue
	device  device.Device // for all jobs of the session while it has buffers there
	owned   bool          // device is a part, which is closed with the last buffer
	buffers map[int64]*buffer
	usedAt  time.Time // when a job last ended
}

// buffer is memory of a device that outlives the job which made it.
type buffer struct {
	memory device.Memory
	bytes  int64
	freed  bool // the client has no more use for it: it goes when no job is left that names it
}

// errBufferUnknown is the error of a job that names a buffer which the session does not have, or of another size.
var errBufferUnknown = errors.New("the session has no such buffer")

// errBuffersFull is the error of a job that would keep tensors on a device where too many sessions do.
var errBuffersFull = errors.New("too many sessions keep buffers")

// residentOn gives what the session has on a queue's device, or makes room for it; nil if there is none.
func (c *Session) residentOn(q *queue) (*resident, error) {
	if r := c.residents[q]; r != nil {
		return r, nil
	}
	if len(q.residents) >= c.sched.options.Limits.BufferSessions && !c.sched.evictResident(q) {
		return nil, errBuffersFull
	}
	r := &resident{queue: q, device: q.device.Device, buffers: map[int64]*buffer{}, usedAt: time.Now()}
	c.residents[q], q.residents[c] = r, r
	return r, nil
}

// evictResident frees the buffers of a session without unfinished jobs: one without a connection if there is one, of
// the client with the most buffers, that has been idle for longest. It reports whether there was one.
func (s *Scheduler) evictResident(q *queue) bool {
	var victim *Session
	for c, r := range q.residents {
		if c.unfinishedJobs() > 0 {
			continue
		}
		if victim == nil || c.losesBuffersBefore(victim, r, q.residents[victim]) {
			victim = c
		}
	}
	if victim == nil {
		return false
	}
	victim.freeResident(q)
	return true
}

func (c *Session) losesBuffersBefore(d *Session, r, of *resident) bool {
	if away := c.stream == nil; away != (d.stream == nil) {
		return away
	}
	if c.client != d.client && c.client.bytes != d.client.bytes {
		return c.client.bytes > d.client.bytes
	}
	return r.usedAt.Before(of.usedAt)
}

// charge counts bytes of buffers towards the session's client; negative ones are given back.
func (c *Session) charge(bytes int64) {
	c.client.bytes += bytes
	c.sched.heldBytes += bytes
}

// Free frees buffers, as soon as no unfinished job names them: those that the session has, and those that its
// unfinished jobs are going to make.
func (st *Stream) Free(numbers []int64) *diag.Diagnostic {
	s := st.session.sched
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(numbers) > s.options.Limits.Buffers {
		return refusal("runner-request", "buffers", len(numbers), "as many as the session may have")
	}
	for _, n := range numbers {
		for _, r := range st.session.residents {
			if b := r.buffers[n]; b != nil {
				b.freed = true
			}
		}
		for _, j := range st.session.jobList {
			j.freeBuffer(n)
		}
	}
	st.session.freeUnused()
	return nil
}

// freeBuffer notes that the client has freed a buffer that the job may have yet to make.
func (j *job) freeBuffer(number int64) {
	for i, t := range j.spec.Tensors {
		if t.Buffer == number {
			j.tensors[i].freed = true
		}
	}
}

// freeUnused frees the buffers that were freed by the client and that no unfinished job names.
func (c *Session) freeUnused() {
	named := map[int64]bool{}
	for _, j := range c.jobList {
		for _, t := range j.spec.Tensors {
			if j.state != ended {
				named[t.Buffer] = true
			}
		}
	}
	for q, r := range c.residents {
		var unused []device.Memory
		for n, b := range r.buffers {
			if b.freed && !named[n] {
				unused = append(unused, b.memory)
				delete(r.buffers, n)
				c.charge(-b.bytes)
			}
		}
		if len(r.buffers) == 0 && c.unfinishedJobs() == 0 {
			delete(c.residents, q)
			delete(q.residents, c)
			c.sched.release(r, unused)
		} else if len(unused) > 0 {
			c.sched.release(nil, unused)
		}
	}
	c.closeIfUnused()
}

// freeResident frees all buffers of a session on a device. The memory of a job that runs there goes with the part, or
// when the job has ended.
func (c *Session) freeResident(q *queue) {
	r := c.residents[q]
	var all []device.Memory
	for _, b := range r.buffers {
		all = append(all, b.memory)
		c.charge(-b.bytes)
	}
	delete(c.residents, q)
	delete(q.residents, c)
	c.sched.release(r, all)
}

// release frees memory, and closes the part of a device that it was on, without the lock: a device may take a while.
func (s *Scheduler) release(r *resident, list []device.Memory) {
	s.workers.Go(func() {
		for _, m := range list {
			m.Free()
		}
		if r != nil && r.owned {
			if err := r.device.Close(); err != nil {
				s.options.Log.Error("a device failed", "device", r.queue.id, "err", err)
			}
		}
	})
}

// usesBuffers reports whether a job keeps tensors on its device.
func usesBuffers(spec *protocol.Submit) bool {
	for _, t := range spec.Tensors {
		if t.Buffer != 0 {
			return true
		}
	}
	return false
}

// transientBytes is the size of the tensors that end with their job. The others are charged to its session.
func transientBytes(spec *protocol.Submit) int64 {
	total := int64(0)
	for _, t := range spec.Tensors {
		if t.Buffer == 0 {
			total += int64(t.Bytes)
		}
	}
	return total
}

// useResident is what the session has on the device, if the run needs it: nil where neither keeps tensors.
func (r *run) useResident() (own *resident, err error) {
	r.updateJob(func(j *job) {
		if own = j.session.residents[j.queue]; own == nil && usesBuffers(r.spec) {
			own, err = j.session.residentOn(j.queue)
		}
		if own != nil {
			r.resident, r.device.Device = own, own.device
		}
	})
	return own, err
}

// heldBuffer is the memory of a buffer that the session has; nil if it has none of that size.
func (r *run) heldBuffer(t *protocol.Tensor) device.Memory {
	var m device.Memory
	r.updateJob(func(*job) {
		if b := r.resident.buffers[t.Buffer]; b != nil && b.bytes == int64(t.Bytes) {
			m = b.memory
		}
	})
	return m
}

// keep makes memory of the run the buffer of the session that tensor i is, in the place of another of that number. What
// the client sent of it is dropped unless it returns: it is on the device now. It reports false where the client has no
// room for the buffer, or the job was given up.
func (r *run) keep(i int, m device.Memory) (kept bool) {
	t := &r.spec.Tensors[i]
	r.updateJob(func(j *job) {
		if !t.Return {
			r.inputs[i].chunks = nil
			j.dropChunks(i)
		}
		c, of := j.session, r.resident
		old := of.buffers[t.Buffer]
		room := old != nil || len(of.buffers) < r.sched.options.Limits.Buffers
		if !room || c.residents[j.queue] != of || !r.sched.makeRoom(c.client, int64(t.Bytes)) {
			return
		}
		if old != nil {
			c.charge(-old.bytes)
			r.sched.release(nil, []device.Memory{old.memory})
		}
		of.buffers[t.Buffer] = &buffer{memory: m, bytes: int64(t.Bytes), freed: j.tensors[i].freed}
		c.charge(int64(t.Bytes))
		kept = true
	})
	return kept
}
