package lower

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// lowerCompare lowers comparisons. A chain runs as Python means it, with a warning.
func (l *lowerer) lowerCompare(e *syntax.Compare) value {
	if len(e.Ops) > 1 {
		l.warnSuperset(l.explainChain(e))
	}
	// A chain evaluates each operand once and joins the results; unlike Python's, it does not short-circuit
	// where a result is a tensor.
	left, leftExpr := l.lowerExpr(e.Left), e.Left
	var out value
	for i, op := range e.Ops {
		right := l.lowerExpr(e.Comparators[i])
		at := operandNodes{e, leftExpr, e.Comparators[i]}
		v := l.lowerComparison(op, left, right, at)
		if i == 0 {
			out = v
		} else {
			out = l.lowerAnd(out, v, at)
		}
		left, leftExpr = right, e.Comparators[i]
	}
	return out
}

// explainChain says that Triton has no chains of comparisons, and what a chain was probably meant to be that has & or |
// between its comparisons: those bind tighter.
func (l *lowerer) explainChain(e *syntax.Compare) *diag.Diagnostic {
	whole, file := l.spanOf(e), l.userFile()
	edits := []diag.Edit{{Span: source.Span{Start: whole.Start, End: whole.Start}, New: "("},
		{Span: source.Span{Start: whole.End, End: whole.End}, New: ")"}}
	between := ""
	for _, c := range e.Comparators[:len(e.Comparators)-1] {
		b, ok := c.(*syntax.BinOp)
		before := file.Slice(source.Span{Start: whole.Start, End: l.spanOf(c).Start})
		if !ok || b.Op != "&" && b.Op != "|" || strings.HasSuffix(strings.TrimSpace(before), "(") {
			return diag.New("chained-comparison", whole)
		}
		between = l.sourceText(b)
		// The spans of operands leave their parentheses out.
		at := source.Span{Start: l.spanOf(b.Left).End, End: l.spanOf(b.Right).Start}
		left, right, _ := strings.Cut(file.Slice(at), b.Op)
		edits = append(edits, diag.Edit{Span: at,
			New: strings.TrimRight(left, " ") + ") " + b.Op + " (" + strings.TrimLeft(right, " ")})
	}
	return diag.New("comparison-precedence", whole, between).
		Suggest(true, diag.Text{Key: "add-parentheses"}, edits...)
}

// lowerAnd is x & y for two truths of which either may be known.
func (l *lowerer) lowerAnd(x, y value, at operandNodes) value {
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
	return l.lowerBinary("&", x, y, at)
}

func (l *lowerer) lowerComparison(op string, x, y value, at operandNodes) value {
	if isPoison(x, y) {
		return poison{}
	}
	_, xt := x.(tensor)
	_, yt := y.(tensor)
	switch {
	case op == "is", op == "is not":
		return constant{python.Bool(same(x, y) == (op == "is"))}
	case op == "in", op == "not in":
		return l.lowerIn(op, x, y, at)
	case isAggregate(x) || isAggregate(y):
		return l.lowerAggregateOperator(op, x, y, at)
	case xt || yt:
		// No tensor is None, so the answer is known; kernels test optional pointers in this way.
		if (isNone(x) || isNone(y)) && (op == "==" || op == "!=") {
			l.warnSuperset(diag.New("compared-with-none", l.spanOf(at.whole), op))
			return constant{python.Bool(op == "!=")}
		}
		return l.lowerBinary(op, x, y, at)
	}
	return l.foldCompare(op, x, y, at)
}

// lowerIn is x in (a, b, …) for what is known now.
func (l *lowerer) lowerIn(op string, x, y value, at operandNodes) value {
	t, ok := y.(tuple)
	_, isTensor := x.(tensor)
	if !ok || isTensor {
		return l.fail(diag.New("in-unsupported", l.spanOf(at.whole), op, memberNode(op)))
	}
	l.warnSuperset(diag.New("in-tuple", l.spanOf(at.whole), op, memberNode(op)))
	found := false
	for _, e := range t.elems {
		c, ok := l.foldCompare("==", x, e, at).(constant)
		found = found || ok && python.Truth(c.v)
	}
	return constant{python.Bool(found == (op == "in"))}
}

// memberNode is Python's name of the node of in or not in.
func memberNode(op string) string {
	if op == "in" {
		return "In"
	}
	return "NotIn"
}

// lowerBoolOp lowers and/or. What is known decides while compiling; tensors meet bit by bit.
func (l *lowerer) lowerBoolOp(e *syntax.BoolOp) value {
	var last value
	var rest []value
	var exprs []syntax.Expr
	// Constants short-circuit as in Python; among tensors all are evaluated, as Triton does.
	for i, sub := range e.Values {
		before := last
		last = l.lowerExpr(sub)
		isLast := i == len(e.Values)-1
		if isLast && len(rest) == 0 && isAggregate(before) && l.has(triton.AggregateOperators) {
			return l.lowerAggregateOperator(e.Op, before, last, operandNodes{e, e.Values[i-1], sub})
		}
		if isAggregate(last) && l.has(triton.AggregateOperators) {
			continue
		}
		switch v := last.(type) {
		case poison:
			rest, exprs = append(rest, v), append(exprs, sub)
		case tensor:
			rest, exprs = append(rest, v), append(exprs, sub)
		default:
			if l.pythonTruth(v) == (e.Op == "or") {
				return v
			}
		}
	}
	if len(rest) == 0 {
		return last
	}
	out := rest[len(rest)-1]
	// From the right, so that the IR's order is that of Triton.
	for i := len(rest) - 2; i >= 0; i-- {
		out = l.lowerLogical(e, rest[i], out, operandNodes{e, exprs[i], exprs[len(exprs)-1]})
	}
	if len(rest) > 1 && !isPoison(out) && !out.(tensor).v.Type.IsScalar() {
		l.diags.Add(asHint(l.suggestBitwise(diag.New("logical-on-tiles", l.spanOf(e), e.Op, bitwiseOf[e.Op]), e)))
	}
	return out
}

var bitwiseOf = map[string]string{"and": "&", "or": "|"}

func (l *lowerer) lowerLogical(e *syntax.BoolOp, x, y value, at operandNodes) value {
	if isPoison(x, y) {
		return poison{}
	}
	for i, v := range []value{x, y} {
		side := []syntax.Expr{at.left, at.right}[i]
		t := v.(tensor).v.Type
		if t.Pointer {
			return l.fail(diag.New("unary-operand", l.spanOf(e), e.Op, l.sourceText(side), kindText(v)))
		}
		if _, r := types.LogicalNot(t.DType); r != nil {
			return l.fail(l.suggestBitwise(l.noteType(refusal(r, l.spanOf(e)), v, side), e))
		}
	}
	return l.lowerArithmetic(operators[bitwiseOf[e.Op]], x, y, at)
}

// suggestBitwise offers & for and, | for or, with brackets around the sides.
func (l *lowerer) suggestBitwise(d *diag.Diagnostic, e *syntax.BoolOp) *diag.Diagnostic {
	var edits []diag.Edit
	for i, v := range e.Values {
		s := l.spanOf(v)
		if i > 0 {
			prev := l.spanOf(e.Values[i-1])
			between := l.userFile().Slice(source.Span{Start: prev.End, End: s.Start})
			at := strings.Index(between, e.Op)
			if at < 0 {
				return d
			}
			start := prev.End + int32(at)
			edits = append(edits, diag.Edit{Span: source.Span{Start: start, End: start + int32(len(e.Op))},
				New: bitwiseOf[e.Op]})
		}
		if _, ok := v.(*syntax.Compare); ok && !l.isParenthesized(s) {
			edits = append(edits, wrapEdits(s, v, "")...)
		}
	}
	if l.frame.fn.module != l.user {
		return d
	}
	return d.Suggest(false, diag.Text{Key: "fix-bitwise", Args: []any{bitwiseOf[e.Op]}}, edits...)
}

// isParenthesized reports whether a span is directly inside parentheses.
func (l *lowerer) isParenthesized(s source.Span) bool {
	file := l.userFile()
	before := strings.TrimRight(file.Slice(source.Span{Start: file.Base(), End: s.Start}), " ")
	after := strings.TrimLeft(file.Slice(source.Span{Start: s.End, End: file.Span().End}), " ")
	return strings.HasSuffix(before, "(") && strings.HasPrefix(after, ")")
}
