package sched

import (
	"context"
	"runtime/debug"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/ir"
)

// Kernels are verified when they have arrived, by the goroutines of their connections. Two gates bound the memory that
// this takes: one admits large kernels, about one at a time (ir.MaxMemory in all), the other small ones, which
// therefore never wait for large ones.
const (
	smallKernel = 64 << 10 // wire bytes of the largest small kernel
	smallMemory = 16 << 20 // memory for all small kernels together
)

// verifyByteTime is the time that a session is charged for each wire byte of a verified kernel. It is a constant, since
// what was measured would depend on the load of the machine.
const verifyByteTime = 300 * time.Nanosecond

// decodedBytes bounds the memory of a decoded kernel, which is up to a hundred times its wire form.
func decodedBytes(wire []byte) int64 { return int64(min(100*len(wire), ir.MaxMemory)) }

// gate admits kernels while memory is free, in the order of their sessions' ranks. The scheduler's lock guards it.
type gate struct {
	freeBytes int64
	waiting   []*waitingKernel
}

// waitingKernel is a kernel that waits for memory.
type waitingKernel struct {
	session  *Session
	bytes    int64
	admitted chan struct{} // closed when it is admitted
}

func (s *Scheduler) gateFor(wire []byte) *gate {
	if len(wire) <= smallKernel {
		return &s.smallGate
	}
	return &s.largeGate
}

// admit admits waiting kernels, lowest rank first, while there is memory. If the first one does not fit, smaller ones
// behind it wait as well: it might starve otherwise.
func (g *gate) admit(at time.Duration) {
	for len(g.waiting) > 0 {
		next := 0
		for i, v := range g.waiting {
			if v.session.ranksBefore(g.waiting[next].session, at) {
				next = i
			}
		}
		v := g.waiting[next]
		if v.bytes > g.freeBytes {
			return
		}
		g.freeBytes -= v.bytes
		g.waiting = slices.Delete(g.waiting, next, next+1)
		close(v.admitted)
	}
}

// verifyKernel decodes the job's kernel to verify it, and reports whether the job goes on. The caller holds the lock,
// which is released while the kernel waits and is decoded; verification is cancelled if the job ends. Only the wire
// form is kept, since the decoded kernel is many times larger. The error is not logged: it may quote the kernel's
// names.
func (st *Stream) verifyKernel(j *job) bool {
	s, wire := st.session.sched, j.wire
	g, v := s.gateFor(wire), &waitingKernel{st.session, decodedBytes(wire), make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	j.cancelVerify = cancel
	g.waiting = append(g.waiting, v)
	g.admit(s.now())
	s.mu.Unlock()
	select {
	case <-v.admitted:
	case <-ctx.Done():
	}
	var err error
	panicked := s.panics("the verification of a kernel panicked", j.queue, func() {
		_, err = ir.DecodeContext(ctx, wire)
	})
	if len(wire) > smallKernel {
		debug.FreeOSMemory() // or the heap grows to twice the largest kernel, and stays there
	}
	s.mu.Lock()
	if i := slices.Index(g.waiting, v); i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
	} else {
		// It was admitted, so its memory is free again; a kernel still waiting has taken none.
		g.freeBytes += v.bytes
		// Without a charge a client that only uploads kernels would always rank first at the gate.
		took, now := verifyByteTime*time.Duration(len(wire)), s.now()
		st.session.account.add(took, now)
		st.session.client.account.add(st.session.client.weighted(took), now)
	}
	g.admit(s.now())
	// The job may have ended while the lock was released.
	if j.cancelVerify = nil; j.state != arriving {
		return false
	}
	switch {
	case panicked:
		j.finish(refused(refusal("runner-internal")))
	case err != nil:
		j.finish(refused(refusal("runner-ir")))
	default:
		j.verified = true
	}
	return j.verified
}
