package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

// baseImm is one element of a tile of 32- or 64-bit integers as base plus immediate: a register and a constant, either
// of which may be missing. A thread's elements often differ by constants alone, as those of an arange do. With the two
// kept apart, one register is computed for many elements (strength reduction), and the constants end as immediate
// offsets of loads and stores. The sum wraps as the dtype does.
type baseImm struct {
	base asm.Reg
	imm  int64
}

// keepsBaseImm reports whether values of dtype d are kept as base plus immediate.
func keepsBaseImm(d num.DType) bool { return !d.Info().Float && d.Info().Bits >= 32 }

// elements is v's elements, nil for dtypes that are not kept so.
func (b *bindings) elements(v *ir.Value) []baseImm {
	if v.Type.Pointer || !keepsBaseImm(v.Type.DType) {
		return nil
	}
	if known := b.baseImms[v.ID]; known != nil {
		return known
	}
	return withoutImm(b.regs(v))
}

// withoutImm is registers as elements.
func withoutImm(regs []asm.Reg) []baseImm {
	out := make([]baseImm, len(regs))
	for i, r := range regs {
		out[i] = baseImm{base: r}
	}
	return out
}

// setBaseImms gives v its elements, and its registers; regs are those if they are at hand.
func (b *bindings) setBaseImms(v *ir.Value, elems []baseImm, regs []asm.Reg) {
	if regs == nil {
		regs = b.materializeAll(v.Type.DType, elems)
	}
	b.baseImms[v.ID] = elems
	b.setRegs(v, regs)
}

// materializeAll adds up the elements, each distinct one once.
func (t *threadCode) materializeAll(d num.DType, elems []baseImm) []asm.Reg {
	out := make([]asm.Reg, len(elems))
	seen := make(map[baseImm]asm.Reg, len(elems))
	for i, x := range elems {
		r, ok := seen[x]
		if !ok {
			r = t.materializeSum(d, x)
			seen[x] = r
		}
		out[i] = r
	}
	return out
}

var addOps = [...]string{asm.B32: "add.s32", asm.B64: "add.s64"}

// materializeSum is the register with an element's sum.
func (t *threadCode) materializeSum(d num.DType, x baseImm) asm.Reg {
	c := classOf(d)
	switch {
	case !x.base.OK():
		r := t.Reg(c)
		t.Move(r, asm.I(x.imm))
		return r
	case x.imm == 0:
		return x.base
	}
	return t.Do(addOps[c], asm.R(x.base), asm.I(x.imm))
}

// wrapTo is a constant as a value of dtype d, which has 32 or 64 bits.
func wrapTo(d num.DType, imm int64) int64 {
	if d.Info().Bits == 32 {
		return int64(int32(imm))
	}
	return imm
}

// emitBaseImmArith emits add, sub, mul and shl, whose results keep base and immediate apart where operands do.
func emitBaseImmArith(e *emitter, in *ir.Instr) {
	d := in.Operands[0].Type.DType
	if !keepsBaseImm(d) {
		emitElementwise(e, in)
		return
	}
	v := in.Results[0]
	x, y := e.elements(in.Operands[0]), e.elements(in.Operands[1])
	seen := map[[2]baseImm]baseImm{}
	out := make([]baseImm, len(x))
	m := baseImmArith{e: e, d: d, op: in.Op, seen: map[operandKey]asm.Reg{}, multiples: map[baseImm]asm.Reg{}}
	for r := range x {
		// Elements that differ in nothing but their register number are computed once.
		k := [2]baseImm{x[r], y[r]}
		got, ok := seen[k]
		if !ok {
			got = m.combine(x[r], y[r])
			got.imm = wrapTo(d, got.imm)
			seen[k] = got
		}
		out[r] = got
	}
	e.setBaseImms(v, out, nil)
}

// baseImmArith computes one operation on elements. It computes nothing twice.
type baseImmArith struct {
	e         *emitter
	d         num.DType
	op        ops.Op
	seen      map[operandKey]asm.Reg
	multiples map[baseImm]asm.Reg
}

// apply is op of two registers.
func (m *baseImmArith) apply(op ops.Op, x, y asm.Reg) asm.Reg {
	r, ok := m.seen[operandKey{x, y}]
	if !ok {
		r = scalar.Op(m.e.Program, op, m.d, x, y)
		m.seen[operandKey{x, y}] = r
	}
	return r
}

// combine folds the operation into the immediates as far as it goes.
func (m *baseImmArith) combine(x, y baseImm) baseImm {
	switch {
	// With at most one base no instruction is needed: the immediates are added here.
	case m.op == ops.Add && !y.base.OK():
		return baseImm{x.base, x.imm + y.imm}
	case m.op == ops.Add && !x.base.OK():
		return baseImm{y.base, x.imm + y.imm}
	// Two bases take one instruction for all elements that share them; the immediates still stay apart.
	case m.op == ops.Add:
		return baseImm{m.apply(ops.Add, x.base, y.base), x.imm + y.imm}
	case m.op == ops.Sub && !y.base.OK():
		return baseImm{x.base, x.imm - y.imm}
	case m.op == ops.Sub && x.base.OK():
		return baseImm{m.apply(ops.Sub, x.base, y.base), x.imm - y.imm}
	case m.op == ops.Mul && !y.base.OK():
		return m.multiple(x, y.imm)
	case m.op == ops.Mul && !x.base.OK():
		return m.multiple(y, x.imm)
	// A shift by a constant is a multiple. Shifts beyond the width are left to the instruction's own rule.
	case m.op == ops.Shl && !y.base.OK() && uint64(y.imm) < uint64(m.d.Info().Bits):
		return m.multiple(x, 1<<y.imm)
	}
	if m.op == ops.Mul && (x.imm == 0 || y.imm == 0) {
		return baseImm{base: m.product(x, y)}
	}
	return baseImm{base: m.apply(m.op, m.e.materializeSum(m.d, x), m.e.materializeSum(m.d, y))}
}

// product is x times y, one of which has no immediate: a multiplication for the bases, and for each immediate one
// multiply-add.
func (m *baseImmArith) product(x, y baseImm) asm.Reg {
	if x.imm == 0 {
		x, y = y, x
	}
	r := m.apply(ops.Mul, x.base, y.base)
	if x.imm == 0 {
		return r
	}
	c := classOf(m.d)
	return m.e.Do(madOps[c], asm.R(y.base), asm.I(x.imm), asm.R(r))
}

var madOps = [...]string{asm.B32: "mad.lo.s32", asm.B64: "mad.lo.s64"}

var mulOps = [...]string{asm.B32: "mul.lo.s32", asm.B64: "mul.lo.s64"}

// multiple is x times a constant.
func (m *baseImmArith) multiple(x baseImm, by int64) baseImm {
	by = wrapTo(m.d, by)
	// (base + imm)·by = base·by + imm·by, modulo the width of the dtype.
	if !x.base.OK() || by == 0 {
		return baseImm{imm: x.imm * by}
	}
	if by == 1 {
		return x
	}
	k := baseImm{x.base, by}
	r, ok := m.multiples[k]
	if !ok {
		c := classOf(m.d)
		r = m.e.Do(mulOps[c], asm.R(x.base), asm.I(by))
		m.multiples[k] = r
	}
	return baseImm{r, x.imm * by}
}
