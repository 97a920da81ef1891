package host

// What the attributes of a class are for its objects: the slots get and set (PEP 252).

// property is property(get, set, delete): an attribute of a class's objects that functions compute. A nil function is
// one that is missing.
type property struct {
	name                  string // in the class whose body binds it
	get, set, delete, doc Value
}

// Type is "property", or the class of what Go code gives.
func (p *property) Type() string {
	if is[*Builtin](p.get) {
		return "getset_descriptor"
	}
	return "property"
}

// descriptor is a static or a class method.
type descriptor struct {
	kind     string // staticmethod or classmethod
	function Value
}

// attr is the property's documentation: its own, or the first function's.
func (p *property) attr(m *machine, name string) (Value, bool) {
	switch {
	case name != "__doc__":
		return nil, false
	case p.doc == nil && p.get != nil:
		return m.attrOr(p.get, name)
	}
	return given(p.doc, none), true
}

// Type is the name of the class.
func (d *descriptor) Type() string { return d.kind }

// bound is what an attribute of a class is for an object, or for the class where the object is nil.
func (m *machine) bound(v, o Value, c *Class) Value {
	switch f := v.(type) { // most are functions
	case *Builtin:
		if f.module {
			return v
		}
		return methodOf(m, v, o, c)
	case *Function:
		return methodOf(m, v, o, c)
	}
	if get := typeOf(v).slots().get; get != nil {
		return get(m, v, o, c)
	}
	return v
}

// methodOf is the get slot of functions.
func methodOf(_ *machine, v, o Value, _ *Class) Value {
	if o == nil {
		return v
	}
	return &Method{o, v}
}

// setterOf is the set slot of an attribute of a class, which comes before what the objects have themselves. It is nil
// of any other attribute, and of nil.
func setterOf(v Value) func(m *machine, v, o, x Value) {
	switch v.(type) {
	case nil, *Function, *Builtin:
		return nil
	}
	return typeOf(v).slots().set
}

// setBySlot sets an attribute of an object, or deletes it where x is nil, if its class has a descriptor that does.
func (m *machine) setBySlot(c *Class, o Value, name string, x Value) bool {
	at, _ := c.find(name)
	set := setterOf(at)
	if set != nil {
		set(m, at, o, x)
	}
	return set != nil
}

// call calls one of the property's functions, which what names.
func (p *property) call(m *machine, what string, f Value, args ...Value) Value {
	switch {
	case f != nil:
		return m.callWith(f, args...)
	case is[*Builtin](p.get):
		raise("AttributeError", "attribute '%s' of '%s' objects is not writable", p.name, args[0].Type())
	case p.name != "":
		raise("AttributeError", "property '%s' of '%s' object has no %s", p.name, args[0].Type(), what)
	}
	raise("AttributeError", "property of '%s' object has no %s", args[0].Type(), what)
	return nil
}

var (
	propertyClass     = &Class{Name: "property"}
	staticMethodClass = &Class{Name: "staticmethod"}
	classMethodClass  = &Class{Name: "classmethod"}
	functionClass     = &Class{Name: "function"}
	builtinFunction   = &Class{Name: "builtin_function_or_method"}
)

func init() {
	const parameters = "fget=None, fset=None, fdel=None, doc=None)"
	read := func(a arguments) property {
		v := a.positional
		return property{"", given(v[0], nil), given(v[1], nil), given(v[2], nil), given(v[3], nil)}
	}
	// copied is the property with another function in a place.
	copied := func(place int) method {
		return func(m *machine, a arguments) Value {
			p := self[*property](a)
			args := []Value{given(p.get, none), given(p.set, none), given(p.delete, none), given(p.doc, none)}
			args[place] = a.positional[1]
			q := m.callWith(typeOf(a.positional[0]), args...)
			valueOf[*property](q).name = p.name
			return q
		}
	}
	function := func(get func(p *property) Value) method {
		return func(_ *machine, a arguments) Value { return given(get(self[*property](a)), none) }
	}
	record := typeRecord{
		base: true,
		make: laidOut("builtins", "property("+parameters, func(_ *machine, a arguments) Value {
			p := read(a)
			return &p
		}),
		slots: objectSlots,
		methods: map[string]method{
			"__init__(self, " + parameters: func(_ *machine, a arguments) Value {
				*self[*property](a) = read(a.tail())
				return none
			},
			"__set_name__(self, owner, name, /)": func(m *machine, a arguments) Value {
				self[*property](a).name = m.strOf(a.positional[2])
				return none
			},
			"getter(self, fget, /)": copied(0), "setter(self, fset, /)": copied(1), "deleter(self, fdel, /)": copied(2),
			"@property fget(self)": function(func(p *property) Value { return p.get }),
			"@property fset(self)": function(func(p *property) Value { return p.set }),
			"@property fdel(self)": function(func(p *property) Value { return p.delete }),
		},
	}
	record.get = func(m *machine, v, o Value, _ *Class) Value {
		if o == nil {
			return v
		}
		p := valueOf[*property](v)
		return p.call(m, "getter", p.get, o)
	}
	record.set = func(m *machine, v, o, x Value) {
		if p := valueOf[*property](v); x == nil {
			p.call(m, "deleter", p.delete, o)
		} else {
			p.call(m, "setter", p.set, o, x)
		}
	}
	propertyClass.describe(record)

	for _, c := range []*Class{staticMethodClass, classMethodClass} {
		inner := func(_ *machine, a arguments) Value { return self[*descriptor](a).function }
		record := typeRecord{
			base: true,
			make: laidOut("builtins", c.Name+"(function, /)", func(_ *machine, a arguments) Value {
				return &descriptor{c.Name, a.positional[0]}
			}),
			slots:   objectSlots,
			methods: map[string]method{"@property __func__(self)": inner, "@property __wrapped__(self)": inner},
		}
		record.get = func(_ *machine, v, _ Value, _ *Class) Value { return valueOf[*descriptor](v).function }
		if c == classMethodClass {
			record.get = func(_ *machine, v, _ Value, c *Class) Value {
				return &Method{c, valueOf[*descriptor](v).function}
			}
		} else {
			record.call = func(m *machine, v Value, a arguments) Value {
				return m.callValue(valueOf[*descriptor](v).function, a)
			}
		}
		c.describe(record)
	}

	functions := typeRecord{slots: objectSlots, make: refuseConstruction("function")}
	functions.get = methodOf
	functionClass.describe(functions)
	functions.item, functions.make = itself, refuseConstruction("builtin_function_or_method")
	builtinFunction.describe(functions)
}

// itself is the item slot of what modules for annotations hold, which may be subscripted.
func itself(_ *machine, v, _ Value) Value { return v }

// parts are the functions behind an attribute of a class.
func parts(v Value) []Value {
	switch v := plain(v).(type) {
	case *descriptor:
		return parts(v.function)
	case *property:
		return []Value{v.get, v.set, v.delete}
	}
	return []Value{v}
}
