package host

import (
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// textKeywords are the parameters of the methods of str that take keywords.
var textKeywords = map[string]string{"split": "sep=, maxsplit=", "rsplit": "sep=, maxsplit=", "splitlines": "keepends=",
	"expandtabs": "tabsize=", "replace": "old, new, count="}

// textParameters lays out the arguments of a method of str or bytes.
func textParameters(name string, a arguments) []Value {
	if len(a.keywords) == 0 {
		return a.positional
	}
	if textKeywords[name] == "" {
		raise("TypeError", "str.%s() takes no keyword arguments", name)
	}
	v := a.bound(name, textKeywords[name])
	defaults := []Value{none, intValue(-1)} // of sep= and maxsplit=
	for i := range v {
		if v[i] == nil {
			v[i] = defaults[i]
		}
	}
	return v
}

// mustText is must for what package python bounds by itself.
func mustText(v Value, err *python.Error) Value {
	if err != nil && err.Class == "MemoryError" {
		limit("MemoryError", "a text grows past 4 MiB, the most that is allowed here")
	}
	return must(v, err)
}

// textMethods are the methods of str: those of package python, and those that need more than scalars.
var textMethods = withNames(pythonTextMethods, textMethod, map[string]method{
	"format": func(m *machine, a arguments) Value {
		return python.Str(fillFields(m, string(self[python.Str](a)), func(name string) Value {
			return formatArgument(name, a.tail())
		}))
	},
	"format_map": func(m *machine, a arguments) Value {
		mapping := a.tail().bound("format_map", "mapping")[0]
		return python.Str(fillFields(m, string(self[python.Str](a)), func(name string) Value {
			return m.itemOf(mapping, python.Str(name))
		}))
	},
	"encode": func(m *machine, a arguments) Value {
		v := a.tail().bound("encode", "encoding=, errors=")
		s := string(self[python.Str](a))
		m.budget.chargeItems(len(s))
		return Bytes(encodeText(s, m.strOf(given(v[0], python.Str("utf-8"))), m.strOf(given(v[1], python.Str("strict")))))
	},
	"translate": func(m *machine, a arguments) Value {
		table := a.tail().bound("translate", "table")[0]
		var b strings.Builder
		for _, r := range string(self[python.Str](a)) {
			v, found := m.untilStop("LookupError", func() Value { return m.itemOf(table, intValue(int(r))) })
			switch n, isInt := python.AsInt(v); {
			case !found:
				b.WriteRune(r)
			case isInt:
				b.WriteRune(rune(asIndex(n)))
			case v != none:
				b.WriteString(m.strOf(v))
			}
		}
		m.budget.chargeItems(b.Len())
		return python.Str(b.String())
	},
	"maketrans": func(m *machine, a arguments) Value {
		// It is a static method: called on a str or on the class, its arguments are the same.
		if len(a.positional) > 3 || len(a.positional) == 2 && !is[*Dict](a.positional[0]) && is[*Dict](a.positional[1]) {
			a = a.tail()
		}
		v := a.bound("maketrans", "x, y=, z=")
		table := newDict()
		if d, ok := plain(v[0]).(*Dict); ok {
			d.each(func(k, x Value) {
				if s, ok := k.(python.Str); ok {
					k = builtinOrd(m, arguments{positional: []Value{s}})
				}
				table.set(k, x)
			})
			return table
		}
		from, to := []rune(m.strOf(v[0])), []rune(m.strOf(given(v[1], python.Str(""))))
		if len(from) != len(to) {
			raise("ValueError", "the first two maketrans arguments must have equal length")
		}
		for i, r := range from {
			table.set(intValue(int(r)), intValue(int(to[i])))
		}
		for _, r := range m.strOf(given(v[2], python.Str(""))) {
			table.set(intValue(int(r)), none)
		}
		return table
	},
})

// pythonTextMethods are the methods of str that package python computes.
const pythonTextMethods = `capitalize casefold center count endswith expandtabs find index isalnum isalpha isascii
	isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip partition
	removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase
	title upper zfill`

// withNames adds to a table of methods those that one function serves by their names.
func withNames(
	names string, f func(m *machine, name string, a arguments) Value, table map[string]method,
) map[string]method {
	for _, name := range strings.Fields(names) {
		table[name] = func(m *machine, a arguments) Value { return f(m, name, a) }
	}
	return table
}

// textMethod is a method that package python computes.
func textMethod(m *machine, name string, a arguments) Value {
	s := self[python.Str](a)
	args := make([]Value, 0, len(a.positional))
	for _, v := range textParameters(name, a.tail()) {
		args = append(args, plain(v))
	}
	if name == "join" && len(args) == 1 {
		items := m.itemsOf(args[0])
		list := make(python.List, len(items))
		for i, v := range items {
			list[i] = plain(v)
		}
		args[0] = list
	}
	v := mustText(s.Method(name, args))
	switch x := v.(type) {
	case python.Str:
		m.budget.chargeItems(len(x))
	case python.List:
		m.budget.chargeItems(len(s) + len(x))
		return &List{[]Value(x)}
	}
	return v
}

// fillFields is text.format: value finds the argument of a field by its first name.
func fillFields(m *machine, text string, value func(name string) Value) string {
	filled, err := python.FormatFields(text, func(field string, conversion byte, spec string) (string, *python.Error) {
		v := formatField(m, field, value)
		switch conversion {
		case 'r':
			v = python.Str(m.reprOf(v))
		case 's':
			v = python.Str(m.strOf(v))
		case 'a':
			v = python.Str(asciiOnly(m.reprOf(v)))
		}
		return m.formatValue(v, spec), nil
	})
	m.budget.chargeItems(len(filled))
	return must(filled, err)
}

// formatField is the value of a field such as 0, name, a.b or a[key].
func formatField(m *machine, field string, value func(name string) Value) Value {
	end := strings.IndexAny(field, ".[")
	if end < 0 {
		return value(field)
	}
	v := value(field[:end])
	for rest := field[end:]; rest != ""; {
		if rest[0] == '.' {
			end := strings.IndexAny(rest[1:], ".[") + 1
			if end == 0 {
				end = len(rest)
			}
			v, rest = m.attrOf(v, rest[1:end]), rest[end:]
			continue
		}
		key, after, closed := strings.Cut(rest[1:], "]")
		if !closed {
			raise("ValueError", "Missing ']' in format string")
		}
		var index Value = python.Str(key)
		if n, err := python.ParseInt(key); err == nil {
			index = n
		}
		v, rest = m.itemOf(v, index), after
	}
	return v
}

// formatArgument is the argument of a field by its number or its name.
func formatArgument(name string, a arguments) Value {
	if n, err := python.ParseInt(name); err == nil {
		i := asIndex(n)
		if i >= int64(len(a.positional)) {
			raise("IndexError", "Replacement index %s out of range for positional args tuple", name)
		}
		return a.positional[i]
	}
	v, ok := a.take(name)
	if !ok {
		raiseKey(python.Str(name))
	}
	return v
}
