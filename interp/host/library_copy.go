package host

import "slices"

// copyFunctions are those of copy.
func copyFunctions() map[string]method {
	return map[string]method{
		"copy(x)": func(m *machine, a arguments) Value { return shallowCopy(m, a.positional[0]) },
		"deepcopy(x, memo=...)": func(m *machine, a arguments) Value {
			return deepCopy(m, a.positional[0], map[Value]Value{})
		},
	}
}

func shallowCopy(m *machine, v Value) Value {
	switch x := v.(type) {
	case *List:
		m.budget.chargeItems(len(x.Items))
		return &List{Items: slices.Clone(x.Items)}
	case *Dict:
		m.budget.chargeItems(x.live)
		out := newDict()
		out.kind = x.kind
		x.each(m.ticking(out.set))
		return out
	case *Set:
		m.budget.chargeItems(x.live)
		return x.copied(m)
	case Tensor:
		return m.tensorMethod(x, "clone")
	case *Instance:
		if c, ok := m.callSpecial(x, "__copy__"); ok {
			return c
		}
		if held, ok := heldOf(x); ok {
			return copiedObject(m, x, shallowCopy(m, held), func(v Value) Value { return v })
		}
		if x.native != nil {
			if c, ok := m.findAttr(x, "copy"); ok {
				return m.callWith(c)
			}
		}
		return copiedObject(m, x, x.native, func(v Value) Value { return v })
	}
	return v
}

// copiedObject is an object of the same class that holds another value, with its attributes passed through each.
func copiedObject(m *machine, x *Instance, held any, each func(v Value) Value) Value {
	out := m.newNative(x.class, held)
	m.budget.chargeItems(x.attrs.live)
	x.attrs.each(func(k, v Value) { out.attrs.set(k, each(v)) })
	return out
}

// deepCopy copies a value and what it holds; memo has the copies of what was met before.
func deepCopy(m *machine, v Value, memo map[Value]Value) Value {
	m.budget.countStep(m.at)
	m.budget.enterLevel()
	defer m.budget.leaveLevel()
	switch v.(type) {
	case *List, *Dict, *Set, *Instance:
		if c, ok := memo[v]; ok {
			return c
		}
	}
	switch x := v.(type) {
	case *List:
		out := &List{Items: make([]Value, len(x.Items))}
		m.budget.chargeItems(len(x.Items))
		memo[v] = out
		for i, y := range x.Items {
			out.Items[i] = deepCopy(m, y, memo)
		}
		return out
	case Tuple:
		out := make(Tuple, len(x))
		for i, y := range x {
			out[i] = deepCopy(m, y, memo)
		}
		return out
	case *Named:
		if x.class == nil {
			return v
		}
		items := make([]Value, len(x.Items))
		for i, y := range x.Items {
			items[i] = deepCopy(m, y, memo)
		}
		return newNamedTuple(x.class, items)
	case *Dict:
		out := newDict()
		out.kind = x.kind
		memo[v] = out
		x.each(func(k, y Value) { out.set(deepCopy(m, k, memo), deepCopy(m, y, memo)) })
		m.budget.chargeItems(out.live)
		return out
	case *Set:
		return shallowCopy(m, v)
	case Tensor:
		return m.tensorMethod(x, "clone")
	case *Instance:
		if c, ok := m.callSpecial(x, "__deepcopy__", newDict()); ok {
			memo[v] = c
			return c
		}
		out := m.newNative(x.class, nil)
		if held, ok := heldOf(x); ok {
			out.native = deepCopy(m, held, memo)
		} else if x.native != nil {
			return shallowCopy(m, v)
		}
		memo[v] = out
		x.attrs.each(func(k, y Value) { out.attrs.set(k, deepCopy(m, y, memo)) })
		m.budget.chargeItems(x.attrs.live)
		return out
	}
	return v
}
