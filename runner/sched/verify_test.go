package sched

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/runner/protocol"
)

func (g *gate) add(c *Session, bytes int64) *waitingKernel {
	v := &waitingKernel{c, bytes, make(chan struct{})}
	g.waiting = append(g.waiting, v)
	g.admit(0)
	return v
}

func (v *waitingKernel) isIn() bool {
	select {
	case <-v.admitted:
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
	g := &gate{freeBytes: 100}
	visitors := []*waitingKernel{g.add(greedy, 60), g.add(greedy, 30), g.add(greedy, 20), g.add(modest, 70), g.add(modest, 10)}
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
	g.freeBytes += 30
	g.admit(0)
	check("after 30 bytes are free", true, true, false, false, false)
	g.freeBytes += 60
	g.admit(0)
	check("after all are free", true, true, true, true, true)
	if g.freeBytes != 0 || len(g.waiting) != 0 {
		t.Errorf("%d bytes are free and %d kernels wait", g.freeBytes, len(g.waiting))
	}
}

// TestVerifyIsAbandoned: a kernel that waits to be verified, or is, does not keep its connection when the job ends.
func TestVerifyIsAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := onCPU(t, nil)
		s.smallGate.freeBytes = 0
		p := s.program(t, "here")
		over := make(chan struct{})
		go func() {
			defer close(over)
			p.submit(wireOf(t, nothing), nil)
		}()
		synctest.Wait()
		s.mu.Lock()
		if len(s.smallGate.waiting) != 1 {
			t.Errorf("%d kernels wait", len(s.smallGate.waiting))
		}
		for _, j := range p.st.session.jobList {
			j.cancel(refusal("runner-cancelled"))
		}
		s.mu.Unlock()
		<-over
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.smallGate.waiting) != 0 || s.smallGate.freeBytes != 0 {
			t.Errorf("%d kernels wait and %d bytes are free", len(s.smallGate.waiting), s.smallGate.freeBytes)
		}
	})
}

// TestGatesAreFree: what kernels take while they are verified is given back, and their sessions pay for the time.
func TestGatesAreFree(t *testing.T) {
	s := onCPU(t, nil)
	p := s.program(t, "here")
	large := wireOf(t, fat(20_000))
	for _, wire := range [][]byte{wireOf(t, nothing), large} {
		p.submit(wire, func(s *protocol.Submit) { s.Tensors[0].Zero = false }) // it waits for the tensor
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(large) <= smallKernel || s.smallGate.freeBytes != smallMemory || s.largeGate.freeBytes != ir.MaxMemory {
		t.Errorf("%d and %d bytes are free", s.smallGate.freeBytes, s.largeGate.freeBytes)
	}
	if p.st.session.account.used.sum == 0 {
		t.Error("verifying costs nothing")
	}
}
