package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// target compiles what an assignment stores in: a name, an attribute, a subscript, or several of them.
func (c compilation) target(target syntax.Expr) assignment {
	span := target.Span()
	switch t := target.(type) {
	case *syntax.Name:
		return c.storeName(t)
	case *syntax.Attribute:
		object, ref := c.expr(t.Value), newReference(t.Attr)
		return func(f *frame, v Value) {
			o := object(f)
			f.m.at = span
			f.m.setAttrAt(o, ref, v)
		}
	case *syntax.Subscript:
		object, index := c.expr(t.Value), c.expr(t.Index)
		return func(f *frame, v Value) {
			o, i := object(f), index(f)
			f.m.at = span
			f.m.setItem(o, i, v)
		}
	case *syntax.Tuple:
		return c.unpacking(t.Elts, span)
	case *syntax.List:
		return c.unpacking(t.Elts, span)
	case *syntax.Starred:
		return c.target(t.Value)
	}
	return func(*frame, Value) { halt(diag.New("host-unsupported", span)) }
}

func (c compilation) targets(list []syntax.Expr) []assignment {
	out := make([]assignment, len(list))
	for i, t := range list {
		out[i] = c.target(t)
	}
	return out
}

// unpacking compiles the targets that take the items of one value, of which one may be *rest.
func (c compilation) unpacking(list []syntax.Expr, span source.Span) assignment {
	targets, star, n := c.targets(list), -1, len(list)
	for i, t := range list {
		if isStarred(t) {
			star = i
		}
	}
	return func(f *frame, v Value) {
		m := f.m
		m.at = span
		if !iterable(v) {
			raise("TypeError", "cannot unpack non-iterable %s object", v.Type())
		}
		// All items before the first assignment: a, b = b, a.
		values := m.itemsOf(v)
		switch {
		case star < 0 && len(values) > n:
			raise("ValueError", "too many values to unpack (expected %d)", n)
		case star < 0 && len(values) < n:
			raise("ValueError", "not enough values to unpack (expected %d, got %d)", n, len(values))
		case star >= 0 && len(values) < n-1:
			raise("ValueError", "not enough values to unpack (expected at least %d, got %d)", n-1, len(values))
		}
		if star >= 0 {
			end := len(values) - (n - star - 1)
			rest := &List{slices.Clone(values[star:end])}
			values = slices.Concat(values[:star], []Value{rest}, values[end:])
		}
		for i, assign := range targets {
			assign(f, values[i])
		}
	}
}

// annotated compiles target: annotation = value.
func (c compilation) annotated(s *syntax.AnnAssign) execution {
	if s.Value == nil {
		return goesOn(func(f *frame) { f.noteAnnotation(s) })
	}
	value, assign := c.expr(s.Value), c.target(s.Target)
	return goesOn(func(f *frame) {
		assign(f, value(f))
		f.noteAnnotation(s)
	})
}

// augmented compiles target op= value: in place for tensors and lists. The object and the index are evaluated once, for
// the load and for the store. The value is stored even if the operator has changed the object in place, as Python does:
// t[0] += [1] fails after the list has grown.
func (c compilation) augmented(s *syntax.AugAssign) func(f *frame) {
	value, apply, at, span := c.expr(s.Value), inPlaceOperator(s.Op), s.Target.Span(), s.Span()
	switch t := s.Target.(type) {
	case *syntax.Name:
		load, store := c.name(t), c.storeName(t)
		return func(f *frame) {
			old := load(f)
			v := value(f)
			f.m.at = span
			store(f, apply(f.m, old, v))
		}
	case *syntax.Attribute:
		object, ref := c.expr(t.Value), newReference(t.Attr)
		return func(f *frame) {
			m, o := f.m, object(f)
			m.at = at
			old := m.attrAt(o, ref)
			v := value(f)
			m.at = span
			m.setAttrAt(o, ref, apply(m, old, v))
		}
	case *syntax.Subscript:
		object, index := c.expr(t.Value), c.expr(t.Index)
		return func(f *frame) {
			m, o, i := f.m, object(f), index(f)
			m.at = at
			old := m.itemOf(o, i)
			v := value(f)
			m.at = span
			m.setItem(o, i, apply(m, old, v))
		}
	}
	return func(*frame) { halt(diag.New("host-unsupported", span)) }
}

// deletion compiles del of a target.
func (c compilation) deletion(target syntax.Expr) func(f *frame) {
	span := target.Span()
	switch t := target.(type) {
	case *syntax.Name:
		return c.deleteName(t)
	case *syntax.Subscript:
		object, index := c.expr(t.Value), c.expr(t.Index)
		return func(f *frame) {
			o, i := object(f), index(f)
			f.m.at = span
			f.m.deleteItem(o, i)
		}
	case *syntax.Attribute:
		object := c.expr(t.Value)
		return func(f *frame) {
			o := object(f)
			f.m.at = span
			f.m.deleteAttr(o, t.Attr)
		}
	case *syntax.Tuple:
		var parts []func(*frame)
		for _, e := range t.Elts {
			parts = append(parts, c.deletion(e))
		}
		return func(f *frame) {
			for _, remove := range parts {
				remove(f)
			}
		}
	}
	return func(*frame) { halt(diag.New("host-unsupported", span)) }
}
