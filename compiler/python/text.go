package python

import (
	"slices"
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
		"upper":        text(upper),
		"lower":        text(strings.ToLower),
		"casefold":     text(func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "ß", "ss") }),
		"title":        text(title),
		"capitalize":   text(capitalize),
		"swapcase":     text(swapCase),
		"isdigit":      test(every(isDigitRune)),
		"isdecimal":    test(every(unicode.IsDigit)),
		"isnumeric":    test(every(unicode.IsNumber)),
		"isalpha":      test(every(unicode.IsLetter)),
		"isspace":      test(every(unicode.IsSpace)),
		"isalnum":      test(every(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })),
		"isascii":      test(none(func(r rune) bool { return r > 0x7f })),
		"isprintable":  test(none(isUnprintable)),
		"isidentifier": test(isIdentifier),
		"istitle":      test(func(s string) bool { return s == title(s) && !none(unicode.IsLetter)(s) }),
		"isupper":      test(func(s string) bool { return s == strings.ToUpper(s) && s != strings.ToLower(s) }),
		"islower":      test(func(s string) bool { return s == strings.ToLower(s) && s != strings.ToUpper(s) }),
		"strip":        {"|v", trim(strings.TrimFunc)},
		"lstrip":       {"|v", trim(strings.TrimLeftFunc)},
		"rstrip":       {"|v", trim(strings.TrimRightFunc)},
		"split":        {"|vi", split},
		"rsplit":       {"|vi", rsplit},
		"splitlines":   {"|v", splitLines},
		"expandtabs":   {"|i", expandTabs},
		"join":         {"v", join},
		"replace":      {"ss|i", replace},
		"count":        {"s|vv", count},
		"find":         {"s|vv", finder(strings.Index)},
		"rfind":        {"s|vv", finder(strings.LastIndex)},
		"index":        {"s|vv", indexer(strings.Index)},
		"rindex":       {"s|vv", indexer(strings.LastIndex)},
		"startswith":   {"v|vv", affix(strings.HasPrefix, "startswith")},
		"endswith":     {"v|vv", affix(strings.HasSuffix, "endswith")},
		"removeprefix": {"s", func(s string, a []Value) (Value, *Error) {
			return Str(strings.TrimPrefix(s, string(a[0].(Str)))), nil
		}},
		"removesuffix": {"s", func(s string, a []Value) (Value, *Error) {
			return Str(strings.TrimSuffix(s, string(a[0].(Str)))), nil
		}},
		"ljust":      {"i|s", justify('<')},
		"rjust":      {"i|s", justify('>')},
		"center":     {"i|s", justify('^')},
		"zfill":      {"i", zeroFill},
		"partition":  {"s", partition},
		"rpartition": {"s", rpartition},
		"format":     {"*", formatMethod},
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
			if strings.Contains("find rfind index rindex count", name) {
				return nil, typeError("must be str, not %s", args[i].Type())
			}
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

// isDigitRune reports whether a character stands for a digit: a decimal digit, a raised or lowered or circled one.
func isDigitRune(r rune) bool {
	switch {
	case r == 0xb2 || r == 0xb3 || r == 0xb9, r == 0x2070, 0x2074 <= r && r <= 0x2079, 0x2080 <= r && r <= 0x2089,
		0x2460 <= r && r <= 0x2468:
		return true
	}
	return unicode.IsDigit(r)
}

// none tests that no character passes a test.
func none(test func(rune) bool) func(string) bool {
	return func(s string) bool { return strings.IndexFunc(s, test) < 0 }
}

// upper is strings.ToUpper with the one letter whose upper case is two.
func upper(s string) string { return strings.ReplaceAll(strings.ToUpper(s), "ß", "SS") }

func isUnprintable(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }

func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// titled is a letter as the first of a word.
func titled(r rune) string {
	if r == 'ß' {
		return "Ss"
	}
	return string(unicode.ToTitle(r))
}

func capitalize(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return ""
	}
	return titled(r) + strings.ToLower(s[size:])
}

func title(s string) string {
	var b strings.Builder
	inWord := false
	for _, r := range s {
		if inWord {
			b.WriteRune(unicode.ToLower(r))
		} else {
			b.WriteString(titled(r))
		}
		inWord = unicode.IsLetter(r)
	}
	return b.String()
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, strings.ReplaceAll(s, "ß", "ss"))
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

// separatorOf reads the arguments of split and rsplit: "" separates at white space, a limit below 0 is none.
func separatorOf(args []Value) (separator string, limit int64, err *Error) {
	limit = -1
	if len(args) == 2 {
		n, _ := AsInt(args[1])
		limit, _ = n.Int64()
	}
	if len(args) == 0 || args[0] == (Value)(None{}) {
		return "", limit, nil
	}
	text, ok := args[0].(Str)
	switch {
	case !ok:
		return "", 0, typeError("must be str or None, not %s", args[0].Type())
	case text == "":
		return "", 0, valueError("empty separator")
	}
	return string(text), limit, nil
}

func split(s string, args []Value) (Value, *Error) {
	separator, limit, err := separatorOf(args)
	if err != nil {
		return nil, err
	}
	if separator != "" {
		if limit < 0 || limit > int64(len(s)) {
			return strs(strings.Split(s, separator)), nil
		}
		return strs(strings.SplitN(s, separator, int(limit)+1)), nil
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

// rsplit counts its limit from the end.
func rsplit(s string, args []Value) (Value, *Error) {
	separator, limit, err := separatorOf(args)
	if err != nil {
		return nil, err
	}
	if limit < 0 {
		return split(s, args[:min(len(args), 1)])
	}
	list := List{}
	rest := s
	for int64(len(list)) < limit {
		at, width := strings.LastIndex(rest, separator), len(separator)
		if separator == "" {
			rest = strings.TrimRightFunc(rest, unicode.IsSpace)
			at = strings.LastIndexFunc(rest, unicode.IsSpace)
			_, width = utf8.DecodeRuneInString(rest[max(at, 0):])
		}
		if at < 0 {
			break
		}
		list = append(list, Str(rest[at+width:]))
		rest = rest[:at]
	}
	if separator == "" {
		rest = strings.TrimRightFunc(rest, unicode.IsSpace)
	}
	if separator != "" || rest != "" {
		list = append(list, Str(rest))
	}
	slices.Reverse(list)
	return list, nil
}

// splitLines splits behind each end of a line, of which "\r\n" is one; its argument keeps the ends.
func splitLines(s string, args []Value) (Value, *Error) {
	keep := len(args) > 0 && Truth(args[0])
	list := List{}
	for s != "" {
		end := strings.IndexFunc(s, endsLine)
		if end < 0 {
			return append(list, Str(s)), nil
		}
		_, width := utf8.DecodeRuneInString(s[end:])
		if strings.HasPrefix(s[end:], "\r\n") {
			width = 2
		}
		line := s[:end]
		if keep {
			line = s[:end+width]
		}
		list, s = append(list, Str(line)), s[end+width:]
	}
	return list, nil
}

// endsLine reports whether str.splitlines takes a character for the end of a line.
func endsLine(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

func expandTabs(s string, args []Value) (Value, *Error) {
	size := int64(8)
	if len(args) > 0 {
		n, _ := AsInt(args[0])
		size, _ = n.Int64()
	}
	if size > maxText || int64(strings.Count(s, "\t"))*size > maxText {
		return nil, &Error{Class: "MemoryError"}
	}
	var b strings.Builder
	column := int64(0)
	for _, r := range s {
		switch {
		case r == '\t' && size > 0:
			b.WriteString(strings.Repeat(" ", int(size-column%size)))
			column += size - column%size
		case r == '\t':
		case r == '\n' || r == '\r':
			column = 0
			b.WriteRune(r)
		default:
			column++
			b.WriteRune(r)
		}
	}
	return Str(b.String()), nil
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

// window is s[start:end] of the optional arguments behind the first, and the index of its first character. It is not
// ok where the start lies behind the text, in which not even "" is found.
func window(s string, args []Value) (part string, start int, ok bool, err *Error) {
	if len(args) < 2 {
		return s, 0, true, nil
	}
	end := Value(None{})
	if len(args) > 2 {
		end = args[2]
	}
	n := utf8.RuneCountInString(s)
	from, to, _, err := SliceBounds(args[1], end, None{}, n)
	if err != nil {
		return "", 0, false, err
	}
	if i, isInt := AsInt(args[1]); isInt && i.Compare(NewInt(int64(n))) > 0 || from > to {
		return "", 0, false, nil
	}
	return string([]rune(s)[from:to]), from, true, nil
}

func count(s string, args []Value) (Value, *Error) {
	part, _, ok, err := window(s, args)
	if err != nil || !ok {
		return Int{}, err
	}
	return NewInt(int64(strings.Count(part, string(args[0].(Str))))), nil
}

// finder is find or rfind.
func finder(search func(s, part string) int) func(string, []Value) (Value, *Error) {
	return func(s string, args []Value) (Value, *Error) {
		part, start, ok, err := window(s, args)
		if err != nil {
			return nil, err
		}
		at := search(part, string(args[0].(Str)))
		if !ok || at < 0 {
			return NewInt(-1), nil
		}
		return NewInt(int64(start + utf8.RuneCountInString(part[:at]))), nil
	}
}

// indexer is index or rindex.
func indexer(search func(s, part string) int) func(string, []Value) (Value, *Error) {
	find := finder(search)
	return func(s string, args []Value) (Value, *Error) {
		at, err := find(s, args)
		if err == nil && at == Value(NewInt(-1)) {
			return nil, valueError("substring not found")
		}
		return at, err
	}
}

func affix(test func(s, part string) bool, name string) func(string, []Value) (Value, *Error) {
	return func(s string, args []Value) (Value, *Error) {
		choices, ok := args[0].(Tuple)
		if !ok {
			choices = Tuple{args[0]}
		}
		s, _, found, err := window(s, args)
		if err != nil {
			return nil, err
		}
		for _, c := range choices {
			part, isStr := c.(Str)
			if !isStr && ok {
				return nil, typeError("tuple for %s must only contain str, not %s", name, c.Type())
			} else if !isStr {
				return nil, typeError("%s first arg must be str or a tuple of str, not %s", name, c.Type())
			}
			if found && test(s, string(part)) {
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

func rpartition(s string, args []Value) (Value, *Error) {
	separator := args[0].(Str)
	if separator == "" {
		return nil, valueError("empty separator")
	}
	at := strings.LastIndex(s, string(separator))
	if at < 0 {
		return Tuple{Str(""), Str(""), Str(s)}, nil
	}
	return Tuple{Str(s[:at]), separator, Str(s[at+len(separator):])}, nil
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
