package sched

import (
	"cmp"
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

// stopped is the cause of a run's context when the run is cancelled.
type stopped struct{ why *diag.Diagnostic }

func (s stopped) Error() string { return s.why.Code }

// quantum is how long a job runs before it can be preempted. Shorter ones would spend more of the time on switching; a
// small job waits for at most one.
const quantum = 20 * time.Millisecond

// run is the execution of one job: a goroutine that decodes the kernel, launches it and reads the results back. While
// other jobs have the device it is suspended. It changes the job only through updateJob, since the job may have been
// given up meanwhile.
type run struct {
	sched      *Scheduler
	job        *job
	wire       []byte
	inputs     []tensorData
	device     Device
	resident   *resident // what the session has on the device; nil for nothing
	spec       *protocol.Submit
	progressAt time.Time // when progress was last reported
	loadTime   time.Duration

	ctx        context.Context
	stop       context.CancelCauseFunc
	resumeGate atomic.Pointer[chan struct{}] // set while the run is suspended; closed to resume it
	idle       atomic.Int64                  // nanoseconds of this turn spent waiting for a processor or for the lock

	// The scheduler's lock guards these.
	turnStarted    time.Time     // when the run was last given the device
	timeLeft       time.Duration // until the job's deadline, as of turnStarted
	deadlineTimer  *time.Timer   // runs during a turn
	quantumTimer   *time.Timer   // runs during a turn, if the device can suspend
	charged        time.Duration // device time charged so far
	longest        time.Duration // bound on the device time, set at the end; 0: unknown
	graceTimer     *time.Timer   // runs from cancellation to cancelGraceMs
	memoryBytes    int64         // host memory of the launch that is not charged to the job while it runs
	suspendedBytes int64         // memoryBytes while it is charged, which is while the run is suspended
	stuck          bool          // it did not stop within cancelGraceMs, and was given up
	begun          bool          // a device has taken it: its deadline has begun
	after          *run          // the job of its session that must end first; nil for none
	over           chan struct{} // closed when the run has ended, or was given up
}

// dispatchNext starts or resumes the next jobs of a queue, as many as its executor has room for.
func (s *Scheduler) dispatchNext(q *queue) {
	for q.hasRoom() {
		j := q.pop(s.now())
		if j == nil {
			return
		}
		q.running = append(q.running, j)
		if j.run == nil {
			s.startRun(j)
		} else {
			j.run.resume()
		}
		s.beginTurn(j.run)
		s.queueChanged()
	}
}

// hasRoom reports whether another job may be in progress.
func (q *queue) hasRoom() bool {
	jobs, _ := q.executor.capacity()
	return len(q.running) < jobs
}

// isAble reports whether jobs can be in progress at all.
func (q *queue) isAble() bool {
	jobs, _ := q.executor.capacity()
	return jobs > 0
}

// leave takes a job from those that run, and reports whether it was one.
func (q *queue) leave(j *job) bool {
	i := slices.Index(q.running, j)
	if i >= 0 {
		q.running = slices.Delete(q.running, i, i+1)
	}
	return i >= 0
}

// startRun starts the goroutine that executes a job.
func (s *Scheduler) startRun(j *job) {
	r := &run{
		sched: s, job: j, wire: j.wire, device: j.queue.device, spec: j.spec, inputs: slices.Clone(j.tensors),
		timeLeft:    millis(s.deadlineMS(j.spec)),
		memoryBytes: transientBytes(j.spec) + decodedBytes(j.wire), over: make(chan struct{}),
	}
	r.ctx, r.stop = context.WithCancelCause(context.Background())
	j.queue.executor.starting(r)
	j.state, j.run = running, r
	dispatched := time.Now()
	s.workers.Go(func() {
		r.addIdle(dispatched)
		done, longest := r.executeGuarded()
		r.lockScheduler()
		defer s.mu.Unlock()
		r.longest = longest
		s.runReturned(r, done)
	})
}

// deadlineMS is the device time that a job may take, in milliseconds.
func (s *Scheduler) deadlineMS(spec *protocol.Submit) int {
	return min(cmp.Or(spec.DeadlineMS, s.options.Limits.DefaultJobMS), s.options.Limits.MaxJobMS)
}

// started reports that the job's device, or a worker, has taken it: it waits no more.
func (r *run) started() {
	j := r.job
	r.begun = true
	stopTimer(&j.timer)
	j.queuedFor = time.Since(j.stateSince)
	j.addEvent(protocol.ServerMessage{Started: &protocol.Started{Device: j.queue.id}})
}

// beginTurn starts a turn of a run on its device, with its deadline and its quantum.
func (s *Scheduler) beginTurn(r *run) {
	r.turnStarted = time.Now()
	if r.begun {
		s.startTimer(&r.deadlineTimer, r.timeLeft, func() {
			r.cancel(refusal("runner-deadline", wholeSeconds(s.deadlineMS(r.spec))))
		})
	}
	if j := r.job; j.queue.suspends {
		s.startTimer(&r.quantumTimer, quantum, func() { s.endQuantum(r) })
	}
}

// endTurn ends a turn and charges its time to the session. The deadline counts wall-clock time; the charge leaves out
// what the job is not to blame for.
func (s *Scheduler) endTurn(r *run) {
	stopTimer(&r.deadlineTimer)
	stopTimer(&r.quantumTimer)
	took := time.Since(r.turnStarted)
	r.timeLeft = max(0, r.timeLeft-took)
	took = max(0, took-time.Duration(r.idle.Swap(0)))
	if r.job.queue.suspends {
		took = min(took, 2*quantum) // the quantum's timer was late: the machine was busy
	}
	if r.longest > 0 {
		// The bound is for the whole run, of which earlier turns have been charged.
		took = min(took, max(0, r.longest-r.charged))
	}
	r.charged += took
	r.job.session.chargeTime(took)
}

// addIdle excludes the time since then from the charge of this turn: on a busy machine a goroutine may wait for
// milliseconds until it runs.
func (r *run) addIdle(since time.Time) { r.idle.Add(int64(time.Since(since))) }

// Upper bounds, by about a factor of ten, on the processor time of a job: of any job, for each byte of IR (decoding and
// planning), for each byte of tensors (copying), and for each unit of work in device.Report.
const (
	jobTime        = 100 * time.Microsecond
	irByteTime     = 2 * time.Microsecond
	tensorByteTime = 5 * time.Nanosecond
	workTime       = 15 * time.Nanosecond
)

// longestTime returns a bound on the device time of the run, computed from the work that was done, 0 if that is not
// known. No more than this is charged: the operating system may preempt a job of microseconds for longer than a hundred
// such jobs take, which would rank its session behind all others.
func (r *run) longestTime(report *device.Report) time.Duration {
	if report == nil || report.Work == 0 || r.spec.Races || r.spec.Timing != nil {
		return 0 // a race detector's work and that of repeated launches is not counted
	}
	work := min(time.Duration(report.Work), time.Hour/workTime)
	return jobTime + irByteTime*time.Duration(len(r.wire)) +
		tensorByteTime*time.Duration(r.spec.TensorBytes()) + workTime*work
}

// lockScheduler locks the scheduler's mutex from the run's goroutine; the wait is not charged.
func (r *run) lockScheduler() {
	begin := time.Now()
	r.sched.mu.Lock()
	r.addIdle(begin)
}

// endQuantum preempts a run if a session with a lower rank waits. A suspended run keeps its memory while the next job
// takes its own, so it is only suspended if its client has room for memoryBytes.
func (s *Scheduler) endQuantum(r *run) {
	q, c := r.job.queue, r.job.session
	s.endTurn(r)
	next, now := q.nextSession(s.now()), s.now()
	preempt := next >= 0 && q.sessions[next].session.ranksBefore(c, now) && r.graceTimer == nil
	if !preempt || !r.job.reserveBytes(r.memoryBytes) {
		s.beginTurn(r)
		return
	}
	// The run's goroutine blocks in yield, at the latest when the device polls next.
	r.suspendedBytes = r.memoryBytes
	gate := make(chan struct{})
	// Stored before another job is dispatched: from here on the device stops at its next poll.
	r.resumeGate.Store(&gate)
	q.leave(r.job)
	q.pushFront(r.job)
	s.dispatchNext(q)
}

// resume lets a suspended run continue.
func (r *run) resume() {
	r.job.chargeBytes(-r.suspendedBytes)
	r.suspendedBytes = 0
	close(*r.resumeGate.Swap(nil))
}

// yield blocks while the run is suspended. The device calls it every few milliseconds, from any of its goroutines.
func (r *run) yield() {
	if gate := r.resumeGate.Load(); gate != nil {
		select {
		case <-*gate:
		case <-r.ctx.Done():
		}
	}
}

// cancel cancels a run. If the device has not stopped within cancelGraceMs, the job is given up as stuck: its client
// gets an answer and the queue goes on, while the goroutine keeps its memory until the device returns.
func (r *run) cancel(why *diag.Diagnostic) {
	if r.graceTimer != nil || r.stuck {
		return
	}
	r.stop(stopped{why})
	r.sched.startTimer(&r.graceTimer, millis(r.sched.options.Limits.CancelGraceMS), func() {
		r.sched.options.Log.Error("a device does not stop", "device", r.job.queue.id)
		r.stuck = true
		r.job.queue.stuck++
		r.sched.endRun(r, protocol.Done{
			State: protocol.StateCancelled, Reason: wireDiagnostic(refusal("runner-stuck")),
			Fault: wireDiagnostic(refusal("launch-cancelled", 0, 0)),
		})
	})
}

// runReturned is called when the run's goroutine has ended.
func (s *Scheduler) runReturned(r *run, done protocol.Done) {
	if r.stuck {
		r.job.queue.stuck-- // the job ended before
		return
	}
	stopTimer(&r.graceTimer)
	s.endRun(r, done)
}

// endRun ends the job of a run and dispatches the next one.
func (s *Scheduler) endRun(r *run, done protocol.Done) {
	q := r.job.queue
	if q.leave(r.job) {
		s.endTurn(r)
	} else { // it was suspended, and was cancelled or had just ended
		// A suspended job is in the queue again, where pushFront has put it.
		q.remove(r.job)
	}
	r.stop(nil)
	close(r.over)
	r.job.finish(done)
	s.dispatchNext(q)
	s.signalDrained()
}

// executeGuarded executes the job and returns its outcome, and longestTime.
func (r *run) executeGuarded() (done protocol.Done, longest time.Duration) {
	q := r.job.queue
	if r.sched.panics("a device panicked", q, func() { done, longest = q.executor.execute(r) }) {
		return protocol.Done{State: protocol.StateFault, Fault: wireDiagnostic(refusal("runner-internal"))}, 0
	}
	return done, longest
}

// panics calls f for a job of q, and reports whether it panicked, which is logged as what. A panic is a bug in newt
// that a kernel exposed; it must not end the process, which serves other clients.
func (s *Scheduler) panics(what string, q *queue, f func()) (panicked bool) {
	defer func() {
		if problem := recover(); problem != nil {
			s.options.Log.Error(what,
				"device", q.id, "err", fmt.Sprint(problem), "stack", string(debug.Stack()))
			panicked = true
		}
	}()
	f()
	return false
}

// doneFor returns the outcome of a job that ended with err. Errors of the device are logged, and not sent to the
// client.
func (r *run) doneFor(ctx context.Context, err error) protocol.Done {
	if err == nil {
		return protocol.Done{State: protocol.StateDone}
	}
	for known, why := range map[error]*diag.Diagnostic{
		errNoMemory:      refusal("runner-total-memory"),
		errBufferUnknown: refusal("runner-buffer-unknown"),
		errBuffersFull:   refusal("runner-buffers-full", r.device.ID, r.sched.options.Limits.BufferSessions),
	} {
		if errors.Is(err, known) {
			return refused(why)
		}
	}
	done := protocol.Done{State: protocol.StateFault}
	var fault device.Fault
	if errors.As(err, &fault) {
		done.Fault = wireDiagnostic(fault.Diagnostic())
	} else if errors.Is(err, context.Canceled) { // while the kernel was decoded
		done.Fault = wireDiagnostic(refusal("launch-cancelled", 0, 0))
	} else {
		r.logFailure(err)
		done.Fault = wireDiagnostic(refusal("runner-internal"))
	}
	var why stopped
	if errors.As(context.Cause(ctx), &why) {
		done.State, done.Reason = protocol.StateCancelled, wireDiagnostic(why.why)
	}
	return done
}

// errNoMemory is the error of a run whose results or buffers exceed its client's share of memory.
var errNoMemory = errors.New("no memory for the job's results")

// execute runs the job on a part of the device.
func (r *run) execute(ctx context.Context) (report *device.Report, err error) {
	end, err := r.openPart()
	if err != nil {
		return nil, err
	}
	well := false // unless a panic leaves it so
	defer func() { end(well) }()
	report, err = r.launch(ctx)
	well = err == nil && ctx.Err() == nil
	return report, err
}

// launch decodes and loads the kernel, launches it, reads the results back and measures timings.
func (r *run) launch(ctx context.Context) (*device.Report, error) {
	if !r.reserveResults() {
		return nil, errNoMemory
	}
	if r.spec.IRBytes == 0 {
		memory, free, err := r.uploadTensors()
		defer free()
		if err != nil {
			return nil, err
		}
		return &device.Report{}, r.downloadResults(memory)
	}
	begin := time.Now()
	kernel, err := r.loadKernel()
	r.loadTime = time.Since(begin)
	if err != nil {
		return nil, err
	}
	told := r.reportCompiled(kernel)
	memory, free, err := r.uploadTensors()
	defer free()
	if err != nil {
		return nil, err
	}
	limits := r.sched.options.Limits
	l := device.Launch{
		Grid: protocol.Triple(r.spec.Grid), Args: protocol.LaunchArgs(r.spec.Args, memory),
		Budget: min(r.spec.Budget, limits.MaxBudget), MemoryBytes: limits.JobBytes,
		Poison: r.spec.Poison, Races: r.spec.Races, Progress: r.reportProgress, Yield: r.yield,
	}
	if sized, ok := kernel.(device.Sizer); ok {
		bytes := sized.LaunchBytes(l)
		r.updateJob(func(*job) { r.memoryBytes += bytes })
	}
	report, err := kernel.Launch(ctx, l)
	if !told {
		r.reportCompiled(kernel)
	}
	r.reportLaunch(report)
	// After a fault, too: what the kernel stored until then is shown. The first error is the one to report.
	if got := r.downloadResults(memory); err == nil {
		err = got
	}
	if err != nil {
		return report, err
	}
	if r.spec.SASS {
		r.reportSASS(ctx, kernel)
	}
	if r.spec.Timing == nil {
		return report, nil
	}
	return report, r.measureTimings(ctx, kernel, l)
}

// reserveResults reserves memory for the results, and reports whether the client had room.
func (r *run) reserveResults() (room bool) {
	results := int64(0)
	for i, t := range r.spec.Tensors {
		// A tensor that was uploaded returns in the chunks that it came in, which are charged already.
		if t.Return && r.inputs[i].chunks == nil {
			results += int64(t.Bytes)
		}
	}
	r.updateJob(func(j *job) { room = j.reserveBytes(results) })
	return room
}

// loadKernel decodes the kernel, which was verified when it arrived, and loads it into the device.
func (r *run) loadKernel() (device.Kernel, error) {
	fn, err := ir.DecodeContext(r.ctx, r.wire)
	if err != nil {
		return nil, err
	}
	if d, ok := r.device.Device.(device.ContextLoader); ok {
		return d.LoadContext(r.ctx, fn, r.compilerOptions())
	}
	return r.device.Load(fn, r.compilerOptions())
}

func (r *run) compilerOptions() device.Options {
	return device.Options{NumWarps: r.spec.NumWarps, NumStages: r.spec.NumStages}
}

// uploadTensors allocates the tensors on the device and writes their contents; free releases those that do not stay
// there, whatever the error is.
func (r *run) uploadTensors() (memory []device.Memory, free func(), err error) {
	var ours []device.Memory
	free = func() {
		for _, m := range ours {
			m.Free()
		}
	}
	for i := range r.spec.Tensors {
		t := &r.spec.Tensors[i]
		m, err := r.tensorMemory(t)
		if err != nil {
			return memory, free, err
		}
		if !t.Held {
			ours = append(ours, m)
		}
		at := 0
		for _, piece := range r.inputs[i].chunks {
			if err := m.Write(at, piece); err != nil {
				return memory, free, err
			}
			at += len(piece)
		}
		if t.Buffer != 0 && !t.Held {
			if !r.keep(i, m) {
				return memory, free, errNoMemory
			}
			ours = ours[:len(ours)-1]
		}
		memory = append(memory, m)
	}
	return memory, free, nil
}

// tensorMemory is the memory of a tensor before its contents are written: new, or the session's buffer.
func (r *run) tensorMemory(t *protocol.Tensor) (device.Memory, error) {
	if !t.Held {
		return r.device.Alloc(t.Bytes)
	}
	if m := r.heldBuffer(t); m != nil {
		return m, nil
	}
	return nil, errBufferUnknown
}

// downloadResults reads the results back and adds them to the job's events. The chunks that the tensors were uploaded
// in are reused.
func (r *run) downloadResults(memory []device.Memory) error {
	size := r.sched.options.Limits.ChunkBytes
	results := make([][][]byte, len(memory))
	for i, t := range r.spec.Tensors {
		if !t.Return {
			continue
		}
		results[i] = r.inputs[i].chunks
		for at := 0; at < t.Bytes; at += size {
			if at/size == len(results[i]) {
				results[i] = append(results[i], make([]byte, min(size, t.Bytes-at)))
			}
			if err := memory[i].Read(at, results[i][at/size]); err != nil {
				return err
			}
		}
	}
	r.updateJob(func(j *job) {
		for i := range results {
			j.tensors[i].chunks = results[i]
		}
		j.addResults()
	})
	return nil
}

// updateJob calls change with the lock held, unless the job has ended, which it has if it was given up.
func (r *run) updateJob(change func(*job)) {
	r.lockScheduler()
	defer r.sched.mu.Unlock()
	if r.job.state == running {
		change(r.job)
	}
}

// reportMessage adds an event, or, if the client has no room for it, a shorter one in its place.
func (r *run) reportMessage(m, short protocol.ServerMessage) {
	text := encodeMessage(m)
	r.updateJob(func(j *job) {
		if !r.sched.makeRoom(j.session.client, int64(len(text))) {
			text = encodeMessage(short)
		}
		j.appendEvent(text)
	})
}

// progressInterval is the least time between two progress messages.
const progressInterval = 100 * time.Millisecond

// reportProgress is the launch's progress callback: programs done, and in all.
func (r *run) reportProgress(done, total int64) {
	if now := time.Now(); now.Sub(r.progressAt) > progressInterval {
		r.progressAt = now
		r.updateJob(func(j *job) {
			j.progress, j.statusChanged = protocol.Progress{Done: done, Total: total}, true
			j.session.wakeStream()
		})
	}
}

// measureTimings launches the kernel again, as often as its Timer does, and reports the timings. These launches change
// the tensors; the results were read before.
func (r *run) measureTimings(ctx context.Context, kernel device.Kernel, l device.Launch) error {
	timer, ok := kernel.(device.Timer)
	if !ok {
		return nil
	}
	// Checks would be timed as well.
	l.Poison, l.Races, l.Progress = false, false, nil
	t, err := timer.Time(ctx, l, device.TimingRequest{
		Warmup: millis(r.spec.Timing.WarmupMS), Measure: millis(r.spec.Timing.MeasureMS),
	})
	if err != nil {
		return err
	}
	m := protocol.ServerMessage{Timings: protocol.FromTimings(t)}
	r.reportMessage(m, m)
	return nil
}
