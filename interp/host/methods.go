package host

import (
	"slices"
	"strings"
	"unicode"

	"github.com/newtlab/newt/compiler/python"
)

// methodTables are the methods of Python's types, by the type's name. The first argument is the object.
var methodTables map[string]map[string]*Builtin

type method = func(m *machine, a arguments) Value

func init() {
	methodTables = map[string]map[string]*Builtin{}
	for class, methods := range map[string]map[string]method{
		"list": listMethods, "tuple": tupleMethods, "torch.Size": tupleMethods, "dict": dictMethods, "set": setMethods,
		"str": textMethods, "int": intMethods, "bool": intMethods, "float": floatMethods, "torch.dtype": nil, "range": tupleMethods,
	} {
		table := map[string]*Builtin{}
		for name, f := range methods {
			table[name] = &Builtin{name, f}
		}
		methodTables[class] = table
	}
	methodTables["torch.Size"]["numel"] = &Builtin{"numel", func(m *machine, a arguments) Value {
		n := 1
		for _, d := range a.positional[0].(Size) {
			n *= d
		}
		return intValue(n)
	}}
}

// self is the object of a method call, of its Go type.
func self[T any](a arguments) T {
	if len(a.positional) == 0 {
		raise("TypeError", "unbound method needs an argument")
	}
	v, ok := a.positional[0].(T)
	if !ok {
		raise("TypeError", "this method does not apply to a '%s' object", a.positional[0].Type())
	}
	return v
}

var listMethods = map[string]method{
	"append": func(m *machine, a arguments) Value {
		a.want("append", 2, 2)
		l := self[*List](a)
		m.charge(1)
		l.Items = append(l.Items, a.positional[1])
		return none
	},
	"extend": func(m *machine, a arguments) Value {
		a.want("extend", 2, 2)
		l, items := self[*List](a), m.items1(a.positional[1])
		m.charge(len(items))
		l.Items = append(l.Items, items...)
		return none
	},
	"insert": func(m *machine, a arguments) Value {
		a.want("insert", 3, 3)
		l := self[*List](a)
		i := m.index(a.positional[1])
		if i < 0 {
			i += int64(len(l.Items))
		}
		m.charge(1)
		l.Items = slices.Insert(l.Items, int(max(min(i, int64(len(l.Items))), 0)), a.positional[2])
		return none
	},
	"pop": func(m *machine, a arguments) Value {
		a.want("pop", 1, 2)
		l := self[*List](a)
		if len(l.Items) == 0 {
			raise("IndexError", "pop from empty list")
		}
		i := m.position(a.at(1, intValue(-1)), len(l.Items), "pop")
		v := l.Items[i]
		l.Items = slices.Delete(l.Items, i, i+1)
		return v
	},
	"remove": func(m *machine, a arguments) Value {
		a.want("remove", 2, 2)
		l := self[*List](a)
		i := m.indexOf(l.Items, a.positional[1])
		if i < 0 {
			raise("ValueError", "list.remove(x): x not in list")
		}
		l.Items = slices.Delete(l.Items, i, i+1)
		return none
	},
	"sort": func(m *machine, a arguments) Value {
		key, _ := a.take("key")
		reverse, _ := a.take("reverse")
		l := self[*List](a)
		l.Items = m.sortItems(slices.Clone(l.Items), key, reverse != nil && m.truth(reverse))
		return none
	},
	"reverse": func(m *machine, a arguments) Value { slices.Reverse(self[*List](a).Items); return none },
	"clear":   func(m *machine, a arguments) Value { self[*List](a).Items = nil; return none },
	"copy":    func(m *machine, a arguments) Value { return &List{m.copyItems("copy", a)} },
	"index":   (*machine).indexMethod,
	"count":   (*machine).countMethod,
}

var tupleMethods = map[string]method{"index": (*machine).indexMethod, "count": (*machine).countMethod}

func (m *machine) indexOf(items []Value, v Value) int {
	return slices.IndexFunc(items, func(x Value) bool { return identical(x, v) || m.equal(x, v) })
}

func (m *machine) indexMethod(a arguments) Value {
	a.want("index", 2, 2)
	i := m.indexOf(m.items1(a.positional[0]), a.positional[1])
	if i < 0 {
		raise("ValueError", "%s is not in %s", m.repr(a.positional[1]), a.positional[0].Type())
	}
	return intValue(i)
}

func (m *machine) countMethod(a arguments) Value {
	a.want("count", 2, 2)
	n := 0
	for _, x := range m.items1(a.positional[0]) {
		if m.equal(x, a.positional[1]) {
			n++
		}
	}
	return intValue(n)
}

var dictMethods = map[string]method{
	"get": func(m *machine, a arguments) Value {
		a.want("get", 2, 3)
		if v, ok := self[*Dict](a).get(a.positional[1]); ok {
			return v
		}
		return a.at(2, none)
	},
	"keys": func(m *machine, a arguments) Value { return &List{self[*Dict](a).list()} },
	"values": func(m *machine, a arguments) Value {
		var out []Value
		self[*Dict](a).each(func(_, v Value) { out = append(out, v) })
		return &List{out}
	},
	"items": func(m *machine, a arguments) Value {
		var out []Value
		self[*Dict](a).each(func(k, v Value) { out = append(out, Tuple{k, v}) })
		m.charge(len(out))
		return &List{out}
	},
	"pop": func(m *machine, a arguments) Value {
		a.want("pop", 2, 3)
		v, ok := self[*Dict](a).remove(a.positional[1])
		switch {
		case ok:
			return v
		case len(a.positional) > 2:
			return a.positional[2]
		}
		panic(&raised{exception: &Exception{class: exceptions["KeyError"], args: Tuple{a.positional[1]}}})
	},
	"setdefault": func(m *machine, a arguments) Value {
		a.want("setdefault", 2, 3)
		d := self[*Dict](a)
		if v, ok := d.get(a.positional[1]); ok {
			return v
		}
		m.charge(1)
		d.set(a.positional[1], a.at(2, none))
		return a.at(2, none)
	},
	"update": func(m *machine, a arguments) Value {
		d := self[*Dict](a)
		if len(a.positional) > 1 {
			m.update(d, a.positional[1])
		}
		for _, k := range a.keywords {
			d.set(python.Str(k.name), k.value)
		}
		return none
	},
	"copy":  func(m *machine, a arguments) Value { d := newDict(); m.update(d, self[*Dict](a)); return d },
	"clear": func(m *machine, a arguments) Value { *self[*Dict](a) = *newDict(); return none },
}

var setMethods = map[string]method{
	"add": func(m *machine, a arguments) Value {
		a.want("add", 2, 2)
		m.charge(1)
		self[*Set](a).set(a.positional[1], none)
		return none
	},
	"discard": func(m *machine, a arguments) Value {
		a.want("discard", 2, 2)
		self[*Set](a).remove(a.positional[1])
		return none
	},
	"remove": func(m *machine, a arguments) Value {
		a.want("remove", 2, 2)
		if _, ok := self[*Set](a).remove(a.positional[1]); !ok {
			panic(&raised{exception: &Exception{class: exceptions["KeyError"], args: Tuple{a.positional[1]}}})
		}
		return none
	},
	"copy":         func(m *machine, a arguments) Value { return m.toSet(a) },
	"union":        setMethod("|"),
	"intersection": setMethod("&"),
	"difference":   setMethod("-"),
	"issubset": func(m *machine, a arguments) Value {
		a.want("issubset", 2, 2)
		return python.Bool(subset("<=", self[*Set](a), m.asSet(a.positional[1])))
	},
	"update": func(m *machine, a arguments) Value {
		a.want("update", 2, 2)
		m.asSet(a.positional[1]).each(self[*Set](a).set)
		return none
	},
}

func (m *machine) asSet(v Value) *Set { return m.toSet(arguments{positional: []Value{v}}).(*Set) }

func setMethod(op string) method {
	return func(m *machine, a arguments) Value {
		a.want("set operation", 2, 2)
		v, _ := setOperation(op, self[*Set](a), m.asSet(a.positional[1]))
		return v
	}
}

var intMethods = map[string]method{
	"bit_length": func(m *machine, a arguments) Value {
		i, _ := python.AsInt(a.positional[0])
		return intValue(i.Big().BitLen())
	},
	"bit_count": func(m *machine, a arguments) Value {
		i, _ := python.AsInt(a.positional[0])
		return intValue(strings.Count(i.Big().Text(2), "1"))
	},
}

var floatMethods = map[string]method{
	"is_integer": func(m *machine, a arguments) Value {
		f := self[python.Float](a)
		whole, err := f.Whole()
		if err != nil {
			return python.Bool(false)
		}
		return python.Bool(m.equal(whole, f))
	},
}

// textArgument is a method's str argument i.
func textArgument(a arguments, i int, otherwise string) string {
	v := a.at(i, none)
	if v == none {
		return otherwise
	}
	s, ok := v.(python.Str)
	if !ok {
		raise("TypeError", "must be str, not %s", v.Type())
	}
	return string(s)
}

// onText is a method that maps a text to a text.
func onText(f func(string) string) method {
	return func(m *machine, a arguments) Value {
		a.want("method", 1, 1)
		return python.Str(f(string(self[python.Str](a))))
	}
}

// aboutText is a method that tests every character, and that there is one.
func aboutText(f func(rune) bool) method {
	return func(m *machine, a arguments) Value {
		s := string(self[python.Str](a))
		return python.Bool(s != "" && strings.IndexFunc(s, func(r rune) bool { return !f(r) }) < 0)
	}
}

func trimmed(trim func(s, cut string) string, space func(string) string) method {
	return func(m *machine, a arguments) Value {
		a.want("strip", 1, 2)
		s := string(self[python.Str](a))
		if a.at(1, none) == none {
			return python.Str(space(s))
		}
		return python.Str(trim(s, textArgument(a, 1, "")))
	}
}

var textMethods = map[string]method{
	"lower": onText(strings.ToLower), "upper": onText(strings.ToUpper),
	"capitalize": onText(func(s string) string {
		if s == "" {
			return s
		}
		r := []rune(strings.ToLower(s))
		r[0] = unicode.ToUpper(r[0])
		return string(r)
	}),
	"title":   onText(func(s string) string { return titleCase(s) }),
	"strip":   trimmed(strings.Trim, strings.TrimSpace),
	"lstrip":  trimmed(strings.TrimLeft, func(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }),
	"rstrip":  trimmed(strings.TrimRight, func(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }),
	"isdigit": aboutText(unicode.IsDigit), "isalpha": aboutText(unicode.IsLetter), "isspace": aboutText(unicode.IsSpace),
	"startswith": affix(strings.HasPrefix), "endswith": affix(strings.HasSuffix),
	"removeprefix": func(m *machine, a arguments) Value {
		return python.Str(strings.TrimPrefix(string(self[python.Str](a)), textArgument(a, 1, "")))
	},
	"removesuffix": func(m *machine, a arguments) Value {
		return python.Str(strings.TrimSuffix(string(self[python.Str](a)), textArgument(a, 1, "")))
	},
	"split": (*machine).split,
	"splitlines": func(m *machine, a arguments) Value {
		s := strings.TrimSuffix(strings.ReplaceAll(string(self[python.Str](a)), "\r\n", "\n"), "\n")
		return m.textList(strings.Split(s, "\n"))
	},
	"join": func(m *machine, a arguments) Value {
		a.want("join", 2, 2)
		var parts []string
		total := 0
		for i, v := range m.items1(a.positional[1]) {
			s, ok := v.(python.Str)
			if !ok {
				raise("TypeError", "sequence item %d: expected str instance, %s found", i, v.Type())
			}
			total += len(s) + len(self[python.Str](a))
			parts = append(parts, string(s))
		}
		m.charge(total)
		return python.Str(strings.Join(parts, string(self[python.Str](a))))
	},
	"replace": func(m *machine, a arguments) Value {
		a.want("replace", 3, 4)
		s, from, to := string(self[python.Str](a)), textArgument(a, 1, ""), textArgument(a, 2, "")
		count := int(max(min(m.index(a.at(3, intValue(-1))), 1<<30), -1))
		m.charge(len(s) + (strings.Count(s, from)+1)*len(to))
		return python.Str(strings.Replace(s, from, to, count))
	},
	"find": func(m *machine, a arguments) Value {
		a.want("find", 2, 2)
		s := string(self[python.Str](a))
		return intValue(runeOffset(s, strings.Index(s, textArgument(a, 1, ""))))
	},
	"index": func(m *machine, a arguments) Value {
		a.want("index", 2, 2)
		s := string(self[python.Str](a))
		i := strings.Index(s, textArgument(a, 1, ""))
		if i < 0 {
			raise("ValueError", "substring not found")
		}
		return intValue(runeOffset(s, i))
	},
	"count": func(m *machine, a arguments) Value {
		a.want("count", 2, 2)
		return intValue(strings.Count(string(self[python.Str](a)), textArgument(a, 1, "")))
	},
	"ljust":  justified("<"),
	"rjust":  justified(">"),
	"center": justified("^"),
	"zfill": func(m *machine, a arguments) Value {
		a.want("zfill", 2, 2)
		s := string(self[python.Str](a))
		n := int(min(m.index(a.positional[1]), 1<<16)) - len([]rune(s))
		sign := ""
		if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
			sign, s = s[:1], s[1:]
		}
		return python.Str(sign + strings.Repeat("0", max(n, 0)) + s)
	},
	"format": (*machine).formatMethod,
}

func titleCase(s string) string {
	r := []rune(strings.ToLower(s))
	for i := range r {
		if i == 0 || !unicode.IsLetter(r[i-1]) {
			r[i] = unicode.ToUpper(r[i])
		}
	}
	return string(r)
}

func runeOffset(s string, i int) int {
	if i < 0 {
		return -1
	}
	return len([]rune(s[:i]))
}

func affix(has func(s, part string) bool) method {
	return func(m *machine, a arguments) Value {
		a.want("startswith", 2, 2)
		s := string(self[python.Str](a))
		if list, ok := a.positional[1].(Tuple); ok {
			for i := range list {
				if has(s, textArgument(arguments{positional: list}, i, "")) {
					return python.Bool(true)
				}
			}
			return python.Bool(false)
		}
		return python.Bool(has(s, textArgument(a, 1, "")))
	}
}

func (m *machine) textList(parts []string) Value {
	m.charge(len(parts))
	out := make([]Value, len(parts))
	for i, p := range parts {
		out[i] = python.Str(p)
	}
	return &List{out}
}

func (m *machine) split(a arguments) Value {
	limit, ok := a.take("maxsplit")
	if sep, has := a.take("sep"); has {
		a.positional = append(a.positional[:1:1], sep)
	}
	a.want("split", 1, 3)
	if !ok {
		limit = a.at(2, intValue(-1))
	}
	s, n := string(self[python.Str](a)), int(max(min(m.index(limit), 1<<30), -1))
	if a.at(1, none) == none {
		if n < 0 {
			return m.textList(strings.Fields(s))
		}
		return m.splitSpaces(s, n)
	}
	sep := textArgument(a, 1, "")
	if sep == "" {
		raise("ValueError", "empty separator")
	}
	if n >= 0 {
		n++
	}
	return m.textList(strings.SplitN(s, sep, n))
}

// splitSpaces splits at runs of white space, n times at most.
func (m *machine) splitSpaces(s string, n int) Value {
	var parts []string
	for s = strings.TrimSpace(s); s != ""; n-- {
		i := strings.IndexFunc(s, unicode.IsSpace)
		if n == 0 || i < 0 {
			parts = append(parts, s)
			break
		}
		parts = append(parts, s[:i])
		s = strings.TrimLeftFunc(s[i:], unicode.IsSpace)
	}
	return m.textList(parts)
}

func justified(align string) method {
	return func(m *machine, a arguments) Value {
		a.want("ljust", 2, 3)
		width := m.index(a.positional[1])
		if width <= 0 {
			return a.positional[0]
		}
		fill := textArgument(a, 2, " ")
		return python.Str(must(python.Format(a.positional[0], fill+align+Repr(python.NewInt(width)))))
	}
}

// formatMethod is "…{}…{name:>8}…".format(…).
func (m *machine) formatMethod(a arguments) Value {
	text := string(self[python.Str](a))
	var b strings.Builder
	auto := 0
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case (c == '{' || c == '}') && i+1 < len(text) && text[i+1] == c:
			b.WriteByte(c)
			i += 2
		case c == '{':
			end := strings.IndexByte(text[i:], '}')
			if end < 0 {
				raise("ValueError", "expected '}' before end of string")
			}
			field, spec, _ := strings.Cut(text[i+1:i+end], ":")
			b.WriteString(m.format(m.formatField(field, &auto, a), spec))
			i += end + 1
		case c == '}':
			raise("ValueError", "Single '}' encountered in format string")
		default:
			b.WriteByte(c)
			i++
		}
	}
	m.charge(b.Len())
	return python.Str(b.String())
}

func (m *machine) formatField(field string, auto *int, a arguments) Value {
	name, conversion, _ := strings.Cut(field, "!")
	var v Value
	if name == "" {
		name = Repr(intValue(*auto))
		*auto++
	}
	if n, err := python.ParseInt(name); err == nil {
		i, _ := n.Int64()
		if i < 0 || i >= int64(len(a.positional)-1) {
			raise("IndexError", "Replacement index %s out of range for positional args tuple", name)
		}
		v = a.positional[1+i]
	} else if v, _ = a.take(name); v == nil {
		raise("KeyError", "%s", name)
	}
	if conversion == "r" {
		return python.Str(m.repr(v))
	}
	return v
}
