package tile

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

var binaryOps = map[ops.Op]num.BinaryOp{
	ops.Add: num.Add, ops.Sub: num.Sub, ops.Mul: num.Mul, ops.Div: num.Div, ops.DivRN: num.DivRN,
	ops.Rem: num.Rem, ops.And: num.And, ops.Or: num.Or, ops.Xor: num.Xor, ops.Shl: num.Shl,
	ops.Shr: num.Shr, ops.Min: num.Min, ops.Max: num.Max, ops.UMulHi: num.UMulHi,
}

// propagating are the forms of min and max in which a NaN wins.
var propagating = map[ops.Op]num.BinaryOp{ops.Min: num.MinNaN, ops.Max: num.MaxNaN}

var compareOps = map[ops.Op]num.CompareOp{
	ops.Eq: num.Eq, ops.Ne: num.Ne, ops.Lt: num.Lt, ops.Le: num.Le, ops.Gt: num.Gt, ops.Ge: num.Ge,
}

var unaryOps = map[ops.Op]num.UnaryOp{
	ops.Neg: num.Neg, ops.Not: num.Not, ops.Abs: num.Abs, ops.Exp: num.Exp, ops.Exp2: num.Exp2,
	ops.Log: num.Log, ops.Log2: num.Log2, ops.Sin: num.Sin, ops.Cos: num.Cos, ops.Sqrt: num.Sqrt,
	ops.SqrtRN: num.SqrtRN, ops.Rsqrt: num.Rsqrt, ops.Erf: num.Erf, ops.Floor: num.Floor, ops.Ceil: num.Ceil,
}

// dtypeOf is the dtype whose arithmetic values of type t have: pointers are numbers.
func dtypeOf(t types.Type) num.DType {
	if t.Pointer {
		return num.Int64
	}
	return t.DType
}

// binaryKernel is the kernel of a binary operation or comparison, nil where there is none.
func binaryKernel(in *ir.Instr) num.BinaryFn {
	d := dtypeOf(in.Operands[0].Type)
	if op, ok := compareOps[in.Op]; ok {
		return num.Compare(op, d)
	}
	op := binaryOps[in.Op]
	if in.Bool("propagate_nan") {
		op = propagating[in.Op]
	}
	return num.Binary(op, d)
}

func planBinary(p *planner, in *ir.Instr) {
	kernel := binaryKernel(in)
	if kernel == nil {
		panic(unsupported(in))
	}
	x, y := p.slot(in.Operands[0]), p.slot(in.Operands[1])
	d := p.result(in.Results[0])
	p.emit(p.slots[d].n, func(m *machine) { kernel(m.v[d], m.v[x], m.v[y]) })
}

func planUnary(p *planner, in *ir.Instr) {
	p.unary(in, num.Unary(unaryOps[in.Op], in.Operands[0].Type.DType))
}

func (p *planner) unary(in *ir.Instr, kernel num.UnaryFn) {
	if kernel == nil {
		panic(unsupported(in))
	}
	x := p.slot(in.Operands[0])
	d := p.result(in.Results[0])
	p.emit(p.slots[d].n, func(m *machine) { kernel(m.v[d], m.v[x]) })
}

func planCast(p *planner, in *ir.Instr) {
	rounding := num.RTNE
	if in.Str("rounding") == "rtz" {
		rounding = num.RTZ
	}
	p.unary(in, num.Cast(dtypeOf(in.Operands[0].Type), dtypeOf(in.Results[0].Type), rounding))
}

func planBitcast(p *planner, in *ir.Instr) {
	p.unary(in, num.Bitcast(in.Operands[0].Type.DType, in.Results[0].Type.DType))
}

func planFMA(p *planner, in *ir.Instr) {
	kernel := num.Fma(in.Operands[0].Type.DType)
	x, y, z := p.slot(in.Operands[0]), p.slot(in.Operands[1]), p.slot(in.Operands[2])
	d := p.result(in.Results[0])
	p.emit(p.slots[d].n, func(m *machine) { kernel(m.v[d], m.v[x], m.v[y], m.v[z]) })
}

func planSelect(p *planner, in *ir.Instr) {
	kernel := num.Select(in.Results[0].Type.Class())
	c, x, y := p.slot(in.Operands[0]), p.slot(in.Operands[1]), p.slot(in.Operands[2])
	d := p.result(in.Results[0])
	p.emit(p.slots[d].n, func(m *machine) { kernel(m.v[d], m.v[c], m.v[x], m.v[y]) })
}

func planConst(p *planner, in *ir.Instr) {
	value := in.Scalar("value")
	d := p.result(in.Results[0])
	p.emit(p.slots[d].n, func(m *machine) { value.Fill(m.v[d]) })
}

func planProgramID(p *planner, in *ir.Instr) {
	axis := in.Int("axis")
	d := p.result(in.Results[0])
	p.emit(1, func(m *machine) { fill(m.v[d].I32, m.pid[axis]) })
}

func planNumPrograms(p *planner, in *ir.Instr) {
	axis := in.Int("axis")
	d := p.result(in.Results[0])
	p.emit(1, func(m *machine) { fill(m.v[d].I32, int32(m.run.grid[axis])) })
}

func planArange(p *planner, in *ir.Instr) {
	start := int32(in.Int("start"))
	d := p.result(in.Results[0])
	p.emit(p.slots[d].n, func(m *machine) {
		dst := m.v[d].I32
		for i := range dst {
			dst[i] = start + int32(i)
		}
	})
}
