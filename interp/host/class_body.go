package host

import (
	"github.com/newtlab/newt/compiler/python"
)

// property is property(get, set, delete): an attribute of a class's objects that functions compute. A nil function is
// one that is missing.
type property struct{ get, set, delete Value }

// Type is "property", or the class of what Go code gives.
func (p *property) Type() string {
	if is[*Builtin](p.get) {
		return "getset_descriptor"
	}
	return "property"
}

// newProperty is property(fget, fset, fdel, doc).
func newProperty(_ *machine, a arguments) Value {
	return &property{given(a.positional[0], nil), given(a.positional[1], nil), given(a.positional[2], nil)}
}

func (p *property) read(m *machine, o Value, name string) Value {
	if p.get == nil {
		raise("AttributeError", "property '%s' of '%s' object has no getter", name, o.Type())
	}
	return m.callValue(p.get, arguments{positional: []Value{o}})
}

func (p *property) write(m *machine, o Value, name string, v Value) {
	if p.set == nil {
		raise("AttributeError", "property '%s' of '%s' object has no setter", name, o.Type())
	}
	m.callValue(p.set, arguments{positional: []Value{o, v}})
}

func (p *property) remove(m *machine, o Value, name string) {
	if p.delete == nil {
		raise("AttributeError", "property '%s' of '%s' object has no deleter", name, o.Type())
	}
	m.callValue(p.delete, arguments{positional: []Value{o}})
}

// attr is the function of a static method or a class method, or what it is in an object.
func (d *descriptor) attr(_ *machine, name string) (Value, bool) {
	switch name {
	case "__func__", "__wrapped__":
		return d.function, true
	case "__get__":
		return newBuiltin("", "__get__(instance, owner=None, /)", func(_ *machine, a arguments) Value {
			c, ok := given(a.positional[1], typeOf(a.positional[0])).(*Class)
			if !ok {
				raise("TypeError", "%s.__get__() needs a class", d.kind)
			}
			return bindMethod(d, a.positional[0], c)
		}), true
	}
	return nil, false
}

// attr gives the decorators that make the property with another of its functions.
func (p *property) attr(_ *machine, name string) (Value, bool) {
	with := func(change func(*property, Value)) Value {
		return newBuiltin("property", name+"(function, /)", func(m *machine, a arguments) Value {
			q := *p
			change(&q, a.positional[0])
			return &q
		})
	}
	switch name {
	case "getter":
		return with(func(q *property, f Value) { q.get = f }), true
	case "setter":
		return with(func(q *property, f Value) { q.set = f }), true
	case "deleter":
		return with(func(q *property, f Value) { q.delete = f }), true
	case "__get__":
		return newBuiltin("", "__get__(instance, owner=None, /)", func(m *machine, a arguments) Value {
			if a.positional[0] != none {
				return p.read(m, a.positional[0], name)
			}
			return p
		}), true
	case "fget":
		return p.get, p.get != nil
	case "fset":
		return p.set, p.set != nil
	}
	return nil, false
}

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
		if o, ok := v.(*Instance); ok {
			m.callSpecial(o, "__set_name__", c, name)
		}
	})
}

// unwrapped is the function of a class or static method.
func unwrapped(v Value) Value {
	if d, ok := v.(*descriptor); ok {
		return d.function
	}
	return v
}

// parts are the functions behind an attribute of a class.
func parts(v Value) []Value {
	switch v := v.(type) {
	case *descriptor:
		return parts(v.function)
	case *property:
		return []Value{v.get, v.set, v.delete}
	}
	return []Value{v}
}

// initSubclass tells the nearest base that wants to know about a new class.
func initSubclass(m *machine, c *Class, keywords []keyword) {
	// As super().__init_subclass__ finds it: the class itself is not asked.
	for _, base := range c.mro()[1:] {
		if f, ok := base.attrs.named("__init_subclass__"); ok && !base.builtin {
			m.callValue(unwrapped(f), arguments{positional: []Value{c}, keywords: keywords})
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
		return m.callValue(unwrapped(f), arguments{append([]Value{c}, a.positional...), a.keywords})
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
func (c *Class) described(name string) (Value, bool) {
	switch name {
	case "__dict__":
		return c.attrs, c.attrs != nil
	case "__qualname__":
		return python.Str(c.Name), true
	case "__abstractmethods__":
		return strTuple(c.abstract), true
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
	at, _ := o.class.find(name)
	// Data descriptors come before the object's own dict (object.__setattr__).
	if p, ok := at.(*property); ok {
		p.write(m, o, name, v)
		return
	}
	if d, ok := at.(*Instance); ok {
		if _, ok := m.callSpecial(d, "__set__", o, v); ok {
			return
		}
	}
	if !hasSlot(m, o.class, name) {
		raise("AttributeError", "'%s' object has no attribute '%s'", o.Type(), name)
	}
	m.budget.chargeItems(1)
	o.attrs.put(name, v)
}
