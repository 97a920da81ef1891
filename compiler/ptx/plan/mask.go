package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// MaskSkip is a select in a loop of dots that a warp branches around where its mask is true for all its elements. Of
// the tiles of causal attention only those on the diagonal are masked in part, and in such a loop arithmetic is what
// the tensor cores wait for. Whether all is true is found out from the least and the greatest of what is compared.
type MaskSkip struct {
	Select, Compare *ir.Instr // Compare, of integers, is the mask of Select and nothing else
}

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
	mask, t := in.Operands[0], p.Tiles[in.Results[0].ID]
	compare := mask.Def
	if compare == nil || !ops.Orders(compare.Op) || p.Target.alwaysTrue(compare) || uses[mask] != 1 ||
		t.Rematerialized || len(t.Versions) > 0 || t.Layout.Regs() < minSkipRegisters {
		return nil
	}
	x := compare.Operands[0].Type
	if x.Pointer || !x.IsInt() || x.DType.Info().Bits < 32 {
		return nil
	}
	// The comparison is made where the select is, in its layout.
	m := p.Tiles[mask.ID]
	if m.Required && m.Layout.Equal(t.Layout) && len(m.Versions) == 0 ||
		!m.Required && len(m.Versions) == 1 && m.Versions[0].Equal(t.Layout) {
		return &MaskSkip{in, compare}
	}
	return nil
}
