package opt

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// uniform is the scalar that v repeats in every element, where it is a splat or a constant.
func (r *rewriter) uniform(v *ir.Value) (*ir.Value, bool) {
	if in, ok := defines(v, ops.Splat); ok {
		return in.Operands[0], true
	}
	if in, ok := defines(v, ops.Const); ok {
		return r.constant(in.Span, in.Scalar("value"), nil), true
	}
	return nil, false
}

func (r *rewriter) splat(like *ir.Instr, scalar *ir.Value) *ir.Value {
	shape := ir.Ints(like.Results[0].Type.Shape)
	return r.emit(like.Span, ops.Splat, []*ir.Value{scalar}, ir.Attr{Name: "shape", Value: shape})
}

// scalarSplat: a splat over no dimensions is its operand.
func scalarSplat(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if in.Results[0].Type.IsScalar() {
		return one(in.Operands[0])
	}
	return none()
}

// onUniform computes once, before the splat, what would be computed in every element alike.
func onUniform(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if in.Results[0].Type.IsScalar() {
		return none()
	}
	for _, v := range in.Operands {
		if _, ok := defines(v, ops.Splat); !ok {
			if _, ok := defines(v, ops.Const); !ok {
				return none()
			}
		}
	}
	scalars := make([]*ir.Value, len(in.Operands))
	for i, v := range in.Operands {
		scalars[i], _ = r.uniform(v)
	}
	return one(r.splat(in, r.emit(in.Span, in.Op, scalars, in.Attrs...)))
}

// reshapeUniform: a splat stays one under every shape.
func reshapeUniform(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if splat, ok := defines(in.Operands[0], ops.Splat); ok {
		return one(r.splat(in, splat.Operands[0]))
	}
	return none()
}

// sameShape drops an operation that gives its operand's shape back.
func sameShape(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if in.Operands[0].Type.Equal(in.Results[0].Type) {
		return one(in.Operands[0])
	}
	return none()
}

// throughReshape looks through operations that keep the row-major order of elements.
func throughReshape(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	for _, op := range [...]ops.Op{ops.Reshape, ops.ExpandDims} {
		if inner, ok := defines(in.Operands[0], op); ok {
			in.Operands[0] = inner.Operands[0]
		}
	}
	return none()
}

func throughBroadcast(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if inner, ok := defines(in.Operands[0], ops.Broadcast); ok {
		in.Operands[0] = inner.Operands[0]
	}
	return none()
}

// simplifyTrans composes permutations and drops the one that moves nothing.
func simplifyTrans(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	perm := in.Ints("perm")
	if slices.IsSorted(perm) {
		return one(in.Operands[0])
	}
	inner, ok := defines(in.Operands[0], ops.Trans)
	if !ok {
		return none()
	}
	first := inner.Ints("perm")
	both := make([]int64, len(perm))
	for i, p := range perm {
		both[i] = first[p]
	}
	return one(r.emit(in.Span, ops.Trans, inner.Operands, ir.Attr{Name: "perm", Value: both}))
}

func splitJoin(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if join, ok := defines(in.Operands[0], ops.Join); ok {
		return join.Operands, true
	}
	return none()
}

// oneElement: a range of one element is a constant.
func oneElement(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if in.Results[0].Type.Shape[0] != 1 {
		return none()
	}
	return one(r.constant(in.Span, num.FromInt(num.Int32, in.Int("start")), []int{1}))
}
