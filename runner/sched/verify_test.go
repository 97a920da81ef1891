package sched

import (
	"slices"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/runner/protocol"
)

func (g *gate) add(c *Session, bytes int64) *visitor {
	v := &visitor{c, bytes, make(chan struct{})}
	g.waiting = append(g.waiting, v)
	g.admit(0)
	return v
}

func (v *visitor) isIn() bool {
	select {
	case <-v.in:
		return true
	default:
		return false
	}
}

// TestGate: kernels are verified as far as there is memory, in the order of their sessions' turns, and none that is
// next is overtaken since it is large.
func TestGate(t *testing.T) {
	greedy, modest := &Session{client: &client{}}, &Session{client: &client{}}
	greedy.client.account.charge(time.Second, 0)
	g := &gate{free: 100}
	visitors := []*visitor{g.add(greedy, 60), g.add(greedy, 30), g.add(greedy, 20), g.add(modest, 70), g.add(modest, 10)}
	check := func(when string, want ...bool) {
		t.Helper()
		var got []bool
		for _, v := range visitors {
			got = append(got, v.isIn())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s, kernels are let in: %v, want %v", when, got, want)
		}
	}
	check("at first", true, true, false, false, false)
	g.free += 30
	g.admit(0)
	check("after 30 bytes are free", true, true, false, false, false)
	g.free += 60
	g.admit(0)
	check("after all are free", true, true, true, true, true)
	if g.free != 0 || len(g.waiting) != 0 {
		t.Errorf("%d bytes are free and %d kernels wait", g.free, len(g.waiting))
	}
}

// TestVerifyIsAbandoned: a kernel that waits to be verified, or is, does not keep its connection when the job ends.
func TestVerifyIsAbandoned(t *testing.T) {
	s := onCPU(t, nil)
	s.small.free = 0
	p := s.program(t, "here")
	over := make(chan struct{})
	go func() {
		defer close(over)
		p.submit(wireOf(t, nothing), nil)
	}()
	waits := func() bool {
		s.lock.Lock()
		defer s.lock.Unlock()
		return len(s.small.waiting) == 1
	}
	for !waits() {
		time.Sleep(time.Millisecond)
	}
	s.lock.Lock()
	for _, j := range p.st.session.order {
		j.cancel(refusal("runner-cancelled"))
	}
	s.lock.Unlock()
	<-over
	s.lock.Lock()
	defer s.lock.Unlock()
	if len(s.small.waiting) != 0 || s.small.free != 0 {
		t.Errorf("%d kernels wait and %d bytes are free", len(s.small.waiting), s.small.free)
	}
}

// TestGatesAreFree: what kernels take while they are verified is given back, and their sessions pay for the time.
func TestGatesAreFree(t *testing.T) {
	s := onCPU(t, nil)
	p := s.program(t, "here")
	large := wireOf(t, fat(20_000))
	for _, wire := range [][]byte{wireOf(t, nothing), large} {
		p.submit(wire, func(s *protocol.Submit) { s.Tensors[0].Zero = false }) // it waits for the tensor
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	if len(large) <= smallKernel || s.small.free != smallMemory || s.large.free != ir.MaxMemory {
		t.Errorf("%d and %d bytes are free", s.small.free, s.large.free)
	}
	if p.st.session.account.used.sum == 0 {
		t.Error("verifying costs nothing")
	}
}
