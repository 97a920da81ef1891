package host

import "github.com/newtlab/newt/compiler/python"

// functoolsLibrary is what prelude/functools.py stands on.
func functoolsLibrary(*machine) map[string]Value {
	info := namedTupleClass("functools", "CacheInfo", []string{"hits", "misses", "maxsize", "currsize"}, nil)
	return map[string]Value{"_lru_cache_wrapper": cacheWrapperClass(info)}
}

func strTuple(list []string) Tuple {
	out := make(Tuple, len(list))
	for i, s := range list {
		out[i] = python.Str(s)
	}
	return out
}

// cache is what functools.lru_cache keeps of a function's results, the least recently used first.
type cache struct {
	function     Value
	results      *Dict
	hits, misses int64
	size         int64 // the most results; negative for no limit
	typed        bool  // equal arguments of other classes have other results
}

func cacheWrapperClass(info *Class) *Class {
	return nativeClass("functools", "_lru_cache_wrapper", map[string]method{
		"__init__(self, /, function, maxsize, typed)": func(m *machine, a arguments) Value {
			self[*Instance](a).native = &cache{function: a.positional[1], results: newDict(),
				size: asIndex(a.positional[2]), typed: m.truthOf(a.positional[3])} // negative for no limit
			return none
		},
		"__call__": func(m *machine, a arguments) Value { return native[*cache](a).call(m, a.tail()) },
		"__get__": func(m *machine, a arguments) Value {
			if a.at(1, none) == none {
				return a.positional[0]
			}
			return &Method{a.positional[1], a.positional[0]}
		},
		"cache_info(self, /)": func(m *machine, a arguments) Value {
			c := native[*cache](a)
			var size Value = none
			if c.size >= 0 {
				size = python.NewInt(c.size)
			}
			return newNamedTuple(info, Tuple{python.NewInt(c.hits), python.NewInt(c.misses), size,
				intValue(c.results.live)})
		},
		"cache_clear(self, /)": func(m *machine, a arguments) Value {
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
	if c.typed {
		for _, v := range key {
			key = append(key, typeOf(v))
		}
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
