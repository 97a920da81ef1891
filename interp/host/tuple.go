package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

type (
	// Tuple is a tuple.
	Tuple = python.Tuple
	// Size is torch.Size.
	Size []int
	// Named is one of torch.return_types, or an object of a namedtuple's class.
	Named struct {
		Name   string
		Fields []string
		Items  Tuple
		class  *Class // of collections.namedtuple; nil for those of torch
	}
)

// Type is "torch.Size".
func (Size) Type() string { return "torch.Size" }

// Type is the name of the class.
func (n *Named) Type() string {
	if n.class != nil {
		return n.Name
	}
	return "torch.return_types." + n.Name
}

var (
	tupleClass = &Class{Name: "tuple"}
	sizeClass  = &Class{Name: "Size", bases: []*Class{tupleClass}}
	// namedClass is the base of the classes of named tuples, which no program sees.
	namedClass = &Class{Name: "tuple", bases: []*Class{tupleClass}}
)

// tupleItems are the items of any tuple.
func tupleItems(v Value) Tuple {
	switch x := plain(v).(type) {
	case Tuple:
		return x
	case Size:
		return x.tuple()
	case *Named:
		return x.Items
	}
	raise("TypeError", "this method does not apply to a '%s' object", v.Type())
	return nil
}

func init() {
	record := typeRecord{
		make: laidOut("builtins", "tuple(iterable=(), /)", func(m *machine, a arguments) Value {
			return Tuple(copiedItems(m, a.positional[0]))
		}),
		base: true,
		slots: slots{
			length: func(_ *machine, v Value) int { return len(tupleItems(v)) },
			item: func(m *machine, v, index Value) Value {
				items := tupleItems(v)
				if s, ok := index.(Slice); ok {
					return Tuple(sliceItems(m, items, s))
				}
				return items[m.itemPosition(index, len(items), "tuple")]
			},
			items: func(_ *machine, v Value) []Value { return tupleItems(v) },
			compare: func(m *machine, op string, v, other Value) Value {
				if y := plain(other); is[Tuple](y) || is[Size](y) || is[*Named](y) {
					return compareItems(m, op, tupleItems(v), tupleItems(y))
				}
				return notImplemented
			},
			concat: func(m *machine, v, other Value) Value { return Tuple(concatTuples(m, v, other)) },
			repeat: func(m *machine, v Value, times int64) Value {
				items := tupleItems(v)
				return slices.Repeat(items, m.repeated(len(items), times))
			},
			hash: func(v Value, depth int) int64 { return hashTuple(tupleItems(v), depth) },
			repr: func(p *printer, v Value, depth int) string {
				items := tupleItems(v)
				if len(items) == 1 { // which needs its comma
					return "(" + p.repr(items[0], depth+1) + ",)"
				}
				return "(" + p.items(items, depth) + ")"
			},
		},
		methods: map[string]method{"index(self, value, start=0, stop=..., /)": sequenceIndex,
			"count(self, value, /)": sequenceCount},
	}
	tupleClass.describe(record)

	record.slots.repr = reprNamed
	namedClass.describe(typeRecord{slots: record.slots})

	record.make = laidOut("torch", "Size(iterable=(), /)", func(m *machine, a arguments) Value {
		items := m.itemsOf(a.positional[0])
		for i, v := range items {
			if _, ok := python.AsInt(v); !ok {
				raise("TypeError", "torch.Size() takes an iterable of 'int' (item %d is '%s')", i, v.Type())
			}
		}
		return sizeOf(items)
	})
	record.base = false
	record.slots.item = func(m *machine, v, index Value) Value { // a slice of a torch.Size stays one
		items := tupleItems(v)
		if s, ok := index.(Slice); ok {
			return sizeOf(sliceItems(m, items, s))
		}
		return items[m.itemPosition(index, len(items), "tuple")]
	}
	record.slots.concat = func(m *machine, v, other Value) Value {
		items := concatTuples(m, v, other)
		if slices.ContainsFunc(items, func(v Value) bool { return !is[python.Int](v) }) {
			return Tuple(items)
		}
		return sizeOf(items)
	}
	record.slots.repr = leaf(func(v Value) string { return tensor.Size(v.(Size)).String() })
	record.methods = map[string]method{"numel(self, /)": func(m *machine, a arguments) Value {
		n := 1
		for _, d := range self[Size](a) {
			n *= d
		}
		return intValue(n)
	}}
	sizeClass.describe(record)
}

func concatTuples(m *machine, v, other Value) []Value {
	switch y := plain(other); y.(type) {
	case Tuple, Size, *Named:
		left, right := tupleItems(v), tupleItems(y)
		m.budget.chargeItems(len(left) + len(right))
		return slices.Concat(left, right)
	}
	raise("TypeError", "can only concatenate tuple (not \"%s\") to tuple", other.Type())
	return nil
}

func (s Size) tuple() Tuple {
	out := make(Tuple, len(s))
	for i, n := range s {
		out[i] = intValue(n)
	}
	return out
}

func sizeOf(items []Value) Value {
	out := make(Size, len(items))
	for i, v := range items {
		out[i] = int(asIndex(v))
	}
	return out
}

func (n *Named) attr(_ *machine, name string) (Value, bool) {
	i := slices.Index(n.Fields, name)
	if i < 0 {
		return nil, false
	}
	return n.Items[i], true
}

// reprNamed is Name(a=1, b=2).
func reprNamed(p *printer, v Value, depth int) string {
	n := v.(*Named)
	parts := make([]string, len(n.Fields))
	for i, f := range n.Fields {
		parts[i] = f + "=" + p.repr(n.Items[i], depth+1)
	}
	if n.class != nil {
		return n.Name + "(" + strings.Join(parts, ", ") + ")"
	}
	return n.Type() + "(\n" + strings.Join(parts, ",\n") + ")"
}
