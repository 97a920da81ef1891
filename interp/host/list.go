package host

import (
	"slices"
)

// List is a list.
type List struct{ Items []Value }

// Type is "list".
func (*List) Type() string { return "list" }

var listClass = &Class{Name: "list"}

func init() {
	listClass.describe(typeRecord{
		make: laidOut("builtins", "list(iterable=(), /)", func(m *machine, a arguments) Value {
			return &List{copiedItems(m, a.positional[0])}
		}),
		base: true,
		slots: slots{
			length: func(_ *machine, v Value) int { return len(valueOf[*List](v).Items) },
			item: func(m *machine, v, index Value) Value {
				l := valueOf[*List](v)
				if s, ok := index.(Slice); ok {
					return &List{sliceItems(m, l.Items, s)}
				}
				return l.Items[m.itemPosition(index, len(l.Items), "list")]
			},
			setItem: func(m *machine, v, index, x Value) {
				l := valueOf[*List](v)
				if s, ok := index.(Slice); ok { // x may be the list itself, as in l[1:] = l
					l.Items = replaceSlice(m, l.Items, s, slices.Clone(m.itemsOf(x)), "sequence")
					return
				}
				l.Items[m.itemPosition(index, len(l.Items), "list assignment")] = x
			},
			deleteItem: func(m *machine, v, index Value) {
				l := valueOf[*List](v)
				l.Items = deleteItems(m, l.Items, index, "list assignment")
			},
			iterate: func(_ *machine, v Value) func() (Value, bool) { // which may grow meanwhile
				l, i := valueOf[*List](v), 0
				return func() (Value, bool) {
					if i >= len(l.Items) {
						return nil, false
					}
					i++
					return l.Items[i-1], true
				}
			},
			items: func(_ *machine, v Value) []Value { return valueOf[*List](v).Items },
			compare: func(m *machine, op string, v, other Value) Value {
				if y, ok := plain(other).(*List); ok {
					return compareItems(m, op, valueOf[*List](v).Items, y.Items)
				}
				return notImplemented
			},
			concat: func(m *machine, v, other Value) Value {
				x := valueOf[*List](v)
				y, ok := plain(other).(*List)
				if !ok {
					raise("TypeError", "can only concatenate list (not \"%s\") to list", other.Type())
				}
				m.budget.chargeItems(len(x.Items) + len(y.Items))
				return &List{slices.Concat(x.Items, y.Items)}
			},
			repeat: func(m *machine, v Value, times int64) Value {
				items := valueOf[*List](v).Items
				return &List{slices.Repeat(items, m.repeated(len(items), times))}
			},
			inPlaceOps: " + * ",
			inPlace: func(m *machine, op string, v, other Value) Value {
				l := valueOf[*List](v)
				switch op {
				case "+": // takes any iterable, unlike list + list
					extendList(m, l, other)
				case "*":
					l.Items = slices.Repeat(l.Items, m.repeated(len(l.Items), repetitions(other)))
				default:
					return notImplemented
				}
				return v
			},
			repr: func(p *printer, v Value, depth int) string {
				l := valueOf[*List](v)
				return p.inside(l, "[...]", func() string { return "[" + p.list(l, depth) + "]" })
			},
		},
		methods: map[string]method{
			"__init__(self, iterable=(), /)": func(m *machine, a arguments) Value {
				self[*List](a).Items = copiedItems(m, a.positional[1])
				return none
			},
			"__reversed__(self, /)": func(m *machine, a arguments) Value { return builtinReversed(m, self[*List](a)) },
			"append(self, object, /)": func(m *machine, a arguments) Value {
				l := self[*List](a)
				m.budget.chargeItems(1)
				l.Items = append(l.Items, a.positional[1])
				return none
			},
			"extend(self, iterable, /)": func(m *machine, a arguments) Value {
				extendList(m, self[*List](a), a.positional[1])
				return none
			},
			"insert(self, index, object, /)": func(m *machine, a arguments) Value {
				l := self[*List](a)
				m.budget.chargeItems(1)
				l.Items = slices.Insert(l.Items, insertPosition(a.positional[1], len(l.Items)), a.positional[2])
				return none
			},
			"pop(self, index=-1, /)": func(m *machine, a arguments) Value {
				l := self[*List](a)
				if len(l.Items) == 0 {
					raise("IndexError", "pop from empty list")
				}
				i := m.itemPosition(a.positional[1], len(l.Items), "pop")
				v := l.Items[i]
				l.Items = slices.Delete(l.Items, i, i+1)
				return v
			},
			"remove(self, value, /)": func(m *machine, a arguments) Value {
				l := self[*List](a)
				i := indexOfItem(m, m.iterateOver(l), a.positional[1], 0, len(l.Items))
				if i < 0 {
					raise("ValueError", "list.remove(x): x not in list")
				}
				if i < len(l.Items) { // an __eq__ may have changed the list
					l.Items = slices.Delete(l.Items, i, i+1)
				}
				return none
			},
			"sort(self, /, *, key=None, reverse=False)": sortList,
			"reverse(self, /)": func(m *machine, a arguments) Value {
				slices.Reverse(self[*List](a).Items)
				return none
			},
			"clear(self, /)": func(m *machine, a arguments) Value {
				self[*List](a).Items = nil
				return none
			},
			"copy(self, /)": func(m *machine, a arguments) Value {
				return &List{copiedItems(m, self[*List](a))}
			},
			"index(self, value, start=0, stop=..., /)": sequenceIndex,
			"count(self, value, /)":                    sequenceCount,
		},
	})
}

// extendList appends the items of an iterable.
func extendList(m *machine, l *List, from Value) {
	items := m.itemsOf(from)
	m.budget.chargeItems(len(items))
	l.Items = append(l.Items, items...)
}

func sortList(m *machine, a arguments) Value {
	l := self[*List](a)
	items, sorted := l.Items, l.Items
	l.Items = nil // Python shows the list empty meanwhile, so that a change is noticed
	defer func() { l.Items = sorted }()
	sorted = sortedItems(m, slices.Clone(items), a.positional[1], m.truthOf(a.positional[2]))
	if l.Items != nil {
		raise("ValueError", "list modified during sort")
	}
	return none
}

// copiedItems are the items of an iterable, for a new container.
func copiedItems(m *machine, from Value) []Value {
	items := m.itemsOf(from)
	m.budget.chargeItems(len(items))
	return slices.Clone(items)
}
