package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// lowerUnaryMath is a row that is one operation on floats.
func lowerUnaryMath(c *call) value {
	a := c.bound[0]
	x := c.numberOf(a)
	_, r := types.Unary(c.row.Op.Def().Arith.Unary, x.Type.DType)
	if args := c.node; r != nil && !r.Runs && c.isMember(args) && x.Type.IsFloat() && x.Type.DType.Info().Bits == 16 &&
		!c.has(triton.MemberDType) {
		// The method does not look at the dtype: libdevice's function of fp32 is called, and its result rounded.
		wide := c.b.emit(c.node.Span(), c.row.Op, []*ir.Value{c.b.cast(c.node.Span(), x, num.Float32)})
		return tensor{c.b.cast(c.node.Span(), wide, x.Type.DType)}
	}
	if r != nil && !r.Runs {
		d := refusal(r, c.spanOf(a.expr))
		d.Primary.Text = diag.Text{Key: "is-of-type", Args: []any{c.sourceText(a.expr), typeText(x.Type)}}
		if c.frame.fn.module == c.user {
			d.Suggest(true, diag.Text{Key: "fix-to-float32"}, wrapEdits(c.spanOf(a.expr), a.expr, ".to(tl.float32)")...)
		}
		return c.fail(d)
	}
	return tensor{c.b.emit(c.node.Span(), c.row.Op, []*ir.Value{x})}
}

// lowerAbs lowers tl.abs and Python's.
func lowerAbs(c *call) value {
	a := c.arg("x")
	if k, ok := a.val.(constant); ok && c.row.Where == tl.Builtin {
		return c.foldPythonCall("abs", k.v)
	}
	x := c.numberOf(a)
	// Unsigned integers are their own magnitude.
	if x.Type.IsInt() && !x.Type.DType.Info().Signed {
		return tensor{x}
	}
	return tensor{c.b.emit(c.node.Span(), ops.Abs, []*ir.Value{x})}
}

// operandArgs is two arguments of a call as the sides of an operator.
func (c *call) operandArgs(x, y string) (value, value, operandNodes) {
	a, b := c.arg(x), c.arg(y)
	return a.val, b.val, operandNodes{c.node, a.expr, b.expr}
}

// checkNumbers reports arguments that are not numbers.
func (l *lowerer) checkNumbers(vs ...argument) bool {
	ok := true
	for _, a := range vs {
		if isPoison(a.val) {
			ok = false
			continue
		}
		if !l.isNumber(a.val) || isPointer(a.val) {
			l.fail(diag.New("number-wanted", l.spanOf(a.expr), l.sourceText(a.expr), kindText(a.val)))
			ok = false
		}
	}
	return ok
}

// lowerOperatorCall is tl.add and its like.
func lowerOperatorCall(op string) special {
	return func(c *call) value {
		x, y, at := c.operandArgs("x", "y")
		return c.lowerBinary(op, x, y, at)
	}
}

// lowerLogicalCall is x.logical_and(y) and its like.
func lowerLogicalCall(op string) special {
	return func(c *call) value {
		var sides [2]tensor
		for i, a := range c.bound {
			sides[i] = tensor{c.numberOf(a)}
			_, r := types.LogicalNot(sides[i].v.Type.DType)
			c.must(c.isAllowed(r, c.spanOf(a.expr)))
		}
		at := operandNodes{c.node, c.bound[0].expr, c.bound[1].expr}
		return c.lowerArithmetic(operators[bitwiseOf[op]], sides[0], sides[1], at)
	}
}

// lowerWhere lowers tl.where. All three sides are broadcast together.
func lowerWhere(c *call) value {
	ca := c.arg("condition")
	cond := c.numberOf(ca)
	if cond.Type.DType != num.Int1 {
		if !c.frame.fn.module.prelude {
			c.diags.Add(diag.Warn("where-condition", c.spanOf(ca.expr), c.sourceText(ca.expr), typeText(cond.Type),
				cond.Type.DType.Info().Name))
		}
		cond = c.b.toBool(ca.expr.Span(), cond)
	}
	x, y, at := c.operandArgs("x", "y")
	if isPointer(x) || isPointer(y) {
		return c.selectPointers(cond, x, y, at)
	}
	c.must(c.checkNumbers(c.arg("x"), c.arg("y")))
	xo, ok1 := c.promotionOperand(x, at.left)
	yo, ok2 := c.promotionOperand(y, at.right)
	c.must(ok1 && ok2)
	p, r := types.Promote(types.Where, xo, yo)
	c.must(c.areAllowedOperands(r, x, y, at))
	// The condition takes part in the shape but not in the dtype.
	shape := c.commonShape(argument{tensor{cond}, ca.expr}, c.arg("x"), c.arg("y"))
	s := c.node.Span()
	return tensor{c.b.emit(s, ops.Select, []*ir.Value{c.b.broadcast(s, cond, shape),
		c.b.castAndBroadcast(x, xo, p.Compute, shape, at.left.Span()),
		c.b.castAndBroadcast(y, yo, p.Compute, shape, at.right.Span())})}
}

func (c *call) selectPointers(cond *ir.Value, x, y value, at operandNodes) value {
	xt, ok1 := c.tensorType(x)
	yt, ok2 := c.tensorType(y)
	if !ok1 || !ok2 || types.Pointers("where", xt, yt) != nil {
		r := &types.Refusal{Code: types.WherePointer, Args: []any{kindText(x), kindText(y)}}
		return c.refuse(r, c.spanOf(at.whole))
	}
	sides := c.broadcastTogether(argument{tensor{cond}, c.arg("condition").expr}, c.arg("x"), c.arg("y"))
	return tensor{c.b.emit(c.node.Span(), ops.Select, sides)}
}

// commonShape broadcasts the shapes of several arguments together.
func (c *call) commonShape(args ...argument) (shape []int) {
	var widest argument
	for _, a := range args {
		own := shapeOfValue(a.val)
		next, r := types.BroadcastShapes(shape, own)
		if r != nil {
			c.fail(c.explainShapes(r, widest.val, a.val, operandNodes{c.node, widest.expr, a.expr}))
		}
		if len(own) > 0 && len(own) >= len(shape) {
			widest = a
		}
		shape = next
	}
	return shape
}

// propagatesNaN reads propagate_nan.
func (c *call) propagatesNaN() bool {
	n, ok := c.value("propagate_nan").(namespace)
	return ok && n.name == "PropagateNan.ALL"
}

// lowerMinMax lowers tl.maximum and tl.minimum.
func lowerMinMax(c *call) value {
	op := ops.Max
	if c.row.Name == "minimum" {
		op = ops.Min
	}
	return c.lowerOperator(operator{types.MinMax, op}, nanAttr(c.propagatesNaN()))
}

// operandFor is a number as the operators of a class take it. newt's own functions in Python mean the fp64 constants
// that they write.
func (l *lowerer) operandFor(class types.OpClass, o types.Operand) types.Operand {
	if l.frame.fn.module.prelude {
		return o
	}
	return o.For(class)
}

// promoteThree reads three numeric arguments, converts them to what class promotes them to and gives them
// one shape.
func (c *call) promoteThree(class types.OpClass, names [3]string, order [3]int) (out [3]*ir.Value) {
	var args [3]argument
	var os [3]types.Operand
	for i, name := range names {
		args[i] = c.arg(name)
		c.must(c.checkNumbers(args[i]))
		o, ok := c.promotionOperand(args[i].val, args[i].expr)
		c.must(ok)
		os[i] = c.operandFor(class, o)
	}
	// order: Triton promotes the bounds of clamp with each other before x.
	p, r := types.Promote3(class, os[order[0]], os[order[1]], os[order[2]])
	c.must(c.isAllowed(r, c.spanOf(c.node)))
	shape := c.commonShape(args[:]...)
	for i, a := range args {
		out[i] = c.b.castAndBroadcast(a.val, os[i], p.Compute, shape, a.expr.Span())
	}
	return out
}

// lowerClamp is max(min(x, hi), lo), as Triton defines it.
func lowerClamp(c *call) value {
	v := c.promoteThree(types.Clamp, [3]string{"x", "min", "max"}, [3]int{1, 2, 0})
	at, nan := c.node.Span(), nanAttr(c.propagatesNaN())
	low := c.b.emit(at, ops.Max, []*ir.Value{v[0], v[1]}, nan)
	return tensor{c.b.emit(at, ops.Min, []*ir.Value{low, v[2]}, nan)}
}

// lowerFMA lowers tl.fma; integers have no single rounding, so they multiply and add.
func lowerFMA(c *call) value {
	v := c.promoteThree(types.FMA, [3]string{"x", "y", "z"}, [3]int{0, 1, 2})
	at := c.node.Span()
	if v[0].Type.IsInt() {
		return tensor{c.b.emit(at, ops.Add, []*ir.Value{c.b.emit(at, ops.Mul, v[:2]), v[2]})}
	}
	return tensor{c.b.emit(at, ops.FMA, v[:])}
}

// lowerFDiv lowers tl.fdiv and tl.div_rn.
func lowerFDiv(c *call) value {
	switch {
	case c.row.Name == "div_rn":
		return c.lowerOperator(operator{types.DivRN, ops.DivRN})
	case c.isTrue("ieee_rounding") && (c.has(triton.IEEEDivision) || c.frame.fn.module.prelude):
		return c.lowerOperator(operator{types.FDiv, ops.DivRN})
	}
	return c.lowerOperator(operator{types.FDiv, ops.Div})
}

func lowerUMulHi(c *call) value {
	return c.lowerOperator(operator{types.UMulHi, ops.UMulHi})
}

// lowerOperator is an operator on the numbers x and y; its class says which table of promotion holds.
func (c *call) lowerOperator(row operator, attrs ...ir.Attr) value {
	x, y, at := c.operandArgs("x", "y")
	c.must(c.checkNumbers(c.arg("x"), c.arg("y")))
	return c.lowerArithmetic(row, x, y, at, attrs...)
}
