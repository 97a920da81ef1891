package ptx

import (
	"maps"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// Barriers between accesses to global memory. Which thread holds which element is the compiler's choice, so a program
// must see its own stores whatever the layouts are: before an access that may conflict with an earlier one of another
// thread (a RAW, WAR or WAW hazard), all threads synchronize. Barriers for shared memory are found in package asm.

// pendingAccesses is the accesses to global memory since the last barrier. It keeps no more of them than mayConflict
// needs, so that its size does not grow with their number.
type pendingAccesses map[accessKind]accessSet

// accessKind is the memory that an access concerns, and how.
type accessKind struct {
	argument int // index of the parameter that the pointer points into, or axis.Mixed
	writes   bool
}

// accessSet is the accesses of one kind. While all of them go through one pointer in one layout, a thread comes back to
// the elements that it had before, and to no other's.
type accessSet struct {
	ptr           *ir.Value
	layout        layout.Layout
	byManyThreads bool // pointers or layouts differ, or the layout has replicas: threads may share an element
}

// accessSetOf is what in, a load, a store or an atomic, does to memory.
func (e *emitter) accessSetOf(in *ir.Instr) (accessKind, accessSet) {
	ptr, l := in.Operands[0], e.plan.Accesses[in]
	free := l.Free()
	argument := e.facts.Argument(ptr)
	if argument >= len(e.fn.Params) { // of an inttoptr, which may point into any argument
		argument = axis.Mixed
	}
	return accessKind{argument, in.Op.Has(ops.Writes)}, accessSet{ptr, l, free.Lane|free.Warp != 0}
}

// crossesThreads reports whether one thread may access in s an element that another thread accesses in t.
func (s accessSet) crossesThreads(t accessSet) bool {
	return s.byManyThreads || t.byManyThreads || s.ptr != t.ptr || !s.layout.Equal(t.layout)
}

func (u pendingAccesses) add(k accessKind, s accessSet) {
	if t, ok := u[k]; ok {
		s.byManyThreads = s.crossesThreads(t)
	}
	u[k] = s
}

// mayConflict reports whether accesses may depend on pending ones of another thread: both concern one element, and one
// of them writes.
func (u pendingAccesses) mayConflict(k accessKind, s accessSet) bool {
	for had, t := range u {
		// Different arguments may alias in the program that launches; Triton does not order them either.
		same := had.argument == k.argument || had.argument == axis.Mixed || k.argument == axis.Mixed
		if same && (had.writes || k.writes) && s.crossesThreads(t) {
			return true
		}
	}
	return false
}

// mayConflictAny reports whether any accesses of v may depend on pending ones.
func (u pendingAccesses) mayConflictAny(v pendingAccesses) bool {
	for k, s := range v {
		if u.mayConflict(k, s) {
			return true
		}
	}
	return false
}

// synchronize emits a barrier for all threads of the program.
func (e *emitter) synchronize() {
	e.Barrier()
	clear(e.pending)
}

// orderAfterPending emits a barrier before an access, or a loop with accesses, that may conflict with pending ones.
func (e *emitter) orderAfterPending(in *ir.Instr) {
	switch {
	case axis.Accesses(in):
		k, s := e.accessSetOf(in)
		if e.pending.mayConflict(k, s) {
			e.synchronize()
		}
		e.pending.add(k, s)
	case in.Op == ops.For || in.Op == ops.While:
		if e.pending.mayConflictAny(e.accessesWithin(in)) {
			e.synchronize()
		}
	}
}

// accessesWithin is the accesses of an instruction's regions.
func (e *emitter) accessesWithin(in *ir.Instr) pendingAccesses {
	u := pendingAccesses{}
	for _, r := range in.Regions {
		r.Walk(func(in *ir.Instr) {
			if axis.Accesses(in) {
				u.add(e.accessSetOf(in))
			}
		})
	}
	return u
}

// orderIterations emits a barrier between the iterations of a loop that loads what earlier iterations may have stored,
// or the other way round. Stores of different iterations to one element are not ordered.
func (e *emitter) orderIterations(loop *ir.Instr) {
	inside := e.accessesWithin(loop)
	// Writes against writes of other iterations are left out.
	reads := maps.Clone(inside)
	maps.DeleteFunc(reads, func(k accessKind, _ accessSet) bool { return k.writes })
	if inside.mayConflictAny(reads) {
		e.synchronize()
	}
}

// emitAlternatives emits the regions of a branch: the accesses before it are pending in each of them, and those of any
// of them after it.
func (e *emitter) emitAlternatives(n int, region func(i int)) {
	before, after := e.pending, pendingAccesses{}
	for i := range n {
		// A barrier in one region orders nothing for the other.
		e.pending = maps.Clone(before)
		region(i)
		for k, s := range e.pending {
			after.add(k, s)
		}
	}
	e.pending = after
}
