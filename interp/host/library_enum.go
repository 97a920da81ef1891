package host

import (
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// enumClassBody is what makes a class an Enum: its members in order, without aliases.
type enumClassBody struct {
	members []*Instance
	flag    bool
}

// autoValue is enum.auto().
type autoValue struct{}

// enumLibrary is enum.
func enumLibrary(*machine) map[string]Value {
	auto := nativeClass("enum", "auto", map[string]method{
		"__init__": func(m *machine, a arguments) Value {
			self[*Instance](a).native = autoValue{}
			return none
		},
	})
	base := enumClass("Enum", enumMethods())
	base.define("name", getter(func(m *machine, a arguments) Value { return self[*Instance](a).own("_name_") }))
	base.define("value", getter(func(m *machine, a arguments) Value { return self[*Instance](a).own("_value_") }))
	flag := enumClass("Flag", flagMethods(), base)
	scalar := map[string]method{
		"__str__": func(m *machine, a arguments) Value {
			return python.Str(m.strOf(self[*Instance](a).own("_value_")))
		},
		"__format__": func(m *machine, a arguments) Value {
			return python.Str(m.formatValue(self[*Instance](a).own("_value_"), m.strOf(a.at(1, python.Str("")))))
		},
	}
	intEnum, strEnum := enumClass("IntEnum", scalar, base), enumClass("StrEnum", scalar, base)
	intEnum.mixin, strEnum.mixin = builtins["int"].(*Class), builtins["str"].(*Class)
	intFlag := enumClass("IntFlag", intFlagMethods(scalar), flag)
	intFlag.mixin = builtins["int"].(*Class)
	return map[string]Value{"Enum": base, "IntEnum": intEnum, "StrEnum": strEnum, "Flag": flag, "IntFlag": intFlag,
		"auto": auto, "unique": &Builtin{"unique", enumUnique},
		"EnumMeta": refused("enum.EnumMeta"), "EnumType": refused("enum.EnumType")}
}

// intFlagMethods are those of IntFlag: its objects are equal to ints.
func intFlagMethods(scalar map[string]method) map[string]method {
	methods := maps.Clone(scalar)
	methods["__eq__"] = func(m *machine, a arguments) Value {
		x, _ := flagBits(a.positional[0])
		y, ok := flagBits(a.at(1, none))
		if !ok {
			return notImplemented
		}
		return python.Bool(x == y)
	}
	return methods
}

func enumClass(name string, methods map[string]method, bases ...*Class) *Class {
	c := nativeClass("enum", name, methods, bases...)
	c.derive, c.make = makeMembers, functionalEnum(c)
	return c
}

func enumMethods() map[string]method {
	return map[string]method{
		"__repr__": func(m *machine, a arguments) Value {
			o := self[*Instance](a)
			if o.own("_name_") == python.Value(none) {
				return python.Str("<" + o.class.Name + ": " + m.reprOf(o.own("_value_")) + ">")
			}
			return python.Str("<" + o.class.Name + "." + m.strOf(o.own("_name_")) + ": " + m.reprOf(o.own("_value_")) + ">")
		},
		"__str__": func(m *machine, a arguments) Value {
			o := self[*Instance](a)
			if o.own("_name_") == python.Value(none) { // of a Flag without a bit
				return python.Str(o.class.Name + "(" + m.reprOf(o.own("_value_")) + ")")
			}
			return python.Str(o.class.Name + "." + m.strOf(o.own("_name_")))
		},
		"__format__": func(m *machine, a arguments) Value {
			return python.Str(m.formatValue(python.Str(m.strOf(a.positional[0])), m.strOf(a.at(1, python.Str("")))))
		},
		"__hash__": func(m *machine, a arguments) Value {
			return python.NewInt(hashText(m.strOf(self[*Instance](a).own("_name_"))))
		},
	}
}

// makeMembers turns what the body of an Enum assigns into members.
func makeMembers(m *machine, c *Class) {
	e := &enumClassBody{}
	for _, base := range c.mro()[1:] {
		if base.enum != nil && len(base.enum.members) > 0 {
			raise("TypeError", "<enum '%s'> cannot extend <enum '%s'>", c.Name, base.Name)
		}
		e.flag = e.flag || base.Name == "Flag" && base.member("__module__") == python.Str("enum")
		if c.mixin == nil {
			c.mixin = base.mixin
		}
	}
	c.enum = e
	byName := newDict()
	var values []Value
	for _, name := range c.memberNames() {
		v := c.member(name)
		if strings.HasPrefix(name, "_") || isMethodLike(v) {
			continue
		}
		if o, ok := v.(*Instance); ok && o.native == (autoValue{}) {
			v = nextEnumValue(m, c, name, values)
		}
		values = append(values, v)
		o := c.enumMember(m, v)
		if o == nil {
			o = newEnumMember(m, c, name, v)
			e.members = append(e.members, o)
		}
		byName.set(python.Str(name), o)
		c.define(name, o)
	}
	c.define("__members__", byName)
	if len(e.members) == 0 {
		c.make = functionalEnum(c)
		return
	}
	c.make = func(m *machine, a arguments) Value {
		v := a.bound(c.Name, "value")[0]
		if o, ok := v.(*Instance); ok && o.class == c {
			return o
		}
		if o := c.enumMember(m, v); o != nil {
			return o
		}
		if e.flag {
			return flagOf(m, c, asIndex(v))
		}
		if f, ok := c.find("_missing_"); ok {
			if o := m.callWith(bindMethod(f, c, c), v); o != none {
				return o
			}
		}
		raise("ValueError", "%s is not a valid %s", m.reprOf(v), c.Name)
		return nil
	}
	c.has = func(v Value) bool { o, ok := v.(*Instance); return ok && o.class == c }
}

// functionalEnum is Enum("Name", "A B"): a class with members of these names, numbered from 1, or with the values of a
// mapping or of pairs.
func functionalEnum(base *Class) func(m *machine, a arguments) Value {
	return func(m *machine, a arguments) Value {
		v := a.bound(base.Name, "value, names=, *, module=, qualname=, type=, start=, boundary=")
		if v[1] == nil {
			raise("TypeError", "%s has no members; specify `names=()` if you meant to create a new, empty, enum",
				Repr(base))
		}
		attrs := newDict()
		next := asIndex(given(v[5], intValue(1)))
		add := func(name string, value Value) {
			if value == nil {
				value = python.NewInt(next)
				if base.isFlag() {
					next <<= 1
				} else {
					next++
				}
			}
			attrs.put(name, value)
		}
		names := v[1]
		if s, ok := names.(python.Str); ok {
			list := &List{}
			for _, name := range strings.Fields(strings.ReplaceAll(string(s), ",", " ")) {
				list.Items = append(list.Items, python.Str(name))
			}
			names = list
		}
		if !m.eachEntry(names, func(k, x Value) { add(m.strOf(k), x) }) {
			for _, entry := range m.itemsOf(names) {
				if pair, ok := entry.(Tuple); ok && len(pair) == 2 {
					add(m.strOf(pair[0]), pair[1])
					continue
				}
				add(m.strOf(entry), nil)
			}
		}
		attrs.put("__module__", m.frame.unit.space.vars.at("__name__"))
		p := classParts{name: m.strOf(v[0]), bases: []Value{base}, attrs: attrs}
		if mixin := given(v[4], nil); mixin != nil {
			p.bases = append([]Value{mixin}, p.bases...)
		}
		return newClass(m, p)
	}
}

// isFlag reports whether an Enum is a Flag.
func (c *Class) isFlag() bool {
	return slices.ContainsFunc(c.mro(), func(d *Class) bool {
		return d.Name == "Flag" && d.member("__module__") == python.Str("enum")
	})
}

func isMethodLike(v Value) bool {
	switch v.(type) {
	case *Function, *Builtin, *descriptor, *property, *Method, *Class:
		return true
	}
	return false
}

// enumMember is the member with a value, nil if there is none.
func (c *Class) enumMember(m *machine, v Value) *Instance {
	for _, o := range c.enum.members {
		if m.equalValues(o.own("_value_"), v) {
			return o
		}
	}
	return nil
}

func newEnumMember(m *machine, c *Class, name string, v Value) *Instance {
	o := m.newNative(c, nil)
	value := v
	init, hasInit := c.find("__init__")
	// An enum of ints or strs: the value is made by the builtin class, and a tuple gives its arguments.
	if c.mixin != nil {
		args := []Value{v}
		if t, ok := v.(Tuple); ok && !hasInit {
			args = t
		}
		value = m.callWith(c.mixin, args...)
		o.native = value
	}
	o.keep("_name_", python.Str(name))
	o.keep("_value_", value)
	if hasInit {
		args, ok := v.(Tuple)
		if !ok {
			args = Tuple{v}
		}
		m.callValue(bindMethod(init, o, c), arguments{positional: args})
	}
	return o
}

// nextEnumValue is the value of auto().
func nextEnumValue(m *machine, c *Class, name string, values []Value) Value {
	// Its arguments are name, start, count and the values so far; start is always 1 here.
	if f, ok := c.find("_generate_next_value_"); ok {
		return m.callWith(unwrapped(f), python.Str(name), intValue(1), intValue(len(values)),
			&List{Items: slices.Clone(values)})
	}
	if c.mixin != nil && c.mixin.Name == "str" {
		return python.Str(strings.ToLower(name))
	}
	var most int64
	for _, v := range values {
		if i, ok := python.AsInt(v); ok {
			most = max(most, asIndex(i))
		}
	}
	if c.enum.flag {
		// The next power of two above the highest bit that is used.
		return python.NewInt(1 << bits.Len64(uint64(most)))
	}
	return python.NewInt(most + 1)
}

func enumUnique(m *machine, a arguments) Value {
	c, ok := a.bound("unique", "enumeration")[0].(*Class)
	if !ok || c.enum == nil {
		raise("TypeError", "unique() takes an Enum")
	}
	var same []string
	c.member("__members__").(*Dict).each(func(k, v Value) {
		// An alias: its entry is the member of another name.
		if name := v.(*Instance).own("_name_"); name != k {
			same = append(same, m.strOf(k)+" -> "+m.strOf(name))
		}
	})
	if len(same) > 0 {
		raise("ValueError", "duplicate values found in <enum '%s'>: %s", c.Name, strings.Join(same, ", "))
	}
	return c
}

// flagOf is the combination of flags with some bits.
func flagOf(m *machine, c *Class, n int64) Value {
	if o := c.enumMember(m, python.NewInt(n)); o != nil {
		return o
	}
	all := int64(0)
	var names []string
	for _, o := range c.enum.members {
		bit := asIndex(o.own("_value_"))
		all |= bit
		if isOneBit(o) && n&bit == bit {
			names = append(names, m.strOf(o.own("_name_")))
		}
	}
	if n < 0 {
		// ~flag is negative: its complement within the flags that exist.
		return flagOf(m, c, all&n)
	}
	var held any
	if c.mixin != nil { // an IntFlag is an int, and keeps bits that have no flag
		held = python.NewInt(n)
		if rest := n &^ all; rest != 0 && len(names) > 0 {
			names = append(names, strconv.FormatInt(rest, 10))
		}
	} else if n&^all != 0 {
		raise("ValueError", "<flag '%s'> invalid value %d", c.Name, n)
	}
	o := m.newNative(c, held)
	var name Value = none
	if len(names) > 0 {
		name = python.Str(strings.Join(names, "|"))
	}
	o.keep("_name_", name)
	o.keep("_value_", python.NewInt(n))
	return o
}

// flagBits are the bits of a member, or of an int for an IntFlag.
func flagBits(v Value) (int64, bool) {
	if o, ok := v.(*Instance); ok && o.class.enum != nil {
		return asIndex(o.own("_value_")), true
	}
	i, ok := python.AsInt(v)
	return asIndex(i), ok
}

// isOneBit reports whether a member is a flag of its own; the others are aliases for the flags that they combine.
func isOneBit(o *Instance) bool {
	n, _ := flagBits(o)
	return n > 0 && n&(n-1) == 0
}

func flagOperation(f func(a, b int64) int64) method {
	return func(m *machine, a arguments) Value {
		x, _ := flagBits(a.positional[0])
		y, ok := flagBits(a.at(1, none))
		if !ok {
			return notImplemented
		}
		return flagOf(m, self[*Instance](a).class, f(x, y))
	}
}

func flagMethods() map[string]method {
	return map[string]method{
		"__or__":   flagOperation(func(a, b int64) int64 { return a | b }),
		"__ror__":  flagOperation(func(a, b int64) int64 { return a | b }),
		"__and__":  flagOperation(func(a, b int64) int64 { return a & b }),
		"__xor__":  flagOperation(func(a, b int64) int64 { return a ^ b }),
		"__rand__": flagOperation(func(a, b int64) int64 { return a & b }),
		"__rxor__": flagOperation(func(a, b int64) int64 { return a ^ b }),
		"__invert__": func(m *machine, a arguments) Value {
			n, _ := flagBits(a.positional[0])
			return flagOf(m, self[*Instance](a).class, ^n)
		},
		"__bool__": func(m *machine, a arguments) Value { n, _ := flagBits(a.positional[0]); return python.Bool(n != 0) },
		"__eq__": func(m *machine, a arguments) Value {
			o, ok := a.at(1, none).(*Instance)
			if !ok || o.class != self[*Instance](a).class {
				return notImplemented
			}
			return python.Bool(m.equalValues(self[*Instance](a).own("_value_"), o.own("_value_")))
		},
		"__contains__": func(m *machine, a arguments) Value {
			x, _ := flagBits(a.positional[0])
			y, ok := flagBits(a.at(1, none))
			return python.Bool(ok && x&y == y)
		},
		"__iter__": func(m *machine, a arguments) Value {
			o := self[*Instance](a)
			n, _ := flagBits(o)
			var out []Value
			for _, member := range o.class.enum.members {
				if bit, _ := flagBits(member); isOneBit(member) && n&bit != 0 {
					out = append(out, member)
				}
			}
			return sliceIterator("generator", out)
		},
	}
}
