package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// operandNodes are the places of an operation and of its two sides.
type operandNodes struct {
	whole       syntax.Node
	left, right syntax.Expr
}

// operator is how a Python operator works on tensors.
type operator struct {
	class types.OpClass
	op    ops.Op
}

var operators = map[string]operator{
	"+": {types.Arithmetic, ops.Add}, "-": {types.Arithmetic, ops.Sub}, "*": {types.Arithmetic, ops.Mul},
	"/": {types.Division, ops.Div}, "//": {types.FloorDivision, ops.Div}, "%": {types.Modulo, ops.Rem},
	"&": {types.Bitwise, ops.And}, "|": {types.Bitwise, ops.Or}, "^": {types.Bitwise, ops.Xor},
	"<<": {types.Bitwise, ops.Shl}, ">>": {types.Bitwise, ops.Shr},
	"==": {types.Comparison, ops.Eq}, "!=": {types.Comparison, ops.Ne},
	"<": {types.Comparison, ops.Lt}, "<=": {types.Comparison, ops.Le},
	">": {types.Comparison, ops.Gt}, ">=": {types.Comparison, ops.Ge},
}

// lowerBinary lowers x op y.
func (l *lowerer) lowerBinary(op string, x, y value, at operandNodes) value {
	if isPoison(x, y) {
		return poison{}
	}
	if isAggregate(x) || isAggregate(y) {
		return l.lowerAggregateOperator(op, x, y, at)
	}
	// Two constants are Python's business; the rules of tensors begin with the first tensor.
	_, xt := x.(tensor)
	_, yt := y.(tensor)
	if !xt && !yt {
		return l.foldBinary(op, x, y, at)
	}
	if !l.isNumber(x) || !l.isNumber(y) {
		return l.fail(l.explainOperandKinds(op, x, y, at))
	}
	if isPointer(x) || isPointer(y) {
		return l.lowerPointerBinary(op, x, y, at)
	}
	row, ok := operators[op]
	switch {
	case op == "**":
		return l.unrollPower(x, y, at)
	case !ok:
		return l.fail(diag.New("operator-unsupported", l.spanOf(at.whole), op))
	}
	if op == "+" {
		if v, ok := l.addProduct(x, y, at); ok {
			return v
		}
	}
	return l.lowerArithmetic(row, x, y, at)
}

func (l *lowerer) isNumber(v value) bool {
	switch v := v.(type) {
	case tensor:
		return true
	case constant:
		_, refusal := numberOf(v)
		return refusal == nil || refusal.Code != types.NotANumber
	}
	return false
}

func isPointer(v value) bool {
	t, ok := v.(tensor)
	return ok && t.v.Type.Pointer
}

// promotionOperand is a value as the promotion rules see it.
func (l *lowerer) promotionOperand(v value, e syntax.Expr) (types.Operand, bool) {
	switch v := v.(type) {
	case tensor:
		return types.Tensor(v.v.Type.DType), true
	case constant:
		o, refusal := numberOf(v)
		if refusal == nil {
			return o, true
		}
		l.refuse(refusal, l.spanOf(e))
	}
	return types.Operand{}, false
}

// lowerArithmetic lowers an operator on two numbers of which one is a tensor.
func (l *lowerer) lowerArithmetic(row operator, x, y value, at operandNodes, attrs ...ir.Attr) value {
	xo, ok1 := l.promotionOperand(x, at.left)
	yo, ok2 := l.promotionOperand(y, at.right)
	if !ok1 || !ok2 {
		return poison{}
	}
	if (row.class == types.Division || row.class == types.Modulo) && l.has(triton.Float8Division) {
		x, xo = l.widenFloat8(x, xo, at.left)
		y, yo = l.widenFloat8(y, yo, at.right)
	}
	xo, yo = l.operandFor(row.class, xo), l.operandFor(row.class, yo)
	// The dtype is settled before the shapes, which is the order of Triton's messages.
	p, r := types.Promote(row.class, xo, yo)
	if !l.areAllowedOperands(r, x, y, at) {
		return poison{}
	}
	a, b, ok := l.promoteTogether(x, y, xo, yo, p.Compute, at)
	if !ok {
		return poison{}
	}
	// Reinterpret, shift, reinterpret back: the IR's shr is arithmetic exactly on signed types.
	if d := types.ShiftRight(xo, yo, p.Compute); row.op == ops.Shr && d != p.Compute {
		return tensor{l.b.shiftRightAs(at.whole.Span(), d, a, b)}
	}
	return tensor{l.b.emit(at.whole.Span(), row.op, []*ir.Value{a, b}, attrs...)}
}

// widenFloat8 is an operand of a division as fp32 if it is fp8.
func (l *lowerer) widenFloat8(v value, o types.Operand, e syntax.Expr) (value, types.Operand) {
	t, ok := v.(tensor)
	if !ok || !o.DType.IsFP8() {
		return v, o
	}
	return tensor{l.b.cast(e.Span(), t.v, num.Float32)}, types.Tensor(num.Float32)
}

// areAllowedOperands is allowed with notes of what the two sides are.
func (l *lowerer) areAllowedOperands(r *types.Refusal, x, y value, at operandNodes) bool {
	if r == nil || r.Runs {
		return l.isAllowed(r, l.spanOf(at.whole))
	}
	l.fail(l.noteTypes(refusal(r, l.spanOf(at.whole)), x, y, at))
	return false
}

// promoteTogether converts two numbers to dtype d and gives them one shape.
func (l *lowerer) promoteTogether(x, y value, xo, yo types.Operand, d num.DType, at operandNodes) (a, b *ir.Value,
	ok bool) {
	shape, r := types.BroadcastShapes(shapeOfValue(x), shapeOfValue(y))
	if r != nil {
		l.fail(l.explainShapes(r, x, y, at))
		return nil, nil, false
	}
	return l.b.castAndBroadcast(x, xo, d, shape, at.left.Span()),
		l.b.castAndBroadcast(y, yo, d, shape, at.right.Span()), true
}

func shapeOfValue(v value) []int {
	if t, ok := v.(tensor); ok {
		return t.v.Type.Shape
	}
	return nil
}

// maxPower is the largest exponent of a tensor that is multiplied out.
const maxPower = 16

// unrollPower multiplies out x ** n for a small known n, which Triton's tensors do not have.
func (l *lowerer) unrollPower(x, y value, at operandNodes) value {
	base, isTensor := x.(tensor)
	n := int64(0)
	if c, ok := y.(constant); ok {
		if i, ok := python.AsInt(c.v); ok {
			n, _ = i.Int64()
		}
	}
	if !isTensor || n < 1 || n > maxPower {
		return l.fail(diag.New("power", l.spanOf(at.whole), l.sourceText(at.left), classText(x), classText(y)))
	}
	l.warnSuperset(diag.New("power-unrolled", l.spanOf(at.whole), l.sourceText(at.left), n, classText(y)))
	out := value(base)
	// n - 1 products from the left, as x * x * x would be written.
	for range n - 1 {
		out = l.lowerArithmetic(operators["*"], out, base, operandNodes{at.whole, at.left, at.left})
	}
	return out
}

// lowerUnary lowers -x, +x, ~x and not x.
func (l *lowerer) lowerUnary(e *syntax.UnaryOp) value {
	v := l.lowerExpr(e.Operand)
	if isPoison(v) {
		return v
	}
	if isAggregate(v) {
		if r, ok := l.callOperator(v, unaryMethods[e.Op], e); ok {
			l.needs(triton.AggregateOperators, l.spanOf(e), l.sourceText(e),
				"Cannot call @triton.jit'd outside of the scope of a kernel")
			return r
		}
	}
	t, ok := v.(tensor)
	if !ok {
		return l.foldUnary(e, v)
	}
	if t.v.Type.Pointer {
		return l.fail(diag.New("unary-operand", l.spanOf(e), e.Op, l.sourceText(e.Operand), kindText(v)))
	}
	d := t.v.Type.DType
	var op ops.Op
	var r *types.Refusal
	// ~ and not differ in what they accept: not needs int1, ~ any integer.
	switch e.Op {
	case "+":
		return v
	case "-":
		op = ops.Neg
		_, r = types.Unary(num.Neg, d)
	case "~":
		op = ops.Not
		_, r = types.Unary(num.Not, d)
	default:
		op = ops.Not
		_, r = types.LogicalNot(d)
	}
	if r != nil && !r.Runs {
		diagnostic := l.noteType(refusal(r, l.spanOf(e)), v, e.Operand)
		if e.Op == "not" && t.v.Type.IsInt() {
			s := l.spanOf(e)
			diagnostic.Suggest(false, diag.Text{Key: "fix-compare-zero"},
				diag.Edit{Span: source.Span{Start: s.Start, End: s.End}, New: "(" + l.sourceText(e.Operand) + " == 0)"})
		}
		return l.fail(diagnostic)
	}
	l.isAllowed(r, l.spanOf(e))
	if op == ops.Neg && d.Info().Float && !l.has(triton.SignedZero) && !l.frame.fn.module.prelude {
		// It was 0 - x, which is 0 where x is: -x is -0.
		zero := l.b.fill(e.Span(), num.FromInt(d, 0), t.v.Type.Shape)
		return tensor{l.b.emit(e.Span(), ops.Sub, []*ir.Value{zero, t.v})}
	}
	return tensor{l.b.emit(e.Span(), op, []*ir.Value{t.v})}
}
