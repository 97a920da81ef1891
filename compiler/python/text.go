package python

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// methods are the methods of str; the first argument of each is the string itself.
var methods map[string]method

// method has the classes of its arguments, one letter each: s for str, i for int, v for any.
// Those after "|" may be left out.
type method struct {
	args string
	call func(s string, args []Value) (Value, *Error)
}

func init() {
	text := func(f func(string) string) method {
		return method{"", func(s string, _ []Value) (Value, *Error) { return Str(f(s)), nil }}
	}
	test := func(f func(string) bool) method {
		return method{"", func(s string, _ []Value) (Value, *Error) { return Bool(f(s)), nil }}
	}
	methods = map[string]method{
		"upper":      text(strings.ToUpper),
		"lower":      text(strings.ToLower),
		"title":      text(title),
		"capitalize": text(capitalize),
		"swapcase":   text(swapCase),
		"isdigit":    test(every(unicode.IsDigit)),
		"isalpha":    test(every(unicode.IsLetter)),
		"isspace":    test(every(unicode.IsSpace)),
		"isalnum":    test(every(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })),
		"isupper":    test(func(s string) bool { return s == strings.ToUpper(s) && s != strings.ToLower(s) }),
		"islower":    test(func(s string) bool { return s == strings.ToLower(s) && s != strings.ToUpper(s) }),
		"strip":      {"|v", trim(strings.TrimFunc)},
		"lstrip":     {"|v", trim(strings.TrimLeftFunc)},
		"rstrip":     {"|v", trim(strings.TrimRightFunc)},
		"split":      {"|vi", split},
		"splitlines": {"", splitLines},
		"join":       {"v", join},
		"replace":    {"ss|i", replace}, "count": {"s", count},
		"find": {"s", find}, "rfind": {"s", rfind}, "index": {"s", index},
		"startswith": {"v", affix(strings.HasPrefix, "startswith")},
		"endswith":   {"v", affix(strings.HasSuffix, "endswith")},
		"removeprefix": {"s", func(s string, a []Value) (Value, *Error) {
			return Str(strings.TrimPrefix(s, string(a[0].(Str)))), nil
		}},
		"removesuffix": {"s", func(s string, a []Value) (Value, *Error) {
			return Str(strings.TrimSuffix(s, string(a[0].(Str)))), nil
		}},
		"ljust":     {"i|s", justify('<')},
		"rjust":     {"i|s", justify('>')},
		"center":    {"i|s", justify('^')},
		"zfill":     {"i", zeroFill},
		"partition": {"s", partition},
		"format":    {"*", formatMethod},
	}
}

// HasMethod reports whether str has a method of this name here.
func HasMethod(name string) bool {
	_, ok := methods[name]
	return ok
}

// Method is s.name(args…).
func (s Str) Method(name string, args []Value) (Value, *Error) {
	m, ok := methods[name]
	if !ok {
		return nil, &Error{"AttributeError", "'str' object has no attribute '" + name + "'"}
	}
	if m.args == "*" {
		return m.call(string(s), args)
	}
	required, optional, _ := strings.Cut(m.args, "|")
	if len(args) < len(required) || len(args) > len(required)+len(optional) {
		return nil, typeError("str.%s() takes %s arguments (%d given)", name, counts(len(required), len(optional)),
			len(args))
	}
	for i, class := range []byte(required + optional)[:len(args)] {
		if _, ok := args[i].(Str); class == 's' && !ok {
			return nil, typeError("%s() argument %d must be str, not %s", name, i+1, args[i].Type())
		}
		if _, ok := AsInt(args[i]); class == 'i' && !ok {
			return nil, typeError("'%s' object cannot be interpreted as an integer", args[i].Type())
		}
	}
	return m.call(string(s), args)
}

func counts(required, optional int) string {
	low := NewInt(int64(required)).String()
	if optional == 0 {
		return low
	}
	return low + " to " + NewInt(int64(required+optional)).String()
}

func every(test func(rune) bool) func(string) bool {
	return func(s string) bool {
		return s != "" && strings.IndexFunc(s, func(r rune) bool { return !test(r) }) < 0
	}
}

func capitalize(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:size]) + strings.ToLower(s[size:])
}

func title(s string) string {
	inWord := false
	return strings.Map(func(r rune) rune {
		first := !inWord
		inWord = unicode.IsLetter(r)
		if first {
			return unicode.ToTitle(r)
		}
		return unicode.ToLower(r)
	}, s)
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

func trim(cut func(string, func(rune) bool) string) func(string, []Value) (Value, *Error) {
	return func(s string, args []Value) (Value, *Error) {
		test := unicode.IsSpace
		if len(args) == 1 {
			switch set := args[0].(type) {
			case Str:
				test = func(r rune) bool { return strings.ContainsRune(string(set), r) }
			case None:
			default:
				return nil, typeError("strip arg must be None or str")
			}
		}
		return Str(cut(s, test)), nil
	}
}

func strs(parts []string) List {
	list := make(List, len(parts))
	for i, p := range parts {
		list[i] = Str(p)
	}
	return list
}

func split(s string, args []Value) (Value, *Error) {
	limit := int64(-1)
	if len(args) == 2 {
		n, _ := AsInt(args[1])
		limit, _ = n.Int64()
	}
	separator := Str("")
	if len(args) > 0 {
		var ok bool
		if separator, ok = args[0].(Str); !ok && args[0] != (Value)(None{}) {
			return nil, typeError("must be str or None, not %s", args[0].Type())
		} else if ok && separator == "" {
			return nil, valueError("empty separator")
		}
	}
	if separator != "" {
		if limit < 0 || limit > int64(len(s)) {
			return strs(strings.Split(s, string(separator))), nil
		}
		return strs(strings.SplitN(s, string(separator), int(limit)+1)), nil
	}
	if limit < 0 {
		return strs(strings.Fields(s)), nil
	}
	list := List{}
	rest := strings.TrimLeftFunc(s, unicode.IsSpace)
	for rest != "" && int64(len(list)) < limit {
		end := strings.IndexFunc(rest, unicode.IsSpace)
		if end < 0 {
			end = len(rest)
		}
		list = append(list, Str(rest[:end]))
		rest = strings.TrimLeftFunc(rest[end:], unicode.IsSpace)
	}
	if rest != "" {
		list = append(list, Str(rest))
	}
	return list, nil
}

func splitLines(s string, _ []Value) (Value, *Error) {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	s = strings.TrimSuffix(s, "\n")
	if s == "" {
		return List{}, nil
	}
	return strs(strings.Split(s, "\n")), nil
}

func join(s string, args []Value) (Value, *Error) {
	var list []Value
	switch v := args[0].(type) {
	case List:
		list = v
	case Tuple:
		list = v
	case Str:
		for _, r := range string(v) {
			list = append(list, Str(r))
		}
	default:
		return nil, typeError("can only join an iterable")
	}
	parts := make([]string, len(list))
	size := 0
	for i, v := range list {
		part, ok := v.(Str)
		if !ok {
			return nil, typeError("sequence item %d: expected str instance, %s found", i, v.Type())
		}
		parts[i] = string(part)
		size += len(part) + len(s)
	}
	if size > maxText+len(s) {
		return nil, &Error{Class: "MemoryError"}
	}
	return Str(strings.Join(parts, s)), nil
}

func replace(s string, args []Value) (Value, *Error) {
	old, new := string(args[0].(Str)), string(args[1].(Str))
	n := -1
	if len(args) == 3 {
		i, _ := AsInt(args[2])
		if limit, fits := i.Int64(); fits {
			n = int(max(-1, min(limit, maxText)))
		}
	}
	if strings.Count(s, old)*len(new) > maxText {
		return nil, &Error{Class: "MemoryError"}
	}
	return Str(strings.Replace(s, old, new, n)), nil
}

func count(s string, args []Value) (Value, *Error) {
	return NewInt(int64(strings.Count(s, string(args[0].(Str))))), nil
}

func find(s string, args []Value) (Value, *Error) {
	return codePoint(s, strings.Index(s, string(args[0].(Str)))), nil
}

func rfind(s string, args []Value) (Value, *Error) {
	return codePoint(s, strings.LastIndex(s, string(args[0].(Str)))), nil
}

func index(s string, args []Value) (Value, *Error) {
	at := strings.Index(s, string(args[0].(Str)))
	if at < 0 {
		return nil, valueError("substring not found")
	}
	return codePoint(s, at), nil
}

// codePoint turns a byte offset into an index of code points; -1 stays.
func codePoint(s string, offset int) Value {
	if offset < 0 {
		return NewInt(-1)
	}
	return NewInt(int64(utf8.RuneCountInString(s[:offset])))
}

func affix(test func(s, part string) bool, name string) func(string, []Value) (Value, *Error) {
	return func(s string, args []Value) (Value, *Error) {
		choices, ok := args[0].(Tuple)
		if !ok {
			choices = Tuple{args[0]}
		}
		for _, c := range choices {
			part, isStr := c.(Str)
			if !isStr && ok {
				return nil, typeError("tuple for %s must only contain str, not %s", name, c.Type())
			} else if !isStr {
				return nil, typeError("%s first arg must be str or a tuple of str, not %s", name, c.Type())
			}
			if test(s, string(part)) {
				return Bool(true), nil
			}
		}
		return Bool(false), nil
	}
}

func justify(align byte) func(string, []Value) (Value, *Error) {
	return func(s string, args []Value) (Value, *Error) {
		fill := ' '
		if len(args) == 2 {
			r, size := utf8.DecodeRuneInString(string(args[1].(Str)))
			if size == 0 || size != len(args[1].(Str)) {
				return nil, typeError("The fill character must be exactly one character long")
			}
			fill = r
		}
		width, err := widthOf(args[0])
		if err != nil {
			return nil, err
		}
		p := spec{fill: fill, align: align, width: width}
		if align == '^' { // unlike format, center puts the odd one before where the width is odd
			missing := max(0, width-utf8.RuneCountInString(s))
			left := missing/2 + missing&width&1
			p.align, p.width = '>', utf8.RuneCountInString(s)+left
			s = p.pad("", s, 0)
			p.align, p.width = '<', width
		}
		return Str(p.pad("", s, 0)), nil
	}
}

func widthOf(v Value) (int, *Error) {
	i, _ := AsInt(v)
	n, fits := i.Int64()
	if i.Sign() > 0 && (!fits || n > maxText) {
		return 0, &Error{Class: "MemoryError"}
	}
	return int(max(n, 0)), nil
}

func zeroFill(s string, args []Value) (Value, *Error) {
	width, err := widthOf(args[0])
	if err != nil {
		return nil, err
	}
	sign := ""
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		sign, s = s[:1], s[1:]
	}
	return Str(spec{fill: '0', align: '=', width: width}.pad(sign, s, 0)), nil
}

func partition(s string, args []Value) (Value, *Error) {
	separator := args[0].(Str)
	if separator == "" {
		return nil, valueError("empty separator")
	}
	before, after, found := strings.Cut(s, string(separator))
	if !found {
		return Tuple{Str(s), Str(""), Str("")}, nil
	}
	return Tuple{Str(before), separator, Str(after)}, nil
}

func formatMethod(s string, args []Value) (Value, *Error) {
	text, err := FormatFields(s, func(name string, conversion byte, format string) (string, *Error) {
		i, err := ParseInt(name)
		if err != nil {
			return "", &Error{"KeyError", Repr(Str(name))}
		}
		n, fits := i.Int64()
		if !fits || n >= int64(len(args)) {
			return "", &Error{"IndexError",
				"Replacement index " + i.String() + " out of range for positional args tuple"}
		}
		v, err := Convert(args[n], conversion)
		if err != nil {
			return "", err
		}
		return Format(v, format)
	})
	if err != nil {
		return nil, err
	}
	return Str(text), nil
}
