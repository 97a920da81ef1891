package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// A class may derive from a builtin one: its objects are Instances that hold a value of the builtin class (heldOf), and
// what the class does not define itself is found in the builtin class, whose attributes are methods written in Go.
// Those of Python's protocols are below; self and plain take the value out of the object.

// heldOf is the value of a builtin class that an object holds: a subclass's, or a member's of an IntEnum.
func heldOf(v Value) (Value, bool) {
	o, ok := v.(*Instance)
	if !ok || o.native == nil {
		return nil, false
	}
	switch held := o.native.(type) {
	case python.Int, python.Str, python.Float, python.Bool, Tuple, *List, *Dict, *Set, Bytes, *ByteArray, Complex:
		return held.(Value), true
	}
	return nil, false
}

// classOf is the class whose methods an object's operators and protocols use, nil where they are Go's alone.
func classOf(v Value) *Class {
	switch o := v.(type) {
	case *Instance:
		return o.class
	case *Exception:
		return o.class
	case *Named:
		return o.class
	case *Class:
		return o.meta
	case *Dict:
		if o.kind != nil {
			return o.kind.class
		}
	}
	return nil
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

// onHeld makes a special method of a function of the values that its arguments hold.
func onHeld(name string, least int, f func(m *machine, x Value, args []Value) Value) method {
	return func(m *machine, a arguments) Value {
		a.want(name, least+1, least+1)
		return f(m, plain(a.positional[0]), a.positional[1:])
	}
}

// specialMethods are the methods behind Python's protocols that builtin classes have.
var specialMethods = map[string]method{}

// specialNames lists which of them each builtin class has, besides __new__.
var specialNames = func() map[string]string {
	const (
		compares = " __eq__ __ne__ __lt__ __le__ __gt__ __ge__ "
		sequence = compares + " __len__ __getitem__ __contains__ __iter__ __repr__ __add__ __mul__ __rmul__ "
		number   = compares + ` __repr__ __bool__ __int__ __float__ __abs__ __neg__ __pos__ __add__ __radd__ __sub__ __rsub__
			__mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__ __rfloordiv__ __mod__ __rmod__ __pow__ __rpow__
			__divmod__ __round__ __format__ __hash__ `
		setLike = compares + ` __len__ __contains__ __iter__ __repr__ __and__ __or__ __sub__ __xor__ `
	)
	return map[string]string{
		"list":  sequence + "__setitem__ __delitem__ __iadd__ __imul__ __reversed__ __init__",
		"tuple": sequence + "__hash__",
		"str":   sequence + "__str__ __mod__ __hash__ __format__", "bytes": sequence + "__hash__",
		"bytearray": sequence + "__setitem__ __iadd__",
		"dict": `__eq__ __ne__ __len__ __getitem__ __setitem__ __delitem__ __contains__ __iter__ __repr__ __or__ __ior__
			__reversed__ __init__`,
		"set": setLike + "__ior__ __iand__ __isub__ __ixor__ __init__", "frozenset": setLike + "__hash__",
		"int":   number + "__index__ __invert__ __and__ __or__ __xor__ __lshift__ __rshift__ __trunc__ __floor__ __ceil__",
		"float": number + "__trunc__ __floor__ __ceil__", "complex": "__repr__ __add__ __sub__ __mul__ __truediv__ __hash__",
		"range": "__len__ __getitem__ __contains__ __iter__ __repr__ __eq__ __hash__ __reversed__",
	}
}()

// init runs behind those of builtins.go and methods.go, whose tables it takes.
func init() {
	fillSpecialMethods()
	fillBuiltinClasses()
}

func fillSpecialMethods() {
	binary := func(op, name string, swapped bool) method {
		return onHeld(name, 1, func(m *machine, x Value, args []Value) Value {
			y := plain(args[0])
			if swapped {
				x, y = y, x
			}
			return m.binaryOp(op, x, y)
		})
	}
	for op, names := range specialOperators {
		// A comparison's reflection is another comparison: there is no __req__.
		if comparisons[op] {
			specialMethods[names[0]] = onHeld(names[0], 1, func(m *machine, x Value, args []Value) Value {
				return m.compareValues(op, x, plain(args[0]))
			})
			continue
		}
		specialMethods[names[0]], specialMethods[names[1]] = binary(op, names[0], false), binary(op, names[1], true)
		name := "__i" + strings.TrimPrefix(names[0], "__")
		specialMethods[name] = func(m *machine, a arguments) Value {
			a.want(name, 2, 2)
			held := plain(a.positional[0])
			// An object of a subclass of list stays itself where the list that it holds has changed in place.
			if r := inPlaceOp(m, op, held, a.positional[1]); r != held || !sameObject(r) {
				return r
			}
			return a.positional[0]
		}
	}
	for op, name := range unaryNames {
		specialMethods[name] = onHeld(name, 0, func(m *machine, x Value, _ []Value) Value { return m.unaryOp(op, x) })
	}
	for name, f := range map[string]func(m *machine, x Value) Value{
		"__len__":      func(m *machine, x Value) Value { return intValue(m.lengthOf(x)) },
		"__iter__":     func(m *machine, x Value) Value { return &Iterator{x.Type() + "_iterator", m.iterateOver(x)} },
		"__repr__":     func(m *machine, x Value) Value { return python.Str(m.reprOf(x)) },
		"__str__":      func(m *machine, x Value) Value { return python.Str(m.strOf(x)) },
		"__bool__":     func(m *machine, x Value) Value { return python.Bool(m.truthOf(x)) },
		"__abs__":      builtinAbs,
		"__hash__":     func(_ *machine, x Value) Value { return python.NewInt(hashOf(x)) },
		"__reversed__": builtinReversed,
		"__int__":      func(m *machine, x Value) Value { return intOf(m, arguments{positional: []Value{x}}) },
		"__index__":    func(m *machine, x Value) Value { return intOf(m, arguments{positional: []Value{x}}) },
		"__float__":    func(m *machine, x Value) Value { return floatOf(m, arguments{positional: []Value{x}}) },
		"__trunc__":    func(m *machine, x Value) Value { return mathRounding("trunc", x) },
		"__floor__":    func(m *machine, x Value) Value { return mathRounding("floor", x) },
		"__ceil__":     func(m *machine, x Value) Value { return mathRounding("ceil", x) },
	} {
		specialMethods[name] = onHeld(name, 0, func(m *machine, x Value, _ []Value) Value { return f(m, x) })
	}
	for name, f := range map[string]func(m *machine, x, y Value) Value{
		"__contains__": func(m *machine, x, y Value) Value { return python.Bool(m.containsItem(x, y)) },
		"__format__":   func(m *machine, x, y Value) Value { return python.Str(m.formatValue(x, m.strOf(y))) },
		"__delitem__":  func(m *machine, x, y Value) Value { m.deleteItem(x, y); return none },
		"__divmod__":   func(m *machine, x, y Value) Value { return must(python.DivMod(x, plain(y))) },
	} {
		specialMethods[name] = onHeld(name, 1,
			func(m *machine, x Value, args []Value) Value { return f(m, x, args[0]) })
	}
	specialMethods["__setitem__"] = onHeld("__setitem__", 2, func(m *machine, x Value, args []Value) Value {
		m.setItem(x, args[0], args[1])
		return none
	})
	specialMethods["__round__"] = func(m *machine, a arguments) Value {
		return builtinRound(m, arguments{append([]Value{plain(a.positional[0])}, a.positional[1:]...), a.keywords})
	}
	specialMethods["__getitem__"] = specialGetItem
	specialMethods["__init__"] = fillHeld
}

var unaryNames = map[string]string{"-": "__neg__", "+": "__pos__", "~": "__invert__"}

var comparisons = map[string]bool{"==": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true}

// sameObject reports whether == on Go's interface tells objects apart: those are pointers.
func sameObject(v Value) bool {
	switch v.(type) {
	case *List, *Dict, *Set, *ByteArray:
		return true
	}
	return false
}

func mathRounding(name string, x Value) Value { return must(python.Math(name, []Value{x})) }

// specialGetItem is __getitem__, which asks the __missing__ of a subclass of dict.
func specialGetItem(m *machine, a arguments) Value {
	a.want("__getitem__", 2, 2)
	held := plain(a.positional[0])
	d, isDict := held.(*Dict)
	o, isObject := a.positional[0].(*Instance)
	if isDict && isObject {
		if v, ok := d.get(a.positional[1]); ok {
			return v
		}
		// dict_subscript asks the class of a subclass alone; dict itself has no __missing__.
		if v, ok := m.callSpecial(o, "__missing__", a.positional[1]); ok {
			return v
		}
	}
	return m.itemOf(held, a.positional[1])
}

// fillHeld is __init__ of the classes whose objects change: list, dict and set.
func fillHeld(m *machine, a arguments) Value {
	switch x := plain(a.positional[0]).(type) {
	case *List:
		x.Items = copiedItems(m, "list", a.tail())
	case *Dict:
		x.replaceContents(dictOf(m, a.tail()).(*Dict))
	case *Set:
		x.Dict = setOf(m, a.tail()).(*Set).Dict
	}
	return none
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

// derivable are the builtin classes that others may derive from.
var derivable = []string{"int", "float", "str", "list", "tuple", "set", "frozenset", "dict", "bytes", "bytearray", "complex"}

// fillBuiltinClasses gives builtin classes their methods as attributes.
func fillBuiltinClasses() {
	for _, c := range builtinTypes {
		// Once, when the program starts: builtin classes are shared by all sessions, and no script can change them.
		c.attrs, c.builtin = newDict(), true
		for _, name := range sortedNames(methodTables[c.Name]) {
			c.define(name, methodTables[c.Name][name])
		}
		for _, name := range strings.Fields(specialNames[c.Name]) {
			c.define(name, &Builtin{name, specialMethods[name]})
		}
		if slices.Contains(derivable, c.Name) {
			c.define("__new__", &Builtin{"__new__", newHeld(c)})
		}
	}
	for class, names := range map[string]string{"int": "real imag numerator denominator", "float": "real imag"} {
		for _, name := range strings.Fields(names) {
			builtinNamed(class).define(name, getter(func(_ *machine, a arguments) Value {
				v, _ := numberParts(plain(a.at(0, none)), name)
				return v
			}))
		}
	}
	builtinNamed("dict").define("fromkeys", &descriptor{"classmethod", &Builtin{"fromkeys", dictFromKeys}})
	for name, f := range metaclassMethods {
		typeClass.define(name, &Builtin{name, f})
	}
}

func builtinNamed(name string) *Class {
	i := slices.IndexFunc(builtinTypes, func(c *Class) bool { return c.Name == name })
	return builtinTypes[i]
}
