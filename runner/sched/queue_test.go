package sched

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/newtlab/newt/runner/protocol"
)

// TestDisplaced: a full queue makes room for a session whose client would still have fewer jobs waiting than the client
// that loses its last one. Two clients with as many do not take turns to evict each other's.
func TestDisplaced(t *testing.T) {
	for _, c := range []struct {
		waiting [3]int // jobs of two sessions of one client, and of one of another client
		by, of  int    // the session with a new job, and the one that loses its last; -1: none
	}{
		{[3]int{3, 0, 1}, 2, 0}, {[3]int{2, 0, 1}, 2, -1}, {[3]int{1, 2, 1}, 2, 1}, {[3]int{1, 1, 1}, 2, -1},
		{[3]int{2, 0, 0}, 2, 0}, {[3]int{1, 0, 0}, 2, -1}, {[3]int{0, 0, 3}, 0, 2}, {[3]int{1, 1, 3}, 0, -1},
		{[3]int{3, 1, 2}, 1, 0}, {[3]int{2, 1, 2}, 1, -1}, {[3]int{3, 0, 2}, 0, -1},
	} {
		one, other := &client{}, &client{}
		sessions := []*Session{{client: one}, {client: one}, {client: other}}
		q := &queue{}
		for i, n := range c.waiting {
			for range n {
				q.pushBack(&job{session: sessions[i], state: queued})
			}
		}
		var want *job
		if c.of >= 0 {
			jobs := q.sessionOf(sessions[c.of]).jobs
			want = jobs[len(jobs)-1]
		}
		if got := q.displacedBy(sessions[c.by]); got != want {
			t.Errorf("%+v: another job is evicted: %v", c, got != nil)
		}
	}
}

// TestPreemptedGoesOn: of the jobs of one session, the one that gave way to another session goes on before the next one
// starts.
func TestPreemptedGoesOn(t *testing.T) {
	s := onCPU(t, nil)
	long, short := s.program(t, "10.0.0.1"), s.program(t, "10.0.0.2")
	for range 2 {
		long.submit(wireOf(t, endless), func(s *protocol.Submit) { s.DeadlineMS = 100_000 })
	}
	next(t, long.st, func(m protocol.ServerMessage) bool { return m.Queued != nil && m.Job == 2 })
	short.done(short.submit(wireOf(t, nothing), nil))
	s.mu.Lock()
	on := s.queues[0].running[0]
	s.mu.Unlock()
	if on.session != long.st.session || on.spec.Job != 1 {
		t.Errorf("job %d runs, and not the one that was preempted", on.spec.Job)
	}
	for job := range int64(2) {
		long.st.Cancel(job + 1)
	}
}

// TestShareIsOwn: a client that is over its own share of memory drops none of another client's results for it.
func TestShareIsOwn(t *testing.T) {
	s := onCPU(t, nil)
	p := s.program(t, "10.0.0.1")
	p.done(p.submit(wireOf(t, nothing), func(s *protocol.Submit) { s.Tensors[0].Return = true }))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.makeRoom(&client{}, s.options.Limits.ClientBytes+1) || len(s.ended) != 1 {
		t.Errorf("%d results are left of one", len(s.ended))
	}
}

// TestReplacedTimer: a timer that fires while another one takes its place does nothing.
func TestReplacedTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, fired := New(Options{}), ""
		var timer *time.Timer
		s.mu.Lock()
		s.startTimer(&timer, time.Second, func() { fired += "first" })
		time.Sleep(time.Second) // the first one waits for the lock now
		s.startTimer(&timer, time.Second, func() { fired += "second" })
		s.mu.Unlock()
		time.Sleep(2 * time.Second)
		if synctest.Wait(); fired != "second" {
			t.Errorf("fired: %q", fired)
		}
	})
}
