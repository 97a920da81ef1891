package host

var functoolsFunctions = map[string]method{
	"partial": func(m *machine, a arguments) Value {
		if len(a.positional) == 0 {
			raise("TypeError", "partial() needs a function")
		}
		return &Builtin{"partial", func(m *machine, b arguments) Value {
			return m.call(a.positional[0],
				arguments{append(append([]Value{}, a.positional[1:]...), b.positional...),
					append(append([]keyword{}, a.keywords...), b.keywords...)})
		}}
	},
	"reduce": func(m *machine, a arguments) Value {
		a.want("reduce", 2, 3)
		it := m.iterate(a.positional[1])
		total := a.at(2, nil)
		for v, ok := it(); ok; v, ok = it() {
			if total == nil {
				total = v
				continue
			}
			total = m.call(a.positional[0], arguments{positional: []Value{total, v}})
		}
		if total == nil {
			raise("TypeError", "reduce() of empty iterable with no initial value")
		}
		return total
	},
	"lru_cache": passDecorator, "cache": passDecorator, "wraps": passDecorator,
}

// passDecorator is a decorator that leaves its function as it is.
func passDecorator(m *machine, a arguments) Value {
	if len(a.positional) == 1 && callable(a.positional[0]) && len(a.keywords) == 0 {
		if _, ok := a.positional[0].(*Function); ok {
			return a.positional[0]
		}
	}
	return &Builtin{"decorator", func(m *machine, a arguments) Value { return a.at(0, none) }}
}
