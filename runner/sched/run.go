package sched

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
)

// stopped is why a run was stopped from outside.
type stopped struct{ why *diag.Diagnostic }

func (s stopped) Error() string { return s.why.Code }

// serve runs the jobs of a queue one after another until the scheduler stops.
func (s *Scheduler) serve(q *queue) {
	for {
		s.lock.Lock()
		for q.length == 0 && !s.stopping {
			s.work.Wait()
		}
		if q.length == 0 {
			s.lock.Unlock()
			return
		}
		j := q.pop()
		q.running = j
		ctx, cancel := s.start(j)
		s.moved()
		s.lock.Unlock()

		done := s.supervise(ctx, j)
		cancel()

		s.lock.Lock()
		q.running = nil
		j.end(done)
		s.settle()
		s.lock.Unlock()
	}
}

// start makes a job run: from here on its context says how long.
func (s *Scheduler) start(j *job) (context.Context, context.CancelFunc) {
	j.waited = time.Since(j.since)
	limit := s.options.Limits.DefaultJobMS
	if j.spec.DeadlineMS > 0 {
		limit = j.spec.DeadlineMS
	}
	limit = min(limit, s.options.Limits.MaxJobMS)
	ctx, stop := context.WithCancelCause(context.Background())
	ctx, cancel := context.WithTimeoutCause(ctx, millis(limit), stopped{refusal("runner-deadline", seconds(limit))})
	j.leave()
	j.state, j.since = running, time.Now()
	j.stop = func(why *diag.Diagnostic) { stop(stopped{why}) }
	j.say(protocol.ServerMessage{Started: &protocol.Started{Device: j.queue.device.ID}})
	return ctx, func() { cancel(); stop(nil) }
}

// supervise waits for a run, but not for ever: a device that does not stop when it is told to
// loses the job, which keeps its memory until it stops all the same.
func (s *Scheduler) supervise(ctx context.Context, j *job) protocol.Done {
	r := &run{sched: s, job: j, fn: j.fn, dev: j.queue.device, spec: j.spec, inputs: slices.Clone(j.parts)}
	over := make(chan protocol.Done, 1)
	go func() { over <- r.guarded(ctx) }()
	select {
	case done := <-over:
		return done
	case <-ctx.Done():
	}
	patience := time.NewTimer(millis(s.options.Limits.StuckMS))
	defer patience.Stop()
	select {
	case done := <-over:
		return done
	case <-patience.C:
	}
	s.options.Log.Error("a device does not stop", "device", j.queue.device.ID)
	s.lock.Lock()
	defer s.lock.Unlock()
	j.queue.stuck++
	s.workers.Go(func() {
		<-over
		s.lock.Lock()
		defer s.lock.Unlock()
		j.queue.stuck--
	})
	return protocol.Done{State: protocol.StateCancelled, Reason: wire(refusal("runner-stuck")), Fault: wire(refusal("launch-cancelled", 0, 0))}
}

// run is one job on its device. Of the job itself it changes nothing without the lock: the job may
// have been given up.
type run struct {
	sched  *Scheduler
	job    *job
	fn     *ir.Func
	inputs []part
	dev    Device
	spec   *protocol.Submit
	told   time.Time // when progress was last told
	loaded time.Duration
}

// guarded runs the job and turns whatever happens into its outcome. A panic is a mistake of ours
// that a kernel brought to light; the others must not suffer from it.
func (r *run) guarded(ctx context.Context) (done protocol.Done) {
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
	return done
}

// outcome turns an error into words.
func (r *run) outcome(ctx context.Context, err error) protocol.Done {
	if err == nil {
		return protocol.Done{State: protocol.StateDone}
	}
	done := protocol.Done{State: protocol.StateFault}
	var fault device.Fault
	if errors.As(err, &fault) {
		done.Fault = wire(fault.Diagnostic())
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

// do loads, launches, reads back and measures.
func (r *run) do(ctx context.Context) (*device.Report, error) {
	begin := time.Now()
	kernel, err := r.dev.Load(r.fn, device.Options{NumWarps: r.spec.NumWarps, NumStages: r.spec.NumStages})
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
	l := device.Launch{
		Grid: protocol.Triple(r.spec.Grid), Args: launchArgs(r.spec.Args, memory), Budget: r.spec.Budget, Poison: r.spec.Poison,
		Races: r.spec.Races, Progress: r.progress,
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
		if data := r.inputs[i].data; data != nil {
			if err := m.Write(0, data); err != nil {
				return memory, free, err
			}
		}
	}
	return memory, free, nil
}

// download reads the results into the memory that the tensors arrived in, and offers them.
func (r *run) download(memory []device.Memory) error {
	results := make([][]byte, len(memory))
	for i, t := range r.spec.Tensors {
		if !t.Return {
			continue
		}
		if results[i] = r.inputs[i].data; results[i] == nil {
			results[i] = make([]byte, t.Bytes)
		}
		if err := memory[i].Read(0, results[i]); err != nil {
			return err
		}
	}
	r.locked(func(j *job) {
		for i := range results {
			j.parts[i].data = results[i]
		}
		j.give(r.sched.options.Limits.ChunkBytes)
	})
	return nil
}

// locked changes the job, unless it has been given up.
func (r *run) locked(change func(*job)) {
	r.sched.lock.Lock()
	defer r.sched.lock.Unlock()
	if r.job.state == running {
		change(r.job)
	}
}

func (r *run) say(m protocol.ServerMessage) {
	text := encode(m)
	r.locked(func(j *job) { j.add(text) })
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
	r.say(protocol.ServerMessage{Timings: protocol.FromTimings(t)})
	return nil
}
