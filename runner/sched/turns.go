package sched

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/diag"
)

// Turn is that of a client who has something done on this machine that is no job for a device, such as a check of a
// source. Turns take places by the same accounts as jobs take devices.
type Turn struct {
	context.Context // ends with that of Admit, and where the client is revoked or the scheduler is closed

	sched  *Scheduler
	owner  *client
	cancel context.CancelCauseFunc
}

// Why the context of a turn has ended.
var (
	errRevoked = errors.New("the client's token is no longer accepted")
	errClosed  = errors.New("the scheduler is closed")
)

// places are how many turns of one kind may have begun at once.
type places struct {
	taken   int
	waiting []*waitingTurn // in the order of their coming
}

type waitingTurn struct {
	owner *client
	begun chan struct{} // closed when it has a place
}

// Admit gives a client a turn, whose End has to be called, unless all clients together have as many as most. Each has
// at most as many as it may have unfinished jobs.
func (s *Scheduler) Admit(ctx context.Context, owner string, most int) (*Turn, *diag.Diagnostic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.findClient(owner)
	own, has := s.options.Limits.ClientJobs, s.turnsOf(c)
	switch {
	case s.stopping:
		return nil, refusal("runner-stopping")
	case has >= min(own, cmp.Or(c.share.Jobs, own)):
		return nil, refusal("runner-client-full", has)
	case len(s.turns) >= most:
		return nil, refusal("runner-queue-full", len(s.turns))
	}
	t := &Turn{sched: s, owner: c}
	t.Context, t.cancel = context.WithCancelCause(ctx)
	s.turns[t] = true
	return t, nil
}

// turnsOf is how many turns a client has.
func (s *Scheduler) turnsOf(c *client) (n int) {
	for t := range s.turns {
		if t.owner == c {
			n++
		}
	}
	return n
}

// End gives the turn back.
func (t *Turn) End() {
	t.cancel(nil)
	t.sched.mu.Lock()
	defer t.sched.mu.Unlock()
	delete(t.sched.turns, t)
}

// Start waits for one of the places, as many as there are processors, that quick turns have, or the others. The client
// is charged for the time until end is called. end is nil if ctx ends first.
func (t *Turn) Start(ctx context.Context, quick bool) (end func()) {
	p := &t.sched.places[0]
	if quick {
		p = &t.sched.places[1]
	}
	w := &waitingTurn{t.owner, make(chan struct{})}
	t.sched.mu.Lock()
	p.waiting = append(p.waiting, w)
	t.sched.giveOut(p)
	t.sched.mu.Unlock()
	select {
	case <-w.begun:
	case <-ctx.Done():
		t.sched.mu.Lock()
		defer t.sched.mu.Unlock()
		if i := slices.Index(p.waiting, w); i >= 0 {
			p.waiting = slices.Delete(p.waiting, i, i+1)
		} else {
			p.taken--
			t.sched.giveOut(p)
		}
		return nil
	}
	begin := time.Now()
	return func() {
		t.sched.mu.Lock()
		defer t.sched.mu.Unlock()
		t.owner.account.charge(t.owner.weighted(time.Since(begin)), t.sched.now())
		p.taken--
		t.sched.giveOut(p)
	}
}

// giveOut gives free places to the clients with the lowest ranks; of those with equal ranks to who came first.
func (s *Scheduler) giveOut(p *places) {
	for p.taken < runtime.GOMAXPROCS(0) && len(p.waiting) > 0 {
		now := s.now()
		next := slices.MinFunc(p.waiting, func(a, b *waitingTurn) int {
			return cmp.Compare(a.owner.account.rank(now), b.owner.account.rank(now))
		})
		p.waiting = slices.DeleteFunc(p.waiting, func(w *waitingTurn) bool { return w == next })
		p.taken++
		close(next.begun)
	}
}
