package sched

import (
	"time"

	"github.com/newtlab/newt/runner/protocol"
)

// executor runs the jobs of one queue.
type executor interface {
	// capacity is how many jobs may be in progress at once, and how many of one session. It is asked for with the
	// scheduler's lock held.
	capacity() (jobs, ofSession int)
	// starting prepares a run, with the lock held, whose goroutine calls execute next.
	starting(r *run)
	// execute runs a job to its end. longest bounds the device time to charge; 0 if no bound is known.
	execute(r *run) (done protocol.Done, longest time.Duration)
}

// localDevice executes jobs on the queue's device, which is one of this process, one job at a time.
type localDevice struct{}

func (localDevice) capacity() (jobs, ofSession int) { return 1, 1 }

func (localDevice) starting(r *run) { r.started() }

func (localDevice) execute(r *run) (done protocol.Done, longest time.Duration) {
	begin := time.Now()
	report, err := r.execute(r.ctx)
	done = r.doneFor(r.ctx, err)
	if report != nil {
		done.Programs, done.ElapsedNS = report.Programs, int64(report.Elapsed)
	}
	done.LoadMS, done.RunMS = protocol.MS(r.loadTime), protocol.MS(time.Since(begin)-r.loadTime)
	return done, r.longestTime(report)
}
