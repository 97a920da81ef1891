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

// unaryMath is a row that is one operation on floats.
func (l *lowerer) unaryMath(c *call) value {
	a := c.bound[0]
	x, ok := l.numberArg(a)
	if !ok {
		return poison{}
	}
	if _, r := types.Unary(c.row.Op.Def().Arith.Unary, x.Type.DType); r != nil && !r.Runs {
		d := refusal(r, l.place(a.expr))
		d.Primary.Text = diag.Text{Key: "is-of-type", Args: []any{l.text(a.expr), typeText(x.Type)}}
		if l.frame.fn.module == l.user {
			d.Suggest(true, diag.Text{Key: "fix-to-float32"}, wrapEdits(l.place(a.expr), a.expr, ".to(tl.float32)")...)
		}
		return l.fail(d)
	}
	return tensor{l.emit(c.node.Span(), c.row.Op, []*ir.Value{x})}
}

// numberArg is an argument as a tensor that is no pointer.
func (l *lowerer) numberArg(a argument) (*ir.Value, bool) {
	v, ok := l.tensorArg(a.val, a.expr)
	if ok && v.Type.Pointer {
		l.fail(diag.New("number-wanted", l.place(a.expr), l.text(a.expr), typeText(v.Type)))
		return nil, false
	}
	return v, ok
}

// abs lowers tl.abs and Python's.
func (l *lowerer) abs(c *call) value {
	a := c.arg("x")
	if k, ok := a.val.(constant); ok && c.row.Where == tl.Builtin {
		return l.pythonCall(c, "abs", k)
	}
	x, ok := l.numberArg(a)
	if !ok {
		return poison{}
	}
	if x.Type.IsInt() && !x.Type.DType.Info().Signed {
		return tensor{x}
	}
	return tensor{l.emit(c.node.Span(), ops.Abs, []*ir.Value{x})}
}

// pair is two arguments of a call as the sides of an operator.
func (c *call) pair(x, y string) (value, value, operands) {
	a, b := c.arg(x), c.arg(y)
	return a.val, b.val, operands{c.node, a.expr, b.expr}
}

// numeric reports arguments that are not numbers.
func (l *lowerer) numeric(vs ...argument) bool {
	ok := true
	for _, a := range vs {
		if isPoison(a.val) {
			ok = false
			continue
		}
		if !l.isNumber(a.val) || isPointer(a.val) {
			l.fail(diag.New("number-wanted", l.place(a.expr), l.text(a.expr), kindText(a.val)))
			ok = false
		}
	}
	return ok
}

// operatorCall is tl.add and its like.
func operatorCall(op string) special {
	return func(l *lowerer, c *call) value {
		x, y, at := c.pair("x", "y")
		return l.binary(op, x, y, at)
	}
}

// logicalCall is x.logical_and(y) and its like.
func logicalCall(op string) special {
	return func(l *lowerer, c *call) value {
		a, b := c.bound[0], c.bound[1]
		x, ok1 := l.numberArg(a)
		y, ok2 := l.numberArg(b)
		if !ok1 || !ok2 {
			return poison{}
		}
		for i, v := range []*ir.Value{x, y} {
			if _, r := types.LogicalNot(v.Type.DType); r != nil {
				return l.refuse(r, l.place([]argument{a, b}[i].expr))
			}
		}
		return l.arithmetic(operators[bitwiseOf[op]], tensor{x}, tensor{y}, operands{c.node, a.expr, b.expr})
	}
}

// where lowers tl.where. All three sides are broadcast together.
func (l *lowerer) where(c *call) value {
	ca := c.arg("condition")
	cond, ok := l.numberArg(ca)
	if !ok {
		return poison{}
	}
	if cond.Type.DType != num.Int1 {
		l.diags.Add(hint(diag.New("where-condition", l.place(ca.expr), l.text(ca.expr), typeText(cond.Type))))
		cond = l.toBool(ca.expr.Span(), cond)
	}
	x, y, at := c.pair("x", "y")
	if isPointer(x) || isPointer(y) {
		return l.wherePointers(c, cond, x, y, at)
	}
	if !l.numeric(c.arg("x"), c.arg("y")) {
		return poison{}
	}
	xo, ok1 := l.operand(x, at.left)
	yo, ok2 := l.operand(y, at.right)
	if !ok1 || !ok2 {
		return poison{}
	}
	p, r := types.Promote(types.Where, xo, yo)
	if !l.allowedOperands(r, x, y, at) {
		return poison{}
	}
	shape, ok := l.commonShape(at.whole, []value{tensor{cond}, x, y}, []syntax.Expr{ca.expr, at.left, at.right})
	if !ok {
		return poison{}
	}
	s := c.node.Span()
	return tensor{l.emit(s, ops.Select, []*ir.Value{l.broadcastTo(s, cond, shape),
		l.shaped(x, xo, p.Compute, shape, at.left.Span()), l.shaped(y, yo, p.Compute, shape, at.right.Span())})}
}

func (l *lowerer) wherePointers(c *call, cond *ir.Value, x, y value, at operands) value {
	xt, ok1 := l.number(x)
	yt, ok2 := l.number(y)
	if !ok1 || !ok2 || types.Pointers("where", xt, yt) != nil {
		if !isPoison(x, y) {
			r := &types.Refusal{Code: types.WherePointer, Args: []any{kindText(x), kindText(y)}}
			l.fail(refusal(r, l.place(at.whole)))
		}
		return poison{}
	}
	a, b := x.(tensor), y.(tensor)
	shape, ok := l.commonShape(at.whole, []value{tensor{cond}, x, y}, []syntax.Expr{c.arg("condition").expr, at.left, at.right})
	if !ok {
		return poison{}
	}
	s := c.node.Span()
	return tensor{l.emit(s, ops.Select, []*ir.Value{l.broadcastTo(s, cond, shape), l.broadcastTo(s, a.v, shape), l.broadcastTo(s, b.v, shape)})}
}

// commonShape broadcasts the shapes of several values together.
func (l *lowerer) commonShape(at syntax.Node, vs []value, exprs []syntax.Expr) ([]int, bool) {
	var shape []int
	widest := 0
	for i, v := range vs {
		next, r := types.BroadcastShapes(shape, shapeOfValue(v))
		if r != nil {
			l.fail(l.shapeMismatch(r, vs[widest], v, operands{at, exprs[widest], exprs[i]}))
			return nil, false
		}
		if len(shapeOfValue(v)) > 0 && len(shapeOfValue(v)) >= len(shape) {
			widest = i
		}
		shape = next
	}
	return shape, true
}

// propagates reads propagate_nan.
func (l *lowerer) propagates(c *call) bool {
	n, ok := c.get("propagate_nan").(namespace)
	return ok && n.name == "PropagateNan.ALL"
}

// minMax lowers tl.maximum and tl.minimum.
func (l *lowerer) minMax(c *call) value {
	x, y, at := c.pair("x", "y")
	if !l.numeric(c.arg("x"), c.arg("y")) {
		return poison{}
	}
	op := ops.Max
	if c.row.Name == "minimum" {
		op = ops.Min
	}
	return l.minMaxOf(op, x, y, at, l.propagates(c))
}

func (l *lowerer) minMaxOf(op ops.Op, x, y value, at operands, nan bool) value {
	xo, ok1 := l.operand(x, at.left)
	yo, ok2 := l.operand(y, at.right)
	if !ok1 || !ok2 {
		return poison{}
	}
	p, r := types.Promote(types.MinMax, xo, yo)
	if !l.allowedOperands(r, x, y, at) {
		return poison{}
	}
	a, b, ok := l.together(x, y, xo, yo, p.Compute, at)
	if !ok {
		return poison{}
	}
	return tensor{l.emit(at.whole.Span(), op, []*ir.Value{a, b}, nanAttr(nan))}
}

func nanAttr(nan bool) ir.Attr { return ir.Attr{Name: "propagate_nan", Value: nan} }

// three reads three numeric arguments, converts them to what class promotes them to and gives them
// one shape.
func (l *lowerer) three(c *call, class types.OpClass, names [3]string, order [3]int) (out [3]*ir.Value, ok bool) {
	var args [3]argument
	var os [3]types.Operand
	for i, name := range names {
		args[i] = c.arg(name)
		if !l.numeric(args[i]) {
			return out, false
		}
		if os[i], ok = l.operand(args[i].val, args[i].expr); !ok {
			return out, false
		}
	}
	p, r := types.Promote3(class, os[order[0]], os[order[1]], os[order[2]])
	if !l.allowed(r, l.place(c.node)) {
		return out, false
	}
	shape, ok := l.commonShape(c.node, []value{args[0].val, args[1].val, args[2].val}, []syntax.Expr{args[0].expr, args[1].expr, args[2].expr})
	if !ok {
		return out, false
	}
	for i, a := range args {
		out[i] = l.shaped(a.val, os[i], p.Compute, shape, a.expr.Span())
	}
	return out, true
}

// clamp is max(min(x, hi), lo), as Triton defines it.
func (l *lowerer) clamp(c *call) value {
	v, ok := l.three(c, types.Clamp, [3]string{"x", "min", "max"}, [3]int{1, 2, 0})
	if !ok {
		return poison{}
	}
	at, nan := c.node.Span(), nanAttr(l.propagates(c))
	low := l.emit(at, ops.Max, []*ir.Value{v[0], v[1]}, nan)
	return tensor{l.emit(at, ops.Min, []*ir.Value{low, v[2]}, nan)}
}

// fma lowers tl.fma; integers have no single rounding, so they multiply and add.
func (l *lowerer) fma(c *call) value {
	v, ok := l.three(c, types.FMA, [3]string{"x", "y", "z"}, [3]int{0, 1, 2})
	if !ok {
		return poison{}
	}
	at := c.node.Span()
	if v[0].Type.IsInt() {
		return tensor{l.emit(at, ops.Add, []*ir.Value{l.emit(at, ops.Mul, v[:2]), v[2]})}
	}
	return tensor{l.emit(at, ops.FMA, v[:])}
}

// fdiv lowers tl.fdiv and tl.div_rn.
func (l *lowerer) fdiv(c *call) value {
	row := operator{types.FDiv, ops.Div}
	if k, ok := c.get("ieee_rounding").(constant); ok && k == yes {
		row.op = ops.DivRN
	}
	if c.row.Name == "div_rn" {
		row = operator{types.DivRN, ops.DivRN}
	}
	return l.classCall(c, row)
}

func (l *lowerer) umulhi(c *call) value { return l.classCall(c, operator{types.UMulHi, ops.UMulHi}) }

func (l *lowerer) classCall(c *call, row operator) value {
	x, y, at := c.pair("x", "y")
	if !l.numeric(c.arg("x"), c.arg("y")) {
		return poison{}
	}
	return l.arithmetic(row, x, y, at)
}

// dot lowers tl.dot: the product of two matrices, or of two batches of them, added to acc. Several
// batch dimensions are one to the operation.
func (l *lowerer) dot(c *call) value {
	a, b := c.arg("input"), c.arg("other")
	x, ok1 := l.numberArg(a)
	y, ok2 := l.numberArg(b)
	if !ok1 || !ok2 {
		return poison{}
	}
	out, ok := l.dtypeArg(c.get("out_dtype"), c.arg("out_dtype").expr)
	if !ok {
		return poison{}
	}
	result, r := types.Dot(x.Type, y.Type, out.DType)
	if r != nil && !r.Runs {
		d := refusal(r, l.place(c.node))
		l.becauseShape(d, a.val, a.expr)
		l.becauseShape(d, b.val, b.expr)
		if r.Code == types.DotMixed {
			d.Related = nil
			d.Because(l.place(a.expr), "is-of-type", l.text(a.expr), typeText(x.Type)).Because(l.place(b.expr), "is-of-type", l.text(b.expr), typeText(y.Type))
			d.Suggest(false, diag.Text{Key: "fix-to-other", Args: []any{l.text(b.expr), l.text(a.expr)}},
				wrapEdits(l.place(b.expr), b.expr, ".to("+l.text(a.expr)+".dtype)")...)
		}
		return l.fail(d)
	}
	if r != nil {
		l.superset(refusal(r, l.place(c.node)))
	}
	acc, ok := l.accumulator(c, result)
	if !ok {
		return poison{}
	}
	precision, ok := l.precision(c)
	if !ok {
		return poison{}
	}
	l.unfilledLanes(c, "0.0", x, y)
	at := c.node.Span()
	operands := []*ir.Value{x, y, acc}
	if len(result.Shape) > 3 {
		for i, v := range operands {
			operands[i] = l.reshaped(at, v, oneBatch(v.Type.Shape))
		}
	}
	product := l.emit(at, ops.Dot, operands, ir.Attr{Name: "input_precision", Value: precision})
	return tensor{l.reshaped(at, product, result.Shape)}
}

// oneBatch is the shape of a batch of matrices with its batch dimensions made one.
func oneBatch(shape []int) []int {
	matrix := shape[len(shape)-2:]
	return []int{types.Tile(0, shape...).Numel() / (matrix[0] * matrix[1]), matrix[0], matrix[1]}
}

func (l *lowerer) accumulator(c *call, result types.Type) (*ir.Value, bool) {
	if !c.has("acc") {
		return l.full(c.node.Span(), num.FromInt(result.DType, 0), result.Shape), true
	}
	a := c.arg("acc")
	acc, ok := l.numberArg(a)
	if !ok {
		return nil, false
	}
	if r := types.DotAccumulator(acc.Type, result); r != nil {
		l.fail(diag.New(r.Code, l.place(a.expr), l.text(a.expr), typeText(acc.Type), typeText(result)))
		return nil, false
	}
	return acc, true
}

var precisions = []string{"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"}

// precision reads input_precision, and allow_tf32, its older form.
func (l *lowerer) precision(c *call) (string, bool) {
	if c.has("input_precision") {
		return l.choice(c, "input_precision", precisions)
	}
	if k, ok := c.get("allow_tf32").(constant); ok && c.has("allow_tf32") && !l.truthOf(k) {
		return "ieee", true
	}
	return "tf32", true
}
