package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

func init() {
	for op := range ops.OfClass(ops.Unary, ops.Binary, ops.Comparison, ops.Ternary) {
		emitters[op] = emitElementwise
	}
	// These override the first loop, so they come after it.
	for _, op := range []ops.Op{ops.Add, ops.Sub, ops.Shl} {
		emitters[op] = emitBaseImmArith
	}
	emitters[ops.Mul] = emitBaseImmArith
	emitters[ops.Div], emitters[ops.Rem] = emitDivision, emitDivision
	emitters[ops.And] = emitAnd
	for op := range ops.OfClass(ops.Comparison) {
		emitters[op] = emitCompare
	}
	emitters[ops.Select] = emitSelect
	emitters[ops.Cast] = emitCast
	emitters[ops.Bitcast] = emitBitcast
	emitters[ops.Hint] = emitHint
}

// operandKey is the registers that one register of a result is computed from; equal ones give one register.
type operandKey [3]asm.Reg

// eachElement computes the registers of in's result from its operands' registers, each distinct combination once.
func (e *emitter) eachElement(in *ir.Instr, f func(x []asm.Reg) asm.Reg) {
	v := in.Results[0]
	l := *v.Layout
	var x [3][]asm.Reg
	for i, o := range in.Operands {
		x[i] = e.regs(o)
	}
	out := make([]asm.Reg, l.Regs())
	seen := make(map[operandKey]asm.Reg, len(out))
	equal := e.equalRegs(v, l)
	for r := range out {
		if r&equal != 0 {
			out[r] = out[r&^equal]
			continue
		}
		var k operandKey
		for i := range in.Operands {
			k[i] = x[i][r]
		}
		// Broadcast operands repeat registers, and a row of a tile is often one: it is computed once.
		got, ok := seen[k]
		if !ok {
			got = f(k[:len(in.Operands)])
			seen[k] = got
		}
		out[r] = got
	}
	e.setRegs(v, out)
}

// equalRegs has the bits of a register's number that make no difference to the elements of v in layout l, as far as the
// axis facts know: a mask is often the same for all elements of a vector.
func (e *emitter) equalRegs(v *ir.Value, l layout.Layout) (bits int) {
	for i, basis := range l.Reg {
		same := basis != 0
		for dim, step := range l.Coord(basis) {
			same = same && (step == 0 || int64(step) < e.facts.Constancy(v, dim))
		}
		if same {
			bits |= 1 << i
		}
	}
	return bits
}

func emitElementwise(e *emitter, in *ir.Instr) {
	d := in.Operands[0].Type.DType
	op := scalar.Op
	if in.Bool("propagate_nan") {
		op = scalar.OpNaN
	}
	if !scalar.Supports(in.Op, d) {
		e.reject(in, "internal-error", "no code for "+in.Op.Def().Name+" of "+d.String())
	}
	e.eachElement(in, func(x []asm.Reg) asm.Reg { return op(e.Program, in.Op, d, x...) })
}

// emitDivision divides by constants without a division, and numbers that are not negative as unsigned ones. A remainder
// that is known to be the dividend costs nothing.
func emitDivision(e *emitter, in *ir.Instr) {
	x, y := in.Operands[0], in.Operands[1]
	d := x.Type.DType
	if in.Op == ops.Rem && e.plan.Target.Reduced(in) {
		emitHint(e, in)
		return
	}
	if d.Info().Float || d == num.Int1 {
		emitElementwise(e, in)
		return
	}
	natural := e.plan.Target.Natural(in) && d.Info().Bits > 8
	if natural || e.facts.NonNegative(x) && e.facts.NonNegative(y) {
		d = num.Unsigned(d.Info().Bits)
	}
	divisor, known := e.facts.Const(y)
	switch {
	case known:
	case natural:
		divide := scalar.DivideNatural
		if e.plan.Target.PowerOfTwo(in) && d.Info().Bits >= 32 {
			divide = scalar.DivideByPowerOfTwo
		}
		e.eachElement(in, func(x []asm.Reg) asm.Reg { return divide(e.Program, in.Op, d, x[0], x[1]) })
		return
	default:
		e.eachElement(in, func(x []asm.Reg) asm.Reg { return scalar.Op(e.Program, in.Op, d, x...) })
		return
	}
	e.eachElement(in, func(x []asm.Reg) asm.Reg { return scalar.DivideBy(e.Program, in.Op, d, x[0], divisor) })
}

func emitCompare(e *emitter, in *ir.Instr) {
	if in.Operands[0].Type.Pointer {
		e.comparePointers(in)
		return
	}
	if e.plan.True[in] {
		if !e.proven.OK() {
			e.Entry(func() { e.proven = e.always(true) })
		}
		v := in.Results[0]
		e.setRegs(v, slices.Repeat([]asm.Reg{e.proven}, v.Layout.Regs()))
		return
	}
	emitElementwise(e, in)
}

// emitAnd leaves out conditions that are always true.
func emitAnd(e *emitter, in *ir.Instr) {
	d := in.Operands[0].Type.DType
	e.eachElement(in, func(x []asm.Reg) asm.Reg {
		switch e.proven {
		case x[0]:
			return x[1]
		case x[1]:
			return x[0]
		}
		return scalar.Op(e.Program, ops.And, d, x...)
	})
}

func emitSelect(e *emitter, in *ir.Instr) {
	if in.Results[0].Type.Pointer {
		e.selectPointers(in)
		return
	}
	d := in.Results[0].Type.DType
	e.eachElement(in, func(x []asm.Reg) asm.Reg { return e.choose(d, x[0], x[1], x[2]) })
}

// choose is yes where mask holds, and no elsewhere.
func (e *emitter) choose(d num.DType, mask, yes, no asm.Reg) asm.Reg {
	// Both are one register, whatever the condition is, or the condition is always true.
	if yes == no || mask == e.proven {
		return yes
	}
	return scalar.Select(e.Program, d, mask, yes, no)
}

func emitCast(e *emitter, in *ir.Instr) {
	rounding := num.RTNE
	if in.Str("rounding") == "rtz" {
		rounding = num.RTZ
	}
	from, to := in.Operands[0].Type.DType, in.Results[0].Type.DType
	if from == num.Int32 && to == num.Int64 {
		// Base plus immediate within runs where the sum does not wrap: else each element of a row would have an address
		// of its own, not an immediate.
		elems := e.exactOffsets(in.Operands[0], *in.Results[0].Layout, false)
		e.setBaseImms(in.Results[0], e.withWideBases(from, elems), nil)
		return
	}
	e.eachElement(in, func(x []asm.Reg) asm.Reg { return scalar.Cast(e.Program, from, to, rounding, x[0]) })
}

func emitBitcast(e *emitter, in *ir.Instr) {
	if in.Results[0].Type.Pointer {
		e.ptrs[in.Results[0].ID] = e.ptrs[in.Operands[0].ID]
		return
	}
	from, to := in.Operands[0].Type.DType, in.Results[0].Type.DType
	e.eachElement(in, func(x []asm.Reg) asm.Reg { return scalar.Bitcast(e.Program, from, to, x[0]) })
}

func emitHint(e *emitter, in *ir.Instr) {
	v := in.Results[0]
	if v.Type.Pointer {
		e.ptrs[v.ID] = e.ptrs[in.Operands[0].ID]
		return
	}
	e.setBaseImms(v, e.elements(in.Operands[0]), e.regs(in.Operands[0]))
}
