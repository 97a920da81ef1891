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
		"count(start=0, step=1)": func(m *machine, a arguments) Value {
			at, step := a.positional[0], a.positional[1]
			return lazyIterator(m, "count", func() (Value, bool) {
				now := at
				at = m.binaryOp("+", at, step)
				return now, true
			})
		},
		"cycle(iterable, /)": func(m *machine, a arguments) Value {
			it := m.iterateOver(a.positional[0])
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
		"repeat(object, times=...)": func(m *machine, a arguments) Value {
			left := int64(-1)
			if a.positional[1] != nil {
				left = max(asIndex(a.positional[1]), 0)
			}
			return lazyIterator(m, "repeat", func() (Value, bool) {
				if left == 0 {
					return nil, false
				}
				left--
				return a.positional[0], true
			})
		},
		"chain(*iterables)": func(m *machine, a arguments) Value {
			return chainedIterator(m, sliceIterator("", a.positional[0].(Tuple)).next)
		},
		"islice(iterable, start, stop=..., step=None, /)": itertoolsIslice, "product(*iterables, repeat=1)": itertoolsProduct,
	}
}

// itertoolsLibrary is itertools, with the other iterators of prelude/itertools.py.
func itertoolsLibrary() map[string]Value {
	members := functions(itertoolsFunctions())
	for name, f := range members {
		members[name] = itertoolsClass(name, f.(*Builtin).call)
	}
	members["chain"].(*Class).defineAll(map[string]method{
		"@classmethod from_iterable(cls, iterable, /)": func(m *machine, a arguments) Value {
			return chainedIterator(m, m.iterateOver(a.positional[1]))
		}})
	members["_iterator"] = newBuiltin("", "_iterator(function, /)", iteratorOf)
	return members
}

// itertoolsClass is a class of itertools whose objects a function makes.
func itertoolsClass(name string, construct method) *Class {
	c := nativeClass("itertools", name, nil)
	c.make, c.has = construct, func(v Value) bool { return v.Type() == "itertools."+name }
	return c
}

// iteratorOf makes a class of itertools from a generator function whose first yield ends the check of its arguments.
func iteratorOf(_ *machine, a arguments) Value {
	f := a.positional[0].(*Function)
	return itertoolsClass(f.Name, func(m *machine, a arguments) Value {
		next := m.iterateOver(m.callValue(f, a))
		next()
		return lazyIterator(m, f.Name, next)
	})
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

func itertoolsIslice(m *machine, a arguments) Value {
	v := a.positional
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

func itertoolsProduct(m *machine, a arguments) Value {
	iterables, times := a.positional[0].(Tuple), asIndex(a.positional[1])
	if times < 0 {
		raise("ValueError", "repeat argument cannot be negative")
	}
	m.budget.chargeItems(int(min(times, 1<<30)) * len(iterables))
	var pools [][]Value
	for range times {
		for _, v := range iterables {
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
