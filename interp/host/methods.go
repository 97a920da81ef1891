package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// methodTables are the methods of Python's types, by the type's name. The first argument is the object.
var methodTables map[string]map[string]*Builtin

type method = func(m *machine, a arguments) Value

func init() {
	methodTables = map[string]map[string]*Builtin{}
	for class, methods := range map[string]map[string]method{
		"list": listMethods, "tuple": tupleMethods, "torch.Size": tupleMethods, "dict": dictMethods, "set": setMethods,
		"str": textMethods, "int": intMethods, "bool": intMethods, "float": floatMethods, "torch.dtype": nil,
		"range": tupleMethods, "JITFunction": launchMethods, "Autotuner": launchMethods, "Heuristics": launchMethods,
	} {
		table := map[string]*Builtin{}
		for name, f := range methods {
			table[name] = &Builtin{name, f}
		}
		methodTables[class] = table
	}
	methodTables["object"] = map[string]*Builtin{"__setattr__": {"__setattr__", func(m *machine, a arguments) Value {
		a.want("__setattr__", 3, 3)
		m.keepAttr(a.positional[0], m.strOf(a.positional[1]), a.positional[2])
		return none
	}}}
	methodTables["torch.Size"]["numel"] = &Builtin{"numel", func(m *machine, a arguments) Value {
		n := 1
		for _, d := range a.positional[0].(Size) {
			n *= d
		}
		return intValue(n)
	}}
}

// self is the object of a method call, of its Go type.
func self[T any](a arguments) T {
	if len(a.positional) == 0 {
		raise("TypeError", "unbound method needs an argument")
	}
	v, ok := a.positional[0].(T)
	if !ok {
		raise("TypeError", "this method does not apply to a '%s' object", a.positional[0].Type())
	}
	return v
}

var listMethods = map[string]method{
	"append": func(m *machine, a arguments) Value {
		a.want("append", 2, 2)
		l := self[*List](a)
		m.budget.chargeItems(1)
		l.Items = append(l.Items, a.positional[1])
		return none
	},
	"extend": func(m *machine, a arguments) Value {
		a.want("extend", 2, 2)
		l, items := self[*List](a), m.itemsOf(a.positional[1])
		m.budget.chargeItems(len(items))
		l.Items = append(l.Items, items...)
		return none
	},
	"insert": func(m *machine, a arguments) Value {
		a.want("insert", 3, 3)
		l := self[*List](a)
		i := asIndex(a.positional[1])
		if i < 0 {
			i += int64(len(l.Items))
		}
		m.budget.chargeItems(1)
		l.Items = slices.Insert(l.Items, int(max(min(i, int64(len(l.Items))), 0)), a.positional[2])
		return none
	},
	"pop": func(m *machine, a arguments) Value {
		a.want("pop", 1, 2)
		l := self[*List](a)
		if len(l.Items) == 0 {
			raise("IndexError", "pop from empty list")
		}
		i := m.itemPosition(a.at(1, intValue(-1)), len(l.Items), "pop")
		v := l.Items[i]
		l.Items = slices.Delete(l.Items, i, i+1)
		return v
	},
	"remove": func(m *machine, a arguments) Value {
		a.want("remove", 2, 2)
		l := self[*List](a)
		i := m.indexOf(l.Items, a.positional[1])
		if i < 0 {
			raise("ValueError", "list.remove(x): x not in list")
		}
		l.Items = slices.Delete(l.Items, i, i+1)
		return none
	},
	"sort": func(m *machine, a arguments) Value {
		key, _ := a.take("key")
		reverse, _ := a.take("reverse")
		l := self[*List](a)
		l.Items = sortedItems(m, slices.Clone(l.Items), key, reverse != nil && m.truthOf(reverse))
		return none
	},
	"reverse": func(m *machine, a arguments) Value { slices.Reverse(self[*List](a).Items); return none },
	"clear":   func(m *machine, a arguments) Value { self[*List](a).Items = nil; return none },
	"copy":    func(m *machine, a arguments) Value { return &List{copiedItems(m, "copy", a)} },
	"index":   sequenceIndex,
	"count":   sequenceCount,
}

var tupleMethods = map[string]method{"index": sequenceIndex, "count": sequenceCount}

func (m *machine) indexOf(items []Value, v Value) int {
	return slices.IndexFunc(items, func(x Value) bool { return identical(x, v) || m.equalValues(x, v) })
}

func sequenceIndex(m *machine, a arguments) Value {
	a.want("index", 2, 2)
	i := m.indexOf(m.itemsOf(a.positional[0]), a.positional[1])
	if i < 0 {
		raise("ValueError", "%s is not in %s", m.reprOf(a.positional[1]), a.positional[0].Type())
	}
	return intValue(i)
}

func sequenceCount(m *machine, a arguments) Value {
	a.want("count", 2, 2)
	n := 0
	for _, x := range m.itemsOf(a.positional[0]) {
		if m.equalValues(x, a.positional[1]) {
			n++
		}
	}
	return intValue(n)
}

var dictMethods = map[string]method{
	"get": func(m *machine, a arguments) Value {
		a.want("get", 2, 3)
		if v, ok := self[*Dict](a).get(a.positional[1]); ok {
			return v
		}
		return a.at(2, none)
	},
	"keys": func(m *machine, a arguments) Value { return &List{self[*Dict](a).list()} },
	"values": func(m *machine, a arguments) Value {
		var out []Value
		self[*Dict](a).each(func(_, v Value) { out = append(out, v) })
		return &List{out}
	},
	"items": func(m *machine, a arguments) Value {
		var out []Value
		self[*Dict](a).each(func(k, v Value) { out = append(out, Tuple{k, v}) })
		m.budget.chargeItems(len(out))
		return &List{out}
	},
	"pop": func(m *machine, a arguments) Value {
		a.want("pop", 2, 3)
		v, ok := self[*Dict](a).remove(a.positional[1])
		switch {
		case ok:
			return v
		case len(a.positional) > 2:
			return a.positional[2]
		}
		panic(&raised{exception: newException(exceptions["KeyError"], a.positional[1])})
	},
	"setdefault": func(m *machine, a arguments) Value {
		a.want("setdefault", 2, 3)
		d := self[*Dict](a)
		if v, ok := d.get(a.positional[1]); ok {
			return v
		}
		m.budget.chargeItems(1)
		d.set(a.positional[1], a.at(2, none))
		return a.at(2, none)
	},
	"update": func(m *machine, a arguments) Value {
		d := self[*Dict](a)
		if len(a.positional) > 1 {
			updateDict(m, d, a.positional[1])
		}
		for _, k := range a.keywords {
			d.set(python.Str(k.name), k.value)
		}
		return none
	},
	"copy":  func(m *machine, a arguments) Value { d := newDict(); updateDict(m, d, self[*Dict](a)); return d },
	"clear": func(m *machine, a arguments) Value { *self[*Dict](a) = *newDict(); return none },
}

var setMethods = map[string]method{
	"add": func(m *machine, a arguments) Value {
		a.want("add", 2, 2)
		m.budget.chargeItems(1)
		self[*Set](a).set(a.positional[1], none)
		return none
	},
	"discard": func(m *machine, a arguments) Value {
		a.want("discard", 2, 2)
		self[*Set](a).remove(a.positional[1])
		return none
	},
	"remove": func(m *machine, a arguments) Value {
		a.want("remove", 2, 2)
		if _, ok := self[*Set](a).remove(a.positional[1]); !ok {
			panic(&raised{exception: newException(exceptions["KeyError"], a.positional[1])})
		}
		return none
	},
	"copy":         func(m *machine, a arguments) Value { return setOf(m, a) },
	"union":        setMethod("|"),
	"intersection": setMethod("&"),
	"difference":   setMethod("-"),
	"issubset": func(m *machine, a arguments) Value {
		a.want("issubset", 2, 2)
		return python.Bool(subset("<=", self[*Set](a), asSet(m, a.positional[1])))
	},
	"update": func(m *machine, a arguments) Value {
		a.want("update", 2, 2)
		asSet(m, a.positional[1]).each(self[*Set](a).set)
		return none
	},
}

func asSet(m *machine, v Value) *Set { return setOf(m, arguments{positional: []Value{v}}).(*Set) }

func setMethod(op string) method {
	return func(m *machine, a arguments) Value {
		a.want("set operation", 2, 2)
		v, _ := setOperation(op, self[*Set](a), asSet(m, a.positional[1]))
		return v
	}
}

var intMethods = map[string]method{
	"bit_length": func(m *machine, a arguments) Value {
		i, _ := python.AsInt(a.positional[0])
		return intValue(i.Big().BitLen())
	},
	"bit_count": func(m *machine, a arguments) Value {
		i, _ := python.AsInt(a.positional[0])
		return intValue(strings.Count(i.Big().Text(2), "1"))
	},
}

var floatMethods = map[string]method{
	"is_integer": func(m *machine, a arguments) Value {
		f := self[python.Float](a)
		whole, err := f.Whole()
		if err != nil {
			return python.Bool(false)
		}
		return python.Bool(m.equalValues(whole, f))
	},
}
