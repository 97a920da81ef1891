package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// dictKind is what a dict has whose class is one of collections.
type dictKind struct {
	class   *Class
	factory Value // defaultdict's default_factory
}

func (d *Dict) attr(_ *machine, name string) (Value, bool) {
	if d.kind == nil || d.kind.factory == nil || name != "default_factory" {
		return nil, false
	}
	return d.kind.factory, true
}

func (d *Dict) setAttr(_ *machine, name string, v Value) bool {
	if d.kind == nil || d.kind.factory == nil || name != "default_factory" {
		return false
	}
	d.kind.factory = v
	return true
}

// collectionsLibrary is what prelude/collections.py stands on.
func collectionsLibrary(*machine) map[string]Value {
	return map[string]Value{"defaultdict": defaultDictClass(), "deque": dequeClass()}
}

// abstractClasses are the classes of collections.abc: the builtin classes that are registered with each, what else has
// tells of a value, and the methods by which a class of the program counts.
var abstractClasses = []struct {
	name, registered, methods string
	has                       func(v Value) bool
}{
	{"Iterable", containers, "__iter__", iterable},
	{"Iterator", "", "__next__ __iter__", func(v Value) bool { return is[*Iterator](v) || is[*coroutine](v) }},
	{"Generator", "", "", func(v Value) bool { return v.Type() == "generator" }},
	{"Callable", "", "__call__", callable},
	{"Mapping", "dict", "", is[*Dict]},
	{"MutableMapping", "dict", "", is[*Dict]},
	{"Set", "set frozenset", "", nil},
	{"MutableSet", "set", "", nil},
	{"Sequence", "list tuple str range bytes bytearray", "", func(v Value) bool { _, ok := sequenceItems(v); return ok }},
	{"MutableSequence", "list bytearray", "", nil},
	{"Hashable", "tuple str range bytes frozenset int float bool", "", hashable},
	{"Sized", containers, "__len__", is[*Dict]},
	{"Container", containers, "__contains__", is[*Dict]},
	{"Collection", containers, "__len__ __iter__ __contains__", is[*Dict]},
	{"Reversible", "list tuple str range bytes bytearray dict", "__reversed__ __iter__", is[*Dict]},
}

// hashable reports whether a value's class has a hash.
func hashable(v Value) bool {
	c := typeOf(v)
	h, found := c.find("__hash__")
	return c.slots().hash != nil && (!found || h != none)
}

const containers = "list tuple str range bytes bytearray dict set frozenset"

// collectionsABC is collections.abc: names for annotations and isinstance. What they do for the classes that derive
// from them is in prelude/collections.abc.py, which runs with the first.
func collectionsABC(*machine) map[string]Value {
	members := map[string]Value{}
	inherit := func(m *machine, _ *Class) { m.modules.completeLibrary(m.modules.loaded["collections.abc"]) }
	for _, row := range abstractClasses {
		c := nativeClass("collections.abc", row.name, nil)
		if base, ok := members[strings.TrimPrefix(row.name, "Mutable")].(*Class); ok { // it comes before
			c.bases = []*Class{base}
		}
		c.define("register", &descriptor{"classmethod", registerSubclass})
		c.derive = inherit
		c.make = refuseConstruction(row.name)
		for _, name := range strings.Fields(row.registered) {
			c.registered = append(c.registered, builtins[name].(*Class))
		}
		if row.methods != "" {
			c.hook = strings.Fields(row.methods)
		}
		c.has = row.has
		members[row.name] = c
	}
	return members
}

func defaultDictClass() *Class {
	c := nativeClass("collections", "defaultdict", map[string]method{
		"__missing__(self, key, /)": func(m *machine, a arguments) Value {
			d, key := self[*Dict](a), a.positional[1]
			if d.kind.factory == none {
				raiseKey(key)
			}
			v := m.callWith(d.kind.factory)
			m.budget.chargeItems(1)
			d.set(key, v)
			return v
		},
		"__repr__(self, /)": func(m *machine, a arguments) Value {
			d := self[*Dict](a)
			return python.Str(m.printWithin(func(p *printer) string {
				return "defaultdict(" + p.repr(d.kind.factory, 1) + ", " + p.dict(d, 0) + ")"
			}))
		},
		"copy(self, /)": copyDict,
	}, dictClass)
	c.make = func(m *machine, a arguments) Value {
		m.budget.chargeItems(1)
		d := newDict()
		d.kind = &dictKind{class: c, factory: none}
		if len(a.positional) > 0 {
			d.kind.factory, a = a.positional[0], a.tail()
		}
		if d.kind.factory != none && !callable(d.kind.factory) {
			raise("TypeError", "first argument must be callable or None")
		}
		dictOf(m, a).(*Dict).each(m.ticking(d.set))
		return d
	}
	return c
}

// copyDict is a copy of the same class.
func copyDict(m *machine, a arguments) Value {
	d, out := self[*Dict](a), newDict()
	m.budget.chargeItems(d.live)
	out.kind = d.kind
	d.each(m.ticking(out.set))
	return out
}

func raiseKey(key Value) {
	panic(&raised{exception: newException(exceptions["KeyError"], key)})
}

// deque is what an object of collections.deque holds.
type deque struct {
	items []Value
	most  int // the maximal length; negative for none
}

// add appends at the end, or at the front, and drops from the other side what is too many.
func (d *deque) add(m *machine, v Value, front bool) {
	m.tick()
	m.budget.chargeItems(1)
	if front {
		d.items = slices.Insert(d.items, 0, v)
	} else {
		d.items = append(d.items, v)
	}
	if d.most < 0 || len(d.items) <= d.most {
		return
	}
	if front {
		d.items = d.items[:d.most]
	} else {
		d.items = d.items[len(d.items)-d.most:]
	}
}

func (d *deque) place(m *machine, v Value) int { return dequePosition(v, len(d.items)) }

func (d *deque) index(m *machine, x Value) int {
	return indexOfItem(m, sliceIterator("", d.items).next, x, 0, len(d.items))
}

func dequePosition(v Value, n int) int {
	i := asIndex(v)
	if i < 0 {
		i += int64(n)
	}
	if i < 0 || i >= int64(n) {
		raise("IndexError", "deque index out of range")
	}
	return int(i)
}

func dequeClass() *Class {
	pop := func(front bool) method {
		return func(m *machine, a arguments) Value {
			d := native[*deque](a)
			n := len(d.items)
			if n == 0 {
				raise("IndexError", "pop from an empty deque")
			}
			if front {
				v := d.items[0]
				d.items = d.items[1:]
				return v
			}
			v := d.items[n-1]
			d.items = d.items[:n-1]
			return v
		}
	}
	add := func(front bool) method {
		return func(m *machine, a arguments) Value {
			native[*deque](a).add(m, a.positional[1], front)
			return none
		}
	}
	extend := func(front bool) method {
		return func(m *machine, a arguments) Value {
			for _, v := range slices.Clone(m.itemsOf(a.positional[1])) {
				native[*deque](a).add(m, v, front)
			}
			return none
		}
	}
	c := nativeClass("collections", "deque", map[string]method{
		"__init__(self, /, iterable=None, maxlen=None)": func(m *machine, a arguments) Value {
			d := &deque{most: -1}
			if a.positional[2] != none {
				if d.most = int(asIndex(a.positional[2])); d.most < 0 {
					raise("ValueError", "maxlen must be non-negative")
				}
			}
			self[*Instance](a).native = d
			if a.positional[1] != none {
				it := m.iterateOver(a.positional[1])
				for x, ok := it(); ok; x, ok = it() {
					d.add(m, x, false)
				}
			}
			return none
		},
		"append(self, item, /)": add(false), "appendleft(self, item, /)": add(true),
		"extend(self, iterable, /)": extend(false), "extendleft(self, iterable, /)": extend(true),
		"pop(self, /)": pop(false), "popleft(self, /)": pop(true),
		"clear(self, /)": func(m *machine, a arguments) Value { native[*deque](a).items = nil; return none },
		"copy(self, /)": func(m *machine, a arguments) Value {
			d := native[*deque](a)
			return m.newNative(self[*Instance](a).class, &deque{slices.Clone(d.items), d.most})
		},
		"count(self, value, /)": func(m *machine, a arguments) Value {
			return sequenceCount(m, arguments{positional: []Value{Tuple(native[*deque](a).items), a.positional[1]}})
		},
		"index(self, value, /)": func(m *machine, a arguments) Value {
			i := native[*deque](a).index(m, a.positional[1])
			if i < 0 {
				raise("ValueError", "%s is not in deque", m.reprOf(a.positional[1]))
			}
			return intValue(i)
		},
		"remove(self, value, /)": func(m *machine, a arguments) Value {
			d := native[*deque](a)
			i := d.index(m, a.positional[1])
			if i < 0 {
				raise("ValueError", "deque.remove(x): x not in deque")
			}
			d.items = slices.Delete(d.items, i, i+1)
			return none
		},
		"insert(self, index, value, /)": func(m *machine, a arguments) Value {
			d := native[*deque](a)
			if d.most >= 0 && len(d.items) >= d.most {
				raise("IndexError", "deque already at its maximum size")
			}
			d.items = slices.Insert(d.items, insertPosition(a.positional[1], len(d.items)), a.positional[2])
			return none
		},
		"reverse(self, /)": func(m *machine, a arguments) Value {
			slices.Reverse(native[*deque](a).items)
			return none
		},
		"rotate(self, n=1, /)": func(m *machine, a arguments) Value {
			d := native[*deque](a)
			n := len(d.items)
			if n == 0 {
				return none
			}
			k := int(asIndex(a.positional[1])%int64(n)+int64(n)) % n
			d.items = append(slices.Clone(d.items[n-k:]), d.items[:n-k]...)
			return none
		},
		"__len__(self, /)": func(m *machine, a arguments) Value { return intValue(len(native[*deque](a).items)) },
		"__iter__(self, /)": func(m *machine, a arguments) Value {
			return sliceIterator("_collections._deque_iterator", slices.Clone(native[*deque](a).items))
		},
		"__reversed__(self, /)": func(m *machine, a arguments) Value {
			items := slices.Clone(native[*deque](a).items)
			slices.Reverse(items)
			return sliceIterator("_collections._deque_reverse_iterator", items)
		},
		"__contains__(self, key, /)": func(m *machine, a arguments) Value {
			return python.Bool(native[*deque](a).index(m, a.positional[1]) >= 0)
		},
		"__getitem__(self, key, /)": func(m *machine, a arguments) Value {
			d := native[*deque](a)
			return d.items[d.place(m, a.positional[1])]
		},
		"__setitem__(self, key, value, /)": func(m *machine, a arguments) Value {
			d := native[*deque](a)
			d.items[d.place(m, a.positional[1])] = a.positional[2]
			return none
		},
		"__delitem__(self, key, /)": func(m *machine, a arguments) Value {
			d := native[*deque](a)
			i := d.place(m, a.positional[1])
			d.items = slices.Delete(d.items, i, i+1)
			return none
		},
		"__eq__(self, value, /)": func(m *machine, a arguments) Value {
			o, ok := a.positional[1].(*Instance)
			if !ok {
				return python.Bool(false)
			}
			other, ok := o.native.(*deque)
			return python.Bool(ok && sameItems(m, native[*deque](a).items, other.items))
		},
		"__repr__(self, /)": func(m *machine, a arguments) Value {
			d := native[*deque](a)
			text := "deque(" + m.reprOf(&List{Items: d.items})
			if d.most >= 0 {
				text += ", maxlen=" + Repr(intValue(d.most))
			}
			return python.Str(text + ")")
		},
		"@property maxlen(self)": func(m *machine, a arguments) Value {
			if d := native[*deque](a); d.most >= 0 {
				return intValue(d.most)
			}
			return none
		},
	})
	return c
}
