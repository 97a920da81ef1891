package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// The order of programs: blocks start in the order of their numbers, so that the last ones run while fewer and fewer
// multiprocessors are busy. Programs that take longest had better come first. In causal attention, where program m
// walks through the keys up to its own rows, they come last; if block b runs program n-1-b, that gains 1 to 2 % (H200).

// planProgramOrder decides the plan's Reversed: whether the trip count of a loop of the function's body rises, and that
// of none falls. Programs that may wait for others, by atomics or in a while loop, may wait for those of lower numbers,
// and keep their order.
func (p *Plan) planProgramOrder() {
	waits := false
	p.Func.Body.Walk(func(in *ir.Instr) {
		waits = waits || in.Op.Has(ops.Atomic) || in.Op == ops.While
	})
	if waits {
		return
	}
	var found []facts.Trend
	for _, in := range p.Func.Body.Instrs {
		if in.Op == ops.For {
			trend := func(v *ir.Value) facts.Trend { return p.Facts.TrendOf(p.Facts.SumOf(v)) }
			found = append(found, trend(in.Operands[1]).And(trend(in.Operands[0]).Opposite()))
		}
	}
	p.Reversed = slices.Contains(found, facts.Rising) && !slices.Contains(found, facts.Falling)
}
