package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/inline"
	"github.com/newtlab/newt/compiler/ptx/scalar"
	_ "github.com/newtlab/newt/compiler/ptx/sim" // the assembler of inline assembly
)

func init() {
	emitters[ops.InlineAsm] = emitInlineAsm
	emitters[ops.InlineAsmVolatile] = emitInlineAsm
}

// emitInlineAsm emits the text once for each group of elements that a thread holds. Which elements those are is up to
// the layout, as in Triton; a thread with fewer than a group has zeros for the others.
func emitInlineAsm(e *emitter, in *ir.Instr) {
	a := in.InlineAsm()
	version, err := a.On(e.Target)
	if err != nil {
		e.reject(in, err.Code, err.Args...)
	}
	l := *in.Results[0].Layout
	args := make([][]asm.Reg, len(in.Operands))
	for i, v := range in.Operands {
		args[i] = e.regs(v)
	}
	results := make([][]asm.Reg, len(in.Results))
	for i := range results {
		results[i] = make([]asm.Reg, l.Regs())
	}
	text := asm.Inline{Print: a.Print, Length: a.Len(), Version: version}
	// The text runs once for each group of registers.
	for first := 0; first < l.Regs(); first += int(in.Int("pack")) {
		var src, dst []asm.Reg
		for _, o := range a.Args {
			src = append(src, e.packRegister(o, in.Operands[o.Value].Type.DType, args[o.Value][first:]))
		}
		for _, o := range a.Results {
			dst = append(dst, e.Reg(classOf(o.DType())))
		}
		e.AddInline(text, dst, src, in.Op == ops.InlineAsmVolatile)
		for i, o := range a.Results {
			e.unpackRegister(o, in.Results[o.Value].Type.DType, dst[i], results[o.Value][first:])
		}
	}
	for i, v := range in.Results {
		e.setRegs(v, results[i])
	}
}

// packRegister is the register for operand o of the text: its elements among those of a group, the first in the low
// bits, with zeros above them.
func (e *emitter) packRegister(o inline.Operand, d num.DType, group []asm.Reg) asm.Reg {
	to := o.DType()
	var packed asm.Reg
	for k := range min(o.Count, len(group)-o.First) {
		x := scalar.Bitcast(e.Program, d, num.Unsigned(d.Info().Bits), group[o.First+k])
		x = scalar.Cast(e.Program, num.Unsigned(d.Info().Bits), to, num.RTNE, x)
		if k == 0 {
			packed = x
			continue
		}
		x = scalar.Op(e.Program, ops.Shl, to, x, scalar.Const(e.Program, num.FromInt(to, int64(k*d.Info().Bits))))
		packed = scalar.Op(e.Program, ops.Or, to, packed, x)
	}
	if !packed.OK() {
		return scalar.Const(e.Program, num.FromInt(to, 0))
	}
	return packed
}

// unpackRegister takes the elements of operand o from its register to their places in a group.
func (e *emitter) unpackRegister(o inline.Operand, d num.DType, packed asm.Reg, group []asm.Reg) {
	from, bits := o.DType(), d.Info().Bits
	for k := range min(o.Count, len(group)-o.First) {
		x := packed
		if k > 0 {
			x = scalar.Op(e.Program, ops.Shr, from, x, scalar.Const(e.Program, num.FromInt(from, int64(k*bits))))
		}
		if bits == 1 && from != num.Int1 { // bit 0, which a conversion to int1 would not tell from the others
			x = scalar.Op(e.Program, ops.And, from, x, scalar.Const(e.Program, num.FromInt(from, 1)))
		}
		x = scalar.Cast(e.Program, from, num.Unsigned(bits), num.RTNE, x)
		group[o.First+k] = scalar.Bitcast(e.Program, num.Unsigned(bits), d, x)
	}
}
