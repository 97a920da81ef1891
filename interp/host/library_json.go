package host

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/python"
)

// jsonFunctions are those that prelude/json.py stands on.
func jsonFunctions() map[string]method {
	return map[string]method{
		// _text is the text of an object, None where only the Python text can write it (jsonWriter).
		"_text(value, ascii, allow_nan, sort_keys, item, key, indent, newline)": func(m *machine, a arguments) Value {
			v := a.positional
			w := &jsonWriter{m: m, ascii: m.truthOf(v[1]), allowNaN: m.truthOf(v[2]), sort: m.truthOf(v[3]),
				item: m.strOf(v[4]), key: m.strOf(v[5])}
			newline := ""
			if v[6] != none {
				w.indent, newline = m.strOf(v[6]), m.strOf(v[7])
			}
			if !w.value(v[0], newline, 0) {
				return none
			}
			m.budget.chargeItems(len(w.text) - w.charged)
			return python.Str(w.text)
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

// jsonWriter writes what holds numbers, texts, None, lists, tuples and dicts alone, as c_make_encoder does. Subclasses
// whose items may be of their own making, keys of other types and what json.JSONEncoder.default is for are left to the
// Python text, and so is what nests deeply, which may be inside of itself.
type jsonWriter struct {
	m                     *machine
	ascii, allowNaN, sort bool
	item, key, indent     string // separators, and what a level is indented by
	text                  []byte
	charged               int // how much of the text is counted among the run's items
}

// maxJSONDepth is how deeply a jsonWriter follows containers.
const maxJSONDepth = 50

// value appends the text of an object, and reports whether it could. Newline is what a line begins with, "" where all
// is one line.
func (w *jsonWriter) value(v Value, newline string, depth int) bool {
	w.m.budget.countStep(w.m.at)
	switch x := v.(type) {
	case *List:
		return w.items("[]", len(x.Items), newline, depth, func(i int, inner string) bool {
			return w.value(x.Items[i], inner, depth+1)
		})
	case Tuple:
		return w.items("[]", len(x), newline, depth, func(i int, inner string) bool {
			return w.value(x[i], inner, depth+1)
		})
	case *Dict:
		entries := slices.DeleteFunc(slices.Clone(x.entries[x.head:]), func(e entry) bool { return e.key == nil })
		if w.sort {
			if slices.ContainsFunc(entries, func(e entry) bool { return !is[python.Str](e.key) }) {
				return false
			}
			slices.SortFunc(entries, func(a, b entry) int {
				return strings.Compare(string(a.key.(python.Str)), string(b.key.(python.Str)))
			})
		}
		return w.items("{}", len(entries), newline, depth, func(i int, inner string) bool {
			begin := len(w.text)
			if !w.scalar(entries[i].key) {
				return false
			}
			if w.text[begin] != '"' {
				w.text = append(slices.Insert(w.text, begin, '"'), '"')
			}
			w.text = append(w.text, w.key...)
			return w.value(entries[i].value, inner, depth+1)
		})
	}
	return w.scalar(v)
}

// items appends n items in brackets.
func (w *jsonWriter) items(brackets string, n int, newline string, depth int, item func(i int, line string) bool) bool {
	if depth > maxJSONDepth {
		return false
	}
	if n == 0 {
		w.text = append(w.text, brackets...)
		return true
	}
	inner := newline
	if newline != "" {
		inner += w.indent
	}
	w.text = append(append(w.text, brackets[0]), inner...)
	for i := range n {
		if i > 0 {
			w.text = append(append(w.text, w.item...), inner...)
		}
		if !item(i, inner) {
			return false
		}
	}
	// What is written so far counts before more is: a list may hold one list a thousand times.
	w.m.budget.chargeItems(len(w.text) - w.charged)
	w.charged = len(w.text)
	w.text = append(append(w.text, newline...), brackets[1])
	return true
}

// scalar appends the text of what holds nothing.
func (w *jsonWriter) scalar(v Value) bool {
	switch x := plain(v).(type) {
	case python.None:
		w.text = append(w.text, "null"...)
	case python.Bool:
		w.text = strconv.AppendBool(w.text, bool(x))
	case python.Int:
		w.text = append(w.text, x.String()...)
	case python.Float:
		w.text = append(w.text, jsonFloat(x, w.allowNaN)...)
	case python.Str:
		w.text = appendQuoted(w.text, string(x), w.ascii)
	default:
		return false
	}
	return true
}

// jsonFloat is the text of a float.
func jsonFloat(f python.Float, allowed bool) string {
	if f-f == 0 {
		return python.Repr(f)
	}
	if !allowed {
		raise("ValueError", "Out of range float values are not JSON compliant: %s", python.Repr(f))
	}
	switch {
	case f > 0:
		return "Infinity"
	case f < 0:
		return "-Infinity"
	}
	return "NaN"
}

const jsonEscaped, jsonEscapes = "\"\\\n\r\t\f\b/", `"\nrtfb/`

func appendQuoted(text []byte, s string, ascii bool) []byte {
	text = append(text, '"')
	for _, r := range s {
		if ' ' <= r && r <= '~' && r != '"' && r != '\\' || r > '~' && !ascii {
			text = utf8.AppendRune(text, r)
		} else if i := strings.IndexRune(jsonEscaped, r); i >= 0 {
			text = append(text, '\\', jsonEscapes[i])
		} else {
			// JSON escapes UTF-16 code units: a character beyond the first plane is a surrogate pair.
			for _, unit := range utf16.AppendRune(nil, r) {
				text = fmt.Appendf(text, `\u%04x`, unit)
			}
		}
	}
	return append(text, '"')
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

var jsonWords = []struct {
	text  string
	value Value
}{{"null", none}, {"true", python.Bool(true)}, {"false", python.Bool(false)}, {"NaN", python.NaN},
	{"Infinity", python.Float(math.Inf(1))}, {"-Infinity", python.Float(math.Inf(-1))}}

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
	for _, w := range jsonWords {
		if strings.HasPrefix(rest, w.text) {
			r.at += len(w.text)
			if is[python.Float](w.value) && r.constant != nil {
				return r.m.callWith(r.constant, python.Str(w.text))
			}
			return w.value
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
		// The last of several equal keys counts; object_pairs_hook sees all.
		if v := r.value(); r.pairs == nil {
			d.set(key, v)
		} else {
			pairs = append(pairs, Tuple{key, v})
		}
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
	for from := r.at; ; from = r.at {
		for r.at < len(r.text) && r.text[r.at] != '"' && r.text[r.at] != '\\' && (r.text[r.at] >= ' ' || !r.strict) {
			r.at++
		}
		b.WriteString(r.text[from:r.at])
		switch {
		case r.at >= len(r.text):
			r.fail("Unterminated string starting at", begin)
		case r.text[r.at] == '"':
			r.at++
			return b.String()
		case r.text[r.at] == '\\':
			r.escape(&b, begin)
		default:
			r.fail("Invalid control character at", r.at)
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
	i := strings.IndexByte(jsonEscapes, c)
	if i < 0 {
		r.fail("Invalid \\escape", r.at)
	}
	b.WriteByte(jsonEscaped[i])
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
