package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// maxUnmasked is the most registers of a thread that a load fills without a mask if its mask is always true. ptxas
// moves loads without a predicate to their uses, to save registers, and then few are in flight: with 32 to 256
// registers a thread, argmax and layer norm lost 9 to 50 % on an H100, with 16 they gained 1 %.
const maxUnmasked = 16

// planTrue plans which comparisons are not made, since they are always true. Those in masks of larger loads are made.
func (p *Plan) planTrue() {
	p.True = map[*ir.Instr]bool{}
	made := map[*ir.Instr]bool{}
	p.Func.Body.Walk(func(in *ir.Instr) {
		if in.Op == ops.Load && p.Accesses[in].Layout.Regs() > maxUnmasked && !p.copied(in) {
			eachCompare(axis.Mask(in), func(compare *ir.Instr) { made[compare] = true })
		}
	})
	p.Func.Body.Walk(func(in *ir.Instr) {
		if ops.Orders(in.Op) && !made[in] && p.Target.True(in) {
			p.True[in] = true
		}
	})
}

// copied reports whether a load is made by asynchronous copies.
func (p *Plan) copied(load *ir.Instr) bool {
	for _, r := range p.Pipelines {
		if r.Copies(load) {
			return true
		}
	}
	return false
}

// eachCompare calls f for the comparisons that a mask, which may be nil, is the conjunction of.
func eachCompare(mask *ir.Value, f func(compare *ir.Instr)) {
	if mask == nil || mask.Def == nil {
		return
	}
	switch in := mask.Def; {
	case ops.Orders(in.Op):
		f(in)
	case in.Op == ops.And || ViewOps[in.Op] || in.Op == ops.Hint:
		for _, v := range in.Operands {
			eachCompare(v, f)
		}
	}
}

// MaskSkip is a select in a loop of dots that a warp branches around where its mask is true for all its elements. Of
// the tiles of causal attention only those on the diagonal are masked in part, and in such a loop arithmetic is what
// the tensor cores wait for. Whether all is true is found out from the least and the greatest of what is compared.
type MaskSkip struct {
	// Compare, of integers, is the mask of Select and nothing else: it is made with Select, and skipped with it.
	Select, Compare *ir.Instr
	Ends            [2]Ends // of the two that are compared
}

// Ends is in which of a thread's registers the least and the greatest element of a tile are.
type Ends struct{ Least, Greatest int }

// minSkipRegisters is the least number of a thread's registers for which a branch is worth its comparisons.
const minSkipRegisters = 16

// planMaskSkips plans which selects are branched around.
func (p *Plan) planMaskSkips() {
	p.MaskSkips = map[*ir.Instr]*MaskSkip{}
	p.Func.Body.Walk(func(loop *ir.Instr) {
		if loop.Op != ops.For {
			return
		}
		dots, uses := loopDots(loop)
		if len(dots) == 0 || p.Dots[dots[0]].Unit == FMA {
			return
		}
		for _, in := range loop.Regions[0].Instrs {
			if s := p.maskSkip(in, uses); s != nil && slices.Contains(loop.Regions[0].Instrs, s.Compare) {
				p.MaskSkips[s.Select], p.MaskSkips[s.Compare] = s, s
			}
		}
	})
}

// maskSkip is a select of a loop as one to branch around, nil if it is none. uses is how often the loop uses each
// value.
func (p *Plan) maskSkip(in *ir.Instr, uses map[*ir.Value]int) *MaskSkip {
	if in.Op != ops.Select || in.Results[0].Type.Pointer {
		return nil
	}
	mask, v := in.Operands[0], in.Results[0]
	compare := mask.Def
	if compare == nil || !ops.Orders(compare.Op) || p.True[compare] || uses[mask] != 1 ||
		p.Tiles[v.ID].Rematerialized || v.Layout.Regs() < minSkipRegisters {
		return nil
	}
	x := compare.Operands[0].Type
	if x.Pointer || !x.IsInt() || x.DType.Info().Bits < 32 {
		return nil
	}
	s := &MaskSkip{Select: in, Compare: compare}
	for i, y := range compare.Operands {
		var ok bool
		if s.Ends[i], ok = p.ends(y); !ok {
			return nil
		}
	}
	return s
}

// ends is the ends of a tile of integers that grow or fall evenly along each dimension: a thread's are a sum and
// constants. They span less than 2^31, so that all lie between the ends unless the greatest is less than the least,
// by wrapping around.
func (p *Plan) ends(v *ir.Value) (e Ends, ok bool) {
	span, l := int64(0), v.Layout
	slopes := make([]int64, len(v.Type.Shape))
	for dim := range slopes {
		if slopes[dim], ok = p.Facts.Slope(v, dim); !ok || slopes[dim] != int64(int32(slopes[dim])) {
			return e, false
		}
	}
	for i, b := range l.Reg {
		step := int64(0)
		for dim, x := range l.Coord(b) {
			step += slopes[dim] * int64(x)
		}
		if step > 0 {
			e.Greatest |= 1 << i
		} else if step < 0 {
			e.Least |= 1 << i
		}
		span += max(step, -step)
	}
	return e, span < 1<<31
}
