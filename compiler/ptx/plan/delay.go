package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// Delay is a warpgroup MMA of a pipelined loop that is issued one iteration late, behind another dot of the next
// iteration, and runs while that iteration computes. In attention, where s = q·k and acc = acc·α + p·v with p from s,
// the tensor cores then multiply p·v of one iteration while the threads compute the softmax of the next:
//
//	iteration i:  issue s(i) = q·k(i) | issue acc += p(i-1)·v(i-1) | wait for s(i) | max, exp2, sum of s(i) |
//	              wait for acc | acc·α(i) | keep p(i) in registers
//	epilogue:     issue acc += p(n-1)·v(n-1) | wait
//
// (Shah et al., "FlashAttention-3: Fast and Accurate Attention with Asynchrony and Low-precision", section 3.2, has the
// idea by hand.) Every sum has the terms, and the order, of the code as written.
type Delay struct {
	Dot     *ir.Instr  // issued late: its left operand waits in registers, its right one in the stage buffer
	Right   *AsyncLoad // that copies the right operand, or what that is the transpose of
	Carried int        // the loop-carried value that is the accumulator, by number
	After   *ir.Instr  // the dot behind which it is issued
	Await   *ir.Instr  // the first instruction that reads the accumulator, or Dot itself
}

// delayedDot plans which dot of a loop is delayed; nil: none. The loop must have two dots, both warpgroup MMA in the
// loop's body itself. The second one's result must be a loop-carried value that nothing else in the iteration uses; its
// left operand must be in registers as fragments, its right one in a stage buffer. The next iteration must reach the
// first dot before it reads the accumulator.
func (e pipeliner) delayedDot(loop *ir.Instr, r *Pipeline) *Delay {
	body := loop.Regions[0]
	dots, uses := loopDots(loop)
	if len(dots) != 2 || slices.ContainsFunc(dots, func(in *ir.Instr) bool {
		p := e.p.Dots[in]
		return p.Unit != WGMMA || p.Transposes || !slices.Contains(body.Instrs, in)
	}) {
		return nil
	}
	d := &Delay{Dot: dots[1], After: dots[0], Right: r.copyOf(dots[1].Operands[1]),
		Carried: e.carriedSum(loop, dots[1], uses)}
	if d.Carried < 0 || slices.Contains(r.Carried, d.Carried) || d.Right == nil ||
		r.copyOf(d.Dot.Operands[0]) != nil || !e.p.readsFragments(d.Dot, e.p.Dots[d.Dot]) {
		return nil
	}
	acc := body.Args[1+d.Carried]
	for _, in := range body.Instrs {
		if in == d.Dot || slices.Contains(in.Operands, acc) || regionsUse(in, acc) {
			d.Await = in
			break
		}
	}
	if slices.Index(body.Instrs, d.After) >= slices.Index(body.Instrs, d.Await) {
		return nil
	}
	return d
}

// regionsUse reports whether an instruction in the regions of in uses v.
func regionsUse(in *ir.Instr, v *ir.Value) (uses bool) {
	for _, region := range in.Regions {
		region.Walk(func(in *ir.Instr) { uses = uses || slices.Contains(in.Operands, v) })
	}
	return uses
}

// copyOf is the copy to stage buffers of v, or of what v is the transpose of; nil: there is none.
func (r *Pipeline) copyOf(v *ir.Value) *AsyncLoad {
	if v.Def != nil && v.Def.Op == ops.Trans {
		return r.copyOf(v.Def.Operands[0])
	}
	return r.Load(v.Def)
}
