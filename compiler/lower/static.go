package lower

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// pythonOf is a value as a Python object, for what is known now.
func pythonOf(v value) (python.Value, bool) {
	switch v := v.(type) {
	case constant:
		return v.v, true
	case tuple:
		list := make([]python.Value, len(v.elems))
		for i, e := range v.elems {
			p, ok := pythonOf(e)
			if !ok {
				return nil, false
			}
			list[i] = p
		}
		return python.Tuple(list), true
	}
	return nil, false
}

// fromPython is the value of a Python object.
func fromPython(p python.Value) value {
	var list []python.Value
	switch p := p.(type) {
	case python.Tuple:
		list = p
	case python.List:
		list = p
	default:
		return constant{p}
	}
	out := tuple{}
	for _, e := range list {
		out.elems = append(out.elems, fromPython(e))
	}
	return out
}

func identical(a, b constant) bool {
	same, err := python.Compare("is", a.v, b.v)
	return err == nil && same
}

// raised reports what Python itself would raise.
func (l *lowerer) raised(err *python.Error, at syntax.Node) value {
	return l.fail(diag.New("python-error", l.place(at), err.Class, err.Message))
}

// staticBinary is x op y on what is known now.
func (l *lowerer) staticBinary(op string, x, y value, at operands) value {
	if row, ok := operators[op]; ok && row.class == types.Comparison {
		return l.staticCompare(op, x, y, at)
	}
	if s, ok := sequenceOp(op, x, y); ok {
		if len(s.elems) > maxUnrolled {
			return l.fail(diag.New("unroll-too-long", l.place(at.whole), maxUnrolled))
		}
		return s
	}
	a, aOK := x.(constant)
	b, bOK := y.(constant)
	if !aOK || !bOK {
		return l.fail(l.operandsDiffer(op, x, y, at))
	}
	v, err := python.Binary(op, a.v, b.v)
	if err != nil {
		return l.raised(err, at.whole)
	}
	return fromPython(v)
}

// sequenceOp is + and * on tuples and lists.
func sequenceOp(op string, x, y value) (tuple, bool) {
	a, aOK := x.(tuple)
	b, bOK := y.(tuple)
	if aOK && bOK && op == "+" {
		return tuple{slices.Concat(a.elems, b.elems)}, true
	}
	if c, ok := y.(constant); aOK && ok && op == "*" {
		n, ok := python.AsInt(c.v)
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

// staticCompare compares what is known now: numbers, strings, tuples, dtypes.
func (l *lowerer) staticCompare(op string, x, y value, at operands) value {
	a, aOK := pythonOf(x)
	b, bOK := pythonOf(y)
	if aOK && bOK {
		v, err := python.Compare(op, a, b)
		if err != nil {
			return l.raised(err, at.whole)
		}
		return constant{python.Bool(v)}
	}
	if op == "==" || op == "!=" {
		return constant{python.Bool(same(x, y) == (op == "=="))}
	}
	return l.fail(l.operandsDiffer(op, x, y, at))
}

// staticUnary is op x on what is known now.
func (l *lowerer) staticUnary(e *syntax.UnaryOp, v value) value {
	if e.Op == "not" {
		return constant{python.Bool(!l.truthOf(v))}
	}
	c, ok := v.(constant)
	if !ok {
		return l.fail(diag.New("unary-operand", l.place(e), e.Op, l.text(e.Operand), kindText(v)))
	}
	out, err := python.Unary(e.Op, c.v)
	if err != nil {
		return l.raised(err, e)
	}
	return constant{out}
}

// truthOf is bool(v) for what is known now.
func (l *lowerer) truthOf(v value) bool {
	switch v := v.(type) {
	case constant:
		return python.Truth(v.v)
	case tuple:
		return len(v.elems) > 0
	}
	return true
}

// staticIndex is x[i] for a string.
func (l *lowerer) staticIndex(c constant, e *syntax.Subscript) value {
	return l.fail(diag.New("not-indexable", l.place(e), l.text(e.Value), kindText(c)))
}

// describe says what a name stands for, for hover.
func describe(v value) (string, bool) {
	switch v := v.(type) {
	case tensor:
		return typeText(v.v.Type), true
	case constant:
		return "constexpr = " + python.Repr(v.v), true
	case dtype:
		return "dtype = " + typeText(v.t), true
	case tuple:
		if p, ok := pythonOf(v); ok {
			return python.Repr(p), true
		}
		return kindText(v), true
	}
	return "", false
}

// show is a value as static_print and f-strings print it; not ok for run-time values.
func show(v value) (string, bool) {
	switch v := v.(type) {
	case constant:
		return python.String(v.v), true
	case dtype:
		return typeText(v.t), true
	case namespace:
		return v.name, true
	case function:
		return v.name, true
	case builtin:
		return v.row.Name, true
	case pythonFunction:
		return v.path, true
	case ellipsis:
		return "Ellipsis", true
	case tuple:
		text, end := "(", ")"
		if len(v.elems) == 1 {
			end = ",)"
		}
		for i, e := range v.elems {
			if i > 0 {
				text += ", "
			}
			s, ok := show(e)
			if c, isConstant := e.(constant); isConstant {
				s = python.Repr(c.v)
			}
			if !ok {
				return "", false
			}
			text += s
		}
		return text + end, true
	}
	return "", false
}
