package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/types"
)

// lowerUnaryMath is a row that is one operation on floats.
func lowerUnaryMath(l *lowerer, c *call) value {
	a := c.bound[0]
	x, ok := l.numberArg(a)
	if !ok {
		return poison{}
	}
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

// numberArg is an argument as a tensor that is no pointer.
func (l *lowerer) numberArg(a argument) (*ir.Value, bool) {
	v, ok := l.tensorArg(a.val, a.expr)
	if ok && v.Type.Pointer {
		l.fail(diag.New("number-wanted", l.spanOf(a.expr), l.sourceText(a.expr), typeText(v.Type)))
		return nil, false
	}
	return v, ok
}

// lowerAbs lowers tl.abs and Python's.
func lowerAbs(l *lowerer, c *call) value {
	a := c.arg("x")
	if k, ok := a.val.(constant); ok && c.row.Where == tl.Builtin {
		return c.foldPythonCall("abs", k)
	}
	x, ok := l.numberArg(a)
	if !ok {
		return poison{}
	}
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
		a, b := c.bound[0], c.bound[1]
		x, ok1 := l.numberArg(a)
		y, ok2 := l.numberArg(b)
		if !ok1 || !ok2 {
			return poison{}
		}
		for i, v := range []*ir.Value{x, y} {
			if _, r := types.LogicalNot(v.Type.DType); r != nil {
				return l.refuse(r, l.spanOf([]argument{a, b}[i].expr))
			}
		}
		return l.lowerArithmetic(operators[bitwiseOf[op]], tensor{x}, tensor{y}, operandNodes{c.node, a.expr, b.expr})
	}
}

// lowerWhere lowers tl.where. All three sides are broadcast together.
func lowerWhere(l *lowerer, c *call) value {
	ca := c.arg("condition")
	cond, ok := l.numberArg(ca)
	if !ok {
		return poison{}
	}
	if cond.Type.DType != num.Int1 {
		l.diags.Add(asHint(diag.New("where-condition", l.spanOf(ca.expr), l.sourceText(ca.expr), typeText(cond.Type))))
		cond = l.b.toBool(ca.expr.Span(), cond)
	}
	x, y, at := c.operandArgs("x", "y")
	if isPointer(x) || isPointer(y) {
		return c.selectPointers(cond, x, y, at)
	}
	if !l.checkNumbers(c.arg("x"), c.arg("y")) {
		return poison{}
	}
	xo, ok1 := l.promotionOperand(x, at.left)
	yo, ok2 := l.promotionOperand(y, at.right)
	if !ok1 || !ok2 {
		return poison{}
	}
	p, r := types.Promote(types.Where, xo, yo)
	if !l.areAllowedOperands(r, x, y, at) {
		return poison{}
	}
	// The condition takes part in the shape but not in the dtype.
	shape, ok := l.commonShape(at.whole, []value{tensor{cond}, x, y}, []syntax.Expr{ca.expr, at.left, at.right})
	if !ok {
		return poison{}
	}
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
		if !isPoison(x, y) {
			r := &types.Refusal{Code: types.WherePointer, Args: []any{kindText(x), kindText(y)}}
			l.fail(refusal(r, l.spanOf(at.whole)))
		}
		return poison{}
	}
	a, b := x.(tensor), y.(tensor)
	shape, ok := l.commonShape(at.whole, []value{tensor{cond}, x, y},
		[]syntax.Expr{c.arg("condition").expr, at.left, at.right})
	if !ok {
		return poison{}
	}
	s := c.node.Span()
	return tensor{l.b.emit(s, ops.Select,
		[]*ir.Value{l.b.broadcast(s, cond, shape), l.b.broadcast(s, a.v, shape), l.b.broadcast(s, b.v, shape)})}
}

// commonShape broadcasts the shapes of several values together.
func (l *lowerer) commonShape(at syntax.Node, vs []value, exprs []syntax.Expr) ([]int, bool) {
	var shape []int
	widest := 0
	for i, v := range vs {
		next, r := types.BroadcastShapes(shape, shapeOfValue(v))
		if r != nil {
			l.fail(l.explainShapes(r, vs[widest], v, operandNodes{at, exprs[widest], exprs[i]}))
			return nil, false
		}
		if len(shapeOfValue(v)) > 0 && len(shapeOfValue(v)) >= len(shape) {
			widest = i
		}
		shape = next
	}
	return shape, true
}

// propagatesNaN reads propagate_nan.
func (c *call) propagatesNaN() bool {
	n, ok := c.value("propagate_nan").(namespace)
	return ok && n.name == "PropagateNan.ALL"
}

// lowerMinMax lowers tl.maximum and tl.minimum.
func lowerMinMax(l *lowerer, c *call) value {
	x, y, at := c.operandArgs("x", "y")
	if !l.checkNumbers(c.arg("x"), c.arg("y")) {
		return poison{}
	}
	op := ops.Max
	if c.row.Name == "minimum" {
		op = ops.Min
	}
	return l.lowerArithmetic(operator{types.MinMax, op}, x, y, at, nanAttr(c.propagatesNaN()))
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
func (c *call) promoteThree(class types.OpClass, names [3]string, order [3]int) (out [3]*ir.Value, ok bool) {
	l := c.l
	var args [3]argument
	var os [3]types.Operand
	for i, name := range names {
		args[i] = c.arg(name)
		if !l.checkNumbers(args[i]) {
			return out, false
		}
		if os[i], ok = l.promotionOperand(args[i].val, args[i].expr); !ok {
			return out, false
		}
		os[i] = l.operandFor(class, os[i])
	}
	// order: Triton promotes the bounds of clamp with each other before x.
	p, r := types.Promote3(class, os[order[0]], os[order[1]], os[order[2]])
	if !l.isAllowed(r, l.spanOf(c.node)) {
		return out, false
	}
	shape, ok := l.commonShape(c.node, []value{args[0].val, args[1].val, args[2].val},
		[]syntax.Expr{args[0].expr, args[1].expr, args[2].expr})
	if !ok {
		return out, false
	}
	for i, a := range args {
		out[i] = l.b.castAndBroadcast(a.val, os[i], p.Compute, shape, a.expr.Span())
	}
	return out, true
}

// lowerClamp is max(min(x, hi), lo), as Triton defines it.
func lowerClamp(l *lowerer, c *call) value {
	v, ok := c.promoteThree(types.Clamp, [3]string{"x", "min", "max"}, [3]int{1, 2, 0})
	if !ok {
		return poison{}
	}
	at, nan := c.node.Span(), nanAttr(c.propagatesNaN())
	low := l.b.emit(at, ops.Max, []*ir.Value{v[0], v[1]}, nan)
	return tensor{l.b.emit(at, ops.Min, []*ir.Value{low, v[2]}, nan)}
}

// lowerFMA lowers tl.fma; integers have no single rounding, so they multiply and add.
func lowerFMA(l *lowerer, c *call) value {
	v, ok := c.promoteThree(types.FMA, [3]string{"x", "y", "z"}, [3]int{0, 1, 2})
	if !ok {
		return poison{}
	}
	at := c.node.Span()
	if v[0].Type.IsInt() {
		return tensor{l.b.emit(at, ops.Add, []*ir.Value{l.b.emit(at, ops.Mul, v[:2]), v[2]})}
	}
	return tensor{l.b.emit(at, ops.FMA, v[:])}
}

// lowerFDiv lowers tl.fdiv and tl.div_rn.
func lowerFDiv(l *lowerer, c *call) value {
	row := operator{types.FDiv, ops.Div}
	if k, ok := c.value("ieee_rounding").(constant); ok && k == pyTrue {
		row.op = ops.DivRN
	}
	if c.row.Name == "div_rn" {
		row = operator{types.DivRN, ops.DivRN}
	}
	return lowerArithmeticCall(l, c, row)
}

func lowerUMulHi(l *lowerer, c *call) value {
	return lowerArithmeticCall(l, c, operator{types.UMulHi, ops.UMulHi})
}

func lowerArithmeticCall(l *lowerer, c *call, row operator) value {
	// Triton's operator on the sides' promoted dtype; class says which table of promotion holds.
	x, y, at := c.operandArgs("x", "y")
	if !l.checkNumbers(c.arg("x"), c.arg("y")) {
		return poison{}
	}
	return l.lowerArithmetic(row, x, y, at)
}
