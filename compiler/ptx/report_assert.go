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
	emitters[ops.Assert] = func(e *emitter, in *ir.Instr) { e.must(in, Assert) }
	emitters[ops.Assume] = func(e *emitter, in *ir.Instr) { e.must(in, Assume) }
}

// must ends the program where an element of in's condition is false: if any thread has one, all leave.
func (e *emitter) must(in *ir.Instr, kind SiteKind) {
	v := in.Operands[0]
	l := e.layout(v)
	regs := e.regs(v)
	ok := regs[0]
	for _, r := range regs[1:] {
		if r != ok {
			ok = scalar.Op(e.Program, ops.And, num.Int1, ok, r)
		}
	}
	label := e.NewLabel("failed")
	failed := e.Do("not.pred", asm.Pred, asm.R(ok))
	leave := failed
	if !e.alike(v) {
		leave = e.Reg(asm.Pred)
		e.Add(asm.Inst{Op: "bar.red.or.pred", Dst: []asm.Operand{asm.R(leave)}, Src: []asm.Operand{asm.I(0), asm.R(failed)}, Access: asm.FullBarrier, Effect: true})
	}
	e.Branch(label, leave, false)
	e.Cold(func() {
		e.Bind(label)
		first := e.Reg(asm.B32)
		e.Move(first, asm.I(0))
		for r := len(regs) - 1; r >= 0; r-- {
			e.When(regs[r], true, func() { e.Move(first, asm.I(int64(l.At(r, 0, 0)))) })
		}
		if thread := e.threadOffset(l.Lane, l.Warp); thread.OK() {
			first = e.Do("xor.b32", asm.B32, asm.R(first), asm.R(thread))
		}
		e.stop(e.site(kind, in), failed, e.Do("cvt.u64.u32", asm.B64, asm.R(first)))
	})
}

// alike reports whether all threads surely have one value of a scalar: it is computed from parameters
// and the grid alone.
func (e *emitter) alike(v *ir.Value) bool {
	if v.Def == nil {
		return slices.Contains(e.fn.Body.Args, v)
	}
	if !v.Type.IsScalar() || !v.Def.Op.Has(ops.Pure) || len(v.Def.Regions) > 0 {
		return false
	}
	return !slices.ContainsFunc(v.Def.Operands, func(o *ir.Value) bool { return !e.alike(o) })
}
