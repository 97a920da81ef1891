package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// touched is an access to global memory since the threads of the program last met.
type touched struct {
	ptr    *ir.Value
	layout layout.Layout
	writes bool
}

// touchOf is what in does to memory.
func (e *emitter) touchOf(in *ir.Instr) touched {
	return touched{in.Operands[0], e.at[in], in.Op.Has(ops.Writes)}
}

// meets reports whether one thread's access may have to wait for another thread's: they may concern one
// element, one of them writes, and it is not each thread's own element through one and the same pointer.
func (e *emitter) meets(x, y touched) bool {
	if !x.writes && !y.writes {
		return false
	}
	a, b := e.facts.Argument(x.ptr), e.facts.Argument(y.ptr)
	if a != b && a != axis.Mixed && b != axis.Mixed {
		return false
	}
	free := x.layout.Free()
	return x.ptr != y.ptr || !x.layout.Equal(y.layout) || free.Lane|free.Warp != 0
}

// order has the program's threads meet before an access that others' earlier ones may bear on: what a
// program stores, it loads afterwards, whichever of its threads does.
func (e *emitter) order(in *ir.Instr) {
	switch {
	case axis.Accesses(in):
		e.orderOne(e.touchOf(in))
	case in.Op == ops.For || in.Op == ops.While:
		inside := e.accessesIn(in)
		if slices.ContainsFunc(inside, e.waits) {
			e.Barrier()
			e.pending = nil
		}
	}
}

func (e *emitter) orderOne(x touched) {
	if e.waits(x) {
		e.Barrier()
		e.pending = nil
	}
	e.pending = append(e.pending, x)
}

// waits reports whether x has to wait for some access.
func (e *emitter) waits(x touched) bool {
	return slices.ContainsFunc(e.pending, func(y touched) bool { return e.meets(x, y) })
}

func (e *emitter) accessesIn(in *ir.Instr) (list []touched) {
	for _, r := range in.Regions {
		r.Walk(func(x *ir.Instr) {
			if axis.Accesses(x) {
				list = append(list, e.touchOf(x))
			}
		})
	}
	return list
}

// orderIterations has threads meet between the iterations of a loop that loads what earlier ones may
// have stored, or the other way round.
func (e *emitter) orderIterations(loop *ir.Instr) {
	list := e.accessesIn(loop)
	for i, x := range list {
		if slices.ContainsFunc(list[:i], func(y touched) bool { return x.writes != y.writes && e.meets(x, y) }) {
			e.Barrier()
			e.pending = nil
			return
		}
	}
}

// either runs the regions of a branch, each with what was touched before it; what any of them touched
// was touched afterwards.
func (e *emitter) either(n int, region func(i int)) {
	before := slices.Clip(e.pending)
	var after []touched
	for i := range n {
		e.pending = before
		region(i)
		after = append(after, e.pending...)
	}
	e.pending = after
}
