package host

import (
	"maps"
	"slices"

	"github.com/newtlab/newt/compiler/python"
)

// methodTables are the methods of Python's types, by the type's name. The first argument is the object.
var methodTables map[string]map[string]*Builtin

type method = func(m *machine, a arguments) Value

func init() {
	methodTables = map[string]map[string]*Builtin{}
	maps.Copy(setMethods, frozenSetMethods)
	for class, methods := range map[string]map[string]method{
		"list": listMethods, "tuple": tupleMethods, "torch.Size": tupleMethods, "dict": dictMethods, "set": setMethods,
		"frozenset": frozenSetMethods, "str": textMethods, "bytes": bytesMethods, "bytearray": bytearrayMethods,
		"memoryview": bytesMethods, "int": intMethods, "bool": intMethods, "float": floatMethods, "torch.dtype": nil,
		"complex": nil, "dict_keys": dictViewMethods, "dict_items": dictViewMethods, "range": tupleMethods,
		"JITFunction": launchMethods, "Autotuner": launchMethods, "Heuristics": launchMethods,
	} {
		table := map[string]*Builtin{}
		for name, f := range methods {
			table[name] = &Builtin{name, f}
		}
		methodTables[class] = table
	}
	for name, f := range methodTables["bytes"] {
		if _, own := methodTables["bytearray"][name]; !own {
			methodTables["bytearray"][name] = f
		}
	}
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
		v, ok = plain(a.positional[0]).(T)
	}
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
		i := indexOfItem(m, l.Items, a.positional[1])
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
		items, sorted := l.Items, l.Items
		l.Items = nil // Python shows the list empty meanwhile, so that a change is noticed
		defer func() { l.Items = sorted }()
		sorted = sortedItems(m, slices.Clone(items), key, reverse != nil && m.truthOf(reverse))
		if l.Items != nil {
			raise("ValueError", "list modified during sort")
		}
		return none
	},
	"reverse": func(m *machine, a arguments) Value { slices.Reverse(self[*List](a).Items); return none },
	"clear":   func(m *machine, a arguments) Value { self[*List](a).Items = nil; return none },
	"copy":    func(m *machine, a arguments) Value { return &List{copiedItems(m, "copy", a)} },
	"index":   sequenceIndex,
	"count":   sequenceCount,
}

var tupleMethods = map[string]method{"index": sequenceIndex, "count": sequenceCount}

func indexOfItem(m *machine, items []Value, v Value) int {
	return slices.IndexFunc(items, func(x Value) bool { return identical(x, v) || m.equalValues(x, v) })
}

func sequenceIndex(m *machine, a arguments) Value {
	a.want("index", 2, 2)
	i := indexOfItem(m, m.itemsOf(a.positional[0]), a.positional[1])
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
	"keys": viewOf("keys"), "values": viewOf("values"), "items": viewOf("items"),
	"popitem": func(m *machine, a arguments) Value {
		d := self[*Dict](a)
		if d.live > 0 {
			k := d.entries[len(d.entries)-1].key
			v, _ := d.remove(k)
			return Tuple{k, v}
		}
		raiseKey(python.Str("popitem(): dictionary is empty"))
		return nil
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
	"copy": func(m *machine, a arguments) Value { d := newDict(); updateDict(m, d, self[*Dict](a)); return d },
	"clear": func(m *machine, a arguments) Value {
		self[*Dict](a).replaceContents(newDict())
		return none
	},
}

// dictFromKeys is dict.fromkeys, a class method.
func dictFromKeys(m *machine, a arguments) Value {
	c := self[*Class](a)
	v := a.tail().bound("fromkeys", "iterable, value=")
	out := m.callWith(c)
	for _, k := range m.itemsOf(v[0]) {
		m.setItem(out, k, given(v[1], none))
	}
	return out
}

// frozenSetMethods are the methods of sets that change nothing.
var frozenSetMethods = map[string]method{
	"copy": func(m *machine, a arguments) Value {
		s := self[*Set](a)
		if s.frozen {
			return s
		}
		return setOf(m, a)
	},
	"union": setMethod("|"), "intersection": setMethod("&"), "difference": setMethod("-"),
	"symmetric_difference": setMethod("^"),
	"issubset":             setComparison("<="), "issuperset": setComparison(">="),
	"isdisjoint": func(m *machine, a arguments) Value {
		a.want("isdisjoint", 2, 2)
		v, _ := setOperation("&", self[*Set](a), asSet(m, a.positional[1]))
		return python.Bool(v.(*Set).live == 0)
	},
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
			raiseKey(a.positional[1])
		}
		return none
	},
	"pop": func(m *machine, a arguments) Value {
		s := self[*Set](a)
		if s.live > 0 {
			k := s.entries[s.head].key
			s.remove(k)
			return k
		}
		raiseKey(python.Str("pop from an empty set"))
		return nil
	},
	"clear":  func(m *machine, a arguments) Value { self[*Set](a).Dict = *newDict(); return none },
	"update": setUpdate("|"), "intersection_update": setUpdate("&"), "difference_update": setUpdate("-"),
	"symmetric_difference_update": setUpdate("^"),
}

func asSet(m *machine, v Value) *Set {
	if s, ok := plain(v).(*Set); ok {
		return s
	}
	return setOf(m, arguments{positional: []Value{v}}).(*Set)
}

// setMethod is an operation with each of the iterables that it is called with.
func setMethod(op string) method {
	return func(m *machine, a arguments) Value {
		s := self[*Set](a)
		if op == "^" {
			a.want("symmetric_difference", 2, 2)
		}
		out := &Set{*newDict(), s.frozen}
		s.each(out.set)
		for _, v := range a.positional[1:] {
			other := asSet(m, v)
			m.budget.chargeItems(other.live)
			next, _ := setOperation(op, out, other)
			out = next.(*Set)
		}
		return out
	}
}

func setUpdate(op string) method {
	return func(m *machine, a arguments) Value {
		if s := self[*Set](a); op == "|" {
			for _, v := range a.positional[1:] {
				s.addAll(m, asSet(m, v))
			}
			return none
		}
		self[*Set](a).Dict = setMethod(op)(m, a).(*Set).Dict
		return none
	}
}

// addAll adds the items of another set.
func (s *Set) addAll(m *machine, other *Set) {
	m.budget.chargeItems(other.live)
	other.each(s.set)
}

func setComparison(op string) method {
	return func(m *machine, a arguments) Value {
		a.want("issubset", 2, 2)
		return python.Bool(subset(op, self[*Set](a), asSet(m, a.positional[1])))
	}
}
