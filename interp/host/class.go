package host

import (
	"slices"
	"strings"

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
	// order is the method resolution order, once mro has found it.
	order []*Class
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

// mro is the method resolution order, C3's: the class, then what it inherits from, each class before its own bases and
// in the order in which it is named.
func (c *Class) mro() []*Class {
	if c.order != nil {
		return c.order
	}
	var lists [][]*Class
	for _, b := range c.bases {
		lists = append(lists, b.mro())
	}
	lists = append(lists, c.bases)
	c.order = []*Class{c}
	for {
		lists = slices.DeleteFunc(lists, func(l []*Class) bool { return len(l) == 0 })
		if len(lists) == 0 {
			return c.order
		}
		next := candidate(lists)
		if next == nil {
			var names []string
			for _, b := range c.bases {
				names = append(names, b.Name)
			}
			raise("TypeError", "Cannot create a consistent method resolution\norder (MRO) for bases %s",
				strings.Join(names, ", "))
		}
		c.order = append(c.order, next)
		for i, l := range lists {
			if l[0] == next {
				lists[i] = l[1:]
			}
		}
	}
}

// candidate is the first head of a list that stands in the tail of none; nil if there is none.
func candidate(lists [][]*Class) *Class {
	for _, l := range lists {
		if !slices.ContainsFunc(lists, func(other []*Class) bool { return slices.Contains(other[1:], l[0]) }) {
			return l[0]
		}
	}
	return nil
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
		base, ok := f.evalExpr(b).(*Class)
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
	keywords := f.classKeywords(s)
	body := newFrame(s, f, f.call)
	body.prefix, body.names = f.prefix+s.Name+".", c.attrs
	m.inFrame(body, func() { body.execBlock(s.Body) })
	c.attrs.put("__module__", f.unit.space.vars.at("__name__"))
	m.ownMembers(c)
	m.deriveClass(c)
	m.initSubclass(c, keywords)
	var v Value = c
	for i := len(s.Decorators) - 1; i >= 0; i-- {
		v = m.callValue(f.evalExpr(s.Decorators[i]), arguments{positional: []Value{v}})
	}
	return v
}

// constructObject calls a class.
func (m *machine) constructObject(c *Class, a arguments) Value {
	if c.make != nil {
		return c.make(m, a)
	}
	self := m.allocateObject(c, a)
	if made, ok := self.(*Instance); ok && !made.class.inherits(c) || !ok && !c.exception {
		return self // __new__ has made something else
	}
	if init, ok := c.find("__init__"); ok {
		if v := m.callValue(bindMethod(init, self, c), a); v != none {
			raise("TypeError", "__init__() should return None, not '%s'", v.Type())
		}
	} else if _, made := c.find("__new__"); !made && !c.exception && len(a.positional)+len(a.keywords) > 0 {
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
	v, found := o.class.find(name)
	if p, ok := v.(*property); ok { // which the object's own attributes do not hide
		return p.read(m, o, name), true
	}
	if v, ok := o.attrs.named(name); ok {
		return v, true
	}
	switch {
	case found:
		if d, ok := v.(*Instance); ok {
			if got, ok := m.callSpecial(d, "__get__", o, o.class); ok {
				return got, true
			}
		}
		return bindMethod(v, o, o.class), true
	case name == "__dict__":
		return o.attrs, true
	}
	if v, ok := m.plainAttr(o, name); ok {
		return v, true
	}
	if get, has := o.class.find("__getattr__"); has && name != "__getattr__" {
		return m.callValue(get, arguments{positional: []Value{o, python.Str(name)}}), true
	}
	if f, ok := objectMethods[name]; ok {
		return &Method{o, f}, true
	}
	return nil, false
}

func (m *machine) classAttr(c *Class, name string) (Value, bool) {
	if name == "__name__" || name == "__qualname__" {
		return python.Str(c.Name), true
	}
	v, ok := c.find(name)
	if !ok {
		if f, ok := methodTables[c.Name][name]; ok && builtinClass(c) {
			return f, true
		}
		if v, ok := c.described(name); ok {
			return v, true
		}
		if v, ok := m.plainAttr(c, name); ok {
			return v, true
		}
		f, ok := objectMethods[name]
		return f, ok
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
	case *Class: // of a class method
		own = o
	}
	// The order is that of the object's class, not of the class that the method belongs to.
	list := own.mro()
	for _, c := range list[slices.Index(list, s.after)+1:] {
		if v, ok := c.attrs.named(name); ok {
			if p, ok := v.(*property); ok {
				return p.read(m, s.self, name), true
			}
			if name == "__new__" {
				return v, true
			}
			return bindMethod(v, s.self, own), true
		}
	}
	if e, ok := s.self.(*Exception); ok && name == "__init__" {
		return &Builtin{"__init__", func(m *machine, a arguments) Value {
			e.args = Tuple(a.positional)
			return none
		}}, true
	}
	f, ok := objectMethods[name]
	if ok && name == "__new__" { // a static method
		return f, true
	}
	return &Method{s.self, f}, ok
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
	return m.callValue(bindMethod(f, o, o.class), a), true
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
					return m.truthOf(m.callSpecialOrRaise(o, "__exit__", none, none, none))
				}
				return m.truthOf(m.callSpecialOrRaise(o, "__exit__", e.class, e, none))
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
