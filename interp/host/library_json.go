package host

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/python"
)

// jsonFunctions are those that prelude/json.py stands on.
func jsonFunctions() map[string]method {
	return map[string]method{
		// _scalar is the text of what holds nothing, None of anything else.
		"_scalar(value, ascii, allow_nan)": func(m *machine, a arguments) Value {
			switch x := plain(a.positional[0]).(type) {
			case python.None:
				return python.Str("null")
			case python.Bool:
				return python.Str(strconv.FormatBool(bool(x)))
			case python.Int:
				return python.Str(x.String())
			case python.Float:
				return jsonFloat(x, m.truthOf(a.positional[2]))
			case python.Str:
				text := jsonQuote(string(x), m.truthOf(a.positional[1]))
				m.budget.chargeItems(len(text))
				return python.Str(text)
			}
			return none
		},
		// _scan reads the value at a place of a text, and gives it with the place behind it.
		"_scan(text, at, failure, object, pairs, float, int, constant, strict)": func(m *machine, a arguments) Value {
			v := a.positional
			text := string(valueOf[python.Str](v[0]))
			m.budget.chargeItems(len(text))
			r := &jsonReader{m: m, text: text, at: byteOffset(text, int(asIndex(v[1]))), failure: v[2],
				object: given(v[3], nil), pairs: given(v[4], nil), float: given(v[5], nil), int: given(v[6], nil),
				constant: given(v[7], nil), strict: m.truthOf(v[8])}
			value := r.value()
			return Tuple{value, intValue(utf8.RuneCountInString(text[:r.at]))}
		},
	}
}

// byteOffset is where a text's character at a place begins.
func byteOffset(text string, place int) int {
	for at := range text {
		if place == 0 {
			return at
		}
		place--
	}
	return len(text)
}

// jsonFloat is the text of a float; infinities and NaN, whose differences from themselves are NaN, have names.
func jsonFloat(f python.Float, allowed bool) Value {
	if f-f == 0 {
		return python.Str(python.Repr(f))
	}
	if !allowed {
		raise("ValueError", "Out of range float values are not JSON compliant: %s", python.Repr(f))
	}
	for name, v := range jsonWords {
		if w, ok := v.(python.Float); ok && (w == f || w != w && f != f) {
			return python.Str(name)
		}
	}
	return none
}

var jsonEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\f': `\f`, '\b': `\b`}

func jsonQuote(s string, ascii bool) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		escape, ok := jsonEscapes[r]
		switch {
		case ok:
			b.WriteString(escape)
		// JSON escapes UTF-16 code units: a character beyond the first plane is a surrogate pair.
		case r >= 0x10000 && ascii:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		case r < ' ' || r > '~' && r != 0x7f && ascii:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// jsonReader reads a JSON text as json.loads does.
type jsonReader struct {
	m                                   *machine
	text                                string
	at                                  int
	failure                             Value // makes the exception of a message, the text and a place
	strict                              bool  // whether control characters in strings are errors
	object, pairs, float, int, constant Value // hooks; nil if there is none
}

func (r *jsonReader) fail(message string, at int) {
	// Places in r.text are bytes, in Python characters.
	place := utf8.RuneCountInString(r.text[:min(at, len(r.text))])
	e := r.m.callWith(r.failure, python.Str(message), python.Str(r.text), intValue(place))
	panic(&raised{exception: e.(*Exception)})
}

func (r *jsonReader) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\n\r", r.text[r.at]) >= 0 {
		r.at++
	}
}

var jsonWords = map[string]Value{"null": python.None{}, "true": python.Bool(true), "false": python.Bool(false),
	"NaN": python.Float(math.NaN()), "Infinity": python.Float(math.Inf(1)), "-Infinity": python.Float(math.Inf(-1))}

func (r *jsonReader) value() Value {
	r.m.budget.countStep(r.m.at)
	r.m.budget.chargeItems(1)
	rest := r.text[r.at:]
	if rest == "" {
		r.fail("Expecting value", r.at)
	}
	switch rest[0] {
	case '{':
		return r.members()
	case '[':
		return r.elements()
	case '"':
		return python.Str(r.quoted())
	}
	for word, v := range jsonWords {
		if strings.HasPrefix(rest, word) {
			r.at += len(word)
			if is[python.Float](v) && r.constant != nil {
				return r.m.callWith(r.constant, python.Str(word))
			}
			return v
		}
	}
	return r.number(rest)
}

// number reads -?digits, then a fraction and an exponent.
func (r *jsonReader) number(rest string) Value {
	n, float := 0, false
	digitsFrom := func(i int) int {
		for i < len(rest) && rest[i] >= '0' && rest[i] <= '9' {
			i++
		}
		return i
	}
	if rest[0] == '-' {
		n = 1
	}
	end := digitsFrom(n)
	if end == n {
		r.fail("Expecting value", r.at)
	}
	// A number does not begin with a zero: what follows is extra data, as for json.scanner's expression.
	if rest[n] == '0' {
		end = n + 1
	}
	if end+1 < len(rest) && rest[end] == '.' && digitsFrom(end+1) > end+1 {
		end, float = digitsFrom(end+1), true
	}
	if end < len(rest) && rest[end]|0x20 == 'e' {
		digits := end + 1
		if digits < len(rest) && (rest[digits] == '+' || rest[digits] == '-') {
			digits++
		}
		if last := digitsFrom(digits); last > digits {
			end, float = last, true
		}
	}
	text := rest[:end]
	r.at += end
	switch {
	case !float && r.int != nil:
		return r.m.callWith(r.int, python.Str(text))
	case !float:
		return must(python.ParseInt(text))
	case r.float != nil:
		return r.m.callWith(r.float, python.Str(text))
	}
	f, _ := strconv.ParseFloat(text, 64) // out of range is infinite, as in Python
	return python.Float(f)
}

// nested reads items up to a closing bracket.
func (r *jsonReader) nested(closing byte, item func()) {
	r.m.budget.enterLevel()
	defer r.m.budget.leaveLevel()
	r.at++
	r.space()
	if r.at < len(r.text) && r.text[r.at] == closing {
		r.at++
		return
	}
	for {
		item()
		r.space()
		switch {
		case r.at < len(r.text) && r.text[r.at] == closing:
			r.at++
			return
		case r.at >= len(r.text) || r.text[r.at] != ',':
			r.fail("Expecting ',' delimiter", r.at)
		}
		r.at++
		r.space()
	}
}

func (r *jsonReader) elements() Value {
	list := &List{}
	r.nested(']', func() { list.Items = append(list.Items, r.value()) })
	return list
}

func (r *jsonReader) members() Value {
	d := newDict()
	var pairs []Value
	r.nested('}', func() {
		if r.at >= len(r.text) || r.text[r.at] != '"' {
			r.fail("Expecting property name enclosed in double quotes", r.at)
		}
		key := python.Str(r.quoted())
		r.space()
		if r.at >= len(r.text) || r.text[r.at] != ':' {
			r.fail("Expecting ':' delimiter", r.at)
		}
		r.at++
		r.space()
		v := r.value()
		// The last of several equal keys counts; object_pairs_hook sees all.
		d.set(key, v)
		pairs = append(pairs, Tuple{key, v})
	})
	switch {
	case r.pairs != nil:
		return r.m.callWith(r.pairs, &List{Items: pairs})
	case r.object != nil:
		return r.m.callWith(r.object, d)
	}
	return d
}

// quoted reads a string.
func (r *jsonReader) quoted() string {
	var b strings.Builder
	begin := r.at
	r.at++
	for {
		if r.at >= len(r.text) {
			r.fail("Unterminated string starting at", begin)
		}
		c := r.text[r.at]
		switch {
		case c == '"':
			r.at++
			return b.String()
		case c == '\\':
			r.escape(&b, begin)
		case c < ' ' && r.strict:
			r.fail("Invalid control character at", r.at)
		default:
			b.WriteByte(c)
			r.at++
		}
	}
}

func (r *jsonReader) escape(b *strings.Builder, begin int) {
	if r.at+1 >= len(r.text) {
		r.fail("Unterminated string starting at", begin)
	}
	c := r.text[r.at+1]
	if c == 'u' {
		first := r.unit(r.at)
		r.at += 6
		// A surrogate without its other half stays alone, as in Python; Go writes it as U+FFFD.
		if utf16.IsSurrogate(first) && strings.HasPrefix(r.text[r.at:], `\u`) {
			if both := utf16.DecodeRune(first, r.unit(r.at)); both != utf8.RuneError {
				r.at += 6
				first = both
			}
		}
		b.WriteRune(first)
		return
	}
	for char, escape := range jsonEscapes {
		if escape[1] == c {
			b.WriteRune(char)
			r.at += 2
			return
		}
	}
	if c != '/' {
		r.fail("Invalid \\escape", r.at)
	}
	b.WriteByte('/')
	r.at += 2
}

// unit is the \uXXXX at a place.
func (r *jsonReader) unit(at int) rune {
	if at+6 <= len(r.text) {
		if n, err := strconv.ParseUint(r.text[at+2:at+6], 16, 16); err == nil {
			return rune(n)
		}
	}
	r.fail("Invalid \\uXXXX escape", at+1)
	return 0
}
