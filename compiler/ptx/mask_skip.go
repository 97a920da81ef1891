package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

// emitMaskSkip emits a select with its comparison, which a warp branches around if the mask is true for all its
// elements (plan.MaskSkip).
func (e *emitter) emitMaskSkip(s *plan.MaskSkip) {
	in, l := s.Select, *s.Select.Results[0].Layout
	d, compared := in.Results[0].Type.DType, s.Compare.Operands[0].Type.DType
	x, y := e.regs(s.Compare.Operands[0]), e.regs(s.Compare.Operands[1])
	yes, no := e.regs(in.Operands[1]), e.regs(in.Operands[2])
	set := func(out []asm.Reg) { e.setRegs(in.Results[0], out) }
	if s, ok := e.scaledChoice(in); ok {
		yes, set = s.regs, func(out []asm.Reg) { e.setScaled(in.Results[0], scaledTile{out, s.scale}) }
	}
	choose := func(r int) asm.Reg {
		mask := scalar.Compare(e.Program, s.Compare.Op, compared, x[r], y[r])
		return scalar.Select(e.Program, d, mask, yes[r], no[r])
	}
	out := make([]asm.Reg, len(yes))
	all := e.allTrue(s.Compare, l)
	if !all.OK() {
		for r := range out {
			out[r] = choose(r)
		}
		set(out)
		return
	}
	for r := range out {
		out[r] = e.Reg(yes[r].Class)
		e.Move(out[r], asm.R(yes[r]))
	}
	all = e.Do("vote.sync.all.pred", asm.R(all), asm.I(-1))
	e.Unless(all, false, func() {
		for r := range out {
			e.Move(out[r], asm.R(choose(r)))
		}
	})
	set(out)
}

// allTrue is a predicate that is true only if a comparison of integers is for all elements that the thread has in
// layout l: its elements are few bases plus immediates. None if they are not.
func (e *emitter) allTrue(compare *ir.Instr, l layout.Layout) asm.Reg {
	d := compare.Operands[0].Type.DType
	x, y := offsetRanges(e, compare.Operands[0], l), offsetRanges(e, compare.Operands[1], l)
	if x == nil || y == nil || len(x)*len(y)+len(x)+len(y) > plan.MaxSkipTests {
		return asm.Reg{}
	}
	var tests []asm.Reg
	// No sum of a base and an immediate wraps around between the least and the greatest one.
	for _, s := range append(x, y...) {
		if s.least != s.greatest {
			tests = append(tests, scalar.Compare(e.Program, ops.Ge, d, s.greatest, s.least))
		}
	}
	for _, s := range x {
		for _, t := range y {
			tests = append(tests, t.worstCase(e.threadCode, compare.Op, d, s))
		}
	}
	all := tests[0]
	for _, t := range tests[1:] {
		all = e.Do("and.pred", asm.R(all), asm.R(t))
	}
	return all
}

// offsetRange is the registers of the elements of one base that have the least and the greatest immediate.
type offsetRange struct {
	base            asm.Reg
	least, greatest asm.Reg
	low, high       int64
}

// offsetRanges is the ranges of an integer tile's elements in layout l; nil if they are not bases plus immediates.
func offsetRanges(e *emitter, v *ir.Value, l layout.Layout) (spans []offsetRange) {
	regs := e.regs(v)
	for i, x := range e.elements(v) {
		at := slices.IndexFunc(spans, func(s offsetRange) bool { return s.base == x.base })
		switch {
		case at < 0:
			if len(spans) == plan.MaxSkipTests {
				return nil
			}
			spans = append(spans, offsetRange{x.base, regs[i], regs[i], x.imm, x.imm})
		case x.imm < spans[at].low:
			spans[at].least, spans[at].low = regs[i], x.imm
		case x.imm > spans[at].high:
			spans[at].greatest, spans[at].high = regs[i], x.imm
		}
	}
	return spans
}

// worstCase is the comparison of an element of s with one of t that is the first to be false.
func (t offsetRange) worstCase(c *threadCode, op ops.Op, d num.DType, s offsetRange) asm.Reg {
	if op == ops.Ge || op == ops.Gt {
		return scalar.Compare(c.Program, op, d, s.least, t.greatest)
	}
	return scalar.Compare(c.Program, op, d, s.greatest, t.least)
}
