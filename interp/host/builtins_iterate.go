package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/python"
)

// extreme is min or max of an iterable, or of several arguments.
func (m *machine) extreme(name, op string, a arguments) Value {
	key, _ := a.take("key")
	otherwise, has := a.take("default")
	a.want(name, 1, 1<<30)
	items := a.positional
	if len(items) == 1 {
		items = m.items1(items[0])
	}
	if len(items) == 0 {
		if has {
			return otherwise
		}
		raise("ValueError", "%s() iterable argument is empty", name)
	}
	best, bestKey := items[0], m.keyed(key, items[0])
	for _, v := range items[1:] {
		m.step(m.at)
		if k := m.keyed(key, v); m.truth(m.compare(op, k, bestKey)) {
			best, bestKey = v, k
		}
	}
	return plain(best)
}

func (m *machine) keyed(key, v Value) Value {
	if key == nil || key == none {
		return v
	}
	return m.call(key, arguments{positional: []Value{v}})
}

func (m *machine) sum(a arguments) Value {
	start, ok := a.take("start")
	a.want("sum", 1, 2)
	if !ok {
		start = a.at(1, python.NewInt(0))
	}
	it := m.iterate(a.positional[0])
	total := start
	for v, ok := it(); ok; v, ok = it() {
		m.step(m.at)
		total = m.binary("+", total, v)
	}
	return total
}

func (m *machine) sorted(a arguments) Value {
	key, _ := a.take("key")
	reverse, _ := a.take("reverse")
	a.want("sorted", 1, 1)
	return &List{m.sortItems(slices.Clone(m.items1(a.positional[0])), key, reverse != nil && m.truth(reverse))}
}

// sortItems sorts in place, stably.
func (m *machine) sortItems(items []Value, key Value, reverse bool) []Value {
	type pair struct{ key, value Value }
	pairs := make([]pair, len(items))
	for i, v := range items {
		pairs[i] = pair{m.keyed(key, v), v}
	}
	m.charge(len(items))
	slices.SortStableFunc(pairs, func(x, y pair) int {
		m.step(m.at)
		if reverse {
			x, y = y, x
		}
		switch {
		case m.truth(m.compare("<", x.key, y.key)):
			return -1
		case m.truth(m.compare("<", y.key, x.key)):
			return 1
		}
		return 0
	})
	for i, p := range pairs {
		items[i] = p.value
	}
	return items
}

func (m *machine) enumerate(a arguments) Value {
	start, ok := a.take("start")
	a.want("enumerate", 1, 2)
	if !ok {
		start = a.at(1, python.NewInt(0))
	}
	i, it := m.index(start), m.iterate(a.positional[0])
	return m.lazy("enumerate", func() (Value, bool) {
		v, ok := it()
		i++
		return Tuple{python.NewInt(i - 1), v}, ok
	})
}

func (m *machine) zip(a arguments) Value {
	strict, _ := a.take("strict")
	its := make([]func() (Value, bool), len(a.positional))
	for i, v := range a.positional {
		its[i] = m.iterate(v)
	}
	return m.lazy("zip", func() (Value, bool) {
		out := make(Tuple, len(its))
		for i, it := range its {
			v, ok := it()
			if !ok {
				if strict != nil && m.truth(strict) && i > 0 {
					raise("ValueError", "zip() argument %d is shorter than argument 1", i+1)
				}
				return nil, false
			}
			out[i] = v
		}
		return out, len(its) > 0
	})
}

func (m *machine) mapped(a arguments) Value {
	a.want("map", 2, 1<<30)
	f := a.positional[0]
	rows := m.zip(arguments{positional: a.positional[1:]}).(*Iterator)
	return m.lazy("map", func() (Value, bool) {
		row, ok := rows.next()
		if !ok {
			return nil, false
		}
		return m.call(f, arguments{positional: row.(Tuple)}), true
	})
}

func (m *machine) filter(a arguments) Value {
	a.want("filter", 2, 2)
	it := m.iterate(a.positional[1])
	return m.lazy("filter", func() (Value, bool) {
		for {
			m.step(m.at)
			v, ok := it()
			if !ok || m.truth(m.keyed(a.positional[0], v)) {
				return v, ok
			}
		}
	})
}

func (m *machine) reversed(v Value) Value {
	if r, ok := v.(Range); ok {
		n := int64(r.length())
		return &Iterator{"range_iterator", m.iterate(Range{r.Start + (n-1)*r.Step, r.Start - r.Step, -r.Step})}
	}
	items := slices.Clone(m.items1(v))
	slices.Reverse(items)
	return sliceIterator("reversed", items)
}

// anyIs reports whether some item's truth is want.
func (m *machine) anyIs(v Value, want bool) python.Bool {
	it := m.iterate(v)
	for x, ok := it(); ok; x, ok = it() {
		m.step(m.at)
		if m.truth(x) == want {
			return true
		}
	}
	return false
}
