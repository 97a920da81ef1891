package host

import (
	"math"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// eval computes an expression.
func (m *machine) eval(f *frame, e syntax.Expr) Value {
	switch e := e.(type) {
	case *syntax.Name:
		m.at = e.Span()
		return m.load(f, e)
	case *syntax.Constant:
		return m.constant(e)
	case *syntax.Attribute:
		object := m.eval(f, e.Value)
		m.at = e.Span()
		return m.attr(object, e.Attr)
	case *syntax.Subscript:
		object, index := m.eval(f, e.Value), m.eval(f, e.Index)
		m.at = e.Span()
		return m.item(object, index)
	case *syntax.Slice:
		return Slice{m.optional(f, e.Lower), m.optional(f, e.Upper), m.optional(f, e.Step)}
	case *syntax.Call:
		return m.evalCall(f, e)
	case *syntax.UnaryOp:
		v := m.eval(f, e.Operand)
		m.at = e.Span()
		return m.unary(e.Op, v)
	case *syntax.BinOp:
		left, right := m.eval(f, e.Left), m.eval(f, e.Right)
		m.at = e.Span()
		return m.binary(e.Op, left, right)
	case *syntax.BoolOp:
		return m.boolOp(f, e)
	case *syntax.Compare:
		return m.comparison(f, e)
	case *syntax.IfExp:
		if m.truth(m.eval(f, e.Test)) {
			return m.eval(f, e.Body)
		}
		return m.eval(f, e.Else)
	case *syntax.NamedExpr:
		v := m.eval(f, e.Value)
		m.store(f, e.Target, v)
		return v
	case *syntax.Lambda:
		return m.lambda(f, e)
	}
	return m.evalDisplay(f, e)
}

// evalDisplay computes the expressions that build containers and text.
func (m *machine) evalDisplay(f *frame, e syntax.Expr) Value {
	switch e := e.(type) {
	case *syntax.Tuple:
		return Tuple(m.elements(f, e.Elts))
	case *syntax.List:
		return &List{m.elements(f, e.Elts)}
	case *syntax.Set:
		s := newSet()
		for _, v := range m.elements(f, e.Elts) {
			s.set(v, none)
		}
		return s
	case *syntax.Dict:
		return m.dict(f, e)
	case *syntax.Comp:
		return m.comprehension(f, e)
	case *syntax.JoinedStr:
		return python.Str(m.joined(f, e))
	case *syntax.Yield:
		return m.yield(f, e)
	}
	halt(diag.New("host-unsupported", e.Span()))
	return nil
}

func (m *machine) optional(f *frame, e syntax.Expr) Value {
	if e == nil {
		return none
	}
	return m.eval(f, e)
}

func (m *machine) constant(e *syntax.Constant) Value {
	switch e.Kind {
	case syntax.TrueConst:
		return python.Bool(true)
	case syntax.FalseConst:
		return python.Bool(false)
	case syntax.EllipsisConst:
		return Ellipsis{}
	case syntax.IntConst:
		m.at = e.Span()
		return must(python.ParseInt(e.Text))
	case syntax.FloatConst:
		return python.Float(e.Float)
	case syntax.StringConst:
		return python.Str(e.Text)
	case syntax.ImagConst, syntax.BytesConst:
		halt(diag.New("host-unsupported", e.Span()))
	}
	return none
}

// elements computes the items of a display, with *x spread.
func (m *machine) elements(f *frame, list []syntax.Expr) []Value {
	out := make([]Value, 0, len(list))
	for _, e := range list {
		if s, ok := e.(*syntax.Starred); ok {
			out = append(out, m.items1(m.eval(f, s.Value))...)
			continue
		}
		out = append(out, m.eval(f, e))
	}
	m.charge(len(out))
	return out
}

func (m *machine) dict(f *frame, e *syntax.Dict) Value {
	d := newDict()
	for i, k := range e.Keys {
		v := m.eval(f, e.Values[i])
		if k != nil {
			key := m.eval(f, k)
			m.at = k.Span()
			d.set(key, v)
			continue
		}
		other, ok := v.(*Dict)
		if !ok {
			raise("TypeError", "'%s' object is not a mapping", v.Type())
		}
		other.each(d.set)
	}
	m.charge(len(d.keys))
	return d
}

func (m *machine) boolOp(f *frame, e *syntax.BoolOp) (v Value) {
	for _, x := range e.Values {
		if v = m.eval(f, x); m.truth(v) == (e.Op == "or") {
			return v
		}
	}
	return v
}

func (m *machine) comparison(f *frame, e *syntax.Compare) Value {
	left := m.eval(f, e.Left)
	var v Value
	for i, op := range e.Ops {
		right := m.eval(f, e.Comparators[i])
		m.at = e.Span()
		if v = m.compare(op, left, right); i < len(e.Ops)-1 && !m.truth(v) {
			return v
		}
		left = right
	}
	return v
}

// comprehension runs the clauses in a scope of their own. A generator is computed at once.
func (m *machine) comprehension(f *frame, e *syntax.Comp) Value {
	inner := newFrame(m.info.Scopes[e], f, f.call)
	var items []Value
	d := newDict()
	emit := func() {
		m.step(e.Span())
		m.charge(1)
		switch v := m.eval(inner, e.Elt); e.Kind {
		case "dict":
			d.set(v, m.eval(inner, e.Value))
		case "set":
			d.set(v, none)
		default:
			items = append(items, v)
		}
	}
	m.clauses(f, inner, e.Clauses, 0, emit)
	switch e.Kind {
	case "dict":
		return d
	case "set":
		return &Set{*d}
	case "list":
		return &List{items}
	}
	return sliceIterator("generator", items)
}

func (m *machine) clauses(outer, inner *frame, list []syntax.CompClause, i int, emit func()) {
	if i == len(list) {
		emit()
		return
	}
	c := list[i]
	from := inner
	if i == 0 {
		from = outer
	}
	it := m.iterate(m.eval(from, c.Iter))
	m.enterLoop(c.Iter.Span())
	depth := len(m.loops)
	for v, ok := it(); ok; v, ok = it() {
		m.step(c.Iter.Span())
		m.assign(inner, c.Target, v)
		if m.allTrue(inner, c.Ifs) {
			m.clauses(outer, inner, list, i+1, emit)
		}
		m.loops = m.loops[:depth]
	}
	m.leaveLoop()
}

func (m *machine) allTrue(f *frame, tests []syntax.Expr) bool {
	for _, t := range tests {
		if !m.truth(m.eval(f, t)) {
			return false
		}
	}
	return true
}

// joined is an f-string's text.
func (m *machine) joined(f *frame, e *syntax.JoinedStr) string {
	var b strings.Builder
	for _, part := range e.Values {
		switch p := part.(type) {
		case *syntax.Constant:
			b.WriteString(p.Text)
		case *syntax.FormattedValue:
			b.WriteString(p.Debug)
			b.WriteString(m.formatted(f, p))
		default:
			b.WriteString(m.str(m.eval(f, part)))
		}
	}
	m.charge(b.Len())
	return b.String()
}

func (m *machine) formatted(f *frame, p *syntax.FormattedValue) string {
	v := m.eval(f, p.Value)
	m.at = p.Span()
	conversion := p.Conversion
	if conversion == 0 && p.Debug != "" && p.Format == nil {
		conversion = 'r'
	}
	switch conversion {
	case 'r':
		v = python.Str(m.repr(v))
	case 'a':
		v = python.Str(python.ASCII(python.Str(m.repr(v))))
	case 's':
		v = python.Str(m.str(v))
	}
	spec := ""
	if p.Format != nil {
		spec = m.joined(f, p.Format)
	}
	return m.format(v, spec)
}

// format is format(v, spec).
func (m *machine) format(v Value, spec string) string {
	switch t := v.(type) {
	case Tensor:
		if len(t.Shape()) == 0 {
			return m.format(m.method(t, "item"), spec)
		}
	case python.Bool, python.Int, python.Float, python.Str:
		return must(python.Format(v, spec))
	}
	if spec != "" {
		raise("TypeError", "unsupported format string passed to %s.__format__", v.Type())
	}
	return m.str(v)
}

// truth is bool(v).
func (m *machine) truth(v Value) bool {
	switch v := v.(type) {
	case python.Bool, python.Int, python.Float, python.Str, python.None:
		return python.Truth(v)
	case Tuple:
		return len(v) > 0
	case *List:
		return len(v.Items) > 0
	case *Dict:
		return v.live > 0
	case *Set:
		return v.live > 0
	case Size:
		return len(v) > 0
	case Range:
		return v.length() > 0
	case Tensor:
		if v.Numel() != 1 {
			raise("RuntimeError", "Boolean value of Tensor with %s value%s is ambiguous", map[bool]string{true: "no", false: "more than one"}[v.Numel() == 0], map[bool]string{true: "s", false: ""}[v.Numel() == 0])
		}
		return m.truth(m.method(v, "item"))
	case constexpr:
		return m.truth(v.value)
	case *Instance:
		if r, ok := m.special(v, "__bool__"); ok {
			return m.truth(r)
		}
		if r, ok := m.special(v, "__len__"); ok {
			return m.truth(r)
		}
	}
	return true
}

// index is an integer where Python wants one that fits an int64.
func (m *machine) index(v Value) int64 {
	if t, ok := v.(Tensor); ok && t.Numel() == 1 && !t.DType().Info().Float {
		return t.Ints()[0]
	}
	if c, ok := v.(constexpr); ok {
		v = c.value
	}
	i, ok := python.AsInt(v)
	if !ok {
		raise("TypeError", "'%s' object cannot be interpreted as an integer", v.Type())
	}
	n, ok := i.Int64()
	if !ok {
		if i.Sign() < 0 {
			return math.MinInt64
		}
		return math.MaxInt64
	}
	return n
}
