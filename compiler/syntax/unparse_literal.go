package syntax

import (
	"strconv"
	"strings"
)

func (u *unparser) constant(c *Constant) {
	switch c.Kind {
	case IntConst:
		u.WriteString(c.Text)
	case FloatConst:
		u.WriteString(floatText(c.Float))
	case ImagConst:
		u.WriteString(floatText(c.Float) + "j")
	case StringConst:
		u.WriteString(quoted(c.Text, '\''))
	case BytesConst:
		u.WriteString("b" + quotedBytes(c.Text))
	case EllipsisConst:
		u.WriteString("...")
	default:
		u.WriteString(c.Kind.String())
	}
}

// floatText writes a float as Python reads it; an infinity comes from a literal beyond the range.
func floatText(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	switch {
	case strings.Contains(text, "Inf"):
		return "1e999"
	case !strings.ContainsAny(text, ".e"):
		return text + ".0"
	}
	return text
}

// quoted writes a string literal in the given quotes.
func quoted(text string, quote rune) string {
	var b strings.Builder
	b.WriteRune(quote)
	for _, r := range text {
		switch {
		case r == quote || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ' || r == 0x7f:
			b.WriteString(`\x` + hex2(byte(r)))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteRune(quote)
	return b.String()
}

func quotedBytes(text string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f || c == '\'' || c == '\\' {
			b.WriteString(`\x` + hex2(c))
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

func hex2(c byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[c>>4], digits[c&15]})
}

func (u *unparser) joined(e *JoinedStr) {
	u.WriteString("f'")
	u.fields(e.Values, false)
	u.WriteByte('\'')
}

func (u *unparser) fields(values []Expr, spec bool) {
	for _, v := range values {
		if c, ok := v.(*Constant); ok {
			text := quoted(c.Text, '\'')
			text = text[1 : len(text)-1]
			if !spec {
				text = strings.ReplaceAll(strings.ReplaceAll(text, "{", "{{"), "}", "}}")
			}
			u.WriteString(text)
		} else if f, ok := v.(*FormattedValue); ok {
			u.field(f)
		}
	}
}

func (u *unparser) field(f *FormattedValue) {
	u.WriteByte('{')
	if f.Debug != "" {
		u.WriteString(strings.TrimSpace(f.Debug))
	} else {
		inner := &unparser{}
		inner.expr(f.Value, orLevel) // a lambda's colon would begin the format
		if strings.HasPrefix(inner.String(), "{") {
			u.WriteByte(' ')
		}
		u.WriteString(inner.String())
	}
	if f.Conversion != 0 && !(f.Debug != "" && f.Conversion == 'r' && f.Format == nil) {
		u.WriteString("!" + string(f.Conversion))
	}
	if f.Format != nil {
		u.WriteByte(':')
		u.fields(f.Format.Values, true)
	}
	u.WriteByte('}')
}
