package python

import (
	"fmt"
	"strings"
	"unicode"
)

// String is str(v).
func String(v Value) string {
	if s, ok := v.(Str); ok {
		return string(s)
	}
	return Repr(v)
}

// Repr is repr(v).
func Repr(v Value) string {
	switch v := v.(type) {
	case None:
		return "None"
	case Bool:
		if v {
			return "True"
		}
		return "False"
	case Int:
		return v.String()
	case Float:
		return formatRepr(float64(v))
	case Str:
		return quote(string(v), false)
	case Tuple:
		if len(v) == 1 {
			return "(" + Repr(v[0]) + ",)"
		}
		return "(" + reprAll(v) + ")"
	case List:
		return "[" + reprAll(v) + "]"
	}
	return v.Type()
}

func reprAll(list []Value) string {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = Repr(v)
	}
	return strings.Join(parts, ", ")
}

// ASCII is ascii(v): repr with escapes in place of what is not ASCII.
func ASCII(v Value) string {
	if s, ok := v.(Str); ok {
		return quote(string(s), true)
	}
	return Repr(v)
}

// String is the value in decimal.
func (i Int) String() string {
	if i.large != nil {
		return i.large.String()
	}
	return fmt.Sprint(i.small)
}

var escapes = map[rune]string{'\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

// quote writes a string literal: in single quotes, unless only those occur in the text.
func quote(s string, ascii bool) string {
	mark := '\''
	if strings.ContainsRune(s, '\'') && !strings.ContainsRune(s, '"') {
		mark = '"'
	}
	var b strings.Builder
	b.WriteRune(mark)
	for _, r := range s {
		switch e, ok := escapes[r]; {
		case ok:
			b.WriteString(e)
		case r == mark:
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= ' ' && r < 0x7f, r > 0x7f && !ascii && unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteRune(mark)
	return b.String()
}
