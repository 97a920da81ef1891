package host

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
)

// structKinds are the letters of struct's formats: the bytes of each, and what it holds. Native sizes are those of
// 64-bit Linux; standard sizes ("<", ">", "=", "!") differ for l and L alone.
var structKinds = map[byte]struct {
	size, standard int
	signed         bool
	kind           byte // 'i' int, 'f' float, 'c' char, 's' bytes, '?' bool, 'x' padding
}{
	'x': {1, 1, false, 'x'}, 'c': {1, 1, false, 'c'}, 'b': {1, 1, true, 'i'}, 'B': {1, 1, false, 'i'}, '?': {1, 1, false, '?'},
	'h': {2, 2, true, 'i'}, 'H': {2, 2, false, 'i'}, 'i': {4, 4, true, 'i'}, 'I': {4, 4, false, 'i'},
	'l': {8, 4, true, 'i'}, 'L': {8, 4, false, 'i'}, 'q': {8, 8, true, 'i'}, 'Q': {8, 8, false, 'i'},
	'n': {8, 8, true, 'i'}, 'N': {8, 8, false, 'i'},
	'e': {2, 2, true, 'f'}, 'f': {4, 4, true, 'f'}, 'd': {8, 8, true, 'f'}, 's': {1, 1, false, 's'}, 'p': {1, 1, false, 's'},
}

// structField is one letter of a format with its count; offset counts from the start.
type structField struct {
	letter       byte
	count, size  int
	offset, step int
}

// structFormat is a format that has been read.
type structFormat struct {
	fields []structField
	size   int
	order  binary.ByteOrder
}

// structError raises struct.error.
type structError struct{ class *Class }

func (e structError) raise(format string, args ...any) {
	panic(&raised{exception: newException(e.class, python.Str(fmt.Sprintf(format, args...)))})
}

// parse reads a format. Native formats ("@" or no sign) align each field to its size.
func (e structError) parse(text string) structFormat {
	f := structFormat{order: binary.LittleEndian}
	// Without a sign sizes, order and alignment are those of the machine: little-endian, 64-bit Linux.
	native := true
	if text != "" && strings.IndexByte("@=<>!", text[0]) >= 0 {
		native = text[0] == '@'
		if text[0] == '>' || text[0] == '!' {
			f.order = binary.BigEndian
		}
		text = text[1:]
	}
	for i := 0; i < len(text); i++ {
		count, digits := 0, false
		for ; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
			count, digits = min(count*10+int(text[i]-'0'), 1<<30), true
		}
		if i == len(text) {
			e.raise("repeat count given without format specifier")
		}
		c := text[i]
		if c == ' ' || c == '\n' || c == '\t' {
			continue
		}
		k, ok := structKinds[c]
		if !ok {
			e.raise("bad char in struct format")
		}
		if !digits {
			count = 1
		}
		size := k.standard
		if native {
			size = k.size
			// Only native fields are aligned; there is no padding at the end.
			f.size = (f.size + size - 1) / size * size
		}
		f.fields = append(f.fields, structField{c, count, size, f.size, size})
		f.size += count * size
	}
	return f
}

// values is the number of arguments that a format packs.
func (f structFormat) values() (n int) {
	for _, field := range f.fields {
		switch structKinds[field.letter].kind {
		case 'x':
		case 's':
			n++
		default:
			n += field.count
		}
	}
	return n
}

func (e structError) pack(m *machine, f structFormat, args []Value) []byte {
	if len(args) != f.values() {
		e.raise("pack expected %d items for packing (got %d)", f.values(), len(args))
	}
	m.budget.chargeItems(f.size)
	out := make([]byte, f.size)
	for _, field := range f.fields {
		switch structKinds[field.letter].kind {
		case 'x':
		case 's':
			data, ok := bytesIn(args[0])
			if !ok {
				e.raise("argument for 's' must be a bytes object")
			}
			// Cut or filled up with zeros, as the documentation says of "s".
			copy(out[field.offset:field.offset+field.count], data)
			args = args[1:]
		default:
			for i := range field.count {
				at := field.offset + i*field.step
				e.put(m, f.order, out[at:at+field.size], field.letter, args[0])
				args = args[1:]
			}
		}
	}
	return out
}

func (e structError) put(m *machine, order binary.ByteOrder, out []byte, letter byte, v Value) {
	k := structKinds[letter]
	var bits uint64
	switch k.kind {
	case 'c':
		data, ok := bytesIn(v)
		if !ok || len(data) != 1 {
			e.raise("char format requires a bytes object of length 1")
		}
		out[0] = data[0]
		return
	case '?':
		if m.truthOf(v) {
			out[0] = 1
		}
		return
	case 'f':
		if _, ok, _ := python.AsFloat(plain(v)); !ok {
			e.raise("required argument is not a float")
		}
		bits = floatBits(m.floatOf(v), len(out))
	default:
		bits = e.intBits(letter, v, uint(8*len(out)), k.signed)
	}
	switch len(out) {
	case 1:
		out[0] = byte(bits)
	case 2:
		order.PutUint16(out, uint16(bits))
	case 4:
		order.PutUint32(out, uint32(bits))
	case 8:
		order.PutUint64(out, bits)
	}
}

// floatBits are the bits of a float of 2, 4 or 8 bytes.
func floatBits(x float64, size int) uint64 {
	switch size {
	case 2:
		return num.FromFloat(num.Float16, x).Bits
	case 4:
		if math.IsInf(float64(float32(x)), 0) && !math.IsInf(x, 0) {
			raise("OverflowError", "float too large to pack with f format")
		}
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// intBits are the bits of an int in two's complement, checked for the range of its format.
func (e structError) intBits(letter byte, v Value, width uint, signed bool) uint64 {
	if f, ok := indexMethod(v); ok {
		v = f()
	}
	i, ok := python.AsInt(plain(v))
	if !ok {
		e.raise("required argument is not an integer")
	}
	n := i.Big()
	least, most := "0", fmt.Sprint(uint64(math.MaxUint64)>>(64-width))
	fits := n.Sign() >= 0 && n.BitLen() <= int(width)
	if signed {
		low := int64(math.MinInt64) >> (64 - width)
		least, most = fmt.Sprint(low), fmt.Sprint(-(low + 1))
		// The largest value is -(low+1): -low does not fit where the width is 64.
		small, isSmall := i.Int64()
		fits = isSmall && small >= low && small <= -(low+1)
	}
	switch {
	case fits && n.Sign() < 0:
		return uint64(n.Int64())
	case fits:
		return n.Uint64()
	// CPython converts to a C type first, and reports the overflow of that.
	case width == 64:
		e.raise("int too large to convert")
	}
	what := "'" + string(letter) + "'"
	if word, ok := map[byte]string{'b': "byte", 'B': "ubyte"}[letter]; ok {
		what = word
	}
	e.raise("%s format requires %s <= number <= %s", what, least, most)
	return 0
}

func (e structError) unpack(m *machine, f structFormat, data string) Value {
	if len(data) != f.size {
		e.raise("unpack requires a buffer of %d bytes", f.size)
	}
	out := Tuple{}
	for _, field := range f.fields {
		k := structKinds[field.letter]
		if k.kind == 's' {
			out = append(out, Bytes(data[field.offset:field.offset+field.count]))
			continue
		}
		for i := range field.count {
			at := field.offset + i*field.step
			part := []byte(data[at : at+field.size])
			switch k.kind {
			case 'x':
			case 'c':
				out = append(out, Bytes(part))
			case '?':
				out = append(out, python.Bool(part[0] != 0))
			case 'f':
				out = append(out, python.Float(unpackFloat(f.order, part)))
			default:
				out = append(out, unpackInt(f.order, part, k.signed))
			}
		}
	}
	m.budget.chargeItems(len(out))
	return out
}

func readBits(order binary.ByteOrder, part []byte) uint64 {
	switch len(part) {
	case 1:
		return uint64(part[0])
	case 2:
		return uint64(order.Uint16(part))
	case 4:
		return uint64(order.Uint32(part))
	}
	return order.Uint64(part)
}

func unpackFloat(order binary.ByteOrder, part []byte) float64 {
	bits := readBits(order, part)
	switch len(part) {
	case 2:
		return num.Scalar{DType: num.Float16, Bits: bits}.Float()
	case 4:
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

func unpackInt(order binary.ByteOrder, part []byte, signed bool) Value {
	bits := readBits(order, part)
	if signed { // extend the sign from the highest bit of the field
		shift := 64 - 8*uint(len(part))
		return python.NewInt(int64(bits<<shift) >> shift)
	}
	if bits <= math.MaxInt64 {
		return python.NewInt(int64(bits))
	}
	return must(python.ParseInt(fmt.Sprint(bits)))
}

// structLibrary is struct.
func structLibrary(*machine) map[string]Value {
	class := &Class{Name: "error", attrs: newMembers(), bases: []*Class{exceptions["Exception"]}, exception: true}
	class.define("__module__", python.Str("struct"))
	e := structError{class}
	format := func(m *machine, v Value) structFormat {
		if data, ok := bytesIn(v); ok {
			return e.parse(data)
		}
		return e.parse(m.strOf(v))
	}
	members := functions(map[string]method{
		"calcsize": func(m *machine, a arguments) Value {
			return intValue(format(m, a.bound("calcsize", "format")[0]).size)
		},
		"pack": func(m *machine, a arguments) Value {
			a.want("pack", 1, 1<<30)
			return Bytes(e.pack(m, format(m, a.positional[0]), a.positional[1:]))
		},
		"pack_into": func(m *machine, a arguments) Value {
			a.want("pack_into", 3, 1<<30)
			data := e.pack(m, format(m, a.positional[0]), a.positional[3:])
			b, ok := a.positional[1].(*ByteArray)
			at := asIndex(a.positional[2])
			if !ok || at < 0 || at+int64(len(data)) > int64(len(b.data)) {
				e.raise("pack_into requires a buffer of at least %d bytes for packing %d bytes at offset %d",
					at+int64(len(data)), len(data), at)
			}
			copy(b.data[at:], data)
			return none
		},
		"unpack": func(m *machine, a arguments) Value {
			v := a.bound("unpack", "format, buffer")
			return e.unpack(m, format(m, v[0]), mustBytes(v[1]))
		},
		"unpack_from": func(m *machine, a arguments) Value {
			v := a.bound("unpack_from", "format, buffer, offset=")
			f, data, at := format(m, v[0]), mustBytes(v[1]), asIndex(given(v[2], intValue(0)))
			if at < 0 || at+int64(f.size) > int64(len(data)) {
				e.raise("unpack_from requires a buffer of at least %d bytes for unpacking %d bytes at offset %d "+
					"(actual buffer size is %d)", at+int64(f.size), f.size, at, len(data))
			}
			return e.unpack(m, f, data[at:at+int64(f.size)])
		},
		"iter_unpack": func(m *machine, a arguments) Value {
			v := a.bound("iter_unpack", "format, buffer")
			f, data := format(m, v[0]), mustBytes(v[1])
			if f.size == 0 || len(data)%f.size != 0 {
				e.raise("iterative unpacking requires a buffer of a multiple of %d bytes", f.size)
			}
			return m.newIterator("unpack_iterator", func() (Value, bool) {
				if data == "" {
					return nil, false
				}
				part := data[:f.size]
				data = data[f.size:]
				return e.unpack(m, f, part), true
			})
		},
	})
	members["error"] = class
	return members
}
