package host

import (
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/python"
)

var strClass = &Class{Name: "str"}

func init() {
	strClass.describe(typeRecord{
		make: laidOut("builtins", "str(object='', encoding=..., errors='strict')", func(m *machine, a arguments) Value {
			if a.positional[1] == nil {
				return python.Str(m.strOf(a.positional[0]))
			}
			return decodeBytes(mustBytes(a.positional[0]), m.strOf(a.positional[1]), m.strOf(a.positional[2]))
		}),
		base: true,
		slots: slots{
			length: func(m *machine, v Value) int {
				s := valueOf[python.Str](v)
				if runes, ascii := m.texts.runesOf(string(s)); !ascii {
					return len(runes)
				}
				return len(s)
			},
			item: func(m *machine, v, index Value) Value { return textItem(m, valueOf[python.Str](v), index) },
			contains: func(_ *machine, v, x Value) bool {
				part, ok := plain(x).(python.Str)
				if !ok {
					raise("TypeError", "'in <string>' requires string as left operand, not %s", x.Type())
				}
				return strings.Contains(string(valueOf[python.Str](v)), string(part))
			},
			items: func(m *machine, v Value) []Value {
				s := string(valueOf[python.Str](v))
				m.budget.chargeItems(len(s))
				out := make([]Value, 0, utf8.RuneCountInString(s))
				for _, r := range s {
					m.tick()
					out = append(out, python.Str(r))
				}
				return out
			},
			truth: func(_ *machine, v Value) bool { return valueOf[python.Str](v) != "" },
			compare: func(_ *machine, op string, v, other Value) Value {
				if y, ok := plain(other).(python.Str); ok {
					return python.Bool(must(python.Compare(op, valueOf[python.Str](v), y)))
				}
				return notImplemented
			},
			binaryOps: " % ",
			binary: func(m *machine, op string, v, other Value, reflected bool) Value {
				if op != "%" || reflected {
					return notImplemented
				}
				return fillPercent(m, string(valueOf[python.Str](v)), other)
			},
			concat: func(m *machine, v, other Value) Value {
				return textOp(m, "+", valueOf[python.Str](v), plain(other))
			},
			repeat: func(m *machine, v Value, times int64) Value {
				return textOp(m, "*", valueOf[python.Str](v), python.NewInt(times))
			},
			hash:   func(v Value, _ int) int64 { return hashText(string(valueOf[python.Str](v))) },
			repr:   leaf(func(v Value) string { return python.Repr(plain(v)) }),
			str:    func(_ *printer, v Value) string { return string(valueOf[python.Str](v)) },
			format: formatScalar,
		},
		methods: textMethods,
	})
}

// textOp is + or * of a text, whose length is only known when it is made.
func textOp(m *machine, op string, s python.Str, other Value) Value {
	v := must(python.Binary(op, s, other))
	m.budget.chargeItems(len(v.(python.Str)))
	return v
}

// textKeywords are the parameters of the methods of str that take keywords.
var textKeywords = map[string]string{"split": "(self, /, sep=None, maxsplit=-1)",
	"rsplit": "(self, /, sep=None, maxsplit=-1)", "splitlines": "(self, /, keepends=False)",
	"expandtabs": "(self, /, tabsize=8)", "replace": "(self, old, new, /, count=-1)"}

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
	"format_map(self, mapping, /)": func(m *machine, a arguments) Value {
		mapping := a.positional[1]
		return python.Str(fillFields(m, string(self[python.Str](a)), func(name string) Value {
			return m.itemOf(mapping, python.Str(name))
		}))
	},
	"encode(self, /, encoding='utf-8', errors='strict')": func(m *machine, a arguments) Value {
		s := string(self[python.Str](a))
		m.budget.chargeItems(len(s))
		return Bytes(encodeText(s, m.strOf(a.positional[1]), m.strOf(a.positional[2])))
	},
	"translate(self, /, table)": func(m *machine, a arguments) Value {
		table := a.positional[1]
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
	"@staticmethod maketrans(x, y='', z='', /)": func(m *machine, a arguments) Value {
		v, table := a.positional, newDict()
		if d, ok := plain(v[0]).(*Dict); ok {
			d.each(func(k, x Value) {
				if s, ok := k.(python.Str); ok {
					k = builtinOrd(m, arguments{positional: []Value{s}})
				}
				table.set(k, x)
			})
			return table
		}
		from, to := []rune(m.strOf(v[0])), []rune(m.strOf(v[1]))
		if len(from) != len(to) {
			raise("ValueError", "the first two maketrans arguments must have equal length")
		}
		for i, r := range from {
			table.set(intValue(int(r)), intValue(int(to[i])))
		}
		for _, r := range m.strOf(v[2]) {
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
	names string, f func(m *machine, name string, self Value, args []Value) Value, table map[string]method,
) map[string]method {
	for _, name := range strings.Fields(names) {
		if parameters, ok := textKeywords[name]; ok {
			table[name+parameters] = func(m *machine, a arguments) Value {
				return f(m, name, a.positional[0], a.positional[1:])
			}
			continue
		}
		table[name+"(self, /, *args)"] = func(m *machine, a arguments) Value {
			return f(m, name, a.positional[0], a.positional[1].(Tuple))
		}
	}
	return table
}

// textMethod is a method that package python computes.
func textMethod(m *machine, name string, self Value, given []Value) Value {
	s, args := valueOf[python.Str](self), make([]Value, len(given))
	for i, v := range given {
		args[i] = plain(v)
	}
	if name == "join" && len(args) == 1 {
		items := m.itemsOf(args[0])
		list := make(python.List, len(items))
		for i, v := range items {
			m.tick()
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
	for _, k := range a.keywords {
		if k.name == name {
			return k.value
		}
	}
	raiseKey(python.Str(name))
	return nil
}

func textItem(m *machine, s python.Str, index Value) Value {
	// Python counts code points, Go bytes.
	runes, ascii := m.texts.runesOf(string(s))
	slice, ok := index.(Slice)
	if ascii {
		if !ok {
			i := m.itemPosition(index, len(s), "string")
			return s[i : i+1]
		}
		if start, step, count := slice.bounds(len(s)); step == 1 {
			m.budget.chargeItems(count)
			return s[start : start+count]
		}
		runes = []rune(string(s))
	}
	if !ok {
		return python.Str(runes[m.itemPosition(index, len(runes), "string")])
	}
	start, step, count := slice.bounds(len(runes))
	m.budget.chargeItems(count)
	out := make([]rune, count)
	for i := range out {
		out[i] = runes[start+i*step]
	}
	return python.Str(out)
}

// fillPercent is text % v.
func fillPercent(m *machine, text string, v Value) Value {
	// "%s" % v takes one value; a tuple gives one for each conversion, a dict one for each name.
	a := python.PercentArguments{Positional: []Value{v}}
	switch x := plain(v).(type) {
	case Tuple:
		a.Positional = x
	case *Dict:
		a.Named = func(name string) (Value, *python.Error) { return m.itemOf(v, python.Str(name)), nil }
	}
	a.Number = func(v Value) Value {
		if t, ok := v.(Tensor); ok && t.Numel() == 1 {
			return m.tensorMethod(t, "item")
		}
		return plain(v)
	}
	a.Text = func(v Value, conversion rune) string {
		switch conversion {
		case 'r':
			return m.reprOf(v)
		case 'a':
			return asciiOnly(m.reprOf(v))
		}
		return m.strOf(v)
	}
	s, err := a.Fill(text)
	m.budget.chargeItems(len(s))
	return mustText(python.Str(s), err)
}
