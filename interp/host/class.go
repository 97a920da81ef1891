package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// Class is a type: of Python, of torch, or of a class statement.
type Class struct {
	Name      string
	bases     []*Class
	attrs     *Dict
	exception bool
	// make converts or constructs, for builtin types.
	make func(m *machine, a arguments) Value
	// has reports whether a value is of a builtin type.
	has func(v Value) bool
	// derive completes a class that inherits from this one; nil does nothing.
	derive func(m *machine, c *Class)
	enum   *enumClassBody // of an Enum
	mixin  *Class         // of an Enum whose members are ints or strs as well
	fields []*dataField   // of a dataclass
}

// Instance is an object of a class statement's class, or of a class of a module written in Go.
type Instance struct {
	class  *Class
	attrs  *Dict
	native any // what an object of a class written in Go holds
}

// superObject is super(): the attributes of the classes after one in its object's order.
type superObject struct {
	after *Class
	self  Value
}

// Type is "type".
func (*Class) Type() string { return "type" }

// Type is the name of the object's class.
func (i *Instance) Type() string { return i.class.Name }

// Type is "super".
func (*superObject) Type() string { return "super" }

// mro is the method resolution order: the class and what it inherits from, depth first, each class after all that
// inherit from it. For hierarchies that C3 accepts and that scripts have, that is Python's order.
func (c *Class) mro() []*Class {
	out := []*Class{c}
	for _, b := range c.bases {
		for _, d := range b.mro() {
			if i := slices.Index(out, d); i >= 0 { // reached again on another path: it moves behind
				out = slices.Delete(out, i, i+1)
			}
			out = append(out, d)
		}
	}
	return out
}

func (c *Class) find(name string) (Value, bool) {
	for _, d := range c.mro() {
		if v, ok := d.attrs.named(name); ok {
			return v, true
		}
	}
	return nil, false
}

func (c *Class) inherits(from *Class) bool {
	return c == from || slices.Contains(c.mro(), from)
}

// isA reports whether the class is a builtin exception's or inherits from it.
func (c *Class) isA(name string) bool { return c.inherits(exceptions[name]) }

func builtinClass(c *Class) bool { return c.make != nil && c.derive == nil || exceptions[c.Name] == c }

// maxBases bounds the inheritance of one class.
const maxBases = 16

// makeClass makes the value of a class statement.
func (f *frame) makeClass(s *syntax.ClassDef) Value {
	m := f.m
	c := &Class{Name: s.Name, attrs: newDict()}
	for _, b := range s.Bases {
		base, ok := f.eval(b).(*Class)
		if ok && enumMixins[base.Name] && builtins[base.Name] == Value(base) && len(s.Bases) > 1 {
			c.mixin = base
			continue
		}
		if !ok || base.make != nil && base != objectClass && base.derive == nil {
			m.at = b.Span()
			lack("TypeError", "class "+s.Name+" derived from this", nil)
		}
		if base != objectClass {
			c.bases = append(c.bases, base)
		}
		c.exception = c.exception || base.exception
	}
	if len(c.mro()) > maxBases {
		limit("TypeError", "class %s has more than %d ancestors", s.Name, maxBases)
	}
	body := newFrame(s, f, f.call)
	body.prefix, body.names = f.prefix+s.Name+".", c.attrs
	m.inFrame(body, func() { body.execBlock(s.Body) })
	for _, v := range c.attrs.items {
		if fn, ok := unwrapped(v).(*Function); ok {
			fn.class = c // for super()
		}
	}
	m.derived(c)
	var v Value = c
	for i := len(s.Decorators) - 1; i >= 0; i-- {
		v = m.call(f.eval(s.Decorators[i]), arguments{positional: []Value{v}})
	}
	return v
}

func unwrapped(v Value) Value {
	if d, ok := v.(*descriptor); ok {
		return d.function
	}
	return v
}

// construct calls a class.
func (m *machine) construct(c *Class, a arguments) Value {
	if c.make != nil {
		return c.make(m, a)
	}
	var self Value
	if c.exception {
		self = newException(c, a.positional...)
	} else {
		m.budget.chargeItems(1)
		self = &Instance{class: c, attrs: newDict()}
	}
	if init, ok := c.find("__init__"); ok {
		m.call(bindMethod(init, self, c), a)
	} else if !c.exception && len(a.positional)+len(a.keywords) > 0 {
		raise("TypeError", "%s() takes no arguments", c.Name)
	}
	return self
}

// bindMethod gives the value of a class's attribute on one of its objects: functions become methods.
func bindMethod(v, self Value, c *Class) Value {
	switch f := v.(type) {
	case *Function, *Builtin:
		return &Method{self, v}
	case *descriptor:
		if f.kind == "classmethod" {
			return &Method{c, f.function}
		}
		return f.function
	}
	return v
}

func (m *machine) instanceAttr(o *Instance, name string) (Value, bool) {
	// The object's own attributes hide those of its class. Only properties should come first, and cannot be hidden,
	// since setAttr refuses to.
	if v, ok := o.attrs.named(name); ok {
		return v, true
	}
	if name == "__dict__" {
		return o.attrs, true
	}
	v, ok := o.class.find(name)
	if !ok {
		if name != "__getattr__" {
			if get, has := o.class.find("__getattr__"); has {
				return m.call(get, arguments{positional: []Value{o, python.Str(name)}}), true
			}
		}
		return m.plainAttr(o, name)
	}
	if p, isProperty := v.(*descriptor); isProperty && p.kind == "property" {
		return m.call(p.function, arguments{positional: []Value{o}}), true
	}
	return bindMethod(v, o, o.class), true
}

func (m *machine) classAttr(c *Class, name string) (Value, bool) {
	if name == "__name__" || name == "__qualname__" {
		return python.Str(c.Name), true
	}
	v, ok := c.find(name)
	if !ok {
		if f, ok := methodTables[c.Name][name]; ok {
			return f, true
		}
		return m.plainAttr(c, name)
	}
	if d, isDescriptor := v.(*descriptor); isDescriptor {
		return bindMethod(d, c, c), true
	}
	return v, true
}

// superOf is super() inside a method.
func superOf(c *call) Value {
	if c.function.class == nil || c.self == nil {
		raise("RuntimeError", "super(): no arguments")
	}
	return &superObject{c.function.class, c.self}
}

func (m *machine) superAttr(s *superObject, name string) (Value, bool) {
	own := s.after
	switch o := s.self.(type) {
	case *Instance:
		own = o.class
	case *Exception:
		own = o.class
	}
	// The order is that of the object's class, not of the class that the method belongs to.
	list := own.mro()
	for _, c := range list[slices.Index(list, s.after)+1:] {
		if v, ok := c.attrs.named(name); ok {
			return bindMethod(v, s.self, own), true
		}
	}
	if name == "__init__" {
		return &Builtin{"__init__", func(m *machine, a arguments) Value {
			if e, ok := s.self.(*Exception); ok {
				e.args = Tuple(a.positional)
			}
			return none
		}}, true
	}
	return nil, false
}

// callSpecial calls a method such as __len__ if the object's class has it.
func (m *machine) callSpecial(o *Instance, name string, args ...Value) (Value, bool) {
	return m.callSpecialWith(o, name, arguments{positional: args})
}

func (m *machine) callSpecialWith(o *Instance, name string, a arguments) (Value, bool) {
	f, ok := o.class.find(name)
	if !ok {
		return nil, false
	}
	return m.call(bindMethod(f, o, o.class), a), true
}

func (m *machine) callSpecialOrRaise(o *Instance, name string, args ...Value) Value {
	v, ok := m.callSpecial(o, name, args...)
	if !ok {
		raise("TypeError", "'%s' object has no %s", o.Type(), name)
	}
	return v
}

// contextManager gives what a with statement calls on entry and on exit; exit reports whether it
// swallows the exception.
func (m *machine) contextManager(v Value) (enter func() Value, exit func(e *Exception) bool) {
	switch o := v.(type) {
	case *gradMode:
		var before bool
		enter = func() Value {
			before, m.tensors.GradEnabled = m.tensors.GradEnabled, o.on
			if o.before != nil {
				before = *o.before
			}
			return none
		}
		return enter, func(*Exception) bool { m.tensors.GradEnabled = before; return false }
	case *Instance:
		_, hasEnter := o.class.find("__enter__")
		_, hasExit := o.class.find("__exit__")
		if hasEnter && hasExit {
			enter = func() Value { return m.callSpecialOrRaise(o, "__enter__") }
			return enter, func(e *Exception) bool {
				if e == nil {
					return m.truth(m.callSpecialOrRaise(o, "__exit__", none, none, none))
				}
				return m.truth(m.callSpecialOrRaise(o, "__exit__", e.class, e, none))
			}
		}
	case Device:
		return m.contextManager(&deviceMode{device: o})
	case managed:
		return func() Value { return o.enter(m) }, func(e *Exception) bool { return o.exit(m, e) }
	case Text:
		return func() Value { return o }, func(*Exception) bool { return false }
	}
	raise("TypeError", "'%s' object does not support the context manager protocol", v.Type())
	return nil, nil
}

// gradMode is torch.no_grad() or torch.enable_grad().
type gradMode struct {
	on     bool
	before *bool // what set_grad_enabled has changed already
}

// Type is the name of torch's class.
func (*gradMode) Type() string { return "no_grad" }
