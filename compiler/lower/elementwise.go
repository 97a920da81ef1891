package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/types"
)

// lowerUnaryMath is a row that is one operation on floats.
func lowerUnaryMath(l *lowerer, c *call) value {
	a := c.bound[0]
	x := c.numberOf(a)
	if _, r := types.Unary(c.row.Op.Def().Arith.Unary, x.Type.DType); r != nil && !r.Runs {
		d := refusal(r, l.spanOf(a.expr))
		d.Primary.Text = diag.Text{Key: "is-of-type", Args: []any{l.sourceText(a.expr), typeText(x.Type)}}
		if l.frame.fn.module == l.user {
			d.Suggest(true, diag.Text{Key: "fix-to-float32"}, wrapEdits(l.spanOf(a.expr), a.expr, ".to(tl.float32)")...)
		}
		return l.fail(d)
	}
	return tensor{l.b.emit(c.node.Span(), c.row.Op, []*ir.Value{x})}
}

// lowerAbs lowers tl.abs and Python's.
func lowerAbs(l *lowerer, c *call) value {
	a := c.arg("x")
	if k, ok := a.val.(constant); ok && c.row.Where == tl.Builtin {
		return c.foldPythonCall("abs", k.v)
	}
	x := c.numberOf(a)
	// Unsigned integers are their own magnitude.
	if x.Type.IsInt() && !x.Type.DType.Info().Signed {
		return tensor{x}
	}
	return tensor{l.b.emit(c.node.Span(), ops.Abs, []*ir.Value{x})}
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
	return func(l *lowerer, c *call) value {
		x, y, at := c.operandArgs("x", "y")
		return l.lowerBinary(op, x, y, at)
	}
}

// lowerLogicalCall is x.logical_and(y) and its like.
func lowerLogicalCall(op string) special {
	return func(l *lowerer, c *call) value {
		var sides [2]tensor
		for i, a := range c.bound {
			sides[i] = tensor{c.numberOf(a)}
			_, r := types.LogicalNot(sides[i].v.Type.DType)
			c.must(l.isAllowed(r, l.spanOf(a.expr)))
		}
		at := operandNodes{c.node, c.bound[0].expr, c.bound[1].expr}
		return l.lowerArithmetic(operators[bitwiseOf[op]], sides[0], sides[1], at)
	}
}

// lowerWhere lowers tl.where. All three sides are broadcast together.
func lowerWhere(l *lowerer, c *call) value {
	ca := c.arg("condition")
	cond := c.numberOf(ca)
	if cond.Type.DType != num.Int1 {
		l.diags.Add(asHint(diag.New("where-condition", l.spanOf(ca.expr), l.sourceText(ca.expr), typeText(cond.Type))))
		cond = l.b.toBool(ca.expr.Span(), cond)
	}
	x, y, at := c.operandArgs("x", "y")
	if isPointer(x) || isPointer(y) {
		return c.selectPointers(cond, x, y, at)
	}
	c.must(l.checkNumbers(c.arg("x"), c.arg("y")))
	xo, ok1 := l.promotionOperand(x, at.left)
	yo, ok2 := l.promotionOperand(y, at.right)
	c.must(ok1 && ok2)
	p, r := types.Promote(types.Where, xo, yo)
	c.must(l.areAllowedOperands(r, x, y, at))
	// The condition takes part in the shape but not in the dtype.
	shape := c.commonShape(argument{tensor{cond}, ca.expr}, c.arg("x"), c.arg("y"))
	s := c.node.Span()
	return tensor{l.b.emit(s, ops.Select, []*ir.Value{l.b.broadcast(s, cond, shape),
		l.b.castAndBroadcast(x, xo, p.Compute, shape, at.left.Span()),
		l.b.castAndBroadcast(y, yo, p.Compute, shape, at.right.Span())})}
}

func (c *call) selectPointers(cond *ir.Value, x, y value, at operandNodes) value {
	l := c.l
	xt, ok1 := l.tensorType(x)
	yt, ok2 := l.tensorType(y)
	if !ok1 || !ok2 || types.Pointers("where", xt, yt) != nil {
		r := &types.Refusal{Code: types.WherePointer, Args: []any{kindText(x), kindText(y)}}
		return l.refuse(r, l.spanOf(at.whole))
	}
	sides := c.broadcastTogether(argument{tensor{cond}, c.arg("condition").expr}, c.arg("x"), c.arg("y"))
	return tensor{l.b.emit(c.node.Span(), ops.Select, sides)}
}

// commonShape broadcasts the shapes of several arguments together.
func (c *call) commonShape(args ...argument) (shape []int) {
	var widest argument
	for _, a := range args {
		own := shapeOfValue(a.val)
		next, r := types.BroadcastShapes(shape, own)
		if r != nil {
			c.fail(c.l.explainShapes(r, widest.val, a.val, operandNodes{c.node, widest.expr, a.expr}))
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
func lowerMinMax(_ *lowerer, c *call) value {
	op := ops.Max
	if c.row.Name == "minimum" {
		op = ops.Min
	}
	return c.lowerArithmetic(operator{types.MinMax, op}, nanAttr(c.propagatesNaN()))
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
	l := c.l
	var args [3]argument
	var os [3]types.Operand
	for i, name := range names {
		args[i] = c.arg(name)
		c.must(l.checkNumbers(args[i]))
		o, ok := l.promotionOperand(args[i].val, args[i].expr)
		c.must(ok)
		os[i] = l.operandFor(class, o)
	}
	// order: Triton promotes the bounds of clamp with each other before x.
	p, r := types.Promote3(class, os[order[0]], os[order[1]], os[order[2]])
	c.must(l.isAllowed(r, l.spanOf(c.node)))
	shape := c.commonShape(args[:]...)
	for i, a := range args {
		out[i] = l.b.castAndBroadcast(a.val, os[i], p.Compute, shape, a.expr.Span())
	}
	return out
}

// lowerClamp is max(min(x, hi), lo), as Triton defines it.
func lowerClamp(l *lowerer, c *call) value {
	v := c.promoteThree(types.Clamp, [3]string{"x", "min", "max"}, [3]int{1, 2, 0})
	at, nan := c.node.Span(), nanAttr(c.propagatesNaN())
	low := l.b.emit(at, ops.Max, []*ir.Value{v[0], v[1]}, nan)
	return tensor{l.b.emit(at, ops.Min, []*ir.Value{low, v[2]}, nan)}
}

// lowerFMA lowers tl.fma; integers have no single rounding, so they multiply and add.
func lowerFMA(l *lowerer, c *call) value {
	v := c.promoteThree(types.FMA, [3]string{"x", "y", "z"}, [3]int{0, 1, 2})
	at := c.node.Span()
	if v[0].Type.IsInt() {
		return tensor{l.b.emit(at, ops.Add, []*ir.Value{l.b.emit(at, ops.Mul, v[:2]), v[2]})}
	}
	return tensor{l.b.emit(at, ops.FMA, v[:])}
}

// lowerFDiv lowers tl.fdiv and tl.div_rn.
func lowerFDiv(_ *lowerer, c *call) value {
	switch {
	case c.row.Name == "div_rn":
		return c.lowerArithmetic(operator{types.DivRN, ops.DivRN})
	case c.isTrue("ieee_rounding"):
		return c.lowerArithmetic(operator{types.FDiv, ops.DivRN})
	}
	return c.lowerArithmetic(operator{types.FDiv, ops.Div})
}

func lowerUMulHi(_ *lowerer, c *call) value {
	return c.lowerArithmetic(operator{types.UMulHi, ops.UMulHi})
}

// lowerArithmetic is an operator on the numbers x and y; its class says which table of promotion holds.
func (c *call) lowerArithmetic(row operator, attrs ...ir.Attr) value {
	x, y, at := c.operandArgs("x", "y")
	c.must(c.l.checkNumbers(c.arg("x"), c.arg("y")))
	return c.l.lowerArithmetic(row, x, y, at, attrs...)
}
