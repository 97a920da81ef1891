package host

// bisectFunctions are those of bisect.
func bisectFunctions() map[string]method {
	return map[string]method{
		"bisect": bisectSide("bisect", true), "bisect_right": bisectSide("bisect_right", true),
		"bisect_left": bisectSide("bisect_left", false),
		"insort":      insortSide("insort", true), "insort_right": insortSide("insort_right", true),
		"insort_left": insortSide("insort_left", false),
	}
}

// bisectAt is where x goes in a sorted sequence: right of what is equal to it, or left.
func bisectAt(m *machine, list, x, low, high, key Value, right bool) int {
	lo, hi := asIndex(given(low, intValue(0))), asIndex(given(high, intValue(m.lengthOf(list))))
	if lo < 0 {
		raise("ValueError", "lo must be non-negative")
	}
	for lo < hi {
		m.budget.countStep(m.at)
		mid := (lo + hi) / 2
		v := applyKey(m, key, m.itemOf(list, intValue(int(mid))))
		switch {
		case right && m.truthOf(m.compareValues("<", x, v)), !right && !m.truthOf(m.compareValues("<", v, x)):
			hi = mid
		default:
			lo = mid + 1
		}
	}
	return int(lo)
}

func bisectSide(name string, right bool) method {
	return func(m *machine, a arguments) Value {
		v := a.bound(name, "a, x, lo=, hi=, *, key=")
		return intValue(bisectAt(m, v[0], v[1], v[2], v[3], v[4], right))
	}
}

func insortSide(name string, right bool) method {
	return func(m *machine, a arguments) Value {
		v := a.bound(name, "a, x, lo=, hi=, *, key=")
		at := bisectAt(m, v[0], applyKey(m, v[4], v[1]), v[2], v[3], v[4], right)
		return m.callWith(m.attrOf(v[0], "insert"), intValue(at), v[1])
	}
}
