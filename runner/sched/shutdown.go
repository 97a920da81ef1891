package sched

import (
	"context"
	"slices"
	"time"
)

// signalDrained closes s.drained once Stop was called and no job waits or runs.
func (s *Scheduler) signalDrained() {
	if !s.stopping {
		return
	}
	for _, q := range s.queues {
		if q.length > 0 || len(q.running) > 0 {
			return
		}
	}
	select {
	case <-s.drained:
	default:
		close(s.drained)
	}
}

// Stop refuses new jobs, cancels those that arrive or wait, and lets running ones finish until ctx ends; then it
// cancels them. Sessions stay until Close, so that clients can still read events and results. Devices stay open.
func (s *Scheduler) Stop(ctx context.Context, graceSeconds int) {
	s.mu.Lock()
	s.stopping = true
	for _, c := range s.sessions {
		for _, j := range slices.Clone(c.jobList) {
			if j.state == arriving || j.state == queued {
				j.cancel(refusal("runner-stopping"))
			}
		}
	}
	s.signalDrained()
	s.mu.Unlock()
	select {
	case <-s.drained:
		return
	case <-ctx.Done():
	}
	s.mu.Lock()
	for _, c := range s.sessions {
		for _, j := range c.jobList {
			if j.state == running {
				j.cancel(refusal("runner-stopped", graceSeconds))
			}
		}
	}
	s.mu.Unlock()
	patience := time.NewTimer(cancelWait)
	defer patience.Stop()
	select {
	case <-s.drained:
	case <-patience.C:
	}
}

// cancelWait is how long Stop waits for cancelled jobs: SIGTERM has to end the whole process within 2 s.
const cancelWait = 200 * time.Millisecond

// Close closes all sessions and ends all turns after Stop. It waits for the goroutines of runs, at most until ctx ends,
// since one may be stuck.
func (s *Scheduler) Close(ctx context.Context) {
	s.mu.Lock()
	for _, c := range s.sessions {
		if c.stream != nil {
			c.detach(refusal("runner-stopping"))
		}
		for _, j := range slices.Clone(c.jobList) {
			c.forgetJob(j)
		}
		c.unregister()
	}
	for t := range s.turns {
		t.cancel(errClosed)
	}
	stopTimer(&s.positionTimer)
	s.mu.Unlock()
	over := make(chan struct{})
	go func() { s.workers.Wait(); close(over) }()
	select {
	case <-over:
	case <-ctx.Done():
	}
}

// Flush waits until all events were written to the clients that are connected, or ctx ends.
func (s *Scheduler) Flush(ctx context.Context) {
	tick := time.NewTicker(flushPollInterval)
	defer tick.Stop()
	for !s.isFlushed() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// flushPollInterval is how often Flush checks.
const flushPollInterval = 5 * time.Millisecond

// isFlushed reports whether all events of attached sessions were written.
func (s *Scheduler) isFlushed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.sessions {
		for _, j := range c.jobList {
			if c.stream != nil && !j.isDelivered() {
				return false
			}
		}
	}
	return true
}
