package host

import (
	"github.com/newtlab/newt/compiler/python"
)

// ownMembers notes in the functions of a class body which class they are of, for super(), and calls __set_name__ of the
// values that have it.
func ownMembers(m *machine, c *Class) {
	c.attrs.each(func(name, v Value) {
		for _, f := range parts(v) {
			// A function that is an attribute of a second class keeps its first: super() means the class of its text
			// (__class__).
			if fn, ok := f.(*Function); ok && fn.class == nil {
				fn.class = c
			}
		}
		if setterOf(v) != nil || is[*Instance](v) {
			m.callSpecial(v, "__set_name__", c, name)
		}
	})
}

// initSubclass tells the nearest base that wants to know about a new class.
func initSubclass(m *machine, c *Class, keywords []keyword) {
	// As super().__init_subclass__ finds it: the class itself is not asked.
	for _, base := range c.mro()[1:] {
		if f, ok := base.attrs.named("__init_subclass__"); ok && !base.builtin {
			m.callValue(m.bound(f, nil, c), arguments{keywords: keywords})
			return
		}
	}
	if len(keywords) > 0 {
		raise("TypeError", "%s.__init_subclass__() takes no keyword arguments", c.Name)
	}
}

// allocateObject makes the object that a class's __init__ is given.
func allocateObject(m *machine, c *Class, a arguments) Value {
	if f, ok := c.find("__new__"); ok {
		return m.callValue(m.bound(f, nil, c), arguments{append([]Value{c}, a.positional...), a.keywords})
	}
	return m.newObject(c, a.positional)
}

func (m *machine) newObject(c *Class, args []Value) Value {
	if c.exception && c.isA("BaseExceptionGroup") {
		return newGroup(m, c, args)
	}
	if c.exception && c.isA("OSError") {
		return newOSError(c, args)
	}
	if c.exception {
		return newException(c, args...)
	}
	// An object is an item: a loop that only makes objects ends, too.
	m.budget.chargeItems(1)
	return &Instance{class: c, attrs: newDict()}
}

// hasSlot reports whether objects of the class may have an attribute of that name: all its classes have __slots__, and
// none has this one.
func hasSlot(m *machine, c *Class, name string) bool {
	for _, d := range c.mro() {
		slots, ok := d.attrs.named("__slots__")
		// One class without __slots__ gives its objects a dict.
		if !ok {
			return true
		}
		if one, ok := slots.(python.Str); ok {
			slots = Tuple{one}
		}
		for _, slot := range m.itemsOf(slots) {
			if mangler(d.Name).mangled(m.strOf(slot)) == name {
				return true
			}
		}
	}
	return false
}

// described are the attributes that every class has.
func (c *Class) described(m *machine, name string) (Value, bool) {
	switch name {
	case "__dict__":
		if c.attrs == nil {
			return nil, false
		}
		// A mappingproxy cannot be changed either.
		return copyDict(m, arguments{positional: []Value{c.attrs}}), true
	case "__qualname__":
		return python.Str(c.Name), true
	case "__abstractmethods__":
		names := &Set{frozen: true}
		for _, name := range c.abstract {
			names.add(python.Str(name))
		}
		return names, true
	case "__mro__":
		out := Tuple{}
		for _, d := range c.mro() {
			out = append(out, d)
		}
		return append(out, objectClass), true
	case "__bases__":
		out := Tuple{}
		for _, d := range c.bases {
			out = append(out, d)
		}
		if len(out) == 0 {
			out = Tuple{objectClass}
		}
		return out, true
	case "__module__":
		return python.Str("builtins"), true
	case "__doc__":
		return none, true
	}
	return nil, false
}

// objectMethods are the methods of object, which every class inherits. It is filled by init, since they call what looks
// them up.
var objectMethods map[string]*Builtin

func init() {
	objectMethods = map[string]*Builtin{}
	for signature, f := range map[string]method{
		"__init__":          ignore,
		"__init_subclass__": ignore,
		"__new__": func(m *machine, a arguments) Value {
			c := self[*Class](a)
			return m.newObject(c, a.positional[1:])
		},
		"__setattr__(self, name, value, /)": func(m *machine, a arguments) Value {
			if o, ok := a.positional[0].(*Instance); ok {
				setOwn(m, o, m.strOf(a.positional[1]), a.positional[2])
				return none
			}
			m.setAttr(a.positional[0], m.strOf(a.positional[1]), a.positional[2])
			return none
		},
		"__delattr__(self, name, /)": func(m *machine, a arguments) Value {
			name := m.strOf(a.positional[1])
			if o, ok := a.positional[0].(*Instance); !ok {
				m.deleteAttr(a.positional[0], name)
			} else if !o.deleteOwn(m, name) {
				raiseNoAttr(m, o, name)
			}
			return none
		},
		"__getattribute__(self, name, /)": func(m *machine, a arguments) Value {
			return m.attrOf(a.positional[0], m.strOf(a.positional[1]))
		},
		"__eq__(self, value, /)": func(m *machine, a arguments) Value {
			if identical(a.positional[0], a.positional[1]) {
				return python.Bool(true)
			}
			return notImplemented
		},
		"__hash__(self, /)": func(m *machine, a arguments) Value {
			return python.NewInt(identity(a.positional[0]) >> 4)
		},
		"__repr__(self, /)": func(m *machine, a arguments) Value { return python.Str(plainRepr(a.positional[0])) },
		"__str__(self, /)":  func(m *machine, a arguments) Value { return python.Str(m.reprOf(a.positional[0])) },
		"__format__(self, format_spec, /)": func(m *machine, a arguments) Value {
			return python.Str(m.strOf(a.positional[0]))
		},
	} {
		b := newBuiltin("object", signature, f)
		objectMethods[b.Name] = b
	}
}

// plainRepr is object's own repr.
func plainRepr(v Value) string {
	if o, ok := v.(*Instance); ok {
		return "<" + o.class.module() + o.class.Name + " object>"
	}
	return Repr(v)
}

// setOwn sets an attribute of an object past a __setattr__ of its class.
func setOwn(m *machine, o *Instance, name string, v Value) {
	// Data descriptors come before the object's own dict (object.__setattr__).
	if m.setBySlot(o.class, o, name, v) {
		return
	}
	if !hasSlot(m, o.class, name) {
		raise("AttributeError", "'%s' object has no attribute '%s'", o.Type(), name)
	}
	m.budget.chargeItems(1)
	o.attrs.put(name, v)
}
