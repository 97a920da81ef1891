package host

import "github.com/newtlab/newt/compiler/python"

// Type is the name of the class.
func (s *Set) Type() string {
	if s.frozen {
		return "frozenset"
	}
	return "set"
}

var setClass, frozenSetClass = &Class{Name: "set"}, &Class{Name: "frozenset"}

func init() {
	record := typeRecord{
		base: true,
		make: laidOut("builtins", "frozenset(iterable=(), /)", func(m *machine, a arguments) Value {
			if s, ok := a.positional[0].(*Set); ok && s.frozen {
				return s
			}
			s := setOf(m, a.positional[0])
			s.frozen = true
			return s
		}),
		slots: slots{
			length:   func(_ *machine, v Value) int { return valueOf[*Set](v).live },
			contains: func(_ *machine, v, x Value) bool { return valueOf[*Set](v).get(x) },
			iterate: func(_ *machine, v Value) func() (Value, bool) {
				return valueOf[*Set](v).walk()
			},
			items: func(m *machine, v Value) []Value { return valueOf[*Set](v).list(m) },
			compare: func(m *machine, op string, v, other Value) Value {
				if y, ok := setLike(m, plain(other)).(*Set); ok {
					return python.Bool(compareSets(m, op, valueOf[*Set](v), y))
				}
				return notImplemented
			},
			binaryOps: " & | - ^ ",
			binary: func(m *machine, op string, v, other Value, reflected bool) Value {
				x := valueOf[*Set](v)
				y, ok := plain(other).(*Set)
				if !ok || !hasOperator(setOperators, op) {
					return notImplemented
				}
				if reflected {
					x, y = y, x
				}
				return setOperation(m, op, x, y)
			},
			hash: func(v Value, depth int) int64 { return hashSet(valueOf[*Set](v), depth) },
			repr: func(p *printer, v Value, depth int) string {
				switch s := valueOf[*Set](v); {
				case s.live == 0:
					return s.Type() + "()"
				case s.frozen:
					return "frozenset({" + p.items(s.list(p.m), depth) + "})"
				default:
					return "{" + p.items(s.list(p.m), depth) + "}"
				}
			},
		},
		methods: map[string]method{
			"copy(self, /)": func(m *machine, a arguments) Value {
				s := self[*Set](a)
				if s.frozen {
					return s
				}
				m.budget.chargeItems(s.live)
				return s.copied(m)
			},
			"union": setMethod("|"), "intersection": setMethod("&"), "difference": setMethod("-"),
			"symmetric_difference":     setMethod("^"),
			"issubset(self, other, /)": setComparison("<="), "issuperset(self, other, /)": setComparison(">="),
			"isdisjoint(self, other, /)": func(m *machine, a arguments) Value {
				return python.Bool(setOperation(m, "&", self[*Set](a), asSet(m, a.positional[1])).live == 0)
			},
		},
	}
	frozenSetClass.describe(record)

	record.make = laidOut("builtins", "set(iterable=(), /)", func(m *machine, a arguments) Value {
		return setOf(m, a.positional[0])
	})
	record.hash = nil
	record.inPlaceOps = setOperators
	record.inPlace = func(m *machine, op string, v, other Value) Value {
		y, ok := plain(other).(*Set)
		if !ok || !hasOperator(setOperators, op) {
			return notImplemented
		}
		m.budget.chargeItems(y.live)
		valueOf[*Set](v).update(m, op, y)
		return v
	}
	for name, f := range map[string]method{
		"__init__(self, iterable=(), /)": func(m *machine, a arguments) Value {
			*self[*Set](a) = *setOf(m, a.positional[1])
			return none
		},
		"add(self, object, /)": func(m *machine, a arguments) Value {
			m.budget.chargeItems(1)
			self[*Set](a).add(a.positional[1])
			return none
		},
		"discard(self, object, /)": func(m *machine, a arguments) Value {
			self[*Set](a).remove(a.positional[1])
			return none
		},
		"remove(self, object, /)": func(m *machine, a arguments) Value {
			if !self[*Set](a).remove(a.positional[1]) {
				raiseKey(a.positional[1])
			}
			return none
		},
		"pop(self, /)": func(m *machine, a arguments) Value {
			if s := self[*Set](a); s.live > 0 {
				return s.pop()
			}
			raiseKey(python.Str("pop from an empty set"))
			return nil
		},
		"clear(self, /)": func(m *machine, a arguments) Value { *self[*Set](a) = Set{}; return none },
		"update":         setUpdate("|"), "intersection_update": setUpdate("&"), "difference_update": setUpdate("-"),
		"symmetric_difference_update": setUpdate("^"),
	} {
		record.methods[name] = f
	}
	setClass.describe(record)
}

// setOperators are the binary operators of sets.
const setOperators = " & | - ^ "

// setOf is a set of the items of an iterable.
func setOf(m *machine, v Value) *Set {
	s := newSet()
	switch from := plain(v).(type) {
	case *Set:
		m.budget.chargeItems(from.live)
		s.addAll(m, from)
	case *Dict:
		m.budget.chargeItems(from.live)
		if from.live*5 >= s.mask()*3 {
			s.resize(2 * from.live)
		}
		from.each(m.ticking(func(k, _ Value) { s.add(k) }))
	default:
		for _, v := range copiedItems(m, v) {
			m.tick()
			s.add(v)
		}
	}
	return s
}

func asSet(m *machine, v Value) *Set {
	if s, ok := plain(v).(*Set); ok {
		return s
	}
	return setOf(m, v)
}

// setOperation is x op y, of the class of x, by the steps of setobject.c, on which the order of the keys depends.
func setOperation(m *machine, op string, x, y *Set) *Set {
	out := &Set{frozen: x.frozen}
	switch op {
	case "&":
		if y.live > x.live {
			x, y = y, x
		}
		y.each(m, func(key Value) {
			if x.get(key) {
				out.add(key)
			}
		})
	case "-":
		if x.live>>2 > y.live {
			out = x.copied(m)
			out.update(m, op, y)
			break
		}
		x.each(m, func(key Value) {
			if !y.get(key) {
				out.add(key)
			}
		})
	case "|":
		out = x.copied(m)
		out.update(m, op, y)
	case "^":
		out.addAll(m, y)
		out.update(m, op, x)
	}
	return out
}

// update is s op= other.
func (s *Set) update(m *machine, op string, other *Set) {
	switch op {
	case "|":
		s.addAll(m, other)
	case "&":
		*s = *setOperation(m, op, s, other)
	case "-":
		for _, key := range other.list(m) {
			m.tick()
			s.remove(key)
		}
		s.dropRemoved()
	case "^":
		for _, key := range other.list(m) {
			m.tick()
			if !s.remove(key) {
				s.add(key)
			}
		}
	}
}

// compareSets is x op y: equality, or whether one is a subset of the other.
func compareSets(m *machine, op string, x, y *Set) bool {
	switch op {
	case "==":
		return x.live == y.live && isSubset(m, x, y)
	case "!=":
		return x.live != y.live || !isSubset(m, x, y)
	case "<=":
		return isSubset(m, x, y)
	case "<":
		return x.live < y.live && isSubset(m, x, y)
	}
	return compareSets(m, swapped[op], y, x)
}

func isSubset(m *machine, a, b *Set) bool {
	inside := true
	a.each(m, func(key Value) { inside = inside && b.get(key) })
	return inside
}

// updateWith is s op= the items of an iterable: those of what is no set come in their order.
func (s *Set) updateWith(m *machine, op string, v Value) {
	other, isSet := plain(v).(*Set)
	if !isSet && (op == "^" || is[*Dict](plain(v))) {
		other, isSet = asSet(m, v), true
	}
	if isSet {
		m.budget.chargeItems(other.live)
		s.update(m, op, other)
		return
	}
	items := m.itemsOf(v)
	m.budget.chargeItems(len(items))
	switch op {
	case "|":
		for _, key := range items {
			m.tick()
			s.add(key)
		}
	case "&":
		out := newSet()
		for _, key := range items {
			m.tick()
			if s.get(key) {
				out.add(key)
			}
		}
		out.frozen = s.frozen
		*s = *out
	case "-":
		for _, key := range items {
			m.tick()
			s.remove(key)
		}
		s.dropRemoved()
	}
}

// setMethod is an operation with each of the iterables that it is called with.
func setMethod(op string) method {
	return func(m *machine, a arguments) Value {
		s := self[*Set](a)
		out := s.copied(m)
		for i, v := range a.positional[1:] {
			if y, ok := plain(v).(*Set); ok && (op == "-" && i == 0 || op == "^") {
				m.budget.chargeItems(y.live)
				out = setOperation(m, op, out, y)
			} else {
				out.updateWith(m, op, v)
			}
		}
		return out
	}
}

func setUpdate(op string) method {
	return func(m *machine, a arguments) Value {
		s := self[*Set](a)
		for _, v := range a.positional[1:] {
			s.updateWith(m, op, v)
		}
		return none
	}
}

func setComparison(op string) method {
	return func(m *machine, a arguments) Value {
		return python.Bool(compareSets(m, op, self[*Set](a), asSet(m, a.positional[1])))
	}
}
