package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// Whether threads keep to elements of their own. Accesses through one pointer in one layout need no barrier between
// them if no two elements of the tile have one address, and if the pointer of another iteration does not reach the
// elements of this one.

// distinct reports whether the elements of a tile of pointers are known to have addresses that differ: they are next to
// each other, along one dimension.
func (b *barrierPlanner) distinct(ptr *ir.Value) bool {
	dims := b.facts.UnhintedDims(ptr)
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

// advance finds by how much values of a loop grow from one iteration to the next.
type advance struct {
	facts  *axis.Facts
	loop   *ir.Instr
	narrow func(addptr *ir.Instr) bool // Target.Narrow
	inside map[*ir.Value]bool          // values of the loop
	known  map[*ir.Value]growth
}

// growth is by how much a value grows in each iteration, not ok if that is not a constant that is known.
type growth struct {
	by    int64
	ok    bool
	wraps bool // of a pointer: 32-bit offsets that may wrap are part of it, so that it grows by that modulo 2^32
}

func newAdvance(b *barrierPlanner, loop *ir.Instr) *advance {
	a := &advance{b.facts, loop, b.p.Target.Narrow, map[*ir.Value]bool{}, map[*ir.Value]growth{}}
	for _, r := range loop.Regions {
		eachValueOf(r, func(v *ir.Value) { a.inside[v] = true })
	}
	return a
}

// steady reports whether the elements of a distinct tile of pointers in the loop stay the same, or are others in each
// iteration. They are while the iterations together do not go once around all offsets.
func (a *advance) steady(ptr *ir.Value) bool {
	g := a.of(ptr)
	around := uint64(1) << 61
	if g.wraps {
		around = 1 << 32
	}
	n, by := uint64(ptr.Type.Numel()), uint64(max(g.by, -g.by))
	return g.ok && (by == 0 || by >= n && a.iterations() <= (around-n)/by)
}

// iterations is how many the loop makes at most; of 64-bit indices, about as many as any loop gets to make.
func (a *advance) iterations() uint64 {
	if n, known := facts.ConstTrips(a.loop, a.facts.Const); known {
		return n
	}
	return 1 << min(40, a.loop.Operands[0].Type.DType.Info().Bits)
}

// of is the growth of v, found once: a value may reach another one on many ways.
func (a *advance) of(v *ir.Value) growth {
	if _, constant := a.facts.Const(v); constant || !a.inside[v] {
		return growth{ok: true}
	}
	g, found := a.known[v]
	if !found {
		if v.Def == nil {
			g.by, g.ok = a.ofArgument(v)
		} else {
			g = a.ofResult(v.Def)
		}
		if v.Type.IsInt() { // which wraps, and so does what it grows by
			unused := 64 - v.Type.DType.Info().Bits
			g.by = g.by << unused >> unused
		}
		a.known[v] = g
	}
	return g
}

// ofArgument is the growth of an argument of the loop's body.
func (a *advance) ofArgument(v *ir.Value) (n int64, ok bool) {
	if a.loop.Op != ops.For {
		return 0, false
	}
	body := a.loop.Regions[0]
	switch i := slices.Index(body.Args, v); {
	case i == 0:
		return a.facts.Const(a.loop.Operands[2])
	case i > 0:
		constant := func(x *ir.Value) bool { _, ok := a.facts.Const(x); return ok }
		steps, ok := facts.StepsTo(body.Terminator().Operands[i-1], v, constant)
		for _, s := range steps {
			by, _ := a.facts.Const(s.Value)
			var exact bool
			n, exact = num.AddExact(n, s.Sign*by)
			ok = ok && exact
		}
		return n, ok
	}
	return 0, false
}

// ofResult is the growth of an operation's result.
func (a *advance) ofResult(in *ir.Instr) (g growth) {
	if !in.Op.Has(ops.Pure) || in.Op.Has(ops.Structured) {
		return growth{}
	}
	grown, still := make([]int64, len(in.Operands)), true
	for i, v := range in.Operands {
		if v == nil {
			continue
		}
		x := a.of(v)
		if !x.ok {
			return growth{}
		}
		grown[i] = x.by
		still, g.wraps = still && x.by == 0, g.wraps || x.wraps
	}
	switch {
	case in.Op == ops.AddPtr:
		bits := in.Operands[1].Type.DType.Info().Bits
		g.wraps = g.wraps || grown[1] != 0 && bits == 32 && (a.narrow == nil || !a.narrow(in))
		g.by, g.ok = num.AddExact(grown[0], grown[1])
		g.ok = g.ok && (grown[1] == 0 || bits >= 32)
	case still && !g.wraps:
		g.ok = true
	case in.Op == ops.Add:
		g.by, g.ok = num.AddExact(grown[0], grown[1])
	case in.Op == ops.Sub:
		g.by, g.ok = num.AddExact(grown[0], -grown[1])
	case in.Op == ops.Mul:
		for i := range 2 {
			if by, known := a.facts.Const(in.Operands[1-i]); known && !g.ok {
				g.by, g.ok = num.MulExact(grown[i], by)
			}
		}
	case ViewOps[in.Op] || in.Op == ops.Hint || in.Op == ops.ConvertLayout:
		g.by, g.ok = grown[0], true
	}
	return g
}
