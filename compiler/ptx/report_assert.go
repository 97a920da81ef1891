package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

func init() {
	emitters[ops.Assert] = func(e *emitter, in *ir.Instr) { e.emitAssertion(in, Assert) }
	emitters[ops.Assume] = func(e *emitter, in *ir.Instr) { e.emitAssertion(in, Assume) }
}

// emitAssertion ends the program if an element of in's condition is false. All threads have to leave together, so
// unless the condition is uniform they agree on it by bar.red.
func (e *emitter) emitAssertion(in *ir.Instr, kind SiteKind) {
	v := in.Operands[0]
	l := *v.Layout
	regs := e.regs(v)
	ok := regs[0]
	for _, r := range regs[1:] {
		if r != ok {
			ok = scalar.Op(e.Program, ops.And, num.Int1, ok, r)
		}
	}
	label := e.NewLabel("failed")
	failed := e.Do("not.pred", asm.R(ok))
	// A thread that failed leaves; the others must not wait for it in the next barrier.
	leave := failed
	if !e.isUniform(v) {
		leave = e.Reg(asm.Pred)
		e.Add(asm.Inst{Op: asm.Op("bar.red.or.pred"), Dst: []asm.Operand{asm.R(leave)}, Src: []asm.Operand{asm.I(0),
			asm.R(failed)}})
	}
	e.Branch(label, leave, false)
	e.Cold(func() {
		e.Bind(label)
		first := e.Reg(asm.B32)
		e.Move(first, asm.I(0))
		// From the last register to the first, so that the first failing element remains.
		for r := len(regs) - 1; r >= 0; r-- {
			e.When(regs[r], true, func() { e.Move(first, asm.I(int64(l.At(r, 0, 0)))) })
		}
		if thread := e.threadOffset(l.Lane, l.Warp); thread.OK() {
			first = e.Do("xor.b32", asm.R(first), asm.R(thread))
		}
		e.reports.exitWithReport(e.reports.addSite(kind, in), failed, e.Do("cvt.u64.u32", asm.R(first)))
	})
}

// isUniform reports whether a scalar surely has the same value in all threads: it is computed from parameters and the
// grid alone.
func (e *emitter) isUniform(v *ir.Value) bool {
	if v.Def == nil {
		return slices.Contains(e.fn.Body.Args, v)
	}
	if !v.Type.IsScalar() || !v.Def.Op.Has(ops.Pure) || len(v.Def.Regions) > 0 {
		return false
	}
	return !slices.ContainsFunc(v.Def.Operands, func(o *ir.Value) bool { return !e.isUniform(o) })
}
