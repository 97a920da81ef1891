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

// jsonLibrary is json.
func jsonLibrary(*machine) map[string]Value {
	failure := &Class{Name: "JSONDecodeError", attrs: newMembers(), bases: []*Class{exceptions["ValueError"]},
		exception: true}
	failure.define("__module__", python.Str("json.decoder"))
	loads := func(m *machine, a arguments) Value {
		v := a.bound("loads", "s, *, cls=, object_hook=, parse_float=, parse_int=, parse_constant=, object_pairs_hook=")
		text, ok := v[0].(python.Str)
		if !ok {
			raise("TypeError", "the JSON object must be str, bytes or bytearray, not %s", v[0].Type())
		}
		m.budget.chargeItems(len(text))
		r := &jsonReader{m: m, text: string(text), failure: failure, object: given(v[2], nil), pairs: given(v[6], nil),
			float: given(v[3], nil)}
		return r.document()
	}
	dumps := func(m *machine, a arguments) Value {
		v := a.bound("dumps", "obj, "+jsonOptions)
		return python.Str(jsonText(m, v[0], v[1:]))
	}
	return map[string]Value{
		"JSONDecodeError": failure,
		"loads":           &Builtin{Name: "loads", call: loads},
		"dumps":           &Builtin{Name: "dumps", call: dumps},
		"load": &Builtin{Name: "load", call: func(m *machine, a arguments) Value {
			if len(a.positional) == 0 {
				raise("TypeError", "load() missing 1 required positional argument: 'fp'")
			}
			text := m.callWith(m.attrOf(a.positional[0], "read"))
			return loads(m, arguments{append([]Value{text}, a.positional[1:]...), a.keywords})
		}},
		"dump": &Builtin{Name: "dump", call: func(m *machine, a arguments) Value {
			v := a.bound("dump", "obj, fp, "+jsonOptions)
			return m.callWith(m.attrOf(v[1], "write"), python.Str(jsonText(m, v[0], v[2:])))
		}},
		"JSONEncoder": refused("json.JSONEncoder"), "JSONDecoder": refused("json.JSONDecoder"),
	}
}

const jsonOptions = "*, skipkeys=, ensure_ascii=, check_circular=, allow_nan=, cls=, indent=, separators=, default=, " +
	"sort_keys="

// jsonWriter writes values as json.dumps does.
type jsonWriter struct {
	m               *machine
	b               strings.Builder
	ascii, nan      bool
	sorted, skip    bool
	indent          string
	lines           bool
	between, colons string
	fallback        Value
	inside          []Value // the containers around the value, to find circles
}

func jsonText(m *machine, v Value, o []Value) string {
	w := &jsonWriter{m: m, skip: m.truthOr(o[0], false), ascii: m.truthOr(o[1], true), nan: m.truthOr(o[3], true),
		sorted: m.truthOr(o[8], false), between: ", ", colons: ": ", fallback: given(o[7], nil)}
	if given(o[4], nil) != nil {
		lack("TypeError", "json.dumps(cls=)", []string{"default"})
	}
	if indent := given(o[5], nil); indent != nil {
		// With an indent the default separator loses its blank: each item has a line of its own.
		w.lines, w.between = true, ","
		if s, ok := indent.(python.Str); ok {
			w.indent = string(s)
		} else {
			w.indent = strings.Repeat(" ", int(max(min(asIndex(indent), 1000), 0)))
		}
	}
	if s := given(o[6], nil); s != nil {
		parts := m.itemsOf(s)
		if len(parts) != 2 {
			raise("ValueError", "not enough values to unpack (expected 2, got %d)", len(parts))
		}
		w.between, w.colons = m.strOf(parts[0]), m.strOf(parts[1])
	}
	w.write(v)
	m.budget.chargeItems(w.b.Len())
	return w.b.String()
}

func (w *jsonWriter) write(v Value) {
	w.m.budget.countStep(w.m.at)
	switch x := plain(v).(type) {
	case python.None:
		w.b.WriteString("null")
	case python.Bool:
		w.b.WriteString(strconv.FormatBool(bool(x)))
	case python.Int:
		w.b.WriteString(x.String())
	case python.Float:
		w.b.WriteString(w.float(x))
	case python.Str:
		w.b.WriteString(jsonQuote(string(x), w.ascii))
	case *Dict:
		w.object(x)
	case *List:
		w.array(v, x.Items)
	case Tuple, Size, *Named:
		w.array(v, w.m.itemsOf(x))
	default:
		if w.fallback == nil {
			raise("TypeError", "Object of type %s is not JSON serializable", lastName(v.Type()))
		}
		// default= may give the object itself again: the check for circles covers it, too.
		w.enter(v)
		w.write(w.m.callWith(w.fallback, v))
		w.inside = w.inside[:len(w.inside)-1]
	}
}

func (w *jsonWriter) enter(v Value) {
	// By identity, as json.encoder does by id(): two lists that are equal are no circle.
	for _, around := range w.inside {
		if identical(around, v) {
			raise("ValueError", "Circular reference detected")
		}
	}
	w.inside = append(w.inside, v)
	if len(w.inside) > 500 {
		raise("RecursionError", "maximum recursion depth exceeded while encoding a JSON object")
	}
}

func (w *jsonWriter) float(f python.Float) string {
	x := float64(f)
	// Infinities and NaN are the floats whose difference from themselves is NaN.
	if x-x == 0 {
		return python.Repr(f)
	}
	if !w.nan {
		raise("ValueError", "Out of range float values are not JSON compliant: %s", python.Repr(f))
	}
	switch {
	case math.IsNaN(x):
		return "NaN"
	case x < 0:
		return "-Infinity"
	}
	return "Infinity"
}

// items writes n items between brackets, each on a line of its own if there is an indent.
func (w *jsonWriter) items(brackets string, n int, item func(i int)) {
	if n == 0 {
		w.b.WriteString(brackets)
		return
	}
	w.b.WriteByte(brackets[0])
	for i := range n {
		if i > 0 {
			w.b.WriteString(w.between)
		}
		w.newline(len(w.inside))
		item(i)
	}
	w.newline(len(w.inside) - 1)
	w.b.WriteByte(brackets[1])
}

func (w *jsonWriter) newline(depth int) {
	if w.lines {
		w.b.WriteByte('\n')
		w.m.budget.chargeItems(depth * len(w.indent))
		w.b.WriteString(strings.Repeat(w.indent, depth))
	}
}

func (w *jsonWriter) array(v Value, items []Value) {
	w.enter(v)
	w.items("[]", len(items), func(i int) { w.write(items[i]) })
	w.inside = w.inside[:len(w.inside)-1]
}

func (w *jsonWriter) object(d *Dict) {
	w.enter(d)
	var keys []string
	var values []Value
	list := d.list()
	if w.sorted {
		// sort_keys sorts the keys before they become texts: 2 comes before 10.
		list = sortedItems(w.m, slices.Clone(list), none, false)
	}
	for _, k := range list {
		name, ok := w.key(k)
		if ok {
			v, _ := d.get(k)
			keys, values = append(keys, name), append(values, v)
		}
	}
	w.items("{}", len(keys), func(i int) {
		w.b.WriteString(jsonQuote(keys[i], w.ascii) + w.colons)
		w.write(values[i])
	})
	w.inside = w.inside[:len(w.inside)-1]
}

func (w *jsonWriter) key(k Value) (string, bool) {
	switch x := plain(k).(type) {
	case python.Str:
		return string(x), true
	case python.Bool:
		return strconv.FormatBool(bool(x)), true
	case python.None:
		return "null", true
	case python.Int:
		return x.String(), true
	case python.Float:
		return w.float(x), true
	}
	if !w.skip {
		raise("TypeError", "keys must be str, int, float, bool or None, not %s", k.Type())
	}
	return "", false
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
	m                    *machine
	text                 string
	at                   int
	failure              *Class
	object, pairs, float Value // hooks; nil if there is none
}

func (r *jsonReader) fail(message string, at int) {
	// Lines, columns and positions count characters, places in r.text are bytes.
	before := r.text[:min(at, len(r.text))]
	line := strings.Count(before, "\n") + 1
	pos := utf8.RuneCountInString(before)
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	e := newException(r.failure, python.Str(fmt.Sprintf("%s: line %d column %d (char %d)", message, line, column, pos)))
	for name, v := range map[string]Value{"msg": python.Str(message), "doc": python.Str(r.text), "pos": intValue(pos),
		"lineno": intValue(line), "colno": intValue(column)} {
		r.m.setAttr(e, name, v)
	}
	panic(&raised{exception: e})
}

func (r *jsonReader) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\n\r", r.text[r.at]) >= 0 {
		r.at++
	}
}

func (r *jsonReader) document() Value {
	r.space()
	v := r.value()
	r.space()
	if r.at < len(r.text) {
		r.fail("Extra data", r.at)
	}
	return v
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
		case c < ' ':
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
