package host

import (
	"github.com/newtlab/newt/compiler/python"
)

var dictClass = &Class{Name: "dict"}

func init() {
	dictClass.describe(typeRecord{
		make: dictOf,
		base: true,
		slots: slots{
			length: func(_ *machine, v Value) int { return valueOf[*Dict](v).live },
			item: func(m *machine, v, key Value) Value {
				if x, ok := valueOf[*Dict](v).get(key); ok {
					return x
				}
				// As in dict_subscript: get() does not ask __missing__, and dict itself has none.
				if f, ok := m.findSpecial(v, "__missing__"); ok {
					return m.callWith(f, key)
				}
				raiseKey(key)
				return nil
			},
			setItem: func(m *machine, v, key, x Value) {
				m.budget.chargeItems(1)
				valueOf[*Dict](v).set(key, x)
			},
			deleteItem: func(m *machine, v, key Value) {
				if _, ok := valueOf[*Dict](v).remove(key); !ok {
					raiseKey(key)
				}
			},
			contains: func(_ *machine, v, key Value) bool { _, ok := valueOf[*Dict](v).get(key); return ok },
			iterate: func(_ *machine, v Value) func() (Value, bool) {
				return (&dictView{valueOf[*Dict](v), "keys"}).iterator()
			},
			items: func(m *machine, v Value) []Value { return valueOf[*Dict](v).list(m) },
			compare: func(m *machine, op string, v, other Value) Value {
				y, ok := plain(other).(*Dict)
				if !ok {
					return notImplemented
				}
				return compareEqual(op, sameEntries(m, valueOf[*Dict](v), y))
			},
			binaryOps: " | ",
			binary: func(m *machine, op string, v, other Value, reflected bool) Value {
				x := valueOf[*Dict](v)
				y, ok := plain(other).(*Dict)
				if !ok || op != "|" {
					return notImplemented
				}
				if reflected {
					x, y = y, x
				}
				m.budget.chargeItems(x.live + y.live)
				out := newDict()
				x.each(m.ticking(out.set))
				y.each(m.ticking(out.set))
				return out
			},
			inPlaceOps: " | ",
			inPlace: func(m *machine, op string, v, other Value) Value {
				if op != "|" {
					return notImplemented
				}
				updateDict(m, valueOf[*Dict](v), other)
				return v
			},
			repr: func(p *printer, v Value, depth int) string {
				d := valueOf[*Dict](v)
				return p.inside(d, "{...}", func() string { return p.dict(d, depth) })
			},
		},
		methods: map[string]method{
			"get(self, key, default=None, /)": func(m *machine, a arguments) Value {
				if v, ok := self[*Dict](a).get(a.positional[1]); ok {
					return v
				}
				return a.positional[2]
			},
			"keys(self, /)": viewOf("keys"), "values(self, /)": viewOf("values"), "items(self, /)": viewOf("items"),
			"popitem(self, /)": func(m *machine, a arguments) Value {
				d := self[*Dict](a)
				if d.live > 0 {
					k := d.entries[len(d.entries)-1].key
					v, _ := d.remove(k)
					return Tuple{k, v}
				}
				raiseKey(python.Str("popitem(): dictionary is empty"))
				return nil
			},
			"pop(self, key, default=..., /)": func(m *machine, a arguments) Value {
				v, ok := self[*Dict](a).remove(a.positional[1])
				switch {
				case ok:
					return v
				case a.positional[2] != nil:
					return a.positional[2]
				}
				raiseKey(a.positional[1])
				return nil
			},
			"setdefault(self, key, default=None, /)": func(m *machine, a arguments) Value {
				d := self[*Dict](a)
				if v, ok := d.get(a.positional[1]); ok {
					return v
				}
				m.budget.chargeItems(1)
				d.set(a.positional[1], a.positional[2])
				return a.positional[2]
			},
			"update": func(m *machine, a arguments) Value {
				d := self[*Dict](a)
				if len(a.positional) > 1 {
					updateDict(m, d, a.positional[1])
				}
				for _, k := range a.keywords {
					d.set(python.Str(k.name), k.value)
				}
				return none
			},
			"@classmethod fromkeys(cls, iterable, value=None, /)": dictFromKeys,
			"copy(self, /)": func(m *machine, a arguments) Value {
				d := newDict()
				updateDict(m, d, self[*Dict](a))
				return d
			},
			"clear(self, /)": func(m *machine, a arguments) Value {
				self[*Dict](a).replaceContents(newDict())
				return none
			},
			"__init__": func(m *machine, a arguments) Value {
				self[*Dict](a).replaceContents(dictOf(m, a.tail()).(*Dict))
				return none
			},
			"__reversed__(self, /)": func(m *machine, a arguments) Value { return builtinReversed(m, self[*Dict](a)) },
		},
	})
}

// dictFromKeys is dict.fromkeys, a class method.
func dictFromKeys(m *machine, a arguments) Value {
	c := self[*Class](a)
	out := m.callWith(c)
	for _, k := range m.itemsOf(a.positional[1]) {
		m.tick()
		m.setItem(out, k, a.positional[2])
	}
	return out
}

func dictOf(m *machine, a arguments) Value {
	d := newDict()
	if len(a.positional) > 1 {
		raise("TypeError", "dict expected at most 1 argument, got %d", len(a.positional))
	}
	if len(a.positional) == 1 {
		updateDict(m, d, a.positional[0])
	}
	for _, k := range a.keywords {
		m.tick()
		d.set(python.Str(k.name), k.value)
	}
	m.budget.chargeItems(d.live)
	return d
}

// updateDict adds a mapping's entries, or pairs, to d.
func updateDict(m *machine, d *Dict, from Value) {
	if other, ok := plain(from).(*Dict); ok {
		m.budget.chargeItems(other.live)
		other.each(m.ticking(d.set))
		return
	}
	if m.eachEntry(from, d.set) {
		return
	}
	for i, pair := range m.itemsOf(from) {
		m.tick()
		if !iterable(pair) {
			raise("TypeError", "cannot convert dictionary update sequence element #%d to a sequence", i)
		}
		kv := m.itemsOf(pair)
		if len(kv) != 2 {
			raise("ValueError", "dictionary update sequence element #%d has length %d; 2 is required", i, len(kv))
		}
		d.set(kv[0], kv[1])
	}
}

func sameEntries(m *machine, a, b *Dict) bool {
	if a.live != b.live {
		return false
	}
	m.budget.enterLevel()
	same := true
	a.each(func(k, v Value) {
		m.budget.countStep(m.at)
		w, ok := b.get(k)
		same = same && ok && (identical(v, w) || m.equalValues(v, w))
	})
	m.budget.leaveLevel()
	return same
}
