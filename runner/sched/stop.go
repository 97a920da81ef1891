package sched

import (
	"context"
	"slices"
	"time"
)

// settle says that everything is at rest once the scheduler stops.
func (s *Scheduler) settle() {
	if !s.stopping {
		return
	}
	for _, q := range s.queues {
		if q.length > 0 || q.running != nil {
			return
		}
	}
	select {
	case <-s.drained:
	default:
		close(s.drained)
	}
}

// Stop takes no more jobs, hands back those that wait, and lets those that run end before ctx
// does; then it stops them. Sessions stay, so that clients can still fetch what is theirs, until
// Close. Devices are left open.
func (s *Scheduler) Stop(ctx context.Context, graceSeconds int) {
	s.lock.Lock()
	s.stopping = true
	for _, c := range s.sessions {
		for _, j := range slices.Clone(c.order) {
			if j.state == arriving || j.state == queued {
				j.cancel(refusal("runner-stopping"))
			}
		}
	}
	s.settle()
	s.lock.Unlock()
	select {
	case <-s.drained:
		return
	case <-ctx.Done():
	}
	s.lock.Lock()
	for _, c := range s.sessions {
		for _, j := range c.order {
			if j.state == running {
				j.cancel(refusal("runner-stopped", graceSeconds))
			}
		}
	}
	s.lock.Unlock()
	patience := time.NewTimer(stopPatience)
	defer patience.Stop()
	select {
	case <-s.drained:
	case <-patience.C:
	}
}

// stopPatience is how long Stop waits for devices to stop when they are told to.
const stopPatience = 200 * time.Millisecond

// Close ends all sessions after Stop, and waits for what runs. A device that is stuck keeps it waiting until ctx ends.
func (s *Scheduler) Close(ctx context.Context) {
	s.lock.Lock()
	for _, c := range s.sessions {
		if c.stream != nil {
			c.detach(refusal("runner-stopping"))
		}
		for _, j := range slices.Clone(c.order) {
			c.forget(j)
		}
		c.leave()
	}
	stop(&s.moving)
	s.lock.Unlock()
	over := make(chan struct{})
	go func() { s.workers.Wait(); close(over) }()
	select {
	case <-over:
	case <-ctx.Done():
	}
}

// Flush waits until every client that is connected has all that there is for it, or ctx ends.
func (s *Scheduler) Flush(ctx context.Context) {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for !s.flushed() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// flushEvery is how often Flush looks.
const flushEvery = 5 * time.Millisecond

func (s *Scheduler) flushed() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, c := range s.sessions {
		for _, j := range c.order {
			if c.stream != nil && !j.delivered() {
				return false
			}
		}
	}
	return true
}
