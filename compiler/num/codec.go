package num

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// Memory is laid out as torch lays it out: little-endian, int1 one byte that is true unless 0.
// The package runs on little-endian machines alone (amd64, arm64, wasm), so that dtypes whose
// register form is their memory form are copied.

// Load reads as many elements of dtype d as dst has from the start of raw, which must hold them.
func Load(d DType, dst Vec, raw []byte) { codecs[d].load(dst, raw) }

// Store writes the elements of src to the start of raw, which must have room for them.
func Store(d DType, raw []byte, src Vec) { codecs[d].store(raw, src) }

// LoadAt reads the element of raw at offset off, counted in elements, into element i of dst.
func LoadAt(d DType, dst Vec, i int, raw []byte, off int) {
	switch d { // what gathers read most goes the short way
	case Float32:
		dst.F32[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*off:]))
	case Int32, Uint32:
		dst.I32[i] = int32(binary.LittleEndian.Uint32(raw[4*off:]))
	case Int64, Uint64:
		dst.I64[i] = int64(binary.LittleEndian.Uint64(raw[8*off:]))
	default:
		size := infos[d].Bytes
		SetBits(d, dst, i, readBits(raw[off*size:], size))
	}
}

// StoreAt writes element i of src to the element of raw at offset off, counted in elements.
func StoreAt(d DType, raw []byte, off int, src Vec, i int) {
	switch d {
	case Float32:
		binary.LittleEndian.PutUint32(raw[4*off:], math.Float32bits(src.F32[i]))
	case Int32, Uint32:
		binary.LittleEndian.PutUint32(raw[4*off:], uint32(src.I32[i]))
	case Int64, Uint64:
		binary.LittleEndian.PutUint64(raw[8*off:], uint64(src.I64[i]))
	default:
		size := infos[d].Bytes
		writeBits(raw[off*size:], size, BitsOf(d, src, i))
	}
}

func readBits(raw []byte, size int) uint64 {
	switch size {
	case 1:
		return uint64(raw[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(raw))
	case 4:
		return uint64(binary.LittleEndian.Uint32(raw))
	}
	return binary.LittleEndian.Uint64(raw)
}

func writeBits(raw []byte, size int, b uint64) {
	switch size {
	case 1:
		raw[0] = byte(b)
	case 2:
		binary.LittleEndian.PutUint16(raw, uint16(b))
	case 4:
		binary.LittleEndian.PutUint32(raw, uint32(b))
	default:
		binary.LittleEndian.PutUint64(raw, b)
	}
}

// BitsOf is the memory image of element i of v, zero-extended.
func BitsOf(d DType, v Vec, i int) uint64 {
	switch infos[d].Class {
	case ClassI32:
		return uint64(uint32(v.I32[i])) & (1<<infos[d].Bits - 1)
	case ClassI64:
		return uint64(v.I64[i])
	case ClassF64:
		return math.Float64bits(v.F64[i])
	}
	if d == Float32 {
		return uint64(math.Float32bits(v.F32[i]))
	}
	return uint64(formats[d].encode(v.F32[i]))
}

// SetBits gives element i of v the value whose memory image is b.
func SetBits(d DType, v Vec, i int, b uint64) {
	switch infos[d].Class {
	case ClassI32:
		v.I32[i] = extend(d, b)
	case ClassI64:
		v.I64[i] = int64(b)
	case ClassF64:
		v.F64[i] = math.Float64frombits(b)
	default:
		if d == Float32 {
			v.F32[i] = math.Float32frombits(uint32(b))
			return
		}
		v.F32[i] = formats[d].decode(uint32(b))
	}
}

func extend(d DType, b uint64) int32 {
	switch d {
	case Int1:
		return bit(b != 0)
	case Int8:
		return int32(int8(b))
	case Int16:
		return int32(int16(b))
	}
	return int32(b)
}

// View makes v, of elements of dtype d, as many of the elements at the start of raw, which share its memory. It is
// false and does nothing where memory does not have elements as v has them, or raw is not aligned to them.
func View(d DType, v *Vec, raw []byte) bool {
	size, at := infos[d].Bytes, unsafe.Pointer(unsafe.SliceData(raw))
	if size < 4 || uintptr(at)%uintptr(size) != 0 {
		return false
	}
	switch infos[d].Class {
	case ClassI32:
		v.I32 = viewOf(v.I32, raw)
	case ClassI64:
		v.I64 = viewOf(v.I64, raw)
	case ClassF32:
		v.F32 = viewOf(v.F32, raw)
	default:
		v.F64 = viewOf(v.F64, raw)
	}
	return true
}

func viewOf[S int32 | int64 | float32 | float64](s []S, raw []byte) []S {
	raw = raw[:len(s)*int(unsafe.Sizeof(*new(S)))]
	return unsafe.Slice((*S)(unsafe.Pointer(unsafe.SliceData(raw))), len(s))
}

type codec struct {
	load  func(dst Vec, raw []byte)
	store func(raw []byte, src Vec)
}

// copied is the codec of a dtype whose register form is its memory form.
func copied[S int32 | int64 | float32 | float64](slice func(Vec) []S) codec {
	var zero S
	size := int(unsafe.Sizeof(zero))
	return codec{
		func(dst Vec, raw []byte) {
			s := slice(dst)
			copy(bytesOf(s), raw[:len(s)*size])
		},
		func(raw []byte, src Vec) {
			s := slice(src)
			copy(raw[:len(s)*size], bytesOf(s))
		},
	}
}

func bytesOf[S int32 | int64 | float32 | float64](s []S) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(S))))
}

func int8Codec[N int8 | uint8]() codec {
	return codec{
		func(dst Vec, raw []byte) {
			s := dst.I32
			raw = raw[:len(s)]
			for i := range s {
				s[i] = int32(N(raw[i]))
			}
		},
		func(raw []byte, src Vec) {
			s := src.I32
			raw = raw[:len(s)]
			for i := range s {
				raw[i] = byte(s[i])
			}
		},
	}
}

// halves reads n 16-bit elements in place. They need not be aligned: the package's platforms load
// and store them at any address.
func halves(raw []byte, n int) []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(raw[:2*n]))), n)
}

func int16Codec[N int16 | uint16]() codec {
	return codec{
		func(dst Vec, raw []byte) {
			s := dst.I32
			h := halves(raw, len(s))[:len(s)]
			for i := range s {
				s[i] = int32(N(h[i]))
			}
		},
		func(raw []byte, src Vec) {
			s := src.I32
			h := halves(raw, len(s))[:len(s)]
			for i := range s {
				h[i] = uint16(s[i])
			}
		},
	}
}

func loadBool(dst Vec, raw []byte) {
	s := dst.I32
	raw = raw[:len(s)]
	for i := range s {
		s[i] = bit(raw[i] != 0)
	}
}

func float16Codec(f *format) codec {
	return codec{
		func(dst Vec, raw []byte) { f.load16(dst.F32, halves(raw, len(dst.F32))) },
		func(raw []byte, src Vec) { f.store16(halves(raw, len(src.F32)), src.F32) },
	}
}

func (f *format) load16(dst []float32, h []uint16) {
	h = h[:len(dst)]
	n := runOver(f.load, dst, h, h, h)
	dst, h = dst[n:], h[n:]
	drop, up, special := f.drop&31, f.up, f.special
	for i := range dst {
		b := uint32(h[i])
		mag := b & 0x7fff
		if mag >= special {
			dst[i] = f.decode(b)
			continue
		}
		x := math.Float32frombits(mag<<drop) * up
		dst[i] = math.Float32frombits(math.Float32bits(x) | (b^mag)<<16)
	}
}

func (f *format) store16(h []uint16, src []float32) {
	h = h[:len(src)]
	n := runOver(f.store, h, src, src, src)
	h, src = h[n:], src[n:]
	drop, down := f.drop&31, f.down
	for i, x := range src {
		u := math.Float32bits(x)
		mag := u &^ signMask
		b := math.Float32bits(math.Float32frombits(mag)*down) >> drop
		if mag >= infBits {
			b = f.encode(x) & 0x7fff
		}
		h[i] = uint16(b | (u^mag)>>16)
	}
}

func float8Codec(f *format) codec {
	var table [256]float32
	for b := range table {
		table[b] = f.decode(uint32(b))
	}
	return codec{
		func(dst Vec, raw []byte) {
			s := dst.F32
			raw = raw[:len(s)]
			for i := range s {
				s[i] = table[raw[i]]
			}
		},
		func(raw []byte, src Vec) {
			s := src.F32
			raw = raw[:len(s)]
			for i := range s {
				raw[i] = byte(f.encode(s[i]))
			}
		},
	}
}

var codecs = buildCodecs()

// buildCodecs is a named function because the compiler inlines nothing into a package's
// initializer, nor into the closures made there.
func buildCodecs() (t [NumDTypes]codec) {
	t = [NumDTypes]codec{
		Int1: {loadBool, int8Codec[uint8]().store},
		Int8: int8Codec[int8](), Uint8: int8Codec[uint8](),
		Int16: int16Codec[int16](), Uint16: int16Codec[uint16](),
		Int32: copied(i32Of), Uint32: copied(i32Of), Int64: copied(i64Of), Uint64: copied(i64Of),
		Float32: copied(f32Of), Float64: copied(f64Of),
		Float16: float16Codec(&formats[Float16]), BFloat16: float16Codec(&formats[BFloat16]),
	}
	for d := Float8E4M3; d <= Float8E4B15; d++ {
		t[d] = float8Codec(&formats[d])
	}
	return t
}
