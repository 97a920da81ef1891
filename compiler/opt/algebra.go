package opt

import (
	"math"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// Identities of arithmetic. Those of integers hold modulo 2 to the width; those of floats are only
// the ones that NaN, infinities and signed zeros leave true.

// neutral gives, for x op s, the s that makes it x: as an integer (-1 is all ones, for int1 too), and as a float where floats have
// one. -0 is neutral for addition, +0 is not: -0 + 0 is +0.
var neutral = map[ops.Op]struct {
	integer int64
	float   float64
	floats  bool
}{
	ops.Add: {0, math.Copysign(0, -1), true}, ops.Sub: {0, 0, true},
	ops.Mul: {1, 1, true}, ops.Div: {1, 1, true}, ops.DivRN: {1, 1, true},
	ops.And: {integer: -1}, ops.Or: {}, ops.Xor: {}, ops.Shl: {}, ops.Shr: {},
}

// absorbing gives, for integers x op s, the s that makes it s whatever x is.
var absorbing = map[ops.Op]int64{ops.Mul: 0, ops.And: 0, ops.Or: -1}

func isNeutral(op ops.Op, s num.Scalar) bool {
	n, ok := neutral[op]
	if s.DType.Info().Float {
		return ok && n.floats && s == num.FromFloat(s.DType, n.float)
	}
	return ok && s == num.FromInt(s.DType, n.integer)
}

// constantRight moves the constant of a commutative operation to the right, so that rules need
// look there alone.
func constantRight(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if _, left := constantOf(in.Operands[0]); left {
		if _, right := constantOf(in.Operands[1]); !right {
			in.Operands[0], in.Operands[1] = in.Operands[1], in.Operands[0]
		}
	}
	return none()
}

func byConstant(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	s, ok := constantOf(in.Operands[1])
	if !ok {
		return none()
	}
	x := in.Operands[0]
	if isNeutral(in.Op, s) {
		return one(x)
	}
	if !x.Type.IsInt() {
		return none()
	}
	if v, ok := absorbing[in.Op]; ok && s == num.FromInt(s.DType, v) {
		return one(in.Operands[1])
	}
	if in.Op == ops.Rem && s == num.FromInt(s.DType, 1) {
		return one(r.constant(in.Span, num.FromInt(s.DType, 0), x.Type.Shape))
	}
	return none()
}

// subConstant turns x - c into x + (-c), which chains with other additions.
func subConstant(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	x, y := in.Operands[0], in.Operands[1]
	if _, ok := constantOf(y); !ok || !x.Type.IsInt() {
		return none()
	}
	return one(r.emit(in.Span, ops.Add, []*ir.Value{x, r.emit(in.Span, ops.Neg, []*ir.Value{y})}))
}

// chain turns (x op c) op d into x op (c op d) for integers.
func chain(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	inner, ok := defines(in.Operands[0], in.Op)
	if !ok || !in.Operands[0].Type.IsInt() {
		return none()
	}
	if _, ok := constantOf(in.Operands[1]); !ok {
		return none()
	}
	if _, ok := constantOf(inner.Operands[1]); !ok {
		return none()
	}
	both := r.emit(in.Span, in.Op, []*ir.Value{inner.Operands[1], in.Operands[1]})
	return one(r.emit(in.Span, in.Op, []*ir.Value{inner.Operands[0], both}))
}

// sameOperands knows what x op x is.
func sameOperands(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	x := in.Operands[0]
	if x != in.Operands[1] {
		return none()
	}
	switch in.Op {
	case ops.Min, ops.Max, ops.And, ops.Or:
		return one(x)
	case ops.Sub, ops.Xor:
		if x.Type.IsInt() {
			return one(r.constant(in.Span, num.FromInt(x.Type.DType, 0), x.Type.Shape))
		}
	case ops.Eq, ops.Le, ops.Ge, ops.Ne, ops.Lt, ops.Gt:
		if x.Type.IsInt() || x.Type.Pointer {
			holds := in.Op == ops.Eq || in.Op == ops.Le || in.Op == ops.Ge
			return one(r.constant(in.Span, num.FromBool(holds), x.Type.Shape))
		}
	}
	return none()
}

// twice undoes an operation that undoes itself.
func twice(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if inner, ok := defines(in.Operands[0], in.Op); ok {
		return one(inner.Operands[0])
	}
	return none()
}

// absOf drops what abs hides. Unsigned integers have no sign to hide: the abs of 255 is 255.
func absOf(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if inner, ok := defines(in.Operands[0], ops.Abs); ok {
		return one(inner.Results[0])
	}
	if inner, ok := defines(in.Operands[0], ops.Neg); ok && in.Operands[0].Type.DType.Info().Signed {
		in.Operands[0] = inner.Operands[0]
	}
	return none()
}

var opposite = map[ops.Op]ops.Op{
	ops.Eq: ops.Ne, ops.Ne: ops.Eq, ops.Lt: ops.Ge, ops.Ge: ops.Lt, ops.Gt: ops.Le, ops.Le: ops.Gt,
}

// notCompare turns not (x < y) into x >= y where no NaN can be.
func notCompare(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	x := in.Operands[0]
	if x.Def == nil || x.Type.DType != num.Int1 {
		return none()
	}
	op, ok := opposite[x.Def.Op]
	if !ok || x.Def.Operands[0].Type.IsFloat() && op != ops.Eq && op != ops.Ne {
		return none()
	}
	return one(r.emit(in.Span, op, x.Def.Operands))
}

func simplifySelect(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	cond, x, y := in.Operands[0], in.Operands[1], in.Operands[2]
	if x == y {
		return one(x)
	}
	if isConstBool(x, true) && isConstBool(y, false) {
		return one(cond)
	}
	if not, ok := defines(cond, ops.Not); ok {
		in.Operands[0], in.Operands[1], in.Operands[2] = not.Operands[0], y, x
	}
	return none()
}

// simplifyCast drops casts to the same dtype and the first of two casts where it loses nothing.
func simplifyCast(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	x := in.Operands[0]
	from, to := x.Type.DType, in.Results[0].Type.DType
	if from == to {
		return one(x)
	}
	inner, ok := defines(x, ops.Cast)
	if !ok {
		return none()
	}
	first := inner.Operands[0]
	if isExact(first.Type.DType, from) || wrapsTwice(first.Type.DType, from, to) {
		return one(r.emit(in.Span, ops.Cast, []*ir.Value{first}, in.Attrs...))
	}
	return none()
}

// isExact reports whether every value of a is one of b, and of the same kind.
func isExact(a, b num.DType) bool {
	x, y := a.Info(), b.Info()
	switch {
	case x.Float != y.Float:
		return false
	case x.Float:
		return b == num.Float64 || b == num.Float32 && x.Bits <= 16
	}
	return x.Bits < y.Bits && (!x.Signed || y.Signed)
}

// wrapsTwice reports whether an integer that is narrowed twice ends as if narrowed once. int1 does
// not wrap: it asks whether a value is 0.
func wrapsTwice(a, b, c num.DType) bool {
	x, y, z := a.Info(), b.Info(), c.Info()
	return !x.Float && !y.Float && !z.Float && b != num.Int1 && c != num.Int1 && z.Bits <= y.Bits
}

func simplifyBitcast(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if inner, ok := defines(in.Operands[0], ops.Bitcast); ok {
		in.Operands[0] = inner.Operands[0]
	}
	if in.Operands[0].Type.Equal(in.Results[0].Type) {
		return one(in.Operands[0])
	}
	return none()
}
