package host

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/python"
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
	derive   func(m *machine, c *Class)
	meta     *Class   // the metaclass; nil for type
	shared   bool     // by all sessions: no script can change it
	builtin  bool     // Python's own: its methods are written in Go
	abstract []string // the abstract methods that objects would lack
	// registered are the classes that count as subclasses, by abc's register.
	registered []*Class
	// hook are the methods that make a class a subclass of one of collections.abc, nil for other classes.
	hook      []string
	aggregate *lower.Aggregate      // of a class under triton.language.core._aggregate
	record    *slots                // of a class written in Go; nil for others
	filled    atomic.Pointer[slots] // what slots has made
	derivable bool                  // of a builtin class: others may derive from it
	inC       bool                  // CPython has it in C, and its messages name it with its module
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
func (i *Instance) Type() string {
	if i.class.inC {
		return i.class.module() + i.class.Name
	}
	return i.class.Name
}

func (i *Instance) repr() string { return "<" + i.class.module() + i.class.Name + " object>" }

func (c *Class) repr() string {
	name := c.Name
	switch {
	case slices.Contains(torchTypes, c):
		name = "torch." + name
	case c.member("__module__") == nil && builtinClass(c):
	default:
		name = c.module() + name
	}
	return "<class '" + name + "'>"
}

// Type is "super".
func (*superObject) Type() string { return "super" }

// mro is the method resolution order.
func (c *Class) mro() []*Class {
	if c.order == nil {
		switch len(c.bases) {
		case 0:
			c.order = []*Class{c}
		case 1: // its order is the base's, which needs no merge
			c.order = append([]*Class{c}, c.bases[0].mro()...)
		default:
			c.order = c.mergedOrder()
		}
	}
	return c.order
}

// mergedOrder is the order of a class with several bases.
func (c *Class) mergedOrder() []*Class {
	var names []string
	var orders [][]*Class
	for _, b := range c.bases {
		names = append(names, b.Name)
		orders = append(orders, b.mro())
	}
	order, ok := python.Linearize(c, c.bases, orders)
	if !ok {
		raise("TypeError", "Cannot create a consistent method resolution\norder (MRO) for bases %s",
			strings.Join(names, ", "))
	}
	return order
}

func (c *Class) find(name string) (Value, bool) { return c.findHashed(name, hashText(name)) }

// findHashed is find where the hash of the name is known.
func (c *Class) findHashed(name string, hash int64) (Value, bool) {
	for _, d := range c.mro() {
		if v, ok := d.attrs.namedHashed(name, hash); ok {
			return v, true
		}
	}
	return nil, false
}

// lookup is find of a name of the text, where the same is mostly found again.
func (c *Class) lookup(r *reference) (Value, bool) {
	if n := classChanges.Load(); r.class != c || r.changes != n {
		r.found, _ = c.findHashed(r.name, r.hash)
		r.class, r.changes = c, n
	}
	return r.found, r.found != nil
}

func (c *Class) inherits(from *Class) bool {
	return c == from || slices.Contains(c.mro(), from) || slices.ContainsFunc(from.registered, c.inherits) ||
		from.hook != nil && !slices.ContainsFunc(from.hook, c.lacks)
}

func (c *Class) lacks(method string) bool { _, ok := c.find(method); return !ok }

// isA reports whether the class is a builtin exception's or inherits from it.
func (c *Class) isA(name string) bool { return c.inherits(exceptions[name]) }

func builtinClass(c *Class) bool {
	return c.builtin || c.make != nil && c.derive == nil || exceptions[c.Name] == c
}

// maxBases bounds the inheritance of one class.
const maxBases = 64

// constructObject calls a class.
func (m *machine) constructObject(c *Class, a arguments) Value {
	if c.make != nil {
		return c.make(m, a)
	}
	c.refuseAbstract()
	self := allocateObject(m, c, a)
	// type.__call__ calls __init__ only if __new__ gave an object of the class.
	if !typeOf(self).inherits(c) {
		return self // __new__ has made something else
	}
	if init, ok := c.find("__init__"); ok {
		if v := m.callValue(m.bound(init, self, c), a); v != none {
			raise("TypeError", "__init__() should return None, not '%s'", v.Type())
		}
	} else if _, made := c.find("__new__"); !made && !c.exception && len(a.positional)+len(a.keywords) > 0 {
		raise("TypeError", "%s() takes no arguments", c.Name)
	}
	return self
}

func (o *Instance) attr(m *machine, name string) (Value, bool) {
	v, found := o.class.find(name)
	if setterOf(v) != nil { // which the object's own attributes do not hide
		return m.bound(v, o, o.class), true
	}
	if v, ok := o.attrs.named(name); ok {
		return v, true
	}
	switch {
	// After data descriptors and the object's own attributes come functions and other non-data descriptors.
	case found:
		return m.bound(v, o, o.class), true
	case name == "__dict__":
		return o.attrs, true
	case name == "__class__":
		return o.class, true
	}
	// __getattr__ is the last resort, before the methods of object that newt keeps apart from the classes.
	if get, has := o.class.find("__getattr__"); has && name != "__getattr__" {
		return m.callValue(get, arguments{positional: []Value{o, python.Str(name)}}), true
	}
	if f, ok := objectMethods[name]; ok {
		return &Method{o, f}, true
	}
	return nil, false
}

func (c *Class) attr(m *machine, name string) (Value, bool) {
	if name == "__name__" {
		return python.Str(c.Name), true
	}
	v, ok := c.find(name)
	// Attributes of the metaclass come after those of the class and its bases, but for data descriptors.
	if c.meta != nil {
		if v, found := c.meta.find(name); found && (!ok || setterOf(v) != nil) {
			return m.bound(v, c, c.meta), true
		}
	}
	if !ok {
		if v, ok := c.described(m, name); ok {
			return v, true
		}
		if name == "__class__" {
			return typeOf(c), true
		}
		if name == "__subclasses__" {
			return newBuiltin("type", "__subclasses__()", c.subclasses), true
		}
		f, ok := objectMethods[name]
		return f, ok
	}
	return m.bound(v, nil, c), true
}

// setAttr assigns to the object: a class's __setattr__ takes every assignment, also those that a property or a slot
// would take.
func (o *Instance) setAttr(m *machine, name string, v Value) bool {
	if _, ok := m.callSpecial(o, "__setattr__", python.Str(name), v); !ok {
		setOwn(m, o, name, v)
	}
	return true
}

// deleteAttr deletes in CPython's order: __delattr__, then a data descriptor of the class, then the object's own.
func (o *Instance) deleteAttr(m *machine, name string) bool {
	if f, ok := o.class.find("__delattr__"); ok {
		m.callWith(f, o, python.Str(name))
		return true
	}
	return o.deleteOwn(m, name)
}

// deleteOwn is deleteAttr past a __delattr__ of the object's class.
func (o *Instance) deleteOwn(m *machine, name string) bool {
	if m.setBySlot(o.class, o, name, nil) {
		return true
	}
	_, ok := o.attrs.remove(python.Str(name))
	return ok
}

func (c *Class) setAttr(m *machine, name string, v Value) bool {
	if _, ok := m.callOwn(c, "__setattr__", python.Str(name), v); !ok && !m.setBySlot(typeOf(c), c, name, v) {
		c.setOwn(name, v)
	}
	return true
}

// setOwn is setAttr past a __setattr__ of the metaclass.
func (c *Class) setOwn(name string, v Value) {
	refuseShared(c, name)
	c.define(name, v)
}

func (c *Class) deleteAttr(_ *machine, name string) bool {
	refuseShared(c, name)
	return c.drop(name)
}

// refuseShared refuses to change a class that all sessions of the process share.
func refuseShared(c *Class, name string) {
	if builtinClass(c) || c.shared {
		raise("TypeError", "cannot set '%s' attribute of immutable type '%s'", name, c.Name)
	}
}

// superOf is super() inside a method.
func superOf(c *call) Value {
	if c.function.class == nil || c.self == nil {
		raise("RuntimeError", "super(): no arguments")
	}
	return &superObject{c.function.class, c.self}
}

func (s *superObject) attr(m *machine, name string) (Value, bool) {
	own, object := typeOf(s.self), s.self
	if c, ok := s.self.(*Class); ok && !own.inherits(s.after) { // of a class method, not of a metaclass
		own, object = c, nil
	}
	// The order is that of the object's class, not of the class that the method belongs to.
	list := own.mro()
	for _, c := range list[slices.Index(list, s.after)+1:] {
		if v, ok := c.attrs.named(name); ok {
			// __new__ is a static method without being marked as one.
			if name == "__new__" {
				return v, true
			}
			return m.bound(v, object, own), true
		}
	}
	if e, ok := s.self.(*Exception); ok && name == "__init__" {
		return &Builtin{Name: "__init__", call: func(m *machine, a arguments) Value {
				e.args = Tuple(a.positional)
				return none
			}},
			true
	}
	f, ok := objectMethods[name]
	if ok && (name == "__new__" || name == "__init_subclass__") { // a static method
		return f, true
	}
	return &Method{s.self, f}, ok
}

// callSpecial calls a special method if the object's class has it.
func (m *machine) callSpecial(o Value, name string, args ...Value) (Value, bool) {
	f, ok := m.findSpecial(o, name)
	if !ok {
		return nil, false
	}
	return m.callValue(f, arguments{positional: args}), true
}

// callOwn is callSpecial of a method that no builtin class has written in Go.
func (m *machine) callOwn(o Value, name string, args ...Value) (Value, bool) {
	c := typeOf(o)
	f, ok := c.findOwn(name)
	if !ok || f == none {
		return nil, false
	}
	return m.callValue(m.bound(f, o, c), arguments{positional: args}), true
}

// contextManager gives what a with statement calls on entry and on exit; exit reports whether it
// swallows the exception.
func (m *machine) contextManager(v Value) (enter func() Value, exit func(e *Exception) bool) {
	if d, ok := v.(Device); ok { // which is the default of factory functions meanwhile
		v = &deviceMode{device: d}
	}
	if o, ok := v.(managed); ok {
		return func() Value { return o.enter(m) }, func(e *Exception) bool { return o.exit(m, e) }
	}
	// Both are looked up before __enter__ runs, so that an object without __exit__ is refused first.
	begin, hasEnter := m.findSpecial(v, "__enter__")
	end, hasExit := m.findSpecial(v, "__exit__")
	if !hasEnter || !hasExit {
		raise("TypeError", "'%s' object does not support the context manager protocol", v.Type())
	}
	return func() Value { return m.callWith(begin) }, func(e *Exception) bool {
		if e == nil {
			return m.truthOf(m.callWith(end, none, none, none))
		}
		return m.truthOf(m.callWith(end, e.class, e, traceObject{e}))
	}
}

// gradMode is torch.no_grad() or torch.enable_grad().
type gradMode struct {
	on     bool
	before *bool // what set_grad_enabled has changed already
	outer  []bool
}

func (g *gradMode) enter(m *machine) Value {
	before := m.tensors.GradEnabled
	if g.before != nil {
		before = *g.before
	}
	g.outer, m.tensors.GradEnabled = append(g.outer, before), g.on
	return none
}

func (g *gradMode) exit(m *machine, _ *Exception) bool {
	last := len(g.outer) - 1
	m.tensors.GradEnabled, g.outer = g.outer[last], g.outer[:last]
	return false
}

// invoke makes the decorator of a function.
func (g *gradMode) invoke(_ *machine, a arguments) Value {
	if len(a.positional) != 1 || !callable(a.positional[0]) {
		raise("TypeError", "'%s' object is not callable", g.Type())
	}
	return wrapped(g, a.positional[0])
}

// Type is the name of torch's class.
func (*gradMode) Type() string { return "no_grad" }
