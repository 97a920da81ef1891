package sched

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/protocol"
)

// Remote runs jobs outside of this process, such as on the workers of a fleet. Its methods are safe for concurrent use.
type Remote interface {
	// Capacity is how many jobs it has room for now, and how many of one session: the rest of the room is for others,
	// whose jobs take turns with those. Call Wake when it grows. It must not call the scheduler.
	Capacity() (jobs, ofSession int)
	// Run runs a job to its end. It returns nil if the job was given up because ctx ended.
	Run(ctx context.Context, t *Task) *Outcome
}

// Task is a job for a Remote. What it refers to is not changed.
type Task struct {
	Owner   string           // the client's address, for fair shares and logs
	Tenant  string           // for OpenFor of the worker's scheduler
	Submit  *protocol.Submit // DeadlineMS is set
	IR      []byte
	Tensors [][][]byte // the contents of each tensor that the client sent, in chunks

	// Started is called when a worker begins; more than once if a worker is lost and another one takes the job.
	Started func()
	// Progress passes on how far the launch is.
	Progress func(protocol.Progress)
}

// Outcome is what a job gave. The parts that are nil are not reported to the client.
type Outcome struct {
	Compiled    *protocol.Compiled
	Diagnostics *protocol.Diagnostics
	Prints      *protocol.Prints
	Timings     *protocol.Timings
	SASS        *protocol.SASS
	Results     [][][]byte // of each tensor that returns, in chunks of chunkBytes; nil if the job failed before
	Done        protocol.Done
	DeviceTime  time.Duration // as the worker measured it
}

// Refused is the outcome of a job that a Remote could not run, or lost for good.
func Refused(why *diag.Diagnostic) *Outcome { return &Outcome{Done: refused(why)} }

// remoteExecutor executes jobs on a Remote.
type remoteExecutor struct{ Remote }

func (x remoteExecutor) capacity() (jobs, ofSession int) { return x.Capacity() }

// starting leaves the job waiting, with what is left of queueMs: it starts when a worker has taken it.
func (x remoteExecutor) starting(r *run) {
	j, s := r.job, r.sched
	r.after = j.session.unfinishedBefore(j)
	s.startTimer(&j.timer, max(0, millis(s.options.Limits.QueueMS)-time.Since(j.stateSince)), func() {
		r.cancel(refusal("runner-queue-deadline", wholeSeconds(s.options.Limits.QueueMS)))
	})
}

// unfinishedBefore is the last run of the session that is in progress on the job's queue, nil if there is none.
func (c *Session) unfinishedBefore(j *job) *run {
	var last *run
	for _, other := range c.jobList {
		if other != j && other.queue == j.queue && other.state == running {
			last = other.run
		}
	}
	return last
}

// A worker enforces a job's deadline itself, by the time that it gives the job. It may take remoteMargin longer, for
// copies and to stop, and let at most RemoteTurns jobs take turns.
const (
	remoteMargin = 10 * time.Second
	RemoteTurns  = 128
)

func (x remoteExecutor) execute(r *run) (done protocol.Done, longest time.Duration) {
	if !r.reserveReturned() {
		return r.doneFor(r.ctx, errNoMemory), 1
	}
	outcome := x.Run(r.ctx, r.task())
	if outcome == nil {
		outcome = &Outcome{Done: r.doneFor(r.ctx, context.Canceled)}
	}
	longest = max(1, outcome.DeviceTime)
	r.leaveWorker(longest)
	if r.after != nil { // the jobs of a session end in the order in which they were sent, whoever is faster
		select {
		case <-r.after.over:
		case <-r.ctx.Done():
		}
	}
	r.reportOutcome(outcome)
	// Why the runner stopped a job is known here; the worker knows only that it was told to.
	var why stopped
	if errors.As(context.Cause(r.ctx), &why) && outcome.Done.State == protocol.StateCancelled {
		outcome.Done.Reason = wireDiagnostic(why.why)
	}
	return outcome.Done, longest
}

// reserveReturned reserves memory for the results, and reports whether the client had room. Inputs are kept until the
// end, in case another worker has to begin again.
func (r *run) reserveReturned() (room bool) {
	results := int64(0)
	for _, t := range r.spec.Tensors {
		if t.Return {
			results += int64(t.Bytes)
		}
	}
	r.updateJob(func(j *job) { room = j.reserveBytes(results) })
	return room
}

// task is the run as a Remote sees it.
func (r *run) task() *Task {
	spec := *r.spec
	spec.DeadlineMS = r.sched.deadlineMS(r.spec)
	spec.Budget = min(spec.Budget, r.sched.options.Limits.MaxBudget)
	t := &Task{
		Owner: r.job.session.client.address, Tenant: r.job.session.tenant, Submit: &spec, IR: r.wire,
		Tensors: make([][][]byte, len(r.inputs)),
	}
	for i, in := range r.inputs {
		t.Tensors[i] = in.chunks
	}
	t.Started = func() { r.updateJob(func(*job) { r.beginRemote() }) }
	t.Progress = func(p protocol.Progress) {
		r.updateJob(func(j *job) {
			// The worker that begins again does not take back what the client has seen.
			j.progress = protocol.Progress{Done: max(j.progress.Done, min(p.Done, p.Total)), Total: p.Total}
			j.statusChanged = true
			j.session.wakeStream()
		})
	}
	return t
}

// beginRemote is called, with the lock held, when a worker has taken the job: its device time begins.
func (r *run) beginRemote() {
	if !r.begun { // by an earlier worker, which was lost
		r.started()
	}
	r.timeLeft = RemoteTurns*millis(r.sched.deadlineMS(r.spec)) + remoteMargin
	r.sched.beginTurn(r)
}

// leaveWorker makes room for the next job: the worker is free again, though the job's end may have to wait.
func (r *run) leaveWorker(took time.Duration) {
	s, q := r.sched, r.job.queue
	r.lockScheduler()
	defer s.mu.Unlock()
	if q.leave(r.job) {
		r.longest = took
		s.endTurn(r)
		s.dispatchNext(q)
	}
}

// reportOutcome adds the events of an outcome to the job's, in the order in which a local device reports them.
func (r *run) reportOutcome(o *Outcome) {
	if m := o.Compiled; m != nil {
		short := *m
		short.PTX, short.Lines, short.Log = "", nil, ""
		r.reportMessage(protocol.ServerMessage{Compiled: m}, protocol.ServerMessage{Compiled: &short})
	}
	if m := o.Diagnostics; m != nil {
		short := protocol.Diagnostics{List: []protocol.Diagnostic{}, Dropped: m.Dropped + len(m.List)}
		r.reportMessage(protocol.ServerMessage{Diagnostics: m}, protocol.ServerMessage{Diagnostics: &short})
	}
	if m := o.Prints; m != nil {
		short := protocol.Prints{Prints: []protocol.Print{}, Dropped: m.Dropped + len(m.Prints)}
		r.reportMessage(protocol.ServerMessage{Prints: m}, protocol.ServerMessage{Prints: &short})
	}
	if o.Results != nil {
		r.updateJob(func(j *job) {
			for i := range j.tensors {
				j.tensors[i].chunks = o.Results[i]
			}
			j.addResults()
		})
	}
	if m := o.SASS; m != nil {
		r.reportMessage(protocol.ServerMessage{SASS: m}, shortSASS(m))
	}
	if m := o.Timings; m != nil {
		r.reportMessage(protocol.ServerMessage{Timings: m}, protocol.ServerMessage{Timings: m})
	}
}

// AddRemote adds a device whose jobs a Remote runs. GPUs come before other devices, and among those the order is that
// of their IDs: clients that name no device get the first one.
func (s *Scheduler) AddRemote(description protocol.Device, remote Remote) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := &queue{id: description.ID, description: description, executor: remoteExecutor{remote},
		residents: map[*Session]*resident{}}
	s.queues = append(s.queues, q)
	slices.SortStableFunc(s.queues, func(a, b *queue) int {
		return cmp.Or(-cmp.Compare(min(len(a.description.Arch), 1), min(len(b.description.Arch), 1)),
			cmp.Compare(a.id, b.id))
	})
}

// Wake dispatches jobs to Remotes that have more capacity than before.
func (s *Scheduler) Wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.queues {
		s.dispatchNext(q)
	}
}

// ActiveClients is the number of clients with jobs that have not ended.
func (s *Scheduler) ActiveClients() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	active := map[*client]bool{}
	for _, c := range s.sessions {
		if c.unfinishedJobs() > 0 {
			active[c.client] = true
		}
	}
	return len(active)
}

// Charge charges device time, by its weight, that a client used elsewhere, such as through another gateway of the
// fleet.
func (s *Scheduler) Charge(owner string, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.findClient(owner).account.add(took, s.now())
}

// offered are the queues that clients are told of: those that can run jobs now, all if none can.
func (s *Scheduler) offered() []*queue {
	able := slices.DeleteFunc(slices.Clone(s.queues), func(q *queue) bool { return !q.isAble() })
	if len(able) == 0 {
		return s.queues
	}
	return able
}
