package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// namedTupleClass makes the class of collections.namedtuple. defaults are those of the last fields.
func namedTupleClass(module, name string, fields []string, defaults []Value) *Class {
	c := nativeClass(module, name, nil, tupleClass)
	c.record = namedClass.record
	c.define("__repr__", namedClass.member("__repr__"))
	params := parameters{name: name + ".__new__", native: -1, plain: true}
	params.defaults = append(make([]Value, len(fields)-len(defaults)), defaults...)
	for _, f := range fields {
		params.list = append(params.list, syntax.Param{Name: f, Kind: syntax.Plain})
	}
	c.make = func(m *machine, a arguments) Value { return newNamedTuple(c, slices.Clone(params.lay(a))) }
	c.derive = func(m *machine, d *Class) {
		d.make = func(m *machine, a arguments) Value { return newNamedTuple(d, c.make(m, a).(*Named).Items) }
	}
	c.define("_fields", strTuple(fields))
	fieldDefaults := newDict()
	for i, v := range defaults {
		fieldDefaults.set(python.Str(fields[len(fields)-len(defaults)+i]), v)
	}
	c.define("_field_defaults", fieldDefaults)
	c.define("__match_args__", strTuple(fields))
	c.define("_make", &descriptor{"classmethod", newBuiltin(name, "_make(cls, iterable)",
		func(m *machine, a arguments) Value { return m.callWith(a.positional[0], m.itemsOf(a.positional[1])...) })})
	c.defineAll(namedTupleMethods())
	return c
}

func newNamedTuple(c *Class, items []Value) *Named {
	named, _ := c.find("_fields")
	fields := named.(Tuple)
	n := &Named{Name: c.Name, Items: items, class: c}
	for _, f := range fields {
		n.Fields = append(n.Fields, string(f.(python.Str)))
	}
	return n
}

// tupleClass is the class as the compiler takes it.
func (n *Named) tupleClass() *lower.TupleClass {
	return &lower.TupleClass{Name: n.Name, Fields: n.Fields}
}

// tupleClass is a class of namedTupleClass as the compiler takes it, and the defaults of its last fields; not ok for
// other classes.
func (c *Class) tupleClass() (class *lower.TupleClass, defaults []Value, ok bool) {
	found, _ := c.find("_fields")
	fields, isTuple := found.(Tuple)
	given, _ := c.find("_field_defaults")
	d, isDict := given.(*Dict)
	if !isTuple || !isDict {
		return nil, nil, false
	}
	class = &lower.TupleClass{Name: c.Name}
	for _, f := range fields {
		name, ok := f.(python.Str)
		if !ok {
			return nil, nil, false
		}
		class.Fields = append(class.Fields, string(name))
	}
	d.each(func(_, v Value) { defaults = append(defaults, v) })
	return class, defaults, len(defaults) <= len(fields)
}

func namedTupleMethods() map[string]method {
	return map[string]method{
		"_asdict(self, /)": func(m *machine, a arguments) Value {
			n, d := self[*Named](a), newDict()
			for i, f := range n.Fields {
				d.set(python.Str(f), n.Items[i])
			}
			return d
		},
		"_replace": func(m *machine, a arguments) Value {
			n := self[*Named](a)
			items := slices.Clone(n.Items)
			var unknown []string
			for _, k := range a.keywords {
				if i := slices.Index(n.Fields, k.name); i >= 0 {
					items[i] = k.value
				} else {
					unknown = append(unknown, Repr(python.Str(k.name)))
				}
			}
			if len(unknown) > 0 {
				raise("ValueError", "Got unexpected field names: [%s]", strings.Join(unknown, ", "))
			}
			return newNamedTuple(n.class, items)
		},
	}
}
