package host

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/python"
)

type (
	// Bytes is bytes.
	Bytes string
	// ByteArray is bytearray.
	ByteArray struct{ data []byte }
	// memoryView is memoryview, of bytes or a bytearray.
	memoryView struct{ of Value }
)

// Type, here and below, is the name of the Python class.
func (Bytes) Type() string        { return "bytes" }
func (*ByteArray) Type() string   { return "bytearray" }
func (memoryView) Type() string   { return "memoryview" }
func (b Bytes) repr() string      { return "b" + quoteBytes(string(b)) }
func (b *ByteArray) repr() string { return "bytearray(b" + quoteBytes(string(b.data)) + ")" }

var bytesClass, bytearrayClass, memoryViewClass = &Class{Name: "bytes"}, &Class{Name: "bytearray"},
	&Class{Name: "memoryview"}

func init() {
	record := typeRecord{
		make: laidOut("builtins", "bytes"+newBytesParameters, bytesOf),
		base: true,
		slots: slots{
			length:   func(_ *machine, v Value) int { return len(mustBytes(v)) },
			item:     byteItem,
			contains: func(_ *machine, v, x Value) bool { return containsBytes(mustBytes(v), x) },
			items: func(m *machine, v Value) []Value {
				data := mustBytes(v)
				m.budget.chargeItems(len(data))
				out := make([]Value, len(data))
				for i := range out {
					m.tick()
					out[i] = intValue(int(data[i]))
				}
				return out
			},
			compare: func(_ *machine, op string, v, other Value) Value {
				if y, ok := bytesIn(other); ok {
					return python.Bool(must(python.Compare(op, textOfBytes(mustBytes(v)), textOfBytes(y))))
				}
				return notImplemented
			},
			concat: func(m *machine, v, other Value) Value {
				data := mustBytes(v)
				more, ok := bytesIn(other)
				if !ok {
					raise("TypeError", "can't concat %s to %s", other.Type(), v.Type())
				}
				m.budget.chargeItems(len(data) + len(more))
				return bytesLike(v, data+more)
			},
			repeat: func(m *machine, v Value, times int64) Value {
				data := mustBytes(v)
				return bytesLike(v, strings.Repeat(data, m.repeated(len(data), times)))
			},
			hash: func(v Value, _ int) int64 { return hashText(mustBytes(v)) },
			repr: leaf(func(v Value) string { return plain(v).(represented).repr() }),
		},
		methods: bytesMethods,
	}
	bytesClass.describe(record)

	record.base, record.make = false, laidOut("builtins", "memoryview(object)", memoryViewOf)
	record.repr = leaf(func(Value) string { return "<memory object>" })
	record.concat, record.repeat = nil, nil
	memoryViewClass.describe(record)

	record = typeRecord{make: laidOut("builtins", "bytearray"+newBytesParameters, bytearrayOf), base: true,
		slots: *bytesClass.record, methods: bytesMethods}
	record.hash = nil
	record.setItem = func(m *machine, v, index, x Value) { setByte(m, valueOf[*ByteArray](v), index, x) }
	record.deleteItem = func(m *machine, v, index Value) {
		b := valueOf[*ByteArray](v)
		b.data = deleteItems(m, b.data, index, "bytearray")
	}
	record.inPlaceOps = " + "
	record.inPlace = func(m *machine, op string, v, other Value) Value {
		if op != "+" {
			return notImplemented
		}
		b, data := valueOf[*ByteArray](v), mustBytes(other)
		m.budget.chargeItems(len(data))
		b.data = append(b.data, data...)
		return v
	}
	bytearrayClass.describe(record)
	bytearrayClass.defineAll(bytearrayMethods)
}

// bytesIn are the bytes that a bytes-like object holds.
func bytesIn(v Value) (string, bool) {
	switch b := plain(v).(type) {
	case Bytes:
		return string(b), true
	case *ByteArray:
		return string(b.data), true
	case memoryView:
		return bytesIn(b.of)
	}
	return "", false
}

// mustBytes is bytesIn of an argument that has to be bytes-like.
func mustBytes(v Value) string {
	b, ok := bytesIn(v)
	if !ok {
		raise("TypeError", "a bytes-like object is required, not '%s'", v.Type())
	}
	return b
}

// bytesLike makes bytes of the class of another value.
func bytesLike(v Value, data string) Value {
	if _, ok := plain(v).(*ByteArray); ok {
		return &ByteArray{[]byte(data)}
	}
	return Bytes(data)
}

// quoteBytes writes a literal without its b: in single quotes, unless only those occur in the text.
func quoteBytes(s string) string {
	mark := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		mark = '"'
	}
	var b strings.Builder
	b.WriteByte(mark)
	for i := range len(s) {
		switch c := s[i]; {
		case c == mark || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte(mark)
	return b.String()
}

// byteOf is a number as an element of bytes.
func byteOf(v Value, what string) byte {
	n := asIndex(v)
	if n < 0 || n > 255 {
		raise("ValueError", "%s must be in range(0, 256)", what)
	}
	return byte(n)
}

// bytesOf is bytes(source, encoding, errors).
func bytesOf(m *machine, a arguments) Value { return Bytes(newBytes(m, "bytes", a.positional)) }

func bytearrayOf(m *machine, a arguments) Value {
	return &ByteArray{[]byte(newBytes(m, "bytearray", a.positional))}
}

func newBytes(m *machine, class string, v []Value) string {
	s, ok := plain(v[0]).(python.Str)
	if !ok {
		return bytesFrom(m, class, v[0])
	}
	if v[1] == nil {
		raise("TypeError", "string argument without an encoding")
	}
	return encodeText(string(s), m.strOf(v[1]), m.strOf(v[2]))
}

// newBytesParameters are the parameters of bytes and bytearray.
const newBytesParameters = "(source=(), encoding=..., errors='strict')"

// bytesFrom are the bytes that the class makes of what is no text.
func bytesFrom(m *machine, class string, source Value) string {
	if b, ok := bytesIn(source); ok {
		m.budget.chargeItems(len(b))
		return b
	}
	if n, ok := python.AsInt(plain(source)); ok {
		count := asIndex(n)
		if count < 0 {
			raise("ValueError", "negative count")
		}
		m.budget.chargeItems(int(min(count, 1<<40)))
		return strings.Repeat("\x00", int(count))
	}
	if !iterable(source) {
		raise("TypeError", "cannot convert '%s' object to %s", source.Type(), class)
	}
	var out []byte
	for _, x := range m.itemsOf(source) {
		m.tick()
		out = append(out, byteOf(x, map[string]string{"bytes": "bytes", "bytearray": "byte"}[class]))
	}
	return string(out)
}

func memoryViewOf(m *machine, a arguments) Value {
	v := a.positional[0]
	if _, ok := bytesIn(v); !ok {
		raise("TypeError", "memoryview: a bytes-like object is required, not '%s'", v.Type())
	}
	return memoryView{v}
}

// privateBytes is where bytes beyond ASCII begin as characters. The methods of str serve bytes as well: each byte
// becomes a character, those beyond ASCII one of the private use area, which is neither a letter nor a space nor a
// digit, as they are not for the methods of bytes.
const privateBytes = 0xf700

// textOfBytes maps bytes to characters for the methods of str.
func textOfBytes(data string) python.Str {
	var b strings.Builder
	for i := range len(data) {
		if c := data[i]; c < utf8.RuneSelf {
			b.WriteByte(c)
		} else {
			b.WriteRune(privateBytes + rune(c))
		}
	}
	return python.Str(b.String())
}

// bytesOfText is the inverse of textOfBytes.
func bytesOfText(s python.Str) string {
	var b []byte
	for _, r := range string(s) {
		// privateBytes is a multiple of 256: its low byte is the byte itself.
		b = append(b, byte(r))
	}
	return string(b)
}

// strMethodsOfBytes are the methods of str that bytes has.
const strMethodsOfBytes = `capitalize center count endswith expandtabs find index isalnum isalpha isascii isdigit islower
	isspace istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind rindex rjust
	rpartition rsplit rstrip split splitlines startswith strip swapcase title upper zfill`

// bytesMethods are those of bytes and bytearray.
var bytesMethods = withNames(strMethodsOfBytes, bytesMethod, map[string]method{
	"decode(self, /, encoding='utf-8', errors='strict')": func(m *machine, a arguments) Value {
		return decodeBytes(mustBytes(a.positional[0]), m.strOf(a.positional[1]),
			m.strOf(a.positional[2]))
	},
	"hex(self, /, sep=..., bytes_per_sep=1)": func(m *machine, a arguments) Value {
		data := mustBytes(a.positional[0])
		m.budget.chargeItems(2 * len(data))
		text := hex.EncodeToString([]byte(data))
		if a.positional[1] == nil {
			return python.Str(text)
		}
		// A positive group is counted from the right, as bytes.hex documents.
		group := int(asIndex(a.positional[2]))
		if group < 1 {
			lack("ValueError", "bytes.hex with bytes_per_sep below 1", nil)
		}
		var parts []string // counted from the end
		for ; len(text) > 2*group; text = text[:len(text)-2*group] {
			parts = append(parts, text[len(text)-2*group:])
		}
		parts = append(parts, text)
		slices.Reverse(parts)
		return python.Str(strings.Join(parts, m.strOf(a.positional[1])))
	},
	"@classmethod fromhex(cls, string, /)": func(m *machine, a arguments) Value {
		text := m.strOf(a.positional[1])
		data, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
		if err != nil {
			at := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF \t\n", r) })
			if at < 0 {
				at = len(text)
			}
			raise("ValueError", "non-hexadecimal number found in fromhex() arg at position %d", at)
		}
		return Bytes(data)
	},
	"copy":    func(m *machine, a arguments) Value { return bytesLike(a.positional[0], mustBytes(a.positional[0])) },
	"tobytes": func(m *machine, a arguments) Value { return Bytes(mustBytes(a.positional[0])) },
	"tolist":  func(m *machine, a arguments) Value { return &List{m.itemsOf(a.positional[0])} },
})

// bytearrayMethods are those that change a bytearray.
var bytearrayMethods = map[string]method{
	"append(self, item, /)": func(m *machine, a arguments) Value {
		b := self[*ByteArray](a)
		m.budget.chargeItems(1)
		b.data = append(b.data, byteOf(a.positional[1], "byte"))
		return none
	},
	"extend(self, iterable_of_ints, /)": func(m *machine, a arguments) Value {
		b := self[*ByteArray](a)
		b.data = append(b.data, bytesFrom(m, "bytearray", a.positional[1])...)
		return none
	},
	"insert(self, index, item, /)": func(m *machine, a arguments) Value {
		b, v := self[*ByteArray](a), a.positional[1:]
		i := asIndex(v[0])
		if i < 0 {
			i += int64(len(b.data))
		}
		m.budget.chargeItems(1)
		b.data = slices.Insert(b.data, int(max(min(i, int64(len(b.data))), 0)), byteOf(v[1], "byte"))
		return none
	},
	"pop(self, index=-1, /)": func(m *machine, a arguments) Value {
		b := self[*ByteArray](a)
		if len(b.data) == 0 {
			raise("IndexError", "pop from empty bytearray")
		}
		i := m.itemPosition(a.positional[1], len(b.data), "bytearray")
		v := b.data[i]
		b.data = slices.Delete(b.data, i, i+1)
		return intValue(int(v))
	},
	"remove(self, value, /)": func(m *machine, a arguments) Value {
		b := self[*ByteArray](a)
		i := slices.Index(b.data, byteOf(a.positional[1], "byte"))
		if i < 0 {
			raise("ValueError", "value not found in bytearray")
		}
		b.data = slices.Delete(b.data, i, i+1)
		return none
	},
	"reverse(self, /)": func(m *machine, a arguments) Value { slices.Reverse(self[*ByteArray](a).data); return none },
	"clear(self, /)":   func(m *machine, a arguments) Value { self[*ByteArray](a).data = nil; return none },
}

// bytesMethod is a method that str and bytes share.
func bytesMethod(m *machine, name string, self Value, given []Value) Value {
	var args []Value
	for i, v := range given {
		if i == 0 || !is[python.Int](plain(v)) { // what is behind the first argument may be a place
			v = bytesArgument(m, name, v)
		}
		args = append(args, v)
	}
	data := mustBytes(self)
	m.budget.chargeItems(len(data))
	return bytesResult(self, mustText(textOfBytes(data).Method(name, args)))
}

// bytesArgument is an argument of a method of bytes as the method of str takes it.
func bytesArgument(m *machine, name string, v Value) Value {
	if data, ok := bytesIn(v); ok {
		return textOfBytes(data)
	}
	switch x := plain(v).(type) {
	case python.Str:
		raise("TypeError", "a bytes-like object is required, not 'str'")
	case Tuple:
		out := make(Tuple, len(x))
		for i, y := range x {
			out[i] = bytesArgument(m, name, y)
		}
		return out
	case python.Int:
		// Only these take an int for one byte.
		if strings.Contains("find rfind index rindex count", name) {
			return textOfBytes(string([]byte{byteOf(x, "byte")}))
		}
	}
	if name == "join" {
		var list python.List
		for i, x := range m.itemsOf(v) {
			m.tick()
			data, ok := bytesIn(x)
			if !ok {
				raise("TypeError", "sequence item %d: expected a bytes-like object, %s found", i, x.Type())
			}
			list = append(list, textOfBytes(data))
		}
		return list
	}
	return v
}

// bytesResult turns what a method of str gave into what that of bytes gives.
func bytesResult(self, v Value) Value {
	switch x := v.(type) {
	case python.Str:
		return bytesLike(self, bytesOfText(x))
	case python.List:
		out := make([]Value, len(x))
		for i, y := range x {
			out[i] = bytesResult(self, y)
		}
		return &List{out}
	case Tuple:
		out := make(Tuple, len(x))
		for i, y := range x {
			out[i] = bytesResult(self, y)
		}
		return out
	}
	return v
}

// byteItem is b[index].
func byteItem(m *machine, v Value, index Value) Value {
	data := mustBytes(v)
	s, ok := index.(Slice)
	if !ok {
		name := v.Type()
		if name == "bytes" {
			name = "index"
			// bytes and bytearray word this error differently.
			if i := asIndex(index); i >= int64(len(data)) || i < -int64(len(data)) {
				raise("IndexError", "index out of range")
			}
		}
		return intValue(int(data[m.itemPosition(index, len(data), name)]))
	}
	start, step, count := s.bounds(len(data))
	m.budget.chargeItems(count)
	out := make([]byte, count)
	for i := range out {
		out[i] = data[start+i*step]
	}
	return bytesLike(v, string(out))
}

// setByte is b[index] = v of a bytearray.
func setByte(m *machine, b *ByteArray, index, v Value) {
	s, ok := index.(Slice)
	if !ok {
		b.data[m.itemPosition(index, len(b.data), "bytearray")] = byteOf(v, "byte")
		return
	}
	b.data = replaceSlice(m, b.data, s, []byte(bytesFrom(m, "bytearray", v)), "bytes")
}

// containsBytes is x in b.
func containsBytes(data string, x Value) bool {
	if part, ok := bytesIn(x); ok {
		return strings.Contains(data, part)
	}
	if _, ok := python.AsInt(plain(x)); !ok {
		raise("TypeError", "a bytes-like object is required, not '%s'", x.Type())
	}
	return strings.IndexByte(data, byteOf(x, "byte")) >= 0
}
