package host

import "github.com/newtlab/newt/compiler/python"

// dictView is what keys(), values() and items() give: the entries of a dict as they are when one looks.
type dictView struct {
	of   *Dict
	kind string // "keys", "values" or "items"
}

// Type is dict_keys, dict_values or dict_items.
func (v *dictView) Type() string { return "dict_" + v.kind }

var viewClasses = map[string]*Class{"keys": {Name: "dict_keys"}, "values": {Name: "dict_values"},
	"items": {Name: "dict_items"}}

func init() {
	for kind, c := range viewClasses {
		record := typeRecord{
			make: refuseConstruction(c.Name),
			slots: slots{
				length:  func(_ *machine, v Value) int { return v.(*dictView).of.live },
				iterate: func(_ *machine, v Value) func() (Value, bool) { return v.(*dictView).iterator() },
				items: func(m *machine, v Value) []Value {
					d := v.(*dictView)
					m.budget.chargeItems(d.of.live)
					return d.list(m)
				},
				repr: func(p *printer, v Value, depth int) string {
					return v.Type() + "([" + p.items(v.(*dictView).list(p.m), depth) + "])"
				},
			},
			methods: map[string]method{
				"__reversed__(self, /)": func(m *machine, a arguments) Value {
					return builtinReversed(m, self[*dictView](a))
				},
			},
		}
		if kind == "values" {
			record.hash = hashIdentity
		} else {
			// Views of keys and of entries are sets.
			record.contains = func(m *machine, v, x Value) bool { return v.(*dictView).contains(m, x) }
			record.compare = func(m *machine, op string, v, other Value) Value {
				if y, ok := setLike(m, plain(other)).(*Set); ok {
					return python.Bool(compareSets(m, op, setLike(m, v).(*Set), y))
				}
				return notImplemented
			}
			record.binaryOps = setOperators
			record.binary = func(m *machine, op string, v, other Value, reflected bool) Value {
				if !hasOperator(setOperators, op) || !iterable(other) {
					return notImplemented
				}
				left, right := v, other
				if reflected && op != "&" {
					left, right = other, v
				}
				out := newSet()
				out.updateWith(m, "|", left)
				out.updateWith(m, op, right)
				return out
			}
			record.methods["isdisjoint(self, other, /)"] = func(m *machine, a arguments) Value {
				other := asSet(m, a.positional[1])
				return python.Bool(setOperation(m, "&", setLike(m, self[*dictView](a)).(*Set), other).live == 0)
			}
		}
		c.describe(record)
	}
}

// list makes the view's items.
func (v *dictView) list(m *machine) []Value {
	out := make([]Value, 0, v.of.live)
	v.of.each(m.ticking(func(k, x Value) {
		switch v.kind {
		case "keys":
			out = append(out, k)
		case "values":
			out = append(out, x)
		default:
			out = append(out, Tuple{k, x})
		}
	}))
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

// contains reports whether a key or an entry is in the dict.
func (v *dictView) contains(m *machine, x Value) bool {
	if v.kind == "keys" {
		_, found := v.of.get(x)
		return found
	}
	pair, ok := x.(Tuple)
	if !ok || len(pair) != 2 {
		return false
	}
	got, ok := v.of.get(pair[0])
	return ok && (identical(got, pair[1]) || m.equalValues(got, pair[1]))
}

// setLike is the set of a view of keys or entries, for the operators of sets; other values stay as they are.
func setLike(m *machine, v Value) Value {
	d, ok := v.(*dictView)
	if !ok || d.kind == "values" {
		return v
	}
	s := newSet()
	for _, x := range d.list(m) {
		m.tick()
		s.add(x)
	}
	return s
}

// viewOf makes a method that gives a view.
func viewOf(kind string) method {
	return func(_ *machine, a arguments) Value { return &dictView{self[*Dict](a), kind} }
}
