package lower

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// foldBinary is x op y on what is known now.
func (l *lowerer) foldBinary(op string, x, y value, at operandNodes) value {
	if row, ok := operators[op]; ok && row.class == types.Comparison {
		return l.foldCompare(op, x, y, at)
	}
	if s, ok := foldSequence(op, x, y); ok {
		return l.limitParts(s, at.whole)
	}
	a, aOK := x.(constant)
	b, bOK := y.(constant)
	if !aOK || !bOK {
		return l.fail(l.explainOperandKinds(op, x, y, at))
	}
	v, err := python.Binary(op, a.v, b.v)
	if err != nil {
		return l.raisePythonError(err, at.whole)
	}
	return fromPython(v)
}

// foldSequence is + and * on tuples and lists.
func foldSequence(op string, x, y value) (tuple, bool) {
	a, aOK := x.(tuple)
	b, bOK := y.(tuple)
	if aOK && bOK && op == "+" {
		return tuple{elems: slices.Concat(a.elems, b.elems)}, true
	}
	if c, ok := y.(constant); aOK && ok && op == "*" {
		n, ok := python.AsInt(c.v)
		// Bounded, as ("a",) * 10**9 would be expanded while compiling.
		times, fits := n.Int64()
		if !ok || !fits || times*int64(len(a.elems)) > 2*maxUnrolled || times > maxUnrolled {
			return tuple{}, false
		}
		out := tuple{}
		for range times {
			out.elems = append(out.elems, a.elems...)
		}
		return out, true
	}
	return tuple{}, false
}

// foldCompare compares what is known now: numbers, strings, tuples, dtypes.
func (l *lowerer) foldCompare(op string, x, y value, at operandNodes) value {
	a, aOK := toPython(x)
	b, bOK := toPython(y)
	if aOK && bOK {
		v, err := python.Compare(op, a, b)
		if err != nil {
			return l.raisePythonError(err, at.whole)
		}
		return constant{python.Bool(v)}
	}
	if op == "==" || op == "!=" {
		return constant{python.Bool(same(x, y) == (op == "=="))}
	}
	return l.fail(l.explainOperandKinds(op, x, y, at))
}

// foldUnary is op x on what is known now.
func (l *lowerer) foldUnary(e *syntax.UnaryOp, v value) value {
	if e.Op == "not" {
		return constant{python.Bool(!l.pythonTruth(v))}
	}
	c, ok := v.(constant)
	if !ok {
		return l.fail(diag.New("unary-operand", l.spanOf(e), e.Op, l.sourceText(e.Operand), kindText(v)))
	}
	out, err := python.Unary(e.Op, c.v)
	if err != nil {
		return l.raisePythonError(err, e)
	}
	return constant{out}
}

// pythonTruth is bool(v) for what is known now.
func (l *lowerer) pythonTruth(v value) bool {
	switch v := v.(type) {
	case constant:
		return python.Truth(v.v)
	case tuple:
		return len(v.elems) > 0
	}
	return true
}
