package host

import (
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// functoolsLibrary is functools.
func functoolsLibrary(m *machine) map[string]Value {
	members := functions(functoolsFunctions())
	members["partial"] = partialClass()
	members["cached_property"] = &Builtin{"cached_property", cachedProperty}
	cacheInfo := namedTupleClass("functools", "CacheInfo", []string{"hits", "misses", "maxsize", "currsize"}, nil)
	wrapper := cacheWrapperClass(cacheInfo)
	members["cache"] = &Builtin{"cache", func(m *machine, a arguments) Value {
		return cachedFunction(m, wrapper, a.bound("cache", "user_function")[0], -1)
	}}
	members["lru_cache"] = &Builtin{"lru_cache", func(m *machine, a arguments) Value {
		v := a.bound("lru_cache", "maxsize=, typed=")
		if v[0] != nil && callable(v[0]) {
			return cachedFunction(m, wrapper, v[0], 128)
		}
		size := int64(-1)
		if v[0] != none {
			size = max(asIndex(given(v[0], intValue(128))), 0)
		}
		return &Builtin{"decorating_function", func(m *machine, a arguments) Value {
			return cachedFunction(m, wrapper, a.bound("decorating_function", "user_function")[0], size)
		}}
	}}
	members["WRAPPER_ASSIGNMENTS"] = strTuple(wrapperAssignments)
	members["WRAPPER_UPDATES"] = strTuple([]string{"__dict__"})
	key := keyClass()
	members["cmp_to_key"] = &Builtin{"cmp_to_key", func(m *machine, a arguments) Value {
		compare := a.bound("cmp_to_key", "mycmp")[0]
		return &Builtin{"K", func(m *machine, a arguments) Value {
			return m.newNative(key, comparedBy{compare, a.bound("K", "obj")[0]})
		}}
	}}
	dispatcher := dispatcherClass()
	members["singledispatch"] = &Builtin{"singledispatch", func(m *machine, a arguments) Value {
		f := a.bound("singledispatch", "func")[0]
		d := m.newNative(dispatcher, &dispatch{general: f})
		copyNames(m, d, f)
		return d
	}}
	return members
}

func strTuple(list []string) Tuple {
	out := make(Tuple, len(list))
	for i, s := range list {
		out[i] = python.Str(s)
	}
	return out
}

func functoolsFunctions() map[string]method {
	return map[string]method{
		"reduce": func(m *machine, a arguments) Value {
			v := a.bound("reduce", "function, iterable, initial=")
			it, total := m.iterateOver(v[1]), v[2]
			for x, ok := it(); ok; x, ok = it() {
				if total == nil {
					// Without an initial value the first item is it.
					total = x
					continue
				}
				total = m.callWith(v[0], total, x)
			}
			if total == nil {
				raise("TypeError", "reduce() of empty iterable with no initial value")
			}
			return total
		},
		"wraps": func(m *machine, a arguments) Value {
			from := a.bound("wraps", "wrapped, assigned=, updated=")[0]
			return &Builtin{"wraps", func(m *machine, a arguments) Value {
				to := a.bound("update_wrapper", "wrapper")[0]
				copyNames(m, to, from)
				return to
			}}
		},
		"update_wrapper": func(m *machine, a arguments) Value {
			v := a.bound("update_wrapper", "wrapper, wrapped, assigned=, updated=")
			copyNames(m, v[0], v[1])
			return v[0]
		},
		"total_ordering": totalOrdering,
		"partialmethod": func(*machine, arguments) Value {
			lack("NotImplementedError", "functools.partialmethod", nil)
			return nil
		},
	}
}

var wrapperAssignments = []string{"__module__", "__name__", "__qualname__", "__doc__", "__annotations__"}

// copyNames makes a wrapper look like what it wraps.
func copyNames(m *machine, to, from Value) {
	for _, name := range append(wrapperAssignments, "__wrapped__") {
		v, ok := from, name == "__wrapped__"
		if !ok {
			v, ok = m.findAttr(from, name)
		}
		if ok {
			// Builtin functions refuse some attributes; update_wrapper passes over those.
			m.untilStop("AttributeError", func() Value { m.setAttr(to, name, v); return none })
		}
	}
}

// applied is what a partial object holds.
type applied struct {
	function Value
	args     []Value
	keywords []keyword
}

func partialClass() *Class {
	c := nativeClass("functools", "partial", map[string]method{
		"__init__": func(m *machine, a arguments) Value {
			if len(a.positional) < 2 {
				raise("TypeError", "type 'partial' takes at least one argument")
			}
			f := a.positional[1]
			if !callable(f) {
				raise("TypeError", "the first argument must be callable")
			}
			p := &applied{f, a.positional[2:], a.keywords}
			if inner, ok := f.(*Instance); ok {
				if q, ok := inner.native.(*applied); ok { // partials of partials are one
					p = &applied{q.function, append(q.args[:len(q.args):len(q.args)], p.args...),
						merged(q.keywords, p.keywords)}
				}
			}
			a.positional[0].(*Instance).native = p
			return none
		},
		"__call__": func(m *machine, a arguments) Value {
			// The full slice expression makes append copy: two calls must not share the list of arguments.
			p := native[*applied](a)
			return m.callValue(p.function, arguments{append(p.args[:len(p.args):len(p.args)], a.positional[1:]...),
				merged(p.keywords, a.keywords)})
		},
		"__repr__": func(m *machine, a arguments) Value {
			p := native[*applied](a)
			parts := []string{m.reprOf(p.function)}
			for _, v := range p.args {
				parts = append(parts, m.reprOf(v))
			}
			for _, k := range p.keywords {
				parts = append(parts, k.name+"="+m.reprOf(k.value))
			}
			return python.Str("functools.partial(" + strings.Join(parts, ", ") + ")")
		},
	})
	c.define("func", getter(func(m *machine, a arguments) Value { return native[*applied](a).function }))
	c.define("args", getter(func(m *machine, a arguments) Value { return Tuple(native[*applied](a).args) }))
	c.define("keywords", getter(func(m *machine, a arguments) Value {
		d := newDict()
		for _, k := range native[*applied](a).keywords {
			d.set(python.Str(k.name), k.value)
		}
		return d
	}))
	return c
}

// merged are keywords, the later ones in place of earlier ones of the same name.
func merged(list, more []keyword) []keyword {
	out := list[:len(list):len(list)]
	for _, k := range more {
		found := false
		for i := range out {
			if out[i].name == k.name {
				out = append([]keyword{}, out...)
				out[i], found = k, true
			}
		}
		if !found {
			out = append(out, k)
		}
	}
	return out
}

// cache is what functools.lru_cache keeps of a function's results, the least recently used first.
type cache struct {
	function     Value
	results      *Dict
	hits, misses int64
	size         int64 // the most results; negative for no limit
}

func cachedFunction(m *machine, wrapper *Class, f Value, size int64) Value {
	o := m.newNative(wrapper, &cache{function: f, results: newDict(), size: size})
	copyNames(m, o, f)
	return o
}

func cacheWrapperClass(info *Class) *Class {
	return nativeClass("functools", "_lru_cache_wrapper", map[string]method{
		"__call__": func(m *machine, a arguments) Value { return native[*cache](a).call(m, a.tail()) },
		"__get__": func(m *machine, a arguments) Value {
			if a.at(1, none) == none {
				return a.positional[0]
			}
			return &Method{a.positional[1], a.positional[0]}
		},
		"cache_info": func(m *machine, a arguments) Value {
			c := native[*cache](a)
			var size Value = none
			if c.size >= 0 {
				size = python.NewInt(c.size)
			}
			return newNamedTuple(info, Tuple{python.NewInt(c.hits), python.NewInt(c.misses), size,
				intValue(c.results.live)})
		},
		"cache_clear": func(m *machine, a arguments) Value {
			c := native[*cache](a)
			c.results, c.hits, c.misses = newDict(), 0, 0
			return none
		},
	})
}

func (c *cache) call(m *machine, a arguments) Value {
	key := append(Tuple{}, a.positional...)
	for _, k := range a.keywords {
		key = append(key, Ellipsis{}, python.Str(k.name), k.value)
	}
	if v, ok := c.results.get(key); ok {
		c.hits++
		if c.size > 0 { // it becomes the most recently used
			c.results.remove(key)
			c.results.set(key, v)
		}
		return v
	}
	v := m.callValue(c.function, a)
	c.misses++
	if c.size == 0 {
		return v
	}
	m.budget.chargeItems(len(key))
	if c.size > 0 && int64(c.results.live) >= c.size {
		c.results.remove(c.results.entries[c.results.head].key)
	}
	c.results.set(key, v)
	return v
}

// cachedProperty computes an attribute once: the value is then the object's own.
func cachedProperty(m *machine, a arguments) Value {
	f := a.bound("cached_property", "func")[0]
	name := m.strOf(m.attrOf(f, "__name__"))
	return getter(func(m *machine, a arguments) Value {
		o := self[*Instance](a)
		if v := o.own(name); v != nil {
			return v
		}
		v := m.callWith(f, o)
		o.keep(name, v)
		return v
	})
}

// comparedBy is an object of functools.cmp_to_key.
type comparedBy struct{ compare, object Value }

func keyClass() *Class {
	methods := map[string]method{}
	comparisons := map[string]string{"__lt__": "<", "__gt__": ">", "__le__": "<=", "__ge__": ">=", "__eq__": "=="}
	for name, op := range comparisons {
		methods[name] = func(m *machine, a arguments) Value {
			a.want(name, 2, 2)
			x, y := native[comparedBy](a), native[comparedBy](a.tail())
			return m.compareValues(op, m.callWith(x.compare, x.object, y.object), intValue(0))
		}
	}
	return nativeClass("functools", "KeyWrapper", methods)
}

// dispatch is what functools.singledispatch holds: the general function, and one for each class.
type dispatch struct {
	general Value
	classes []*Class
	special []Value
}

// of finds the function for an object: of the class nearest to its own.
func (d *dispatch) of(m *machine, v Value) Value {
	best := -1
	for i, c := range d.classes {
		if m.isInstance(v, c) && (best < 0 || c.inherits(d.classes[best])) {
			best = i
		}
	}
	if best < 0 {
		return d.general
	}
	return d.special[best]
}

func dispatcherClass() *Class {
	return nativeClass("functools", "_SingleDispatchCallable", map[string]method{
		"__call__": func(m *machine, a arguments) Value {
			if len(a.positional) < 2 {
				raise("TypeError", "function requires at least 1 positional argument")
			}
			return m.callValue(native[*dispatch](a).of(m, a.positional[1]), a.tail())
		},
		"register": func(m *machine, a arguments) Value {
			d, v := native[*dispatch](a), a.tail().bound("register", "cls, func=")
			add := func(c Value, f Value) Value {
				class, ok := c.(*Class)
				if !ok {
					raise("TypeError", "Invalid first argument to `register()`. %s is not a class or union type.",
						m.reprOf(c))
				}
				d.classes, d.special = append(d.classes, class), append(d.special, f)
				return f
			}
			if f, ok := v[0].(*Function); ok { // the class is the first annotation
				for _, p := range f.params.List {
					if p.Annotation != nil {
						return add(f.frame.evalExpr(p.Annotation), f)
					}
				}
				raise("TypeError", "Invalid first argument to `register()`: %s. Use either `@register(some_class)` "+
					"or plain `@register` on an annotated function.", m.reprOf(f))
			}
			if v[1] != nil {
				return add(v[0], v[1])
			}
			return &Builtin{"register", func(m *machine, a arguments) Value {
				return add(v[0], a.bound("register", "func")[0])
			}}
		},
		"dispatch": func(m *machine, a arguments) Value {
			d, c := native[*dispatch](a), a.positional[1]
			for i, class := range d.classes {
				if c == class {
					return d.special[i]
				}
			}
			return d.general
		},
	})
}

// totalOrdering fills in the comparisons that a class lacks from the one that it has and equality.
func totalOrdering(m *machine, a arguments) Value {
	c, ok := a.bound("total_ordering", "cls")[0].(*Class)
	if !ok {
		raise("TypeError", "total_ordering() takes a class")
	}
	for _, root := range []string{"__lt__", "__gt__", "__le__", "__ge__"} {
		f, ok := c.find(root)
		if !ok {
			continue
		}
		for name, rule := range orderings[root] {
			if _, ok := c.find(name); ok {
				continue
			}
			c.define(name, &Builtin{name, func(m *machine, a arguments) Value {
				a.want(name, 2, 2)
				r := m.callWith(f, a.positional...)
				if t, ok := r.(Text); ok && t.Text == "NotImplemented" {
					return r
				}
				equal := rule.equal != 0 && m.equalValues(a.positional[0], a.positional[1])
				truth := m.truthOf(r) != rule.negated
				return python.Bool(rule.equal == 0 && truth || rule.equal > 0 && (truth || equal) ||
					rule.equal < 0 && truth && !equal)
			}})
		}
		return c
	}
	raise("ValueError", "must define at least one ordering operation: < > <= >=")
	return nil
}

// ordering says how a comparison follows from another: its truth, negated or not, and (equal < 0) not equal, or
// (equal > 0) or equal.
type ordering struct {
	negated bool
	equal   int
}

var orderings = map[string]map[string]ordering{
	"__lt__": {"__gt__": {true, -1}, "__le__": {false, 1}, "__ge__": {true, 0}},
	"__le__": {"__ge__": {true, 1}, "__lt__": {false, -1}, "__gt__": {true, 0}},
	"__gt__": {"__lt__": {true, -1}, "__ge__": {false, 1}, "__le__": {true, 0}},
	"__ge__": {"__le__": {true, 1}, "__gt__": {false, -1}, "__lt__": {true, 0}},
}
