package opt

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// foldRules compute operations on constants. A constant is the same in every element, so one element
// is computed whatever the shape, with the vector kernel that the interpreter runs.
var foldRules = func() (t ruleTable) {
	for op := range ops.OfClass(ops.Binary, ops.Comparison) {
		t.before[op] = []rule{foldBinary}
	}
	for op := range ops.OfClass(ops.Unary) {
		t.before[op] = []rule{foldUnary}
	}
	t.before[ops.FMA] = []rule{foldFMA}
	t.before[ops.Select] = []rule{foldSelect}
	t.before[ops.Cast] = []rule{foldCast}
	t.before[ops.Bitcast] = []rule{foldBitcast}
	for _, op := range []ops.Op{ops.Splat, ops.ExpandDims, ops.Broadcast, ops.Reshape, ops.Trans, ops.Hint} {
		t.before[op] = []rule{foldShape}
	}
	return t
}()

func foldPass(fn *ir.Func) { rewriteFunc(fn, &foldRules) }

// constantOperands are the values of in's operands; ok if all are known.
func constantOperands(in *ir.Instr) (values [3]num.Scalar, ok bool) {
	for i, v := range in.Operands {
		if values[i], ok = constantValue(v); !ok {
			return values, false
		}
	}
	return values, true
}

// emitFolded is the constant that compute puts into a vector of the result's dtype.
func (r *rewriter) emitFolded(in *ir.Instr, compute func(dst num.Vec)) ([]*ir.Value, bool) {
	t := in.Results[0].Type
	dst := num.MakeVec(t.Class(), 1)
	compute(dst)
	return replaceBy(r.emitConstant(in.Span, num.ScalarAt(t.DType, dst, 0), t.Shape))
}

func foldBinary(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	c, ok := constantOperands(in)
	if !ok {
		return noMatch()
	}
	kernel := in.Op.BinaryKernel(c[0].DType, in.Bool("propagate_nan"))
	return r.emitFolded(in, func(dst num.Vec) { kernel(dst, c[0].Vec(), c[1].Vec()) })
}

func foldUnary(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	c, ok := constantOperands(in)
	if !ok {
		return noMatch()
	}
	kernel := in.Op.UnaryKernel(c[0].DType)
	return r.emitFolded(in, func(dst num.Vec) { kernel(dst, c[0].Vec()) })
}

func foldFMA(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	c, ok := constantOperands(in)
	if !ok {
		return noMatch()
	}
	return r.emitFolded(in, func(dst num.Vec) { num.Fma(c[0].DType)(dst, c[0].Vec(), c[1].Vec(), c[2].Vec()) })
}

func foldSelect(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	switch cond := in.Operands[0]; {
	case isConstBool(cond, true):
		return replaceBy(in.Operands[1])
	case isConstBool(cond, false):
		return replaceBy(in.Operands[2])
	}
	return noMatch()
}

func foldCast(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	c, ok := constantOperands(in)
	if !ok {
		return noMatch()
	}
	return r.emitFolded(in, func(dst num.Vec) {
		num.Cast(c[0].DType, in.Results[0].Type.DType, roundingOf(in))(dst, c[0].Vec())
	})
}

func roundingOf(in *ir.Instr) num.Rounding {
	if in.Str("rounding") == "rtz" {
		return num.RTZ
	}
	return num.RTNE
}

func foldBitcast(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	c, ok := constantOperands(in)
	if !ok {
		return noMatch()
	}
	return r.emitFolded(in, func(dst num.Vec) {
		num.Bitcast(c[0].DType, in.Results[0].Type.DType)(dst, c[0].Vec())
	})
}

// foldShape: whatever the shape, the elements stay the same.
func foldShape(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	s, ok := constantValue(in.Operands[0])
	if !ok {
		return noMatch()
	}
	return replaceBy(r.emitConstant(in.Span, s, in.Results[0].Type.Shape))
}
