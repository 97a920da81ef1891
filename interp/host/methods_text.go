package host

import (
	"strings"
	"unicode"

	"github.com/newtlab/newt/compiler/python"
)

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
	"isdigit": aboutText(unicode.IsDigit), "isalpha": aboutText(unicode.IsLetter),
	"isspace":    aboutText(unicode.IsSpace),
	"startswith": affix(strings.HasPrefix), "endswith": affix(strings.HasSuffix),
	"removeprefix": func(m *machine, a arguments) Value {
		return python.Str(strings.TrimPrefix(string(self[python.Str](a)), textArgument(a, 1, "")))
	},
	"removesuffix": func(m *machine, a arguments) Value {
		return python.Str(strings.TrimSuffix(string(self[python.Str](a)), textArgument(a, 1, "")))
	},
	"split": strSplit,
	"splitlines": func(m *machine, a arguments) Value {
		s := strings.TrimSuffix(strings.ReplaceAll(string(self[python.Str](a)), "\r\n", "\n"), "\n")
		return strList(m, strings.Split(s, "\n"))
	},
	"join": func(m *machine, a arguments) Value {
		a.want("join", 2, 2)
		var parts []string
		total := 0
		for i, v := range m.itemsOf(a.positional[1]) {
			s, ok := v.(python.Str)
			if !ok {
				raise("TypeError", "sequence item %d: expected str instance, %s found", i, v.Type())
			}
			total += len(s) + len(self[python.Str](a))
			parts = append(parts, string(s))
		}
		m.budget.chargeItems(total)
		return python.Str(strings.Join(parts, string(self[python.Str](a))))
	},
	"replace": func(m *machine, a arguments) Value {
		a.want("replace", 3, 4)
		s, from, to := string(self[python.Str](a)), textArgument(a, 1, ""), textArgument(a, 2, "")
		count := int(max(min(asIndex(a.at(3, intValue(-1))), 1<<30), -1))
		m.budget.chargeItems(len(s) + (strings.Count(s, from)+1)*len(to))
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
		n := int(min(asIndex(a.positional[1]), 1<<16)) - len([]rune(s))
		sign := ""
		if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
			sign, s = s[:1], s[1:]
		}
		return python.Str(sign + strings.Repeat("0", max(n, 0)) + s)
	},
	"format": strFormat,
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

func strList(m *machine, parts []string) Value {
	m.budget.chargeItems(len(parts))
	out := make([]Value, len(parts))
	for i, p := range parts {
		out[i] = python.Str(p)
	}
	return &List{out}
}

func strSplit(m *machine, a arguments) Value {
	limit, ok := a.take("maxsplit")
	if sep, has := a.take("sep"); has {
		a.positional = append(a.positional[:1:1], sep)
	}
	a.want("split", 1, 3)
	if !ok {
		limit = a.at(2, intValue(-1))
	}
	s, n := string(self[python.Str](a)), int(max(min(asIndex(limit), 1<<30), -1))
	if a.at(1, none) == none {
		if n < 0 {
			return strList(m, strings.Fields(s))
		}
		return strSplitSpaces(m, s, n)
	}
	sep := textArgument(a, 1, "")
	if sep == "" {
		raise("ValueError", "empty separator")
	}
	if n >= 0 {
		n++
	}
	return strList(m, strings.SplitN(s, sep, n))
}

// strSplitSpaces splits at runs of white space, n times at most.
func strSplitSpaces(m *machine, s string, n int) Value {
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
	return strList(m, parts)
}

func justified(align string) method {
	return func(m *machine, a arguments) Value {
		a.want("ljust", 2, 3)
		width := asIndex(a.positional[1])
		if width <= 0 {
			return a.positional[0]
		}
		fill := textArgument(a, 2, " ")
		return python.Str(must(python.Format(a.positional[0], fill+align+Repr(python.NewInt(width)))))
	}
}

// strFormat is "…{}…{name:>8}…".format(…).
func strFormat(m *machine, a arguments) Value {
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
			b.WriteString(m.formatValue(formatField(m, field, &auto, a), spec))
			i += end + 1
		case c == '}':
			raise("ValueError", "Single '}' encountered in format string")
		default:
			b.WriteByte(c)
			i++
		}
	}
	m.budget.chargeItems(b.Len())
	return python.Str(b.String())
}

func formatField(m *machine, field string, auto *int, a arguments) Value {
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
		return python.Str(m.reprOf(v))
	}
	return v
}
