package sched

import (
	"context"
	"runtime/debug"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/ir"
)

// Kernels are verified as they arrive, by the goroutines of their connections. What they take meanwhile is bounded by
// two gates: one for large kernels, which lets about one of them in at a time, and one for small ones, which so never
// wait for large ones.
const (
	smallKernel = 64 << 10 // bytes of the wire form
	smallMemory = 16 << 20 // that small kernels may take together; large ones: what the largest may take
)

// timeOfVerifying is what a session is charged for each byte of a kernel that is verified: about what it takes.
const timeOfVerifying = 300 * time.Nanosecond

// decodedBytes is the memory that a kernel takes when it is decoded, at most: about a hundred times its wire form.
func decodedBytes(wire []byte) int64 { return int64(min(100*len(wire), ir.MaxMemory)) }

// gate lets kernels in as long as there is memory, in the order in which their sessions get turns on devices. The
// scheduler's lock guards it.
type gate struct {
	free    int64 // bytes
	waiting []*visitor
}

// visitor is a kernel that waits at a gate.
type visitor struct {
	session *Session
	bytes   int64
	in      chan struct{} // closed when it is let in
}

func (s *Scheduler) gate(wire []byte) *gate {
	if len(wire) <= smallKernel {
		return &s.small
	}
	return &s.large
}

// admit lets in who is next, as long as there is room for it. That one may be too large while a smaller one is not:
// then both wait, since the large one would wait forever otherwise.
func (g *gate) admit(at time.Duration) {
	for len(g.waiting) > 0 {
		next := 0
		for i, v := range g.waiting {
			if v.session.before(g.waiting[next].session, at) {
				next = i
			}
		}
		v := g.waiting[next]
		if v.bytes > g.free {
			return
		}
		g.free -= v.bytes
		g.waiting = slices.Delete(g.waiting, next, next+1)
		close(v.in)
	}
}

// verify reads the job's kernel, with the lock released meanwhile; it stops where the job ends. It keeps the bytes:
// decoded, a kernel takes a multiple of them. Why one is refused is not logged, since it may quote the kernel.
func (st *Stream) verify(j *job) bool {
	s, wire := st.session.sched, j.wire
	g, v := s.gate(wire), &visitor{st.session, decodedBytes(wire), make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	j.abandon = cancel
	g.waiting = append(g.waiting, v)
	g.admit(s.now())
	s.lock.Unlock()
	select {
	case <-v.in:
	case <-ctx.Done():
	}
	_, err := ir.DecodeContext(ctx, wire)
	if len(wire) > smallKernel {
		debug.FreeOSMemory() // a client that sends one after the other would have the collector let the heap grow
	}
	s.lock.Lock()
	if i := slices.Index(g.waiting, v); i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
	} else {
		g.free += v.bytes
		st.session.charge(timeOfVerifying * time.Duration(len(wire))) // who only sends kernels is to wait at the gate, too
	}
	g.admit(s.now())
	if j.abandon = nil; j.state != arriving {
		return false
	}
	if err != nil {
		j.end(refused(refusal("runner-ir")))
		return false
	}
	j.verified = true
	return true
}
