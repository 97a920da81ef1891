package host

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/newtlab/newt/compiler/python"
)

// nativeClass makes a class of a module written in Go. Its methods, special ones such as __len__ among them, take the
// object first; what an object holds besides attributes is a Go value in Instance.native, which __init__ sets.
func nativeClass(module, name string, methods map[string]method, bases ...*Class) *Class {
	c := &Class{Name: name, attrs: newDict(), bases: bases, shared: !sessionsBegun.Load()}
	c.inC = slices.Contains([]string{"collections", "functools", "itertools", "re", "_io"}, module)
	c.define("__module__", python.Str(module))
	c.defineAll(methods)
	return c
}

// sessionsBegun is set with the first session: classes made before are Go variables, which all sessions share.
var sessionsBegun atomic.Bool

// define sets an attribute of a class.
func (c *Class) define(name string, v Value) {
	c.attrs.put(name, v)
	c.changed(name)
}

// defineAll sets methods by their signatures, in front of which there may be "@classmethod ", "@staticmethod " or
// "@property ".
func (c *Class) defineAll(methods map[string]method) {
	for _, key := range sortedNames(methods) {
		kind, signature, decorated := strings.Cut(key, " ")
		if decorated = decorated && kind[0] == '@'; !decorated {
			signature = key
		}
		b := newBuiltin(c.Name, signature, methods[key])
		switch {
		case !decorated:
			c.define(b.Name, b)
		case kind == "@property":
			c.define(b.Name, &property{name: b.Name, get: b})
		default:
			c.define(b.Name, &descriptor{kind[1:], b})
		}
	}
}

// member is an attribute that the class itself has, nil if there is none.
func (c *Class) member(name string) Value { return c.attrs.at(name) }

// drop removes an attribute of a class.
func (c *Class) drop(name string) bool {
	_, ok := c.attrs.remove(python.Str(name))
	c.changed(name)
	return ok
}

// memberNames lists what the class itself has, in the order of its body.
func (c *Class) memberNames() []string { return c.attrs.names() }

// own is an attribute that the object itself has, nil if there is none.
func (i *Instance) own(name string) Value { return i.attrs.at(name) }

// keep sets an attribute of the object itself, whatever its class says of the name.
func (i *Instance) keep(name string, v Value) { i.attrs.put(name, v) }

// newNative makes an object of a class written in Go.
func (m *machine) newNative(c *Class, held any) *Instance {
	m.budget.chargeItems(1)
	return &Instance{class: c, attrs: newDict(), native: held}
}

// native is the Go value of the object that a method was called on.
func native[T any](a arguments) T {
	var o *Instance
	if len(a.positional) > 0 {
		o, _ = a.positional[0].(*Instance)
	}
	if o == nil {
		raise("TypeError", "this method needs an object of its class")
	}
	held, ok := o.native.(T)
	if !ok {
		raise("TypeError", "%s.__init__() has not been called", o.Type())
	}
	return held
}

// tail is the arguments of a method without its object.
func (a arguments) tail() arguments { return arguments{a.positional[1:], a.keywords} }

// module is the module that a class belongs to, with a dot.
func (c *Class) module() string {
	if m, ok := c.member("__module__").(python.Str); ok {
		return string(m) + "."
	}
	return "__main__."
}

// refused makes a member that says, where it is called, that newt has no such thing.
func refused(name string) *Builtin {
	return &Builtin{Name: lastName(name), call: func(*machine, arguments) Value {
		lack("NotImplementedError", name, nil)
		return nil
	}}
}
