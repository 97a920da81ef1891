package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// operands are the places of an operation and of its two sides.
type operands struct {
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

// binary lowers x op y.
func (l *lowerer) binary(op string, x, y value, at operands) value {
	if isPoison(x, y) {
		return poison{}
	}
	_, xt := x.(tensor)
	_, yt := y.(tensor)
	if !xt && !yt {
		return l.staticBinary(op, x, y, at)
	}
	if !l.isNumber(x) || !l.isNumber(y) {
		return l.fail(l.operandsDiffer(op, x, y, at))
	}
	if isPointer(x) || isPointer(y) {
		return l.pointerBinary(op, x, y, at)
	}
	row, ok := operators[op]
	switch {
	case op == "**":
		return l.power(x, y, at)
	case !ok:
		return l.fail(diag.New("operator-unsupported", l.place(at.whole), op))
	}
	return l.arithmetic(row, x, y, at)
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

func (l *lowerer) operandsDiffer(op string, x, y value, at operands) *diag.Diagnostic {
	return diag.New("operand-kinds", l.place(at.whole), op, kindText(x), kindText(y)).
		Because(l.place(at.left), "is-of-type", l.text(at.left), kindText(x)).
		Because(l.place(at.right), "is-of-type", l.text(at.right), kindText(y))
}

func isPointer(v value) bool {
	t, ok := v.(tensor)
	return ok && t.v.Type.Pointer
}

// operand is a value as the promotion rules see it.
func (l *lowerer) operand(v value, e syntax.Expr) (types.Operand, bool) {
	switch v := v.(type) {
	case tensor:
		return types.Tensor(v.v.Type.DType), true
	case constant:
		o, refusal := numberOf(v)
		if refusal == nil {
			return o, true
		}
		l.refuse(refusal, l.place(e))
	}
	return types.Operand{}, false
}

// arithmetic lowers an operator on two numbers of which one is a tensor.
func (l *lowerer) arithmetic(row operator, x, y value, at operands) value {
	xo, ok1 := l.operand(x, at.left)
	yo, ok2 := l.operand(y, at.right)
	if !ok1 || !ok2 {
		return poison{}
	}
	p, r := types.Promote(row.class, xo, yo)
	if !l.allowedOperands(r, x, y, at) {
		return poison{}
	}
	a, b, ok := l.together(x, y, xo, yo, p.Compute, at)
	if !ok {
		return poison{}
	}
	if row.op == ops.Shr && !p.Compute.Info().Signed && shiftsSigned(x, y) {
		return tensor{l.arithmeticShift(at.whole.Span(), a, b)}
	}
	return tensor{l.emit(at.whole.Span(), row.op, []*ir.Value{a, b})}
}

// shiftsSigned: whether >> keeps the sign is decided by the left side's own type, before it meets
// the right side's; by the right side's where the left is a Python number.
func shiftsSigned(x, y value) bool {
	t, ok := x.(tensor)
	if !ok {
		t = y.(tensor)
	}
	return t.v.Type.DType.Info().Signed
}

// arithmeticShift shifts unsigned values as if they were signed.
func (l *lowerer) arithmeticShift(at source.Span, a, b *ir.Value) *ir.Value {
	unsigned := a.Type.DType.Info()
	signed := unsigned.Short
	for d := range num.NumDTypes {
		if i := d.Info(); i.Signed && !i.Float && i.Bits == unsigned.Bits {
			signed = i.Short
		}
	}
	to := func(v *ir.Value, name string) *ir.Value {
		return l.emit(at, ops.Bitcast, []*ir.Value{v}, ir.Attr{Name: "to", Value: name})
	}
	return to(l.emit(at, ops.Shr, []*ir.Value{to(a, signed), to(b, signed)}), unsigned.Short)
}

// allowedOperands is allowed with notes of what the two sides are.
func (l *lowerer) allowedOperands(r *types.Refusal, x, y value, at operands) bool {
	if r == nil || r.Runs {
		return l.allowed(r, l.place(at.whole))
	}
	l.fail(refusal(r, l.place(at.whole)).
		Because(l.place(at.left), "is-of-type", l.text(at.left), kindText(x)).
		Because(l.place(at.right), "is-of-type", l.text(at.right), kindText(y)))
	return false
}

// together converts two numbers to dtype d and gives them one shape.
func (l *lowerer) together(x, y value, xo, yo types.Operand, d num.DType, at operands) (a, b *ir.Value, ok bool) {
	shape, r := types.BroadcastShapes(shapeOfValue(x), shapeOfValue(y))
	if r != nil {
		l.fail(l.shapeMismatch(r, x, y, at))
		return nil, nil, false
	}
	return l.shaped(x, xo, d, shape, at.left.Span()), l.shaped(y, yo, d, shape, at.right.Span()), true
}

func shapeOfValue(v value) []int {
	if t, ok := v.(tensor); ok {
		return t.v.Type.Shape
	}
	return nil
}

// shaped is a number as a tensor of dtype d and a shape it broadcasts to.
func (l *lowerer) shaped(v value, o types.Operand, d num.DType, shape []int, at source.Span) *ir.Value {
	if t, ok := v.(tensor); ok {
		return l.broadcastTo(at, l.cast(at, t.v, d), shape)
	}
	return l.full(at, o.Constant(d), shape)
}

// shapeMismatch says which side made which shape.
func (l *lowerer) shapeMismatch(r *types.Refusal, x, y value, at operands) *diag.Diagnostic {
	d := refusal(r, l.place(at.whole))
	l.becauseShape(d, x, at.left)
	l.becauseShape(d, y, at.right)
	return d
}

// wrapEdits appends a method call to an expression, in brackets where it needs them.
func wrapEdits(s source.Span, e syntax.Expr, suffix string) []diag.Edit {
	start, end := source.Span{Start: s.Start, End: s.Start}, source.Span{Start: s.End, End: s.End}
	switch e.(type) {
	case *syntax.Name, *syntax.Call, *syntax.Attribute, *syntax.Subscript:
		return []diag.Edit{{Span: end, New: suffix}}
	}
	return []diag.Edit{{Span: start, New: "("}, {Span: end, New: ")" + suffix}}
}

// maxPower is the largest exponent of a tensor that is multiplied out.
const maxPower = 16

// power multiplies out x ** n for a small known n, which Triton's tensors do not have.
func (l *lowerer) power(x, y value, at operands) value {
	base, isTensor := x.(tensor)
	n := int64(0)
	if c, ok := y.(constant); ok {
		if i, ok := python.AsInt(c.v); ok {
			n, _ = i.Int64()
		}
	}
	if !isTensor || n < 1 || n > maxPower {
		return l.fail(diag.New("power", l.place(at.whole), l.text(at.left)))
	}
	l.superset(diag.New("power-unrolled", l.place(at.whole), l.text(at.left), n))
	out := value(base)
	for range n - 1 {
		out = l.arithmetic(operators["*"], out, base, operands{at.whole, at.left, at.left})
	}
	return out
}

// unary lowers -x, +x, ~x and not x.
func (l *lowerer) unary(e *syntax.UnaryOp) value {
	v := l.expr(e.Operand)
	if isPoison(v) {
		return v
	}
	t, ok := v.(tensor)
	if !ok {
		return l.staticUnary(e, v)
	}
	if t.v.Type.Pointer {
		return l.fail(diag.New("unary-operand", l.place(e), e.Op, l.text(e.Operand), kindText(v)))
	}
	d := t.v.Type.DType
	var op ops.Op
	var r *types.Refusal
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
		diagnostic := refusal(r, l.place(e)).Because(l.place(e.Operand), "is-of-type", l.text(e.Operand), kindText(v))
		if e.Op == "not" && t.v.Type.IsInt() {
			s := l.place(e)
			diagnostic.Suggest(false, diag.Text{Key: "fix-compare-zero"},
				diag.Edit{Span: source.Span{Start: s.Start, End: s.End}, New: "(" + l.text(e.Operand) + " == 0)"})
		}
		return l.fail(diagnostic)
	}
	l.allowed(r, l.place(e))
	return tensor{l.emit(e.Span(), op, []*ir.Value{t.v})}
}
