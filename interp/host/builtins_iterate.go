package host

import (
	"fmt"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/python"
)

// minOrMax is min or max of an iterable, or of several arguments.
func minOrMax(m *machine, name, op string, a arguments) Value {
	values, key := a.positional[0].(Tuple), a.positional[1]
	var it func() (Value, bool)
	switch len(values) {
	case 0:
		raise("TypeError", "%s expected at least 1 argument, got 0", name)
	case 1:
		it = m.iterateOver(values[0])
	default:
		it = sliceIterator("", values).next
	}
	best, ok := it()
	if !ok {
		if a.positional[2] != nil {
			return a.positional[2]
		}
		raise("ValueError", "%s() iterable argument is empty", name)
	}
	bestKey := applyKey(m, key, best)
	for v, ok := it(); ok; v, ok = it() {
		m.budget.countStep(m.at)
		if k := applyKey(m, key, v); m.truthOf(m.compareValues(op, k, bestKey)) {
			best, bestKey = v, k
		}
	}
	if c, ok := best.(constexpr); ok {
		return c.value
	}
	return best
}

func applyKey(m *machine, key, v Value) Value {
	if key == nil || key == none {
		return v
	}
	return m.callValue(key, arguments{positional: []Value{v}})
}

func builtinSum(m *machine, a arguments) Value {
	start := a.positional[1]
	switch start.(type) {
	case python.Str:
		raise("TypeError", "sum() can't sum strings [use ''.join(seq) instead]")
	case Bytes, *ByteArray:
		raise("TypeError", "sum() can't sum bytes [use b''.join(seq) instead]")
	}
	it := m.iterateOver(a.positional[0])
	total := start
	for v, ok := it(); ok; v, ok = it() {
		m.budget.countStep(m.at)
		if f, isFloat := total.(python.Float); isFloat {
			var more bool
			if total, v, more = sumFloats(m, f, v, it); !more {
				return total
			}
		}
		total = m.binaryOp("+", total, v)
	}
	return total
}

// sumFloats adds floats and ints to a float, from v on, and carries what rounding drops along, as CPython does since
// 3.12 (Neumaier's summation). It ends at an item of another class, which it gives back, or at the end.
func sumFloats(m *machine, start python.Float, v Value, it func() (Value, bool)) (total, rest Value, more bool) {
	sum, dropped := float64(start), 0.0
	for ok := true; ok; v, ok = it() {
		m.budget.countStep(m.at)
		if _, isFloat := v.(python.Float); !isFloat && !is[python.Int](v) && !is[python.Bool](v) {
			return python.Float(sum + dropped), v, true
		}
		x := m.floatOf(v)
		next := sum + x
		if math.Abs(sum) >= math.Abs(x) {
			dropped += sum - next + x
		} else {
			dropped += x - next + sum
		}
		sum = next
	}
	if dropped != 0 && !math.IsInf(sum, 0) && !math.IsNaN(dropped) {
		sum += dropped
	}
	return python.Float(sum), nil, false
}

func builtinSorted(m *machine, a arguments) Value {
	items := slices.Clone(m.itemsOf(a.positional[0]))
	return &List{sortedItems(m, items, a.positional[1], m.truthOf(a.positional[2]))}
}

// sortedItems sorts in place, stably.
func sortedItems(m *machine, items []Value, key Value, reverse bool) []Value {
	type pair struct{ key, value Value }
	pairs := make([]pair, len(items))
	for i, v := range items {
		pairs[i] = pair{applyKey(m, key, v), v}
	}
	m.budget.chargeItems(len(items))
	slices.SortStableFunc(pairs, func(x, y pair) int {
		m.budget.countStep(m.at)
		if reverse {
			x, y = y, x
		}
		switch {
		case m.truthOf(m.compareValues("<", x.key, y.key)):
			return -1
		case m.truthOf(m.compareValues("<", y.key, x.key)):
			return 1
		}
		return 0
	})
	for i, p := range pairs {
		items[i] = p.value
	}
	return items
}

func builtinEnumerate(m *machine, a arguments) Value {
	i, it := asIndex(a.positional[1]), m.iterateOver(a.positional[0])
	return m.newIterator("enumerate", func() (Value, bool) {
		v, ok := it()
		i++
		return Tuple{python.NewInt(i - 1), v}, ok
	})
}

func builtinZip(m *machine, a arguments) Value {
	return zipOf(m, a.positional[0].(Tuple), m.truthOf(a.positional[1]))
}

// zipOf is zip(*iterables, strict=strict).
func zipOf(m *machine, iterables []Value, strict bool) *Iterator {
	its := make([]func() (Value, bool), len(iterables))
	for i, v := range iterables {
		its[i] = m.iterateOver(v)
	}
	return m.newIterator("zip", func() (Value, bool) {
		out := make(Tuple, len(its))
		for i, it := range its {
			v, ok := it()
			if !ok {
				if strict && i > 0 {
					raise("ValueError", "zip() argument %d is shorter than argument%s", i+1, argumentsBefore(i))
				}
				for j := 1; strict && j < len(its); j++ {
					if _, more := its[j](); more {
						raise("ValueError", "zip() argument %d is longer than argument%s", j+1, argumentsBefore(j))
					}
				}
				return nil, false
			}
			out[i] = v
		}
		return out, len(its) > 0
	})
}

// argumentsBefore is how zip's errors name its first n arguments.
func argumentsBefore(n int) string {
	if n == 1 {
		return " 1"
	}
	return fmt.Sprintf("s 1-%d", n)
}

func builtinMap(m *machine, a arguments) Value {
	all := a.positional[0].(Tuple)
	if len(all) < 2 {
		raise("TypeError", "map() must have at least two arguments.")
	}
	f, rows := all[0], zipOf(m, all[1:], false)
	return m.newIterator("map", func() (Value, bool) {
		row, ok := rows.next()
		if !ok {
			return nil, false
		}
		return m.callValue(f, arguments{positional: row.(Tuple)}), true
	})
}

func builtinFilter(m *machine, a arguments) Value {
	it := m.iterateOver(a.positional[1])
	return m.newIterator("filter", func() (Value, bool) {
		for {
			m.budget.countStep(m.at)
			v, ok := it()
			if !ok || m.truthOf(applyKey(m, a.positional[0], v)) {
				return v, ok
			}
		}
	})
}

func builtinReversed(m *machine, v Value) Value {
	if r, ok := v.(Range); ok {
		n := int64(r.length())
		return &Iterator{"range_iterator", m.iterateOver(Range{r.Start + (n-1)*r.Step, r.Start - r.Step, -r.Step})}
	}
	if l, ok := v.(*List); ok { // which may change while it is walked
		i := len(l.Items) - 1
		return &Iterator{"list_reverseiterator", func() (Value, bool) {
			if i < 0 || i >= len(l.Items) {
				i = -1
				return nil, false
			}
			i--
			return l.Items[i+1], true
		}}
	}
	items := slices.Clone(m.itemsOf(v))
	slices.Reverse(items)
	return sliceIterator("reversed", items)
}

// anyTruth reports whether some item's truth is want.
func anyTruth(m *machine, v Value, want bool) python.Bool {
	it := m.iterateOver(v)
	for x, ok := it(); ok; x, ok = it() {
		m.budget.countStep(m.at)
		if m.truthOf(x) == want {
			return true
		}
	}
	return false
}
