package lower

import (
	"strings"

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

// pointerBinary: a pointer moves by integers and compares with its like.
func (l *lowerer) pointerBinary(op string, x, y value, at operands) value {
	xt, _ := l.number(x)
	yt, _ := l.number(y)
	both := xt.Pointer && yt.Pointer
	row := operators[op]
	if both && row.op != 0 && row.class == types.Comparison && xt.DType == yt.DType {
		a, b, ok := l.pointerPair(x.(tensor), y.(tensor), at)
		if !ok {
			return poison{}
		}
		return tensor{l.emit(at.whole.Span(), row.op, []*ir.Value{a, b})}
	}
	if both && op == "-" && xt.DType == yt.DType {
		return l.pointerDifference(x.(tensor), y.(tensor), at)
	}
	if r := types.Pointers(op, xt, yt); r != nil {
		d := refusal(r, l.place(at.whole)).
			Because(l.place(at.left), "is-of-type", l.text(at.left), kindText(x)).
			Because(l.place(at.right), "is-of-type", l.text(at.right), kindText(y))
		if _, isTensor := y.(tensor); isTensor && yt.IsFloat() && (op == "+" || op == "-") {
			d.Suggest(false, diag.Text{Key: "fix-to-int"}, wrapEdits(l.place(at.right), at.right, ".to(tl.int32)")...)
		}
		return l.fail(d)
	}
	if yt.Pointer {
		return l.moved(y.(tensor), x, false, operands{at.whole, at.right, at.left})
	}
	return l.moved(x.(tensor), y, op == "-", at)
}

// pointerPair gives two pointers one shape.
func (l *lowerer) pointerPair(x, y tensor, at operands) (a, b *ir.Value, ok bool) {
	shape, r := types.BroadcastShapes(x.v.Type.Shape, y.v.Type.Shape)
	if r != nil {
		l.fail(l.shapeMismatch(r, x, y, at))
		return nil, nil, false
	}
	s := at.whole.Span()
	return l.broadcastTo(s, x.v, shape), l.broadcastTo(s, y.v, shape), true
}

// moved is pointer + offset, or pointer - offset.
func (l *lowerer) moved(p tensor, offset value, back bool, at operands) value {
	o, ok := l.operand(offset, at.right)
	if !ok {
		return poison{}
	}
	d := o.DType
	if i := d.Info(); !i.Signed && i.Bits < 64 { // unsigned offsets stay so beyond 2^31
		d = num.Int64
	}
	shape, r := types.BroadcastShapes(p.v.Type.Shape, shapeOfValue(offset))
	if r != nil {
		return l.fail(l.shapeMismatch(r, p, offset, at))
	}
	s := at.whole.Span()
	v := l.shaped(offset, o, d, shapeOfValue(offset), at.right.Span())
	if back {
		v = l.emit(s, ops.Neg, []*ir.Value{v})
	}
	return tensor{l.emit(s, ops.AddPtr, []*ir.Value{l.broadcastTo(s, p.v, shape), l.broadcastTo(s, v, shape)})}
}

func (l *lowerer) pointerDifference(x, y tensor, at operands) value {
	a, b, ok := l.pointerPair(x, y, at)
	if !ok {
		return poison{}
	}
	l.superset(diag.New("pointer-difference", l.place(at.whole), kindText(x), kindText(y)))
	return tensor{l.emit(at.whole.Span(), ops.PtrDiff, []*ir.Value{a, b})}
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

// compare lowers comparisons. A chain runs as Python means it, with a warning.
func (l *lowerer) compare(e *syntax.Compare) value {
	if len(e.Ops) > 1 {
		l.superset(diag.New("chained-comparison", l.place(e)))
	}
	left, leftExpr := l.expr(e.Left), e.Left
	var out value
	for i, op := range e.Ops {
		right := l.expr(e.Comparators[i])
		at := operands{e, leftExpr, e.Comparators[i]}
		v := l.compareOne(op, left, right, at)
		if i == 0 {
			out = v
		} else {
			out = l.both(out, v, at)
		}
		left, leftExpr = right, e.Comparators[i]
	}
	return out
}

// both is x & y for two truths of which either may be known.
func (l *lowerer) both(x, y value, at operands) value {
	if c, ok := x.(constant); ok && !isPoison(y) {
		if python.Truth(c.v) {
			return y
		}
		return x
	}
	if c, ok := y.(constant); ok && !isPoison(x) {
		if python.Truth(c.v) {
			return x
		}
		return y
	}
	return l.binary("&", x, y, at)
}

func (l *lowerer) compareOne(op string, x, y value, at operands) value {
	if isPoison(x, y) {
		return poison{}
	}
	_, xt := x.(tensor)
	_, yt := y.(tensor)
	switch {
	case op == "is", op == "is not":
		return constant{python.Bool(same(x, y) == (op == "is"))}
	case op == "in", op == "not in":
		return l.contains(op, x, y, at)
	case xt || yt:
		if (isNone(x) || isNone(y)) && (op == "==" || op == "!=") {
			return constant{python.Bool(op == "!=")}
		}
		return l.binary(op, x, y, at)
	}
	return l.staticCompare(op, x, y, at)
}

// contains is x in (a, b, …) for what is known now.
func (l *lowerer) contains(op string, x, y value, at operands) value {
	t, ok := y.(tuple)
	_, isTensor := x.(tensor)
	if !ok || isTensor {
		return l.fail(diag.New("in-unsupported", l.place(at.whole), op))
	}
	l.superset(diag.New("in-tuple", l.place(at.whole), op))
	found := false
	for _, e := range t.elems {
		c, ok := l.staticCompare("==", x, e, at).(constant)
		found = found || ok && python.Truth(c.v)
	}
	return constant{python.Bool(found == (op == "in"))}
}

// boolOp lowers and/or. What is known decides while compiling; tensors meet bit by bit.
func (l *lowerer) boolOp(e *syntax.BoolOp) value {
	var last value
	var rest []value
	var exprs []syntax.Expr
	for _, sub := range e.Values {
		last = l.expr(sub)
		switch v := last.(type) {
		case poison:
			rest, exprs = append(rest, v), append(exprs, sub)
		case tensor:
			rest, exprs = append(rest, v), append(exprs, sub)
		default:
			if l.truthOf(v) == (e.Op == "or") {
				return v
			}
		}
	}
	if len(rest) == 0 {
		return last
	}
	out := rest[len(rest)-1]
	for i := len(rest) - 2; i >= 0; i-- {
		out = l.logical(e, rest[i], out, operands{e, exprs[i], exprs[len(exprs)-1]})
	}
	if len(rest) > 1 && !isPoison(out) && !out.(tensor).v.Type.IsScalar() {
		l.diags.Add(hint(l.logicalFix(diag.New("logical-on-tiles", l.place(e), e.Op, bitwiseOf[e.Op]), e)))
	}
	return out
}

var bitwiseOf = map[string]string{"and": "&", "or": "|"}

func (l *lowerer) logical(e *syntax.BoolOp, x, y value, at operands) value {
	if isPoison(x, y) {
		return poison{}
	}
	for i, v := range []value{x, y} {
		side := []syntax.Expr{at.left, at.right}[i]
		t := v.(tensor).v.Type
		if t.Pointer {
			return l.fail(diag.New("unary-operand", l.place(e), e.Op, l.text(side), kindText(v)))
		}
		if _, r := types.LogicalNot(t.DType); r != nil {
			return l.fail(l.logicalFix(refusal(r, l.place(e)).Because(l.place(side), "is-of-type", l.text(side), kindText(v)), e))
		}
	}
	return l.arithmetic(operators[bitwiseOf[e.Op]], x, y, at)
}

// logicalFix offers & for and, | for or, with brackets around the sides.
func (l *lowerer) logicalFix(d *diag.Diagnostic, e *syntax.BoolOp) *diag.Diagnostic {
	var edits []diag.Edit
	for i, v := range e.Values {
		s := l.place(v)
		if i > 0 {
			prev := l.place(e.Values[i-1])
			between := l.userFile().Slice(source.Span{Start: prev.End, End: s.Start})
			at := strings.Index(between, e.Op)
			if at < 0 {
				return d
			}
			start := prev.End + int32(at)
			edits = append(edits, diag.Edit{Span: source.Span{Start: start, End: start + int32(len(e.Op))}, New: bitwiseOf[e.Op]})
		}
		if _, ok := v.(*syntax.Compare); ok && !l.bracketed(s) {
			edits = append(edits, wrapEdits(s, v, "")...)
		}
	}
	if l.frame.fn.module != l.user {
		return d
	}
	return d.Suggest(false, diag.Text{Key: "fix-bitwise", Args: []any{bitwiseOf[e.Op]}}, edits...)
}

// bracketed reports whether brackets stand right around a span.
func (l *lowerer) bracketed(s source.Span) bool {
	text := l.userFile().Text
	before := strings.TrimRight(text[:s.Start], " ")
	after := strings.TrimLeft(text[s.End:], " ")
	return strings.HasSuffix(before, "(") && strings.HasPrefix(after, ")")
}
