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
		t.before[op] = []rule{fold(func(in *ir.Instr, dst num.Vec, c [3]num.Scalar) {
			in.Op.BinaryKernel(c[0].DType, in.Bool("propagate_nan"))(dst, c[0].Vec(), c[1].Vec())
		})}
	}
	for op := range ops.OfClass(ops.Unary) {
		t.before[op] = []rule{fold(func(in *ir.Instr, dst num.Vec, c [3]num.Scalar) {
			in.Op.UnaryKernel(c[0].DType)(dst, c[0].Vec())
		})}
	}
	t.before[ops.FMA] = []rule{fold(func(_ *ir.Instr, dst num.Vec, c [3]num.Scalar) {
		num.Fma(c[0].DType)(dst, c[0].Vec(), c[1].Vec(), c[2].Vec())
	})}
	t.before[ops.Cast] = []rule{fold(func(in *ir.Instr, dst num.Vec, c [3]num.Scalar) {
		num.Cast(c[0].DType, in.Results[0].Type.DType, roundingOf(in))(dst, c[0].Vec())
	})}
	t.before[ops.Bitcast] = []rule{fold(func(in *ir.Instr, dst num.Vec, c [3]num.Scalar) {
		num.Bitcast(c[0].DType, in.Results[0].Type.DType)(dst, c[0].Vec())
	})}
	t.before[ops.Select] = []rule{foldSelect}
	for _, op := range []ops.Op{ops.Splat, ops.ExpandDims, ops.Broadcast, ops.Reshape, ops.Trans, ops.Hint} {
		t.before[op] = []rule{foldShape}
	}
	return t
}()

func foldPass(fn *ir.Func) { rewriteFunc(fn, &foldRules) }

// fold is the rule of an operation whose operands are all known: the constant that compute puts into a vector of the
// result's dtype.
func fold(compute func(in *ir.Instr, dst num.Vec, c [3]num.Scalar)) rule {
	return func(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
		var c [3]num.Scalar
		for i, v := range in.Operands {
			var ok bool
			if c[i], ok = constantValue(v); !ok {
				return noMatch()
			}
		}
		t := in.Results[0].Type
		dst := num.MakeVec(t.Class(), 1)
		compute(in, dst, c)
		return replaceBy(r.emitConstant(in.Span, num.ScalarAt(t.DType, dst, 0), t.Shape))
	}
}

func foldSelect(_ *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	switch cond := in.Operands[0]; {
	case isConstBool(cond, true):
		return replaceBy(in.Operands[1])
	case isConstBool(cond, false):
		return replaceBy(in.Operands[2])
	}
	return noMatch()
}

func roundingOf(in *ir.Instr) num.Rounding {
	if in.Str("rounding") == "rtz" {
		return num.RTZ
	}
	return num.RTNE
}

// foldShape: whatever the shape, the elements stay the same.
func foldShape(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	s, ok := constantValue(in.Operands[0])
	if !ok {
		return noMatch()
	}
	return replaceBy(r.emitConstant(in.Span, s, in.Results[0].Type.Shape))
}
