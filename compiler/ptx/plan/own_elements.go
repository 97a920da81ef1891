package plan

import (
	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// Whether threads keep to elements of their own. Accesses through one pointer in one layout need no barrier between
// them if no two elements of the tile have one address, and if the pointer of another iteration does not reach the
// elements of this one.

// distinct reports whether the elements of a tile of pointers are known to have addresses that differ: they are next to
// each other, along one dimension.
func (p *Plan) distinct(ptr *ir.Value) bool {
	dims := p.Facts.UnhintedDims(ptr)
	long := 0
	for i, n := range ptr.Type.Shape {
		if n > 1 && dims[i].Contiguity >= int64(n) {
			long++
		} else if n > 1 {
			return false
		}
	}
	return long <= 1
}

// advance is by how much the pointers of a loop grow from one iteration to the next.
type advance struct {
	*facts.Growths
	sumOf func(*ir.Value) facts.Sum
}

func newAdvance(p *Plan, loop *ir.Instr) *advance {
	a := &advance{p.Facts.GrowthsIn(loop), p.Facts.SumOf}
	loop.Regions[len(loop.Regions)-1].Walk(func(in *ir.Instr) {
		if in.Op == ops.AddPtr && p.Target.Proved(in) {
			a.SetNarrow(a.sumOf(in.Operands[1]))
		}
	})
	return a
}

// steady reports whether the elements of a distinct tile of pointers in the loop stay the same, or are others in each
// iteration. They are while the iterations together do not go once around all offsets; of 64-bit indices, no loop gets
// to make more than 2^40.
func (a *advance) steady(ptr *ir.Value) bool {
	g := a.Of(a.sumOf(ptr))
	around := uint64(1) << 61
	if g.Wraps {
		around = 1 << 32
	}
	n, by := uint64(ptr.Type.Numel()), uint64(max(g.By, -g.By))
	return g.OK && (by == 0 || by >= n && min(a.Iterations(), 1<<40) <= (around-n)/by)
}
