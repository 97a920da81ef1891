package ptx

import (
	"maps"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// unordered holds the accesses to global memory since the threads of the program last met. It keeps no more of them
// than conflict needs, so that its size does not grow with their number.
type unordered map[accessKind]accesses

// accessKind is which memory an access concerns.
type accessKind struct {
	argument int // index of the parameter that the pointer points into, or axis.Mixed
	writes   bool
}

// accesses are those of one kind: through pointer ptr in a layout that gives each element to one thread, or several
// that differ, or that several threads make.
type accesses struct {
	ptr     *ir.Value
	layout  layout.Layout
	several bool
}

// access is what in, a load, a store or an atomic, does to memory.
func (e *emitter) access(in *ir.Instr) (accessKind, accesses) {
	ptr, l := in.Operands[0], e.at[in]
	free := l.Free()
	return accessKind{e.facts.Argument(ptr), in.Op.Has(ops.Writes)}, accesses{ptr, l, free.Lane|free.Warp != 0}
}

// apart reports whether one thread's accesses of s may concern an element that another thread accesses in t.
func (s accesses) apart(t accesses) bool {
	return s.several || t.several || s.ptr != t.ptr || !s.layout.Equal(t.layout)
}

func (u unordered) add(k accessKind, s accesses) {
	if t, ok := u[k]; ok {
		s.several = s.apart(t)
	}
	u[k] = s
}

// conflict reports whether accesses may concern an element that another thread has accessed, where one of the two
// writes.
func (u unordered) conflict(k accessKind, s accesses) bool {
	for had, t := range u {
		same := had.argument == k.argument || had.argument == axis.Mixed || k.argument == axis.Mixed
		if same && (had.writes || k.writes) && s.apart(t) {
			return true
		}
	}
	return false
}

func (u unordered) conflictAny(v unordered) bool {
	for k, s := range v {
		if u.conflict(k, s) {
			return true
		}
	}
	return false
}

// meet has the threads of the program wait for each other.
func (e *emitter) meet() {
	e.Barrier()
	clear(e.pending)
}

// order has the program's threads meet before an access that may conflict with an earlier one: what a program stores,
// it loads afterwards, whichever of its threads does.
func (e *emitter) order(in *ir.Instr) {
	switch {
	case axis.Accesses(in):
		k, s := e.access(in)
		if e.pending.conflict(k, s) {
			e.meet()
		}
		e.pending.add(k, s)
	case in.Op == ops.For || in.Op == ops.While:
		if e.pending.conflictAny(e.accessesIn(in)) {
			e.meet()
		}
	}
}

// accessesIn are those of an instruction's regions.
func (e *emitter) accessesIn(in *ir.Instr) unordered {
	u := unordered{}
	for _, r := range in.Regions {
		r.Walk(func(in *ir.Instr) {
			if axis.Accesses(in) {
				u.add(e.access(in))
			}
		})
	}
	return u
}

// orderIterations has threads meet between the iterations of a loop that loads what earlier ones may have stored, or
// the other way round. What different iterations store in one place is not ordered.
func (e *emitter) orderIterations(loop *ir.Instr) {
	inside := e.accessesIn(loop)
	reads := maps.Clone(inside)
	maps.DeleteFunc(reads, func(k accessKind, _ accesses) bool { return k.writes })
	if inside.conflictAny(reads) {
		e.meet()
	}
}

// either runs the regions of a branch, each after the accesses before it. What follows comes after the accesses of
// any of them.
func (e *emitter) either(n int, region func(i int)) {
	before, after := e.pending, unordered{}
	for i := range n {
		e.pending = maps.Clone(before)
		region(i)
		for k, s := range e.pending {
			after.add(k, s)
		}
	}
	e.pending = after
}
