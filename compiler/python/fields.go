package python

import (
	"strconv"
	"strings"
)

// FormatFields is text.format(…): field is asked for each {name!conversion:spec} in turn, with "" for
// names that are left out replaced by "0", "1", … and with fields inside the spec already put in.
func FormatFields(
	text string, field func(name string, conversion byte, spec string) (string, *Error),
) (string, *Error) {
	f := fields{field: field}
	return f.fill(text, 2)
}

type fields struct {
	field func(name string, conversion byte, spec string) (string, *Error)
	next  int
}

func (f *fields) fill(text string, depth int) (string, *Error) {
	if depth == 0 {
		return "", valueError("Max string recursion exceeded")
	}
	var b strings.Builder
	for text != "" {
		i := strings.IndexAny(text, "{}")
		if i < 0 {
			break
		}
		b.WriteString(text[:i])
		if depth == 2 && strings.HasPrefix(text[i+1:], text[i:i+1]) {
			b.WriteByte(text[i])
			text = text[i+2:]
			continue
		}
		if text[i] == '}' {
			return "", valueError("Single '}' encountered in format string")
		}
		end := closing(text[i+1:])
		if end < 0 {
			if text[i+1:] == "" {
				return "", valueError("Single '{' encountered in format string")
			}
			return "", valueError("expected '}' before end of string")
		}
		value, err := f.one(text[i+1:i+1+end], depth)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
		if b.Len() > maxText {
			return "", &Error{Class: "MemoryError"}
		}
		text = text[i+2+end:]
	}
	b.WriteString(text)
	return b.String(), nil
}

// closing is the offset of the brace that ends a field, or -1.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

func (f *fields) one(text string, depth int) (string, *Error) {
	name, format, _ := strings.Cut(text, ":")
	name, conversion, converted := strings.Cut(name, "!")
	if converted && len(conversion) != 1 {
		return "", valueError("expected ':' after conversion specifier")
	}
	if name == "" {
		name = strconv.Itoa(f.next)
		f.next++
	}
	if strings.ContainsAny(format, "{}") {
		filled, err := f.fill(format, depth-1)
		if err != nil {
			return "", err
		}
		format = filled
	}
	var c byte
	if converted {
		c = conversion[0]
	}
	return f.field(name, c, format)
}

// Convert is v after !r, !s or !a; 0 leaves it as it is.
func Convert(v Value, conversion byte) (Value, *Error) {
	switch conversion {
	case 0:
		return v, nil
	case 'r':
		return Str(Repr(v)), nil
	case 's':
		return Str(String(v)), nil
	case 'a':
		return Str(ASCII(v)), nil
	}
	return nil, valueError("Unknown conversion specifier %c", conversion)
}
