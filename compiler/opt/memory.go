package opt

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// simplifyAddPtr drops moves by nothing and adds up moves by constants.
func simplifyAddPtr(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	offset, ok := constantOf(in.Operands[1])
	if !ok {
		return none()
	}
	if offset.IsZero() {
		return one(in.Operands[0])
	}
	inner, ok := defines(in.Operands[0], ops.AddPtr)
	if !ok {
		return none()
	}
	first, ok := constantOf(inner.Operands[1])
	if !ok {
		return none()
	}
	sum, fits := addOffsets(first, offset)
	if !fits {
		return none()
	}
	both := r.constant(in.Span, sum, in.Operands[1].Type.Shape)
	return one(r.emit(in.Span, ops.AddPtr, []*ir.Value{inner.Operands[0], both}))
}

// addOffsets adds as pointers do, without wrapping: in i32 where that holds the sum, else in i64.
func addOffsets(a, b num.Scalar) (sum num.Scalar, fits bool) {
	if a.DType == num.Uint64 || b.DType == num.Uint64 {
		return sum, false
	}
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

// samePointer: the distance of a pointer from itself.
func samePointer(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if in.Operands[0] != in.Operands[1] {
		return none()
	}
	return one(r.constant(in.Span, num.FromInt(num.Int64, 0), in.Results[0].Type.Shape))
}

// simplifyLoad drops a mask that always holds, and a load whose mask never does.
func simplifyLoad(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	switch mask, other := in.Operand(1), in.Operand(2); {
	case isConstBool(mask, true):
		in.Operands = in.Operands[:1]
	case isConstBool(mask, false) && other != nil:
		return one(other)
	case mask == nil:
		in.Operands = in.Operands[:1]
	}
	return none()
}

// dropTrueMask drops the third operand where it is a mask that always holds.
func dropTrueMask(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if isConstBool(in.Operand(2), true) {
		in.Operands = in.Operands[:2]
	}
	return none()
}

func storeNothing(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if isConstBool(in.Operand(2), false) {
		return removed()
	}
	return none()
}

// holds drops claims about what is known to hold.
func holds(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if isConstBool(in.Operands[0], true) {
		return removed()
	}
	return none()
}

// emptyHint drops a hint that says nothing.
func emptyHint(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if len(in.Attrs) == 0 {
		return one(in.Operands[0])
	}
	return none()
}
