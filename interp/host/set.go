package host

import "github.com/newtlab/newt/compiler/python"

// Set is a set or a frozenset, kept as a dict without values.
type Set struct {
	Dict
	frozen bool
}

// Type is the name of the class.
func (s *Set) Type() string {
	if s.frozen {
		return "frozenset"
	}
	return "set"
}

func newSet() *Set { return &Set{} }

var setClass, frozenSetClass = &Class{Name: "set"}, &Class{Name: "frozenset"}

func init() {
	record := typeRecord{
		base: true,
		make: func(m *machine, a arguments) Value {
			if s, ok := a.at(0, none).(*Set); ok && s.frozen && len(a.positional) == 1 {
				return s
			}
			s := setOf(m, "frozenset", a)
			s.frozen = true
			return s
		},
		slots: slots{
			length:   func(_ *machine, v Value) int { return valueOf[*Set](v).live },
			contains: func(_ *machine, v, x Value) bool { _, ok := valueOf[*Set](v).get(x); return ok },
			iterate: func(_ *machine, v Value) func() (Value, bool) {
				return valueOf[*Set](v).walk("Set", func(e entry) Value { return e.key })
			},
			items: func(_ *machine, v Value) []Value { return valueOf[*Set](v).list() },
			compare: func(_ *machine, op string, v, other Value) Value {
				if y, ok := setLike(plain(other)).(*Set); ok {
					return python.Bool(compareSets(op, valueOf[*Set](v), y))
				}
				return notImplemented
			},
			binaryOps: " & | - ^ ",
			binary: func(m *machine, op string, v, other Value, reflected bool) Value {
				x := valueOf[*Set](v)
				y, ok := setLike(plain(other)).(*Set)
				if !ok || !hasOperator(setOperators, op) {
					return notImplemented
				}
				if reflected {
					x, y = y, x
				}
				return setOperation(op, x, y)
			},
			hash: func(v Value, depth int) int64 { return hashSet(valueOf[*Set](v), depth) },
			repr: func(p *printer, v Value, depth int) string {
				switch s := valueOf[*Set](v); {
				case s.live == 0:
					return s.Type() + "()"
				case s.frozen:
					return "frozenset({" + p.items(s.list(), depth) + "})"
				default:
					return "{" + p.items(s.list(), depth) + "}"
				}
			},
		},
		methods: map[string]method{
			"copy": func(m *machine, a arguments) Value {
				s := self[*Set](a)
				if s.frozen {
					return s
				}
				return setOf(m, "copy", a)
			},
			"union": setMethod("|"), "intersection": setMethod("&"), "difference": setMethod("-"),
			"symmetric_difference": setMethod("^"),
			"issubset":             setComparison("issubset", "<="), "issuperset": setComparison("issuperset", ">="),
			"isdisjoint": func(m *machine, a arguments) Value {
				a.want("isdisjoint", 2, 2)
				return python.Bool(setOperation("&", self[*Set](a), asSet(m, a.positional[1])).live == 0)
			},
		},
	}
	frozenSetClass.describe(record)

	record.make = func(m *machine, a arguments) Value { return setOf(m, "set", a) }
	record.hash = nil
	record.inPlaceOps = setOperators
	record.inPlace = func(m *machine, op string, v, other Value) Value {
		y, ok := setLike(plain(other)).(*Set)
		if !ok || !hasOperator(setOperators, op) {
			return notImplemented
		}
		valueOf[*Set](v).update(m, op, y)
		return v
	}
	for name, f := range map[string]method{
		"__init__": func(m *machine, a arguments) Value {
			self[*Set](a).Dict = setOf(m, "set", a.tail()).Dict
			return none
		},
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
	} {
		record.methods[name] = f
	}
	setClass.describe(record)
}

// setOperators are the binary operators of sets.
const setOperators = " & | - ^ "

func setOf(m *machine, name string, a arguments) *Set {
	s := newSet()
	for _, v := range copiedItems(m, name, a) {
		s.set(v, none)
	}
	return s
}

func asSet(m *machine, v Value) *Set {
	if s, ok := plain(v).(*Set); ok {
		return s
	}
	return setOf(m, "set", arguments{positional: []Value{v}})
}

// setOperation is x op y, of the class of x.
func setOperation(op string, x, y *Set) *Set {
	out := newSet()
	out.frozen = x.frozen
	from := func(s, other *Set, want bool) {
		s.each(func(k, _ Value) {
			if _, has := other.get(k); has == want {
				out.set(k, none)
			}
		})
	}
	switch op {
	case "&":
		from(x, y, true)
	case "-":
		from(x, y, false)
	case "|":
		x.each(out.set)
		y.each(out.set)
	case "^":
		from(x, y, false)
		from(y, x, false)
	}
	return out
}

// update is s op= other. A union adds to the set, which may be large.
func (s *Set) update(m *machine, op string, other *Set) {
	m.budget.chargeItems(other.live)
	if op == "|" {
		other.each(s.set)
		return
	}
	s.Dict = setOperation(op, s, other).Dict
}

// compareSets is x op y: equality, or whether one is a subset of the other.
func compareSets(op string, x, y *Set) bool {
	switch op {
	case "==":
		return x.live == y.live && isSubset(x, y)
	case "!=":
		return x.live != y.live || !isSubset(x, y)
	case "<=":
		return isSubset(x, y)
	case "<":
		return x.live < y.live && isSubset(x, y)
	}
	return compareSets(swapped[op], y, x)
}

func isSubset(a, b *Set) bool {
	inside := true
	a.each(func(k, _ Value) {
		_, ok := b.get(k)
		inside = inside && ok
	})
	return inside
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
			out = setOperation(op, out, other)
		}
		return out
	}
}

func setUpdate(op string) method {
	return func(m *machine, a arguments) Value {
		s := self[*Set](a)
		for _, v := range a.positional[1:] {
			s.update(m, op, asSet(m, v))
		}
		return none
	}
}

func setComparison(name, op string) method {
	return func(m *machine, a arguments) Value {
		a.want(name, 2, 2)
		return python.Bool(compareSets(op, self[*Set](a), asSet(m, a.positional[1])))
	}
}
