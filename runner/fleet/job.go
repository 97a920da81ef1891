package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// job is a job of a gateway that has not ended. The gateway's lock guards what changes.
type job struct {
	id       string
	pool     *pool
	task     *sched.Task
	payload  pieces // the submit's JSON, the kernel, and the tensors that the client sent
	headSize int64

	tickets  int       // that were put into the queue
	ticketAt time.Time // when the last one was; zero: one has to be put
	lease    *lease    // nil while no worker has the job
	heardAt  time.Time // when the lease's worker was last heard of
	lost     int       // workers
	unable   map[string]bool
	stopped  bool // ctx has ended
	ended    bool
	outcome  *sched.Outcome // once it has ended; nil if it was stopped and has none
	done     chan struct{}  // closed when it has ended
}

// lease is a worker's right to answer a job, and what has arrived of the answer.
type lease struct {
	key    string
	worker string // its workerKey
	answer *answer
}

// Run implements sched.Remote.
func (p *pool) Run(ctx context.Context, t *sched.Task) *sched.Outcome {
	g, j := p.gateway, newJob(p, t)
	g.mu.Lock()
	g.jobs[j.id] = j
	g.mu.Unlock()
	defer g.forget(j)
	o := g.await(ctx, j)
	state := "stopped"
	if o != nil {
		state = o.Done.State
	}
	g.link.log.Info("a job ended", "job", j.id[:8], "person", sched.PersonOf(t.Owner), "pool", p.name, "state", state)
	return o
}

// await puts tickets for a job until it has ended, or ctx has.
func (g *Gateway) await(ctx context.Context, j *job) *sched.Outcome {
	g.putTicket(ctx, j)
	again := time.NewTicker(g.link.times.alive)
	defer again.Stop()
	for {
		select {
		case <-j.done:
			return j.outcome
		case <-again.C:
			if g.needsTicket(j) {
				g.putTicket(ctx, j)
			}
		case <-ctx.Done():
			return g.stopJob(j)
		}
	}
}

func newJob(p *pool, t *sched.Task) *job {
	text, err := json.Marshal(t.Submit)
	if err != nil {
		panic(err) // it was read from JSON
	}
	j := &job{
		id: newID(), pool: p, task: t, headSize: int64(len(text)), unable: map[string]bool{}, done: make(chan struct{}),
	}
	j.payload.add(text, t.IR)
	for _, chunks := range t.Tensors {
		j.payload.add(chunks...)
	}
	return j
}

// forget drops a job. A worker that still has it is told so when it says the next thing.
func (g *Gateway) forget(j *job) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.jobs, j.id)
	j.endLease(g)
}

func (j *job) endLease(g *Gateway) {
	if j.lease != nil {
		delete(g.leases, j.lease.key)
		j.lease = nil
	}
}

// needsTicket reports whether no worker will come for a job by itself: NATS may have lost its ticket with its disk.
func (g *Gateway) needsTicket(j *job) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if j.ended || j.lease != nil {
		return false
	}
	now := time.Now()
	if j.ticketAt.IsZero() {
		return true
	}
	idle := false
	for id, w := range g.workers {
		idle = idle || w.Running < w.Slots && w.takesJobs(j.pool.name, now) && !j.unable[id]
	}
	return idle && min(now.Sub(j.ticketAt), now.Sub(j.heardAt)) > g.link.times.unclaimed
}

// putTicket puts a ticket into the work queue. If that fails, because the stream is full or NATS is away, Run tries
// again: the job waits in the gateway meanwhile.
func (g *Gateway) putTicket(ctx context.Context, j *job) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	g.mu.Lock()
	j.tickets++
	number := j.tickets
	g.mu.Unlock()
	text, err := json.Marshal(ticket{j.id, g.id})
	if err != nil {
		panic(err)
	}
	// The number makes a later ticket one of its own: the same one again would be taken for a duplicate.
	_, err = g.link.js.Publish(ctx, jobSubject+j.pool.name, text, jetstream.WithMsgID(j.id+"."+strconv.Itoa(number)))
	if err != nil {
		g.count(eventFull)
		g.link.log.Warn("a job could not be queued; it is tried again",
			"job", j.id[:8], "pool", j.pool.name, "err", err)
		if errors.Is(err, jetstream.ErrNoStreamResponse) { // somebody has removed it
			g.openPool(j.pool.name)
		}
		return
	}
	g.mu.Lock()
	j.ticketAt = time.Now()
	g.counts[eventTicket]++
	g.mu.Unlock()
}

// count counts an event.
func (g *Gateway) count(event string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.counts[event]++
}

// stopPatience is how long a worker may take to answer a job that was stopped.
const stopPatience = 2 * time.Second

// stopJob stops a job, and returns its worker's answer, nil if there is none in time.
func (g *Gateway) stopJob(j *job) *sched.Outcome {
	g.mu.Lock()
	j.stopped = true
	l := j.lease
	g.mu.Unlock()
	if l == nil {
		return nil
	}
	g.link.Publish(workerSubject+l.worker, encodePacket(stopMessage{l.key}, nil))
	patience := time.NewTimer(stopPatience)
	defer patience.Stop()
	select {
	case <-j.done:
		return j.outcome
	case <-patience.C:
		return nil
	}
}

// stopMessage tells a worker to stop a job.
type stopMessage struct {
	Lease string `json:"lease"`
}

// look ends the lease of a worker that is silent, and a job that no worker can run. The lock is held.
func (g *Gateway) look(j *job, now time.Time) {
	switch {
	case j.lease != nil && now.Sub(j.heardAt) > g.link.times.lease:
		g.loseWorker(j, "it is silent")
	case j.lease == nil && now.Sub(j.heardAt) > g.link.times.presence && g.allUnable(j, now):
		g.finish(j, sched.Refused(diag.New("runner-worker-lost", source.Span{}, j.lost)))
	}
}

// allUnable reports whether there are workers that take jobs, of which none can run this one. Where there are none at
// all, the job waits for one. The lock is held.
func (g *Gateway) allUnable(j *job, now time.Time) bool {
	any := false
	for id, w := range g.workers {
		if !w.takesJobs(j.pool.name, now) {
			continue
		}
		if any = true; !j.unable[id] {
			return false
		}
	}
	return any
}

// loseWorker takes a job from its worker. The lock is held.
func (g *Gateway) loseWorker(j *job, why string) {
	g.counts[eventLost]++
	g.link.log.Warn("a job lost its worker", "job", j.id[:8], "worker", keyForLog(j.lease.worker), "why", why)
	j.endLease(g)
	if j.lost++; j.lost >= maxWorkersLost {
		g.finish(j, sched.Refused(diag.New("runner-worker-lost", source.Span{}, j.lost)))
	}
}

// finish ends a job, once. The lock is held.
func (g *Gateway) finish(j *job, o *sched.Outcome) {
	if !j.ended {
		j.ended, j.outcome = true, o
		close(j.done)
	}
}

// claim gives a job to a worker, if it is free.
func (g *Gateway) claim(q request) (*job, reply) {
	g.mu.Lock()
	defer g.unlock()
	j, w := g.jobs[q.Job], g.workers[q.Worker]
	switch {
	case j == nil || j.ended || j.stopped:
		return nil, reply{State: stateGone}
	case w == nil, !w.takesJobs(j.pool.name, time.Now()), j.unable[q.Worker],
		j.lease != nil && j.lease.worker != q.Worker:
		return nil, reply{State: stateHeld}
	case j.lease != nil: // its first claim was answered, and the answer lost
		j.endLease(g)
	}
	j.lease = &lease{key: newID(), worker: q.Worker, answer: newAnswer(j.task.Submit, g.limits)}
	j.heardAt = time.Now()
	g.leases[j.lease.key] = j
	g.counts[eventClaim]++
	g.events = append(g.events, j.task.Started)
	g.link.log.Info("a worker has a job", "job", j.id[:8], "worker", keyForLog(q.Worker), "pool", j.pool.name)
	return j, reply{
		State: stateYes, Lease: j.lease.key, Owner: alias(j.task.Owner, ownerBytes),
		Tenant: alias(j.task.Tenant, sha256.Size), Head: j.headSize, IR: int64(len(j.task.IR)), Total: j.payload.total,
	}
}

// ownerBytes are enough for fair shares: if two clients ever had one alias, they would share one.
const ownerBytes = 8

// alias is a name of so many bytes for workers, which need not know an address or the key of a session.
func alias(name string, bytes int) string {
	hash := sha256.Sum256([]byte(name))
	return hex.EncodeToString(hash[:bytes])
}

// leased is the job of a lease, nil if the lease has ended, or is another worker's. The lock is held.
func (g *Gateway) leased(q request) *job {
	j := g.leases[q.Lease]
	if j == nil || j.lease.worker != q.Worker || j.ended {
		return nil
	}
	j.heardAt = time.Now()
	return j
}

// alive notes that a worker has a job still, and how far it is. The lock is held.
func (g *Gateway) alive(j *job, q request) reply {
	if q.Started {
		g.events = append(g.events, j.task.Started)
	}
	if p := q.Progress; p != nil && p.Done >= 0 && p.Done <= p.Total {
		g.events = append(g.events, func() { j.task.Progress(*p) })
	}
	if j.stopped {
		return reply{State: stateGone}
	}
	return reply{State: stateYes}
}

// giveBack frees a job whose worker cannot run it. The lock is held.
func (g *Gateway) giveBack(j *job, q request) reply {
	worker := j.lease.worker
	j.endLease(g)
	if j.stopped {
		g.finish(j, nil)
	}
	if !q.Unable {
		return reply{State: stateYes} // it is draining
	}
	j.unable[worker] = true
	if j.lost++; j.lost >= maxWorkersLost {
		g.finish(j, sched.Refused(diag.New("runner-worker-lost", source.Span{}, j.lost)))
	}
	return reply{State: stateYes}
}

func resultBytes(submit *protocol.Submit) int64 {
	n := int64(0)
	for _, t := range submit.Tensors {
		if t.Return {
			n += int64(t.Bytes)
		}
	}
	return n
}

// refuse takes a job from a worker that has broken the rules, which gets none for shunTime. The lock is held.
func (g *Gateway) refuse(j *job, why string) reply {
	if w := g.workers[j.lease.worker]; w != nil {
		w.shunned = time.Now().Add(shunTime)
		g.counts[eventShunned]++
	}
	j.unable[j.lease.worker] = true
	g.loseWorker(j, why)
	return reply{State: stateRefused}
}
