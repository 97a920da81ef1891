package host

// bisectFunctions are those of bisect.
func bisectFunctions() map[string]method {
	return map[string]method{
		"bisect" + bisectParameters: bisectSide(true), "bisect_right" + bisectParameters: bisectSide(true),
		"bisect_left" + bisectParameters: bisectSide(false),
		"insort" + bisectParameters:      insortSide(true), "insort_right" + bisectParameters: insortSide(true),
		"insort_left" + bisectParameters: insortSide(false),
	}
}

const bisectParameters = "(a, x, lo=0, hi=None, *, key=None)"

// bisectAt is where x goes in a sorted sequence: right of what is equal to it, or left.
func bisectAt(m *machine, list, x, low, high, key Value, right bool) int {
	lo, hi := asIndex(low), asIndex(given(high, intValue(m.lengthOf(list))))
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

func bisectSide(right bool) method {
	return func(m *machine, a arguments) Value {
		v := a.positional
		return intValue(bisectAt(m, v[0], v[1], v[2], v[3], v[4], right))
	}
}

func insortSide(right bool) method {
	return func(m *machine, a arguments) Value {
		v := a.positional
		at := bisectAt(m, v[0], applyKey(m, v[4], v[1]), v[2], v[3], v[4], right)
		return m.callWith(m.attrOf(v[0], "insert"), intValue(at), v[1])
	}
}
