package opt

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// simplifyAddPtr drops moves by nothing and adds up moves by constants.
func simplifyAddPtr(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	offset, ok := constantValue(in.Operands[1])
	if !ok {
		return noMatch()
	}
	if offset.IsZero() {
		return replaceBy(in.Operands[0])
	}
	inner, ok := definedBy(in.Operands[0], ops.AddPtr)
	if !ok {
		return noMatch()
	}
	first, ok := constantValue(inner.Operands[1])
	if !ok {
		return noMatch()
	}
	sum, fits := addOffsets(first, offset)
	if !fits {
		return noMatch()
	}
	both := r.emitConstant(in.Span, sum, in.Operands[1].Type.Shape)
	return replaceBy(r.emitSimplified(in.Span, ops.AddPtr, []*ir.Value{inner.Operands[0], both}))
}

// addOffsets adds as pointers do, without wrapping: in i32 where that holds the sum, else in i64.
func addOffsets(a, b num.Scalar) (sum num.Scalar, fits bool) {
	if a.DType == num.Uint64 || b.DType == num.Uint64 {
		return sum, false
	}
	// The offset of add_ptr is sign-extended and the sum of two is taken in 64 bits, so folding in
	// i32 must not wrap where the hardware would not.
	x, y := a.Int(), b.Int()
	v := x + y
	if (x < 0) == (y < 0) && (v < 0) != (x < 0) {
		return sum, false
	}
	if sum = num.FromInt(num.Int32, v); sum.Int() == v {
		return sum, true
	}
	return num.FromInt(num.Int64, v), true
}

// foldSamePointer: the distance of a pointer from itself.
func foldSamePointer(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if in.Operands[0] != in.Operands[1] {
		return noMatch()
	}
	return replaceBy(r.emitConstant(in.Span, num.FromInt(num.Int64, 0), in.Results[0].Type.Shape))
}

// simplifyLoad drops a mask that always holds, and a load whose mask never does.
func simplifyLoad(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	switch mask, other := in.Operand(1), in.Operand(2); {
	case isConstBool(mask, true):
		in.Operands = in.Operands[:1]
	case isConstBool(mask, false) && other != nil:
		return replaceBy(other)
	case mask == nil: // canonical: no trailing nil operands
		in.Operands = in.Operands[:1]
	}
	return noMatch()
}

// dropTrueMask drops the third operand where it is a mask that always holds.
func dropTrueMask(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if i := in.Op.Mask(); isConstBool(in.Operand(i), true) {
		in.Operands = in.Operands[:i]
	}
	return noMatch()
}

// dropMaskedStore removes a store whose mask never holds: no lane writes.
func dropMaskedStore(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if isConstBool(in.Operand(2), false) {
		return removeInstr()
	}
	return noMatch()
}

// dropTrueClaim drops claims about what is known to hold.
func dropTrueClaim(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if isConstBool(in.Operands[0], true) {
		return removeInstr()
	}
	return noMatch()
}

// dropEmptyHint drops a hint that says nothing.
func dropEmptyHint(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if len(in.Attrs) == 0 {
		return replaceBy(in.Operands[0])
	}
	return noMatch()
}
