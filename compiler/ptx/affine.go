package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

// elem is one integer of a tile of 32 or 64 bits: a register plus a constant, either of which may be
// missing. Registers of one tile often differ by constants alone; keeping these apart lets an address
// be computed once and the constants become immediates. The sum wraps as the dtype does.
type elem struct {
	reg asm.Reg
	imm int64
}

// affine reports whether values of dtype d are kept as elems.
func affine(d num.DType) bool { return !d.Info().Float && d.Info().Bits >= 32 }

// elemsIn are v's elements in layout l.
func (e *emitter) elemsIn(v *ir.Value, l layout.Layout) []elem {
	if v.Type.Pointer || !affine(v.Type.DType) {
		return nil
	}
	if e.layout(v).Equal(l) {
		if known := e.elems[v.ID]; known != nil {
			return known
		}
		return asElems(e.regs(v))
	}
	if c := e.version(v, l); c != nil && c.elems != nil {
		return c.elems
	}
	return asElems(e.in(v, l))
}

func asElems(regs []asm.Reg) []elem {
	out := make([]elem, len(regs))
	for i, r := range regs {
		out[i] = elem{reg: r}
	}
	return out
}

// setElems gives v its elements, and its registers where they are at hand.
func (e *emitter) setElems(v *ir.Value, elems []elem, regs []asm.Reg) {
	if regs == nil {
		regs = e.registers(v.Type.DType, elems)
	}
	e.elems[v.ID] = elems
	e.set(v, regs)
}

// registers are the sums of elems.
func (e *emitter) registers(d num.DType, elems []elem) []asm.Reg {
	out := make([]asm.Reg, len(elems))
	seen := make(map[elem]asm.Reg, len(elems))
	for i, x := range elems {
		r, ok := seen[x]
		if !ok {
			r = e.register(d, x)
			seen[x] = r
		}
		out[i] = r
	}
	return out
}

var sums = [...]string{asm.B32: "add.s32", asm.B64: "add.s64"}

func (e *emitter) register(d num.DType, x elem) asm.Reg {
	c := classOf(d)
	switch {
	case !x.reg.OK():
		r := e.Reg(c)
		e.Move(r, asm.I(x.imm))
		return r
	case x.imm == 0:
		return x.reg
	}
	return e.Do(sums[c], c, asm.R(x.reg), asm.I(x.imm))
}

// wrapped is a constant as a d holds it.
func wrapped(d num.DType, imm int64) int64 {
	if d.Info().Bits == 32 {
		return int64(int32(imm))
	}
	return imm
}

// emitAffine is add, sub, mul and shl: sums and multiples of elems are elems.
func emitAffine(e *emitter, in *ir.Instr) {
	d := in.Operands[0].Type.DType
	if !affine(d) {
		emitElementwise(e, in)
		return
	}
	v := in.Results[0]
	l := e.layout(v)
	x, y := e.elemsIn(in.Operands[0], l), e.elemsIn(in.Operands[1], l)
	seen := map[[2]elem]elem{}
	out := make([]elem, len(x))
	m := mixer{emitter: e, d: d, op: in.Op, seen: map[key]asm.Reg{}, multiples: map[elem]asm.Reg{}}
	for r := range x {
		k := [2]elem{x[r], y[r]}
		got, ok := seen[k]
		if !ok {
			got = m.mix(x[r], y[r])
			got.imm = wrapped(d, got.imm)
			seen[k] = got
		}
		out[r] = got
	}
	e.setElems(v, out, nil)
}

// mixer computes one operation on elems; what it is asked for again it has made already.
type mixer struct {
	*emitter
	d         num.DType
	op        ops.Op
	seen      map[key]asm.Reg
	multiples map[elem]asm.Reg
}

// apply is op of two registers.
func (m *mixer) apply(op ops.Op, x, y asm.Reg) asm.Reg {
	r, ok := m.seen[key{x, y}]
	if !ok {
		r = scalar.Op(m.Program, op, m.d, x, y)
		m.seen[key{x, y}] = r
	}
	return r
}

func (m *mixer) mix(x, y elem) elem {
	switch {
	case m.op == ops.Add && !y.reg.OK():
		return elem{x.reg, x.imm + y.imm}
	case m.op == ops.Add && !x.reg.OK():
		return elem{y.reg, x.imm + y.imm}
	case m.op == ops.Add:
		return elem{m.apply(ops.Add, x.reg, y.reg), x.imm + y.imm}
	case m.op == ops.Sub && !y.reg.OK():
		return elem{x.reg, x.imm - y.imm}
	case m.op == ops.Sub && x.reg.OK():
		return elem{m.apply(ops.Sub, x.reg, y.reg), x.imm - y.imm}
	case m.op == ops.Mul && !y.reg.OK():
		return m.times(x, y.imm)
	case m.op == ops.Mul && !x.reg.OK():
		return m.times(y, x.imm)
	case m.op == ops.Shl && !y.reg.OK() && uint64(y.imm) < uint64(m.d.Info().Bits):
		return m.times(x, 1<<y.imm)
	}
	return elem{reg: m.apply(m.op, m.register(m.d, x), m.register(m.d, y))}
}

var products = [...]string{asm.B32: "mul.lo.s32", asm.B64: "mul.lo.s64"}

// times is a multiple of x.
func (m *mixer) times(x elem, by int64) elem {
	by = wrapped(m.d, by)
	if !x.reg.OK() || by == 0 {
		return elem{imm: x.imm * by}
	}
	if by == 1 {
		return x
	}
	k := elem{x.reg, by}
	r, ok := m.multiples[k]
	if !ok {
		c := classOf(m.d)
		r = m.Do(products[c], c, asm.R(x.reg), asm.I(by))
		m.multiples[k] = r
	}
	return elem{r, x.imm * by}
}
