package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// The order of programs: blocks start in the order of their numbers, so that the last ones run while fewer and fewer
// multiprocessors are busy. Programs that take longest had better come first. In causal attention, where program m
// walks through the keys up to its own rows, they come last; if block b runs program n-1-b, that gains 1 to 2 % (H200).

// trend is how a number changes from program to program along the grid's first axis.
type trend int8

const (
	constant trend = iota
	rising         // or the same
	falling        // or the same
	unknownTrend
)

var opposite = [...]trend{constant: constant, rising: falling, falling: rising, unknownTrend: unknownTrend}

// and is the trend of a sum.
func (t trend) and(u trend) trend {
	switch {
	case t == constant || t == u:
		return u
	case u == constant:
		return t
	}
	return unknownTrend
}

// planProgramOrder decides the plan's Reversed: whether the trip count of a loop of the function's body rises, and that
// of none falls. Programs that may wait for others, by atomics or in a while loop, may wait for those of lower numbers,
// and keep their order.
func (p *Plan) planProgramOrder(facts *axis.Facts) {
	waits := false
	p.Func.Body.Walk(func(in *ir.Instr) {
		waits = waits || in.Op == ops.AtomicRMW || in.Op == ops.AtomicCAS || in.Op == ops.While
	})
	if waits {
		return
	}
	w := trends{facts, map[*ir.Value]trend{}}
	for _, x := range p.Func.Params {
		w.known[x.Value] = constant
	}
	var found []trend
	for _, in := range p.Func.Body.Instrs {
		if in.Op == ops.For {
			found = append(found, w.of(in.Operands[1]).and(opposite[w.of(in.Operands[0])]))
		}
	}
	p.Reversed = slices.Contains(found, rising) && !slices.Contains(found, falling)
}

// trends finds out how integers change.
type trends struct {
	facts *axis.Facts
	known map[*ir.Value]trend // so far; of the parameters from the start
}

func (w trends) of(v *ir.Value) trend {
	if t, ok := w.known[v]; ok {
		return t
	}
	t := w.find(v)
	w.known[v] = t
	return t
}

func (w trends) find(v *ir.Value) trend {
	in := v.Def
	if in == nil || len(in.Regions) > 0 {
		return unknownTrend
	}
	all := constant
	for _, x := range in.Operands {
		all = all.and(w.of(x))
	}
	switch {
	case in.Op == ops.ProgramID && in.Int("axis") == 0:
		return rising
	case all == constant, in.Op == ops.Add, in.Op == ops.Min, in.Op == ops.Max, in.Op == ops.Hint, in.Op == ops.Cast:
		return all
	case in.Op == ops.Sub:
		return w.of(in.Operands[0]).and(opposite[w.of(in.Operands[1])])
	case in.Op == ops.Mul && w.isFactor(in.Operands[1]), in.Op == ops.Div && w.isFactor(in.Operands[1]):
		return w.of(in.Operands[0])
	case in.Op == ops.Mul && w.isFactor(in.Operands[0]):
		return w.of(in.Operands[1])
	}
	return unknownTrend
}

// isFactor reports whether v is a positive constant.
func (w trends) isFactor(v *ir.Value) bool {
	c, ok := w.facts.Const(v)
	return ok && c > 0
}
