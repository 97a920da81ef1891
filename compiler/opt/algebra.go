package opt

import (
	"math"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// identities gives, for x op s, the identity element s that makes it x: as an integer (-1 is all
// ones, for int1 too), and as a float where floats have one. Those of integers hold modulo 2 to the
// width. Those of floats are only the ones that NaN, infinities and signed zeros leave true: -0 is
// the identity of addition, +0 is not, since -0 + 0 is +0.
var identities = map[ops.Op]struct {
	integer int64
	float   float64
	floats  bool
}{
	ops.Add:   {0, math.Copysign(0, -1), true},
	ops.Sub:   {0, 0, true},
	ops.Mul:   {1, 1, true},
	ops.Div:   {1, 1, true},
	ops.DivRN: {1, 1, true},
	ops.And:   {integer: -1},
	ops.Or:    {},
	ops.Xor:   {},
	ops.Shl:   {},
	ops.Shr:   {},
}

// absorbers gives, for integers x op s, the absorbing element s: the result is s whatever x is.
// Floats have none: 0 * NaN is NaN.
var absorbers = map[ops.Op]int64{ops.Mul: 0, ops.And: 0, ops.Or: -1}

func isNeutral(op ops.Op, s num.Scalar) bool {
	n, ok := identities[op]
	if s.DType.Info().Float {
		return ok && n.floats && s == num.FromFloat(s.DType, n.float)
	}
	return ok && s == num.FromInt(s.DType, n.integer)
}

// moveConstantRight canonicalizes a commutative operation: its constant is the right operand, so
// that the rules that follow need look there alone.
func moveConstantRight(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if _, left := constantValue(in.Operands[0]); left {
		if _, right := constantValue(in.Operands[1]); !right {
			in.Operands[0], in.Operands[1] = in.Operands[1], in.Operands[0]
		}
	}
	return noMatch()
}

// foldIdentity applies identity and absorbing elements on the right.
func foldIdentity(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	s, ok := constantValue(in.Operands[1])
	if !ok {
		return noMatch()
	}
	x := in.Operands[0]
	if isNeutral(in.Op, s) {
		return replaceBy(x)
	}
	// Floats have no absorbing element, and x % 1 keeps the sign of zero.
	if !x.Type.IsInt() {
		return noMatch()
	}
	if v, ok := absorbers[in.Op]; ok && s == num.FromInt(s.DType, v) {
		return replaceBy(in.Operands[1])
	}
	if in.Op == ops.Rem && s == num.FromInt(s.DType, 1) {
		return replaceBy(r.emitConstant(in.Span, num.FromInt(s.DType, 0), x.Type.Shape))
	}
	return noMatch()
}

// subToAdd canonicalizes x - c to x + (-c), which reassociates with other additions. Floats keep their
// subtraction: 0 - 0 and 0 + -0 differ in sign.
func subToAdd(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	x, y := in.Operands[0], in.Operands[1]
	if _, ok := constantValue(y); !ok || !x.Type.IsInt() {
		return noMatch()
	}
	return replaceBy(r.emitSimplified(in.Span, ops.Add,
		[]*ir.Value{x, r.emitSimplified(in.Span, ops.Neg, []*ir.Value{y})}))
}

// reassociate turns (x op c) op d into x op (c op d) for integers, whose arithmetic is associative
// modulo 2 to the width. Floats round in between and are left alone.
func reassociate(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	inner, ok := definedBy(in.Operands[0], in.Op)
	if !ok || !in.Operands[0].Type.IsInt() {
		return noMatch()
	}
	if _, ok := constantValue(in.Operands[1]); !ok {
		return noMatch()
	}
	if _, ok := constantValue(inner.Operands[1]); !ok {
		return noMatch()
	}
	both := r.emitSimplified(in.Span, in.Op, []*ir.Value{inner.Operands[1], in.Operands[1]}) // folds
	return replaceBy(r.emitSimplified(in.Span, in.Op, []*ir.Value{inner.Operands[0], both}))
}

// foldSameOperands replaces x op x. Of floats, only what also holds for NaN: x - x is NaN for
// infinities, and x == x is false for a NaN.
func foldSameOperands(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	x := in.Operands[0]
	if x != in.Operands[1] {
		return noMatch()
	}
	switch in.Op {
	case ops.Min, ops.Max, ops.And, ops.Or:
		return replaceBy(x)
	case ops.Sub, ops.Xor:
		if x.Type.IsInt() {
			return replaceBy(r.emitConstant(in.Span, num.FromInt(x.Type.DType, 0), x.Type.Shape))
		}
	case ops.Eq, ops.Le, ops.Ge, ops.Ne, ops.Lt, ops.Gt:
		if x.Type.IsInt() || x.Type.Pointer {
			holds := in.Op == ops.Eq || in.Op == ops.Le || in.Op == ops.Ge
			return replaceBy(r.emitConstant(in.Span, num.FromBool(holds), x.Type.Shape))
		}
	}
	return noMatch()
}

// cancelTwice drops an involution applied twice: neg neg x, not not x.
func cancelTwice(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if inner, ok := definedBy(in.Operands[0], in.Op); ok {
		return replaceBy(inner.Operands[0])
	}
	return noMatch()
}

// simplifyAbs drops what abs hides. Unsigned integers have no sign to hide: the abs of 255 is 255.
func simplifyAbs(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if inner, ok := definedBy(in.Operands[0], ops.Abs); ok {
		return replaceBy(inner.Results[0])
	}
	if inner, ok := definedBy(in.Operands[0], ops.Neg); ok && in.Operands[0].Type.DType.Info().Signed {
		in.Operands[0] = inner.Operands[0]
	}
	return noMatch()
}

var inverseCompare = map[ops.Op]ops.Op{
	ops.Eq: ops.Ne, ops.Ne: ops.Eq, ops.Lt: ops.Ge, ops.Ge: ops.Lt, ops.Gt: ops.Le, ops.Le: ops.Gt,
}

// invertCompare turns not (x < y) into x >= y. With a NaN both are false, so floats keep the not,
// but for == and !=, which are complements even then.
func invertCompare(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	x := in.Operands[0]
	if x.Def == nil || x.Type.DType != num.Int1 {
		return noMatch()
	}
	op, ok := inverseCompare[x.Def.Op]
	if !ok || x.Def.Operands[0].Type.IsFloat() && op != ops.Eq && op != ops.Ne {
		return noMatch()
	}
	return replaceBy(r.emitSimplified(in.Span, op, x.Def.Operands))
}

// simplifySelect drops a choice between equals, a choice between true and false, and a negation of
// the condition, whose sides it swaps.
func simplifySelect(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	cond, x, y := in.Operands[0], in.Operands[1], in.Operands[2]
	if x == y {
		return replaceBy(x)
	}
	if isConstBool(x, true) && isConstBool(y, false) {
		return replaceBy(cond)
	}
	if not, ok := definedBy(cond, ops.Not); ok {
		in.Operands[0], in.Operands[1], in.Operands[2] = not.Operands[0], y, x
	}
	return noMatch()
}

// simplifyCast drops casts to the same dtype and the first of two casts where it loses nothing.
func simplifyCast(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	x := in.Operands[0]
	from, to := x.Type.DType, in.Results[0].Type.DType
	if from == to {
		return replaceBy(x)
	}
	inner, ok := definedBy(x, ops.Cast)
	if !ok {
		return noMatch()
	}
	first := inner.Operands[0]
	if isExact(first.Type.DType, from) || wrapsTwice(first.Type.DType, from, to) {
		return replaceBy(r.emitSimplified(in.Span, ops.Cast, []*ir.Value{first}, in.Attrs...))
	}
	return noMatch()
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

// simplifyBitcast makes one bitcast of a chain of them, and none if the chain ends in the type in
// which it began.
func simplifyBitcast(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if inner, ok := definedBy(in.Operands[0], ops.Bitcast); ok {
		in.Operands[0] = inner.Operands[0]
	}
	if in.Operands[0].Type.Equal(in.Results[0].Type) {
		return replaceBy(in.Operands[0])
	}
	return noMatch()
}
