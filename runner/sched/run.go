package sched

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
)

// stopped is why a run was stopped from outside.
type stopped struct{ why *diag.Diagnostic }

func (s stopped) Error() string { return s.why.Code }

// quantum is how long a job runs before one of who used the devices less may go first.
const quantum = 20 * time.Millisecond

// run is one job on its device, from its start to its end; it may be suspended in between. Of the job itself it
// changes nothing without the lock: the job may have been given up.
type run struct {
	sched  *Scheduler
	job    *job
	wire   []byte
	inputs []part
	dev    Device
	spec   *protocol.Submit
	told   time.Time // when progress was last told
	loaded time.Duration

	ctx  context.Context
	stop context.CancelCauseFunc
	gate atomic.Pointer[chan struct{}] // closed when the run is resumed; nil while it is not suspended
	idle atomic.Int64                  // nanoseconds of its turn in which it waited for a processor or the lock

	// The scheduler's lock guards these.
	resumed  time.Time     // when the device was last given to the run
	left     time.Duration // until the job's deadline, at that time
	deadline *time.Timer
	slice    *time.Timer // ends the quantum
	charged  time.Duration
	longest  time.Duration // that it can have used its device, 0 where that is not known
	grace    *time.Timer   // runs from the time that it was told to stop
	memory   int64         // that it takes apart from what is charged
	reserved int64         // of memory, while it is suspended
	stuck    bool          // it was given up
}

// dispatch gives a device that is free to the job that is next.
func (s *Scheduler) dispatch(q *queue) {
	if q.running != nil || q.length == 0 {
		return
	}
	j := q.pop(s.now())
	q.running = j
	if j.run == nil {
		s.start(j)
	} else {
		j.run.resume()
	}
	s.begin(j.run)
	s.moved()
}

// start makes a job run.
func (s *Scheduler) start(j *job) {
	limit := s.options.Limits.DefaultJobMS
	if j.spec.DeadlineMS > 0 {
		limit = j.spec.DeadlineMS
	}
	stop(&j.timer)
	j.waited = time.Since(j.since)
	j.state, j.since = running, time.Now()
	r := &run{
		sched: s, job: j, wire: j.wire, dev: j.queue.device, spec: j.spec, inputs: slices.Clone(j.parts),
		left: millis(min(limit, s.options.Limits.MaxJobMS)), memory: j.spec.TensorBytes() + decodedBytes(j.wire),
	}
	r.ctx, r.stop = context.WithCancelCause(context.Background())
	j.run = r
	j.say(protocol.ServerMessage{Started: &protocol.Started{Device: j.queue.device.ID}})
	begin := j.since
	s.workers.Go(func() {
		r.waited(begin)
		done, longest := r.guarded(r.ctx)
		r.lock()
		defer s.lock.Unlock()
		r.longest = longest
		s.finished(r, done)
	})
}

// begin begins to count the time for which a run has its device.
func (s *Scheduler) begin(r *run) {
	r.resumed = time.Now()
	s.after(&r.deadline, r.left, func() {
		limit := min(max(r.spec.DeadlineMS, 1), s.options.Limits.MaxJobMS)
		if r.spec.DeadlineMS == 0 {
			limit = s.options.Limits.DefaultJobMS
		}
		r.cancel(refusal("runner-deadline", seconds(limit)))
	})
	if j := r.job; j.queue.suspends {
		s.after(&r.slice, quantum, func() { s.giveWay(r) })
	}
}

// pause ends what begin began, and charges the time to who had the device.
func (s *Scheduler) pause(r *run) {
	stop(&r.deadline)
	stop(&r.slice)
	took := time.Since(r.resumed)
	r.left = max(0, r.left-took)
	took = max(0, took-time.Duration(r.idle.Swap(0)))
	if r.job.queue.suspends {
		took = min(took, 2*quantum) // more is this machine's delay, not the job's work
	}
	if r.longest > 0 {
		took = min(took, max(0, r.longest-r.charged))
	}
	r.charged += took
	r.job.session.charge(took)
}

// waited leaves the time since then out of what the run is charged for: on a busy machine a run of microseconds may
// wait for milliseconds until a processor takes it up.
func (r *run) waited(since time.Time) { r.idle.Add(int64(time.Since(since))) }

// The time that a job takes beside its work, about ten times what it takes on a processor of its own: that of any job,
// that of a byte of IR, of a byte of tensors, and of a unit of work.
const (
	timeOfJob        = 100 * time.Microsecond
	timeOfIRByte     = 2 * time.Microsecond
	timeOfTensorByte = 5 * time.Nanosecond
	timeOfWork       = 15 * time.Nanosecond
)

// bound is the time that the run can have used its device, going by the work that was done; 0 where that says nothing.
// It is charged no more than that: on a busy machine the operating system may interrupt a job of microseconds for
// longer than a hundred of them take, which would put its owner behind everybody else.
func (r *run) bound(report *device.Report) time.Duration {
	if report == nil || report.Work == 0 || r.spec.Races || r.spec.Timing != nil {
		return 0
	}
	work := min(time.Duration(report.Work), time.Hour/timeOfWork)
	return timeOfJob + timeOfIRByte*time.Duration(len(r.wire)) + timeOfTensorByte*time.Duration(r.spec.TensorBytes()) + timeOfWork*work
}

// lock takes the scheduler's lock.
func (r *run) lock() {
	begin := time.Now()
	r.sched.lock.Lock()
	r.waited(begin)
}

// giveWay suspends a run at the end of its quantum where somebody waits who used the devices less, and where the
// memory of another job is left.
func (s *Scheduler) giveWay(r *run) {
	q, c := r.job.queue, r.job.session
	s.pause(r)
	next := q.next(s.now())
	if next < 0 || !q.lines[next].session.before(c, s.now()) || r.grace != nil || !r.job.reserve(r.memory) {
		s.begin(r)
		return
	}
	r.reserved = r.memory
	gate := make(chan struct{})
	r.gate.Store(&gate)
	q.running = nil
	q.pushFront(r.job)
	s.dispatch(q)
}

// resume lets a suspended run go on.
func (r *run) resume() {
	r.job.charge(-r.reserved)
	r.reserved = 0
	close(*r.gate.Swap(nil))
}

// yield returns when the run has its device. The device calls it now and then.
func (r *run) yield() {
	if gate := r.gate.Load(); gate != nil {
		select {
		case <-*gate:
		case <-r.ctx.Done():
		}
	}
}

// cancel stops a run. A device that does not stop when it is told to loses the job, which keeps its memory until it
// stops all the same.
func (r *run) cancel(why *diag.Diagnostic) {
	if r.grace != nil || r.stuck {
		return
	}
	r.stop(stopped{why})
	r.sched.after(&r.grace, millis(r.sched.options.Limits.CancelGraceMS), func() {
		r.sched.options.Log.Error("a device does not stop", "device", r.dev.ID)
		r.stuck = true
		r.job.queue.stuck++
		r.sched.over(r, protocol.Done{
			State: protocol.StateCancelled, Reason: wire(refusal("runner-stuck")), Fault: wire(refusal("launch-cancelled", 0, 0)),
		})
	})
}

// finished is told when a run has ended by itself.
func (s *Scheduler) finished(r *run, done protocol.Done) {
	if r.stuck {
		r.job.queue.stuck--
		return
	}
	stop(&r.grace)
	s.over(r, done)
}

// over ends a run's job and gives its device to the next.
func (s *Scheduler) over(r *run, done protocol.Done) {
	q := r.job.queue
	if q.running == r.job {
		s.pause(r)
		q.running = nil
	} else { // it was cancelled, or ended at the last moment, while it was suspended
		q.remove(r.job)
	}
	r.stop(nil)
	r.job.end(done)
	s.dispatch(q)
	s.settle()
}

// guarded runs the job and turns whatever happens into its outcome. A panic is a mistake of ours
// that a kernel brought to light; the others must not suffer from it.
func (r *run) guarded(ctx context.Context) (done protocol.Done, longest time.Duration) {
	defer func() {
		if problem := recover(); problem != nil {
			r.sched.options.Log.Error("a device panicked", "device", r.dev.ID, "problem", fmt.Sprint(problem), "stack", string(debug.Stack()))
			done = protocol.Done{State: protocol.StateFault, Fault: wire(refusal("runner-internal"))}
		}
	}()
	begin := time.Now()
	report, err := r.do(ctx)
	done = r.outcome(ctx, err)
	if report != nil {
		done.Programs, done.ElapsedNS = report.Programs, int64(report.Elapsed)
	}
	done.LoadMS, done.RunMS = protocol.MS(r.loaded), protocol.MS(time.Since(begin)-r.loaded)
	return done, r.bound(report)
}

// outcome turns an error into words.
func (r *run) outcome(ctx context.Context, err error) protocol.Done {
	if err == nil {
		return protocol.Done{State: protocol.StateDone}
	}
	if errors.Is(err, errNoMemory) {
		return refused(refusal("runner-total-memory"))
	}
	done := protocol.Done{State: protocol.StateFault}
	var fault device.Fault
	if errors.As(err, &fault) {
		done.Fault = wire(fault.Diagnostic())
	} else if errors.Is(err, context.Canceled) { // while the kernel was decoded
		done.Fault = wire(refusal("launch-cancelled", 0, 0))
	} else {
		r.sched.options.Log.Error("a device failed", "device", r.dev.ID, "problem", err.Error())
		done.Fault = wire(refusal("runner-internal"))
	}
	var why stopped
	if errors.As(context.Cause(ctx), &why) {
		done.State, done.Reason = protocol.StateCancelled, wire(why.why)
	}
	return done
}

// errNoMemory is the error of a run whose results have no room.
var errNoMemory = errors.New("no memory for the job's results")

// do loads, launches, reads back and measures.
func (r *run) do(ctx context.Context) (*device.Report, error) {
	begin := time.Now()
	kernel, err := r.load()
	r.loaded = time.Since(begin)
	if err != nil {
		return nil, err
	}
	told := r.compiled(kernel)
	memory, free, err := r.upload()
	defer free()
	if err != nil {
		return nil, err
	}
	limits := r.sched.options.Limits
	l := device.Launch{
		Grid: protocol.Triple(r.spec.Grid), Args: launchArgs(r.spec.Args, memory), Budget: min(r.spec.Budget, limits.MaxBudget),
		Poison: r.spec.Poison, Races: r.spec.Races, Progress: r.progress, Yield: r.yield, MemoryBytes: limits.JobBytes,
	}
	if sized, ok := kernel.(device.Sizer); ok {
		bytes := sized.LaunchBytes(l)
		r.locked(func(*job) { r.memory += bytes })
	}
	report, err := kernel.Launch(ctx, l)
	if !told {
		r.compiled(kernel)
	}
	r.report(report)
	if got := r.download(memory); err == nil {
		err = got
	}
	if err != nil || r.spec.Timing == nil {
		return report, err
	}
	return report, r.time(ctx, kernel, l)
}

// load decodes the kernel, which was verified when it arrived, and makes room for the results.
func (r *run) load() (device.Kernel, error) {
	results := int64(0)
	for i, t := range r.spec.Tensors {
		if t.Return && r.inputs[i].pieces == nil {
			results += int64(t.Bytes)
		}
	}
	room := false
	r.locked(func(j *job) { room = j.reserve(results) })
	if !room {
		return nil, errNoMemory
	}
	fn, err := ir.DecodeContext(r.ctx, r.wire)
	if err != nil {
		return nil, err
	}
	options := device.Options{NumWarps: r.spec.NumWarps, NumStages: r.spec.NumStages}
	if d, ok := r.dev.Device.(device.ContextLoader); ok {
		return d.LoadContext(r.ctx, fn, options)
	}
	return r.dev.Load(fn, options)
}

// upload gives the tensors memory on the device; free gives it back.
func (r *run) upload() (memory []device.Memory, free func(), err error) {
	free = func() {
		for _, m := range memory {
			m.Free()
		}
	}
	for i, t := range r.spec.Tensors {
		m, err := r.dev.Alloc(t.Bytes)
		if err != nil {
			return memory, free, err
		}
		memory = append(memory, m)
		at := 0
		for _, piece := range r.inputs[i].pieces {
			if err := m.Write(at, piece); err != nil {
				return memory, free, err
			}
			at += len(piece)
		}
	}
	return memory, free, nil
}

// download reads the results into the memory that the tensors arrived in, and offers them.
func (r *run) download(memory []device.Memory) error {
	size := r.sched.options.Limits.ChunkBytes
	results := make([][][]byte, len(memory))
	for i, t := range r.spec.Tensors {
		if !t.Return {
			continue
		}
		results[i] = r.inputs[i].pieces
		for at := 0; at < t.Bytes; at += size {
			if at/size == len(results[i]) {
				results[i] = append(results[i], make([]byte, min(size, t.Bytes-at)))
			}
			if err := memory[i].Read(at, results[i][at/size]); err != nil {
				return err
			}
		}
	}
	r.locked(func(j *job) {
		for i := range results {
			j.parts[i].pieces = results[i]
		}
		j.give()
	})
	return nil
}

// locked changes the job, unless it has been given up.
func (r *run) locked(change func(*job)) {
	r.lock()
	defer r.sched.lock.Unlock()
	if r.job.state == running {
		change(r.job)
	}
}

// say adds a message, or, where there is no room for it, a shorter one in its place.
func (r *run) say(m, short protocol.ServerMessage) {
	text := encode(m)
	r.locked(func(j *job) {
		if !r.sched.room(j.session.client, int64(len(text))) {
			text = encode(short)
		}
		j.add(text)
	})
}

// progressEvery is how often a client is told how far its job has come.
const progressEvery = 100 * time.Millisecond

func (r *run) progress(done, total int64) {
	if now := time.Now(); now.Sub(r.told) > progressEvery {
		r.told = now
		r.locked(func(j *job) {
			j.progress, j.news = protocol.Progress{Done: done, Total: total}, true
			j.session.wake()
		})
	}
}

// time measures the launch. What it does to memory is of no interest: results have been taken.
func (r *run) time(ctx context.Context, kernel device.Kernel, l device.Launch) error {
	timer, ok := kernel.(device.Timer)
	if !ok {
		return nil
	}
	l.Poison, l.Races, l.Progress = false, false, nil
	t, err := timer.Time(ctx, l, device.TimingRequest{Warmup: millis(r.spec.Timing.WarmupMS), Measure: millis(r.spec.Timing.MeasureMS)})
	if err != nil {
		return err
	}
	m := protocol.ServerMessage{Timings: protocol.FromTimings(t)}
	r.say(m, m)
	return nil
}
