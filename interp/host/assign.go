package host

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// assignTo stores v in a target: a name, an attribute, a subscript, or several of them.
func (f *frame) assignTo(target syntax.Expr, v Value) {
	m := f.m
	switch t := target.(type) {
	case *syntax.Name:
		f.storeName(t, v)
	case *syntax.Attribute:
		object := f.evalExpr(t.Value)
		m.at = t.Span()
		m.setAttr(object, t.Attr, v)
	case *syntax.Subscript:
		object, index := f.evalExpr(t.Value), f.evalExpr(t.Index)
		m.at = t.Span()
		m.setItem(object, index, v)
	case *syntax.Tuple:
		f.assignEach(t.Elts, v, t.Span())
	case *syntax.List:
		f.assignEach(t.Elts, v, t.Span())
	case *syntax.Starred:
		f.assignTo(t.Value, v)
	default:
		halt(diag.New("host-unsupported", target.Span()))
	}
}

func (f *frame) assignEach(targets []syntax.Expr, v Value, span source.Span) {
	m := f.m
	m.at = span
	// All items before the first assignment: a, b = b, a.
	values := m.unpackableItems(v)
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
			f.assignTo(t, values[i])
		}
		return
	}
	after := len(targets) - star - 1
	for i, t := range targets[:star] {
		f.assignTo(t, values[i])
	}
	rest := append([]Value{}, values[star:len(values)-after]...)
	f.assignTo(targets[star], &List{rest})
	for i, t := range targets[star+1:] {
		f.assignTo(t, values[len(values)-after+i])
	}
}

func (m *machine) unpackableItems(v Value) []Value {
	if !iterable(v) {
		raise("TypeError", "cannot unpack non-iterable %s object", v.Type())
	}
	return m.itemsOf(v)
}

// augmentedAssign is target op= value: in place for tensors and lists.
func (f *frame) augmentedAssign(s *syntax.AugAssign) {
	m := f.m
	var load func() Value
	var store func(Value)
	switch t := s.Target.(type) {
	case *syntax.Name:
		load, store = func() Value { return f.loadName(t) }, func(v Value) { f.storeName(t, v) }
	case *syntax.Attribute:
		object := f.evalExpr(t.Value)
		load, store = func() Value { return m.attrOf(object, t.Attr) }, func(v Value) { m.setAttr(object, t.Attr, v) }
	case *syntax.Subscript:
		object, index := f.evalExpr(t.Value), f.evalExpr(t.Index)
		load, store = func() Value { return m.itemOf(object, index) }, func(v Value) { m.setItem(object, index, v) }
	default:
		halt(diag.New("host-unsupported", s.Span()))
	}
	m.at = s.Target.Span()
	// The object and the index are evaluated once, for the load and for the store.
	old := load()
	v := f.evalExpr(s.Value)
	m.at = s.Span()
	// Stored even if the operator has changed the object in place, as Python does: t[0] += [1] fails after the list
	// has grown.
	store(inPlaceOp(m, s.Op, old, v))
}

func (f *frame) deleteTarget(target syntax.Expr) {
	m := f.m
	switch t := target.(type) {
	case *syntax.Name:
		m.at = t.Span()
		f.deleteName(t.ID, f.unit.info.Names[t].Symbol)
	case *syntax.Subscript:
		object, index := f.evalExpr(t.Value), f.evalExpr(t.Index)
		m.at = t.Span()
		m.deleteItem(object, index)
	case *syntax.Attribute:
		object := f.evalExpr(t.Value)
		m.at = t.Span()
		m.deleteAttr(object, t.Attr)
	case *syntax.Tuple:
		for _, e := range t.Elts {
			f.deleteTarget(e)
		}
	default:
		halt(diag.New("host-unsupported", target.Span()))
	}
}
