package host

import "slices"

// The iterators of itertools draw their items when asked; each item drawn is a step of the run, so that an endless
// one ends at the budget.

// pull is how iterators yield: false at the end.
type pull = func() (Value, bool)

// lazyIterator makes an iterator named after its class in itertools.
func lazyIterator(m *machine, class string, next pull) Value {
	return m.newIterator("itertools."+class, func() (Value, bool) {
		m.budget.countStep(m.at)
		return next()
	})
}

func itertoolsFunctions() map[string]method {
	return map[string]method{
		"count": func(m *machine, a arguments) Value {
			v := a.bound("count", "start=, step=")
			at, step := given(v[0], intValue(0)), given(v[1], intValue(1))
			return lazyIterator(m, "count", func() (Value, bool) {
				now := at
				at = m.binaryOp("+", at, step)
				return now, true
			})
		},
		"cycle": func(m *machine, a arguments) Value {
			it := m.iterateOver(a.bound("cycle", "iterable")[0])
			var saved []Value
			i := -1 // below 0 while the first round runs
			return lazyIterator(m, "cycle", func() (Value, bool) {
				if i < 0 {
					if v, ok := it(); ok {
						m.budget.chargeItems(1)
						saved = append(saved, v)
						return v, true
					}
				}
				if len(saved) == 0 {
					return nil, false
				}
				i = (i + 1) % len(saved)
				return saved[i], true
			})
		},
		"repeat": func(m *machine, a arguments) Value {
			v := a.bound("repeat", "object, times=")
			left := int64(-1)
			if v[1] != nil {
				left = max(asIndex(v[1]), 0)
			}
			return lazyIterator(m, "repeat", func() (Value, bool) {
				if left == 0 {
					return nil, false
				}
				left--
				return v[0], true
			})
		},
		"accumulate":  itertoolsAccumulate,
		"chain":       func(m *machine, a arguments) Value { return chainedIterator(m, sliceIterator("", a.positional).next) },
		"compress":    itertoolsCompress,
		"dropwhile":   itertoolsDropwhile,
		"takewhile":   itertoolsTakewhile,
		"filterfalse": itertoolsFilterfalse,
		"starmap": func(m *machine, a arguments) Value {
			v := a.bound("starmap", "function, iterable")
			it := m.iterateOver(v[1])
			return lazyIterator(m, "starmap", func() (Value, bool) {
				x, ok := it()
				if !ok {
					return nil, false
				}
				return m.callWith(v[0], m.itemsOf(x)...), true
			})
		},
		"islice":      itertoolsIslice,
		"pairwise":    itertoolsPairwise,
		"tee":         itertoolsTee,
		"zip_longest": itertoolsZipLongest,
		"batched":     itertoolsBatched,
		"groupby":     itertoolsGroupby,
		"product":     itertoolsProduct,
		"permutations": func(m *machine, a arguments) Value {
			v := a.bound("permutations", "iterable, r=")
			pool := slices.Clone(m.itemsOf(v[0]))
			r := int(asIndex(given(v[1], intValue(len(pool)))))
			return selectionsOf(m, "permutations", pool, r, func(chosen []int, i int) bool {
				return !slices.Contains(chosen, i)
			})
		},
		"combinations": func(m *machine, a arguments) Value {
			v := a.bound("combinations", "iterable, r")
			return selectionsOf(m, "combinations", slices.Clone(m.itemsOf(v[0])), int(asIndex(v[1])),
				func(chosen []int, i int) bool { return len(chosen) == 0 || i > chosen[len(chosen)-1] })
		},
		"combinations_with_replacement": func(m *machine, a arguments) Value {
			v := a.bound("combinations_with_replacement", "iterable, r")
			return selectionsOf(m, "combinations_with_replacement", slices.Clone(m.itemsOf(v[0])), int(asIndex(v[1])),
				func(chosen []int, i int) bool { return len(chosen) == 0 || i >= chosen[len(chosen)-1] })
		},
	}
}

// itertoolsLibrary is itertools; chain also has the method from_iterable.
func itertoolsLibrary() map[string]Value {
	members := functions(itertoolsFunctions())
	chain := members["chain"].(*Builtin)
	class := nativeClass("itertools", "chain", nil)
	class.make, class.has = chain.call, func(v Value) bool { return v.Type() == "itertools.chain" }
	class.define("from_iterable", &Builtin{"from_iterable", func(m *machine, a arguments) Value {
		return chainedIterator(m, m.iterateOver(a.bound("from_iterable", "iterable")[0]))
	}})
	members["chain"] = class
	return members
}

// chainedIterator yields the items of each iterable in turn.
func chainedIterator(m *machine, parts pull) Value {
	var it pull
	return lazyIterator(m, "chain", func() (Value, bool) {
		for {
			if it != nil {
				if v, ok := it(); ok {
					return v, true
				}
			}
			part, ok := parts()
			if !ok {
				return nil, false
			}
			m.budget.countStep(m.at)
			it = m.iterateOver(part)
		}
	})
}

func itertoolsAccumulate(m *machine, a arguments) Value {
	v := a.bound("accumulate", "iterable, func=, *, initial=")
	it := m.iterateOver(v[0])
	total, started := given(v[2], nil), false
	return lazyIterator(m, "accumulate", func() (Value, bool) {
		if !started && total != nil {
			started = true
			return total, true
		}
		x, ok := it()
		switch {
		case !ok:
			return nil, false
		case total == nil:
			total = x
		case given(v[1], nil) == nil:
			total = m.binaryOp("+", total, x)
		default:
			total = m.callWith(v[1], total, x)
		}
		started = true
		return total, true
	})
}

func itertoolsCompress(m *machine, a arguments) Value {
	v := a.bound("compress", "data, selectors")
	data, selectors := m.iterateOver(v[0]), m.iterateOver(v[1])
	return lazyIterator(m, "compress", func() (Value, bool) {
		for {
			x, ok := data()
			s, more := selectors()
			if !ok || !more {
				return nil, false
			}
			if m.truthOf(s) {
				return x, true
			}
			m.budget.countStep(m.at)
		}
	})
}

func itertoolsDropwhile(m *machine, a arguments) Value {
	v := a.bound("dropwhile", "predicate, iterable")
	it, dropping := m.iterateOver(v[1]), true
	return lazyIterator(m, "dropwhile", func() (Value, bool) {
		for {
			x, ok := it()
			if !ok || !dropping || !m.truthOf(m.callWith(v[0], x)) {
				dropping = false
				return x, ok
			}
			m.budget.countStep(m.at)
		}
	})
}

func itertoolsTakewhile(m *machine, a arguments) Value {
	v := a.bound("takewhile", "predicate, iterable")
	it, taking := m.iterateOver(v[1]), true
	return lazyIterator(m, "takewhile", func() (Value, bool) {
		if !taking {
			return nil, false
		}
		x, ok := it()
		taking = ok && m.truthOf(m.callWith(v[0], x))
		return x, taking
	})
}

func itertoolsFilterfalse(m *machine, a arguments) Value {
	v := a.bound("filterfalse", "function, iterable")
	it := m.iterateOver(v[1])
	return lazyIterator(m, "filterfalse", func() (Value, bool) {
		for {
			x, ok := it()
			if !ok || !m.truthOf(applyKey(m, v[0], x)) {
				return x, ok
			}
			m.budget.countStep(m.at)
		}
	})
}

func itertoolsIslice(m *machine, a arguments) Value {
	v := a.bound("islice", "iterable, start, stop=, step=")
	start, stop, step := int64(0), int64(-1), int64(1)
	if v[2] == nil {
		v[2] = v[1]
	} else {
		start = asIndex(given(v[1], intValue(0)))
	}
	if v[2] != none {
		stop = asIndex(v[2])
	}
	step = asIndex(given(v[3], intValue(1)))
	if start < 0 || step < 1 || v[2] != none && stop < 0 {
		raise("ValueError",
			"Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
	}
	it, at, want := m.iterateOver(v[0]), int64(0), start
	return lazyIterator(m, "islice", func() (Value, bool) {
		for stop < 0 || want < stop {
			x, ok := it()
			if !ok {
				return nil, false
			}
			at++
			if at-1 == want {
				want += step
				return x, true
			}
			m.budget.countStep(m.at)
		}
		for ; at < stop; at++ { // the items up to stop are drawn, as Python draws them
			if _, ok := it(); !ok {
				break
			}
		}
		return nil, false
	})
}

func itertoolsPairwise(m *machine, a arguments) Value {
	it := m.iterateOver(a.bound("pairwise", "iterable")[0])
	var last Value
	return lazyIterator(m, "pairwise", func() (Value, bool) {
		if last == nil {
			v, ok := it()
			if !ok {
				return nil, false
			}
			last = v
		}
		v, ok := it()
		if !ok {
			return nil, false
		}
		pair := Tuple{last, v}
		last = v
		return pair, true
	})
}

func itertoolsTee(m *machine, a arguments) Value {
	v := a.bound("tee", "iterable, n=")
	it, n := m.iterateOver(v[0]), int(max(asIndex(given(v[1], intValue(2))), 0))
	m.budget.chargeItems(n)
	var drawn []Value
	out := make(Tuple, n)
	for i := range out {
		at := 0
		out[i] = lazyIterator(m, "_tee", func() (Value, bool) {
			if at == len(drawn) {
				x, ok := it()
				if !ok {
					return nil, false
				}
				m.budget.chargeItems(1)
				drawn = append(drawn, x)
			}
			at++
			return drawn[at-1], true
		})
	}
	return out
}

func itertoolsZipLongest(m *machine, a arguments) Value {
	fill, ok := a.take("fillvalue")
	if !ok {
		fill = none
	}
	a.want("zip_longest", 0, 1<<30)
	its := make([]pull, len(a.positional))
	for i, v := range a.positional {
		its[i] = m.iterateOver(v)
	}
	return lazyIterator(m, "zip_longest", func() (Value, bool) {
		row, any := make(Tuple, len(its)), false
		for i, it := range its {
			row[i] = fill
			if it == nil {
				continue
			}
			if v, ok := it(); ok {
				row[i], any = v, true
			} else {
				its[i] = nil
			}
		}
		return row, any
	})
}

func itertoolsBatched(m *machine, a arguments) Value {
	v := a.bound("batched", "iterable, n")
	it, n := m.iterateOver(v[0]), asIndex(v[1])
	if n < 1 {
		raise("ValueError", "n must be at least one")
	}
	return lazyIterator(m, "batched", func() (Value, bool) {
		var row Tuple
		for int64(len(row)) < n {
			x, ok := it()
			if !ok {
				break
			}
			m.budget.chargeItems(1)
			row = append(row, x)
		}
		return row, len(row) > 0
	})
}

// itertoolsGroupby yields (key, group) for runs of equal keys; a group ends when the next one is asked for.
func itertoolsGroupby(m *machine, a arguments) Value {
	v := a.bound("groupby", "iterable, key=")
	it := m.iterateOver(v[0])
	var item, key Value // drawn and not yet yielded; nil if there is none
	draw := func() bool {
		x, ok := it()
		if !ok {
			item, key = nil, nil
			return false
		}
		item, key = x, applyKey(m, v[1], x)
		return true
	}
	current, started := 0, false
	var groupKey Value
	return lazyIterator(m, "groupby", func() (Value, bool) {
		if !started {
			started = true
			draw()
		} else {
			for item != nil && m.equalValues(key, groupKey) { // the rest of a group that was left
				m.budget.countStep(m.at)
				draw()
			}
		}
		if item == nil {
			return nil, false
		}
		current++
		mine := current
		groupKey = key
		group := lazyIterator(m, "_grouper", func() (Value, bool) {
			if mine != current || item == nil || !m.equalValues(key, groupKey) {
				return nil, false
			}
			x := item
			draw()
			return x, true
		})
		return Tuple{key, group}, true
	})
}

func itertoolsProduct(m *machine, a arguments) Value {
	times := int64(1)
	if v, ok := a.take("repeat"); ok {
		times = asIndex(v)
	}
	a.want("product", 0, 1<<30)
	if times < 0 {
		raise("ValueError", "repeat argument cannot be negative")
	}
	m.budget.chargeItems(int(min(times, 1<<30)) * len(a.positional))
	var pools [][]Value
	for range times {
		for _, v := range a.positional {
			pools = append(pools, slices.Clone(m.itemsOf(v)))
		}
	}
	at := make([]int, len(pools))
	done := slices.ContainsFunc(pools, func(p []Value) bool { return len(p) == 0 })
	return lazyIterator(m, "product", func() (Value, bool) {
		if done {
			return nil, false
		}
		m.budget.chargeItems(len(pools))
		row := make(Tuple, len(pools))
		for i, p := range pools {
			row[i] = p[at[i]]
		}
		// The last pool turns fastest.
		i := len(pools) - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < len(pools[i]) {
				break
			}
			at[i] = 0
		}
		done = i < 0
		return row, true
	})
}

// selectionsOf yields the tuples of r items of a pool in lexicographic order of their places, of which each next place
// is allowed after those chosen.
func selectionsOf(m *machine, class string, pool []Value, r int, allowed func(chosen []int, i int) bool) Value {
	if r < 0 {
		raise("ValueError", "r must be non-negative")
	}
	var chosen []int
	first := true
	// extend fills chosen up to r places, the next one from place i on; it steps back where none is left.
	extend := func(i int) bool {
		for {
			m.budget.countStep(m.at)
			if len(chosen) == r {
				return true
			}
			for i < len(pool) && !allowed(chosen, i) {
				i++
			}
			if i < len(pool) {
				chosen, i = append(chosen, i), 0
				continue
			}
			if len(chosen) == 0 {
				return false
			}
			i = chosen[len(chosen)-1] + 1
			chosen = chosen[:len(chosen)-1]
		}
	}
	return lazyIterator(m, class, func() (Value, bool) {
		switch {
		case first:
			first = false
			if r > len(pool) && class != "combinations_with_replacement" || !extend(0) {
				r = -1
			}
		case r > 0:
			i := chosen[r-1] + 1
			chosen = chosen[:r-1]
			if !extend(i) {
				r = -1
			}
		default:
			r = -1
		}
		if r < 0 {
			return nil, false
		}
		m.budget.chargeItems(r)
		row := make(Tuple, r)
		for k, i := range chosen {
			row[k] = pool[i]
		}
		return row, true
	})
}
