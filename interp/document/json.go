package document

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// A notebook's JSON is kept as text, and read and changed in place: what newt does not know stays as it is. The
// functions
// that walk take text that checkJSON has accepted.

// checkJSON is where and why a text is not JSON; the error is nil if it is.
func checkJSON(text string) (offset int, err error) {
	data := []byte(text)
	if json.Valid(data) {
		return 0, nil
	}
	var any struct{}
	err = json.Unmarshal(data, &any)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		offset = int(max(0, syntax.Offset-1)) // Offset counts the byte that is wrong
	}
	return min(offset, len(text)), err
}

// extent is a value's place in a text.
type extent struct{ start, end int }

func (e extent) of(text string) string { return text[e.start:e.end] }

// member is one member of an object.
type member struct {
	key   string
	value extent
}

func space(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t') {
		i++
	}
	return i
}

// skip is the end of the value that begins at i.
func skip(text string, i int) int {
	switch text[i] {
	case '"':
		return skipString(text, i)
	case '{', '[':
		depth := 0
		for {
			switch text[i] {
			case '"':
				i = skipString(text, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for i < len(text) && !strings.ContainsRune(" \n\r\t,]}", rune(text[i])) {
		i++
	}
	return i
}

// skipString is the end of the string that begins at i. Pictures are strings of megabytes, so it goes from quote to
// quote.
func skipString(text string, i int) int {
	for i++; ; i++ {
		i += strings.IndexByte(text[i:], '"')
		slashes := 0
		for text[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
}

// members lists an object's members in order; nil for any other value.
func members(text string, at extent) (list []member) {
	if text[at.start] != '{' {
		return nil
	}
	for i := space(text, at.start+1); text[i] != '}'; {
		end := skip(text, i)
		key := unquote(text[i:end])
		start := space(text, space(text, end)+1) // after the colon
		end = skip(text, start)
		list = append(list, member{key, extent{start, end}})
		if i = space(text, end); text[i] == ',' {
			i = space(text, i+1)
		}
	}
	return list
}

// elements lists an array's elements; nil for any other value.
func elements(text string, at extent) (list []extent) {
	if text[at.start] != '[' {
		return nil
	}
	for i := space(text, at.start+1); text[i] != ']'; {
		end := skip(text, i)
		list = append(list, extent{i, end})
		if i = space(text, end); text[i] == ',' {
			i = space(text, i+1)
		}
	}
	return list
}

// whole is the extent of a text's one value.
func whole(text string) extent {
	start := space(text, 0)
	return extent{start, skip(text, start)}
}

// find is the value of a key: the last one, as Python reads it.
func find(list []member, key string) (at extent, ok bool) {
	for _, m := range list {
		if m.key == key {
			at, ok = m.value, true
		}
	}
	return at, ok
}

// unquote is the string that a JSON string says. One without escapes is a part of the text.
func unquote(quoted string) string {
	if inner := quoted[1 : len(quoted)-1]; !strings.Contains(inner, `\`) {
		return inner
	}
	var s string
	_ = json.Unmarshal([]byte(quoted), &s) // of a string that checkJSON has accepted
	return s
}

// stringAt is a string, or a list of strings joined, as notebooks write text; ok is false for any other value.
func stringAt(text string, at extent) (s string, ok bool) {
	switch text[at.start] {
	case '"':
		return unquote(at.of(text)), true
	case '[':
		var b strings.Builder
		for _, e := range elements(text, at) {
			if text[e.start] != '"' {
				return "", false
			}
			b.WriteString(unquote(e.of(text)))
		}
		return b.String(), true
	}
	return "", false
}

// intAt is an integer, 0 for any other value.
func intAt(text string, at extent) (n int) {
	_ = json.Unmarshal([]byte(at.of(text)), &n)
	return n
}

// layout is how a file writes JSON: Python's json.dumps with indent, as Jupyter does, or on one line.
type layout struct {
	indent  string // of one level
	newline string // "" is on one line
	comma   string
	colon   string
}

// layoutOf is the layout that a text has.
func layoutOf(text string) layout {
	i := strings.IndexByte(text, '{') + 1
	gap := text[i:space(text, i)]
	l := layout{comma: ",", colon: ": "}
	if n := strings.LastIndexByte(gap, '\n'); n >= 0 {
		l.newline, l.indent = "\n", gap[n+1:]
		if strings.HasPrefix(gap, "\r") {
			l.newline = "\r\n"
		}
		return l
	}
	if list := members(text, whole(text)); len(list) > 0 && text[list[0].value.start-1] == ':' {
		l.colon = ":"
	} else {
		l.comma = ", "
	}
	return l
}

// The values that write takes: string, int, nil, object, array, and verbatim JSON.
type (
	object   []field
	array    []any
	verbatim string
	field    struct {
		key   string
		value any
	}
)

// write writes a value whose own line is depth levels deep.
func (l layout) write(b *strings.Builder, v any, depth int) {
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case int:
		b.WriteString(itoa(v))
	case string:
		quote(b, v)
	case verbatim:
		b.WriteString(string(v))
	case array:
		l.list(b, "[]", len(v), depth, func(i int) { l.write(b, v[i], depth+1) })
	case object:
		l.list(b, "{}", len(v), depth, func(i int) {
			quote(b, v[i].key)
			b.WriteString(l.colon)
			l.write(b, v[i].value, depth+1)
		})
	}
}

func (l layout) list(b *strings.Builder, brackets string, n, depth int, item func(i int)) {
	b.WriteByte(brackets[0])
	for i := range n {
		if i > 0 {
			b.WriteString(l.comma)
		}
		l.line(b, depth+1)
		item(i)
	}
	if n > 0 {
		l.line(b, depth)
	}
	b.WriteByte(brackets[1])
}

func (l layout) line(b *strings.Builder, depth int) {
	if l.newline != "" {
		b.WriteString(l.newline)
		b.WriteString(strings.Repeat(l.indent, depth))
	}
}

func (l layout) text(v any, depth int) string {
	var b strings.Builder
	l.write(&b, v, depth)
	return b.String()
}

// shortEscapes are the control characters that have an escape of two characters.
var shortEscapes = map[byte]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}

// quote writes a string as Python's json.dumps does with ensure_ascii=False.
func quote(b *strings.Builder, s string) {
	const hex = "0123456789abcdef"
	b.WriteByte('"')
	from := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			b.WriteString(s[from:i])
			from = i + 1
			if short, ok := shortEscapes[c]; ok {
				b.WriteString(short)
			} else {
				b.WriteString(`\u00`)
				b.WriteByte(hex[c>>4])
				b.WriteByte(hex[c&15])
			}
		}
	}
	b.WriteString(s[from:])
	b.WriteByte('"')
}

// lines is a text as notebooks write it: one string a line, each with its line break, as Python's splitlines divides
// it.
func lines(text string) array {
	list := array{}
	start := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if !endsLine(r) || r == '\r' && strings.HasPrefix(text[i:], "\n") {
			continue
		}
		list = append(list, text[start:i])
		start = i
	}
	if start < len(text) {
		list = append(list, text[start:])
	}
	return list
}

func endsLine(r rune) bool {
	return r >= '\n' && r <= '\r' || r >= 0x1c && r <= 0x1e || r == 0x85 || r == 0x2028 || r == 0x2029
}

// set is an object's text with one member replaced, or added at the end. The object's own line is depth levels deep.
func (l layout) set(text, key string, v any, depth int) string {
	list := members(text, whole(text))
	if at, ok := find(list, key); ok {
		return text[:at.start] + l.text(v, depth+1) + text[at.end:]
	}
	end := whole(text).start + 1
	var b strings.Builder
	if n := len(list); n > 0 {
		end = list[n-1].value.end
		b.WriteString(l.comma)
	}
	l.line(&b, depth+1)
	quote(&b, key)
	b.WriteString(l.colon)
	l.write(&b, v, depth+1)
	rest := text[end:]
	if len(list) == 0 {
		l.line(&b, depth)
		rest = text[space(text, end):]
	}
	return text[:end] + b.String() + rest
}
