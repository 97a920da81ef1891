package host

import "github.com/newtlab/newt/compiler/python"

// dictView is what keys(), values() and items() give: the entries of a dict as they are when one looks.
type dictView struct {
	of   *Dict
	kind string // "keys", "values" or "items"
}

// Type is dict_keys, dict_values or dict_items.
func (v *dictView) Type() string { return "dict_" + v.kind }

// list makes the view's items.
func (v *dictView) list() []Value {
	out := make([]Value, 0, v.of.live)
	v.of.each(func(k, x Value) {
		switch v.kind {
		case "keys":
			out = append(out, k)
		case "values":
			out = append(out, x)
		default:
			out = append(out, Tuple{k, x})
		}
	})
	return out
}

// iterator walks the view's dict as it is.
func (v *dictView) iterator() func() (Value, bool) {
	return v.of.walk("dictionary", func(e entry) Value {
		switch v.kind {
		case "keys":
			return e.key
		case "values":
			return e.value
		}
		return Tuple{e.key, e.value}
	})
}

// walk gives the items of the entries, one by one. Growing or shrinking meanwhile is an error, as in Python.
func (d *Dict) walk(noun string, item func(e entry) Value) func() (Value, bool) {
	n, i := d.live, d.head
	return func() (Value, bool) {
		if d.live != n {
			n = -1 // it stays broken
			raise("RuntimeError", "%s changed size during iteration", noun)
		}
		for i < len(d.entries) && d.entries[i].key == nil {
			i++
		}
		if i >= len(d.entries) {
			return nil, false
		}
		i++
		return item(d.entries[i-1]), true
	}
}

// contains reports whether a key or an entry is in the dict; of a view of values it knows nothing.
func (v *dictView) contains(m *machine, x Value) (found, known bool) {
	switch v.kind {
	case "keys":
		_, found = v.of.get(x)
		return found, true
	case "items":
		pair, ok := x.(Tuple)
		if !ok || len(pair) != 2 {
			return false, true
		}
		got, ok := v.of.get(pair[0])
		return ok && (identical(got, pair[1]) || m.equalValues(got, pair[1])), true
	}
	return false, false
}

// setLike is the set of a view of keys or entries, for the operators of sets; other values stay as they are.
func setLike(v Value) Value {
	d, ok := v.(*dictView)
	if !ok || d.kind == "values" {
		return v
	}
	s := newSet()
	for _, x := range d.list() {
		s.set(x, none)
	}
	return s
}

// dictViewMethods are the methods of a view of keys or entries.
var dictViewMethods = map[string]method{
	"isdisjoint": func(m *machine, a arguments) Value {
		other := asSet(m, a.tail().bound("isdisjoint", "other")[0])
		for _, x := range self[*dictView](a).list() {
			if _, ok := other.get(x); ok {
				return python.Bool(false)
			}
		}
		return python.Bool(true)
	},
}

// viewOf makes a method that gives a view.
func viewOf(kind string) method {
	return func(m *machine, a arguments) Value {
		a.want(kind, 1, 1)
		return &dictView{self[*Dict](a), kind}
	}
}
