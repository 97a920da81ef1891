package host

import (
	"github.com/newtlab/newt/compiler/python"
)

// A class may derive from a builtin one: its objects are Instances that hold a value of the builtin class (heldOf), and
// what the class does not define itself is found in the builtin class, whose attributes are methods written in Go; self
// and plain take the value out of the object.

// heldOf is the value of a builtin class that an object holds: of a subclass.
func heldOf(v Value) (Value, bool) {
	o, ok := v.(*Instance)
	if !ok || o.native == nil {
		return nil, false
	}
	switch held := o.native.(type) {
	case python.Int, python.Str, python.Float, python.Bool, Tuple, *List, *Dict, *Set, Bytes, *ByteArray, Complex,
		*property, *descriptor:
		return held.(Value), true
	}
	return nil, false
}

// findOwn is find among the classes of scripts and of modules, without Python's builtin ones.
func (c *Class) findOwn(name string) (Value, bool) {
	hash := hashText(name)
	for _, d := range c.mro() {
		if d.builtin {
			continue
		}
		if v, ok := d.attrs.namedHashed(name, hash); ok {
			return v, true
		}
	}
	return nil, false
}

// newHeld is __new__ of a builtin class.
func newHeld(base *Class) method {
	return func(m *machine, a arguments) Value {
		c := self[*Class](a)
		rest := a.tail()
		// Mutable classes get their contents from __init__, which a subclass may call with other arguments than
		// __new__.
		if _, fills := base.attrs.named("__init__"); fills && c != base {
			rest = arguments{}
		}
		v := base.make(m, rest)
		if c == base {
			return v
		}
		return m.newNative(c, v)
	}
}
