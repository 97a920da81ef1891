package host

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// assign stores v in a target: a name, an attribute, a subscript, or several of them.
func (m *machine) assign(f *frame, target syntax.Expr, v Value) {
	switch t := target.(type) {
	case *syntax.Name:
		m.store(f, t, v)
	case *syntax.Attribute:
		object := m.eval(f, t.Value)
		m.at = t.Span()
		m.setAttr(object, t.Attr, v)
	case *syntax.Subscript:
		object, index := m.eval(f, t.Value), m.eval(f, t.Index)
		m.at = t.Span()
		m.setItem(object, index, v)
	case *syntax.Tuple:
		m.unpack(f, t.Elts, v, t.Span())
	case *syntax.List:
		m.unpack(f, t.Elts, v, t.Span())
	case *syntax.Starred:
		m.assign(f, t.Value, v)
	default:
		halt(diag.New("host-unsupported", target.Span()))
	}
}

func (m *machine) unpack(f *frame, targets []syntax.Expr, v Value, span source.Span) {
	m.at = span
	values := m.unpackable(v)
	star := -1
	for i, t := range targets {
		if _, ok := t.(*syntax.Starred); ok {
			star = i
		}
	}
	switch n := len(targets); {
	case star < 0 && len(values) > n:
		raise("ValueError", "too many values to unpack (expected %d)", n)
	case star < 0 && len(values) < n:
		raise("ValueError", "not enough values to unpack (expected %d, got %d)", n, len(values))
	case star >= 0 && len(values) < n-1:
		raise("ValueError", "not enough values to unpack (expected at least %d, got %d)", n-1, len(values))
	}
	if star < 0 {
		for i, t := range targets {
			m.assign(f, t, values[i])
		}
		return
	}
	after := len(targets) - star - 1
	for i, t := range targets[:star] {
		m.assign(f, t, values[i])
	}
	rest := append([]Value{}, values[star:len(values)-after]...)
	m.assign(f, targets[star], &List{rest})
	for i, t := range targets[star+1:] {
		m.assign(f, t, values[len(values)-after+i])
	}
}

func (m *machine) unpackable(v Value) []Value {
	if !iterable(v) {
		raise("TypeError", "cannot unpack non-iterable %s object", v.Type())
	}
	return m.items1(v)
}

// augment is target op= value: in place for tensors and lists.
func (m *machine) augment(f *frame, s *syntax.AugAssign) {
	var load func() Value
	var store func(Value)
	switch t := s.Target.(type) {
	case *syntax.Name:
		load, store = func() Value { return m.load(f, t) }, func(v Value) { m.store(f, t, v) }
	case *syntax.Attribute:
		object := m.eval(f, t.Value)
		load, store = func() Value { return m.attr(object, t.Attr) }, func(v Value) { m.setAttr(object, t.Attr, v) }
	case *syntax.Subscript:
		object, index := m.eval(f, t.Value), m.eval(f, t.Index)
		load, store = func() Value { return m.item(object, index) }, func(v Value) { m.setItem(object, index, v) }
	default:
		halt(diag.New("host-unsupported", s.Span()))
	}
	m.at = s.Target.Span()
	old := load()
	v := m.eval(f, s.Value)
	m.at = s.Span()
	store(m.inPlace(s.Op, old, v))
}

func (m *machine) delete(f *frame, target syntax.Expr) {
	switch t := target.(type) {
	case *syntax.Name:
		m.forget(f, t)
	case *syntax.Subscript:
		object, index := m.eval(f, t.Value), m.eval(f, t.Index)
		m.at = t.Span()
		m.deleteItem(object, index)
	case *syntax.Attribute:
		object := m.eval(f, t.Value)
		m.at = t.Span()
		m.deleteAttr(object, t.Attr)
	case *syntax.Tuple:
		for _, e := range t.Elts {
			m.delete(f, e)
		}
	default:
		halt(diag.New("host-unsupported", target.Span()))
	}
}
