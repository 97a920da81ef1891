package lower

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

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
			l.superset(diag.New("compared-with-none", l.place(at.whole), op))
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
