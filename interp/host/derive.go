package host

import (
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/syntax"
)

// deriveClass lets the nearest ancestor that has something to say about its subclasses say it: an Enum makes members of
// what the class assigns, a NamedTuple fields of what it annotates.
func deriveClass(m *machine, c *Class) {
	for _, base := range c.mro()[1:] {
		if base.derive != nil {
			c.derive = base.derive
			base.derive(m, c)
			return
		}
	}
}

// noteAnnotation notes what a class body says about an attribute. Names that only a type checker knows stay text.
func (f *frame) noteAnnotation(s *syntax.AnnAssign) {
	name, ok := s.Target.(*syntax.Name)
	if !ok || f.scope.Kind != resolve.ClassScope {
		return
	}
	d, ok := f.names.at("__annotations__").(*Dict)
	if !ok {
		d = newDict()
		f.names.put("__annotations__", d)
	}
	v, known := f.m.untilStop("NameError", func() Value { return f.evalExpr(s.Annotation) })
	if !known {
		v = python.Str(f.unit.file.Slice(s.Annotation.Span()))
	}
	d.put(name.ID, v)
}

// annotationsOf are the annotations of a class's own body by name, in order.
func annotationsOf(c *Class) *Dict {
	if d, ok := c.member("__annotations__").(*Dict); ok {
		return d
	}
	return newDict()
}

// notImplemented is what a comparison gives that does not know the other operand.
var notImplemented = Text{"NotImplementedType", "NotImplemented"}

// noteSubclass keeps a new class for __subclasses__ of its bases. The session has the list, since a base may be shared.
func (m *machine) noteSubclass(c *Class) {
	if m.subclasses == nil {
		m.subclasses = map[*Class][]Value{}
	}
	bases := c.bases
	if len(bases) == 0 {
		bases = []*Class{objectClass}
	}
	for _, base := range bases {
		m.budget.chargeItems(1)
		m.subclasses[base] = append(m.subclasses[base], c)
	}
}

// subclasses is __subclasses__: the classes that the program has derived from one.
func (c *Class) subclasses(m *machine, _ arguments) Value {
	m.budget.chargeItems(len(m.subclasses[c]))
	return &List{Items: append([]Value(nil), m.subclasses[c]...)}
}
