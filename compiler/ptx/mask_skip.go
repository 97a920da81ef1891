package ptx

import (
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

// emitMaskSkip emits a select with its comparison, which a warp branches around if the mask is true for all its
// elements (plan.MaskSkip).
func (e *emitter) emitMaskSkip(s *plan.MaskSkip) {
	in := s.Select
	d, compared := in.Results[0].Type.DType, s.Compare.Operands[0].Type.DType
	x, y := e.regs(s.Compare.Operands[0]), e.regs(s.Compare.Operands[1])
	yes, no := e.regs(in.Operands[1]), e.regs(in.Operands[2])
	all := e.allTrue(s, compared, x, y)
	out := make([]asm.Reg, len(yes))
	for r := range out {
		out[r] = e.Reg(yes[r].Class)
		e.Move(out[r], asm.R(yes[r]))
	}
	all = e.Do("vote.sync.all.pred", asm.R(all), asm.I(-1))
	e.Unless(all, false, func() {
		for r := range out {
			mask := scalar.Compare(e.Program, s.Compare.Op, compared, x[r], y[r])
			e.Move(out[r], asm.R(scalar.Select(e.Program, d, mask, yes[r], no[r])))
		}
	})
	e.setRegs(in.Results[0], out)
}

// allTrue is a predicate that is true only if a comparison of integers, x with y, is for all elements that the thread
// has.
func (t *threadCode) allTrue(s *plan.MaskSkip, d num.DType, x, y []asm.Reg) asm.Reg {
	op, of, with := s.Compare.Op, s.Ends[0], s.Ends[1]
	worst := [2]asm.Reg{x[of.Greatest], y[with.Least]} // the first to be compared as false
	if op == ops.Ge || op == ops.Gt {
		worst = [2]asm.Reg{x[of.Least], y[with.Greatest]}
	}
	var tests []asm.Reg
	for i, regs := range [][]asm.Reg{x, y} {
		if least, greatest := regs[s.Ends[i].Least], regs[s.Ends[i].Greatest]; least != greatest {
			tests = append(tests, scalar.Compare(t.Program, ops.Ge, d, greatest, least))
		}
	}
	tests = append(tests, scalar.Compare(t.Program, op, d, worst[0], worst[1]))
	all := tests[0]
	for _, test := range tests[1:] {
		all = t.Do("and.pred", asm.R(all), asm.R(test))
	}
	return all
}
