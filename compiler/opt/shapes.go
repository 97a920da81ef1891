package opt

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// splatScalar is the scalar that v repeats in every element, where it is a splat or a constant.
func (r *rewriter) splatScalar(v *ir.Value) (*ir.Value, bool) {
	if in, ok := definedBy(v, ops.Splat); ok {
		return in.Operands[0], true
	}
	if in, ok := definedBy(v, ops.Const); ok {
		return r.emitConstant(in.Span, in.Scalar("value"), nil), true
	}
	return nil, false
}

func (r *rewriter) emitSplat(like *ir.Instr, scalar *ir.Value) *ir.Value {
	shape := ir.Ints(like.Results[0].Type.Shape)
	return r.emitSimplified(like.Span, ops.Splat, []*ir.Value{scalar}, ir.Attr{Name: "shape", Value: shape})
}

// dropScalarSplat: a splat over no dimensions is its operand.
func dropScalarSplat(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if in.Results[0].Type.IsScalar() {
		return replaceBy(in.Operands[0])
	}
	return noMatch()
}

// sinkSplat turns f(splat x, splat y) into splat f(x, y): computed once in place of once per element.
// It is the rule that makes pointer arithmetic on program_id scalar.
func sinkSplat(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if in.Results[0].Type.IsScalar() {
		return noMatch()
	}
	// Look first, emit second: a rule that does not apply must leave nothing behind.
	for _, v := range in.Operands {
		if _, ok := definedBy(v, ops.Splat); !ok {
			if _, ok := definedBy(v, ops.Const); !ok {
				return noMatch()
			}
		}
	}
	scalars := make([]*ir.Value, len(in.Operands))
	for i, v := range in.Operands {
		scalars[i], _ = r.splatScalar(v)
	}
	return replaceBy(r.emitSplat(in, r.emitSimplified(in.Span, in.Op, scalars, in.Attrs...)))
}

// reshapeSplat: a splat stays one under every shape.
func reshapeSplat(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if splat, ok := definedBy(in.Operands[0], ops.Splat); ok {
		return replaceBy(r.emitSplat(in, splat.Operands[0]))
	}
	return noMatch()
}

// dropSameShape drops an operation that gives its operand's shape back.
func dropSameShape(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if in.Operands[0].Type.Equal(in.Results[0].Type) {
		return replaceBy(in.Operands[0])
	}
	return noMatch()
}

// lookThroughReshape looks through operations that keep the row-major order of elements.
func lookThroughReshape(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	for _, op := range [...]ops.Op{ops.Reshape, ops.ExpandDims} {
		if inner, ok := definedBy(in.Operands[0], op); ok {
			in.Operands[0] = inner.Operands[0]
		}
	}
	return noMatch()
}

// lookThroughBroadcast broadcasts from the first shape: sizes of 1 grow to what they become in the end.
func lookThroughBroadcast(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if inner, ok := definedBy(in.Operands[0], ops.Broadcast); ok {
		in.Operands[0] = inner.Operands[0]
	}
	return noMatch()
}

// simplifyTrans composes permutations and drops the one that moves nothing.
func simplifyTrans(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	perm := in.Ints("perm")
	if slices.IsSorted(perm) {
		return replaceBy(in.Operands[0])
	}
	inner, ok := definedBy(in.Operands[0], ops.Trans)
	if !ok {
		return noMatch()
	}
	first := inner.Ints("perm")
	both := make([]int64, len(perm))
	for i, p := range perm {
		both[i] = first[p] // axis i of the result is axis p of the inner, which is axis first[p]
	}
	return replaceBy(r.emitSimplified(in.Span, ops.Trans, inner.Operands, ir.Attr{Name: "perm", Value: both}))
}

// foldSplitOfJoin: splitting a join gives its operands back.
func foldSplitOfJoin(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if join, ok := definedBy(in.Operands[0], ops.Join); ok {
		return join.Operands, true
	}
	return noMatch()
}

// foldSingleArange: a range of one element is a constant.
func foldSingleArange(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if in.Results[0].Type.Shape[0] != 1 {
		return noMatch()
	}
	return replaceBy(r.emitConstant(in.Span, num.FromInt(num.Int32, in.Int("start")), []int{1}))
}
