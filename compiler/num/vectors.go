package num

import (
	"encoding/binary"
	"unsafe"
)

// loop is the number of a loop on vectors. infra/vectorgen has the descriptions of all, and writes them and their
// numbers.
type loop int

// withVectors reports whether this processor has vectors that loops are written for.
var withVectors = HasVectors()

// fewest is how many elements a loop on vectors is called for.
const fewest = 8

// run has a loop compute those of n elements that fill vectors, and says how many of the first ones these are. Only the
// operands that the loop has are read.
//
//go:noinline
func run(f loop, n int, dst, x, y, z unsafe.Pointer) (done int) {
	if f == 0 || !withVectors || n < fewest {
		return 0
	}
	if f >= firstLater {
		return laterLoops(f-firstLater+1, dst, x, y, z, n)
	}
	return loops(f, dst, x, y, z, n)
}

// runOver is run on slices.
func runOver[D, X, Y, Z any](f loop, dst []D, x []X, y []Y, z []Z) (done int) {
	return run(f, len(dst), at(dst), at(x), at(y), at(z))
}

// at is where the elements of a slice are.
func at[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// runOn is run on the elements of dst.
func runOn(f loop, dst, x, y, z Vec) (done int) {
	return run(f, dst.Len(), dst.at(), x.at(), y.at(), z.at())
}

// at is where the elements of v are.
//
//go:noinline
func (v Vec) at() unsafe.Pointer {
	switch {
	case v.I32 != nil:
		return unsafe.Pointer(unsafe.SliceData(v.I32))
	case v.I64 != nil:
		return unsafe.Pointer(unsafe.SliceData(v.I64))
	case v.F32 != nil:
		return unsafe.Pointer(unsafe.SliceData(v.F32))
	}
	return unsafe.Pointer(unsafe.SliceData(v.F64))
}

// skip leaves out the first n elements of v.
//
//go:noinline
func (v *Vec) skip(n int) {
	switch {
	case v.I32 != nil:
		v.I32 = v.I32[n:]
	case v.I64 != nil:
		v.I64 = v.I64[n:]
	case v.F32 != nil:
		v.F32 = v.F32[n:]
	default:
		v.F64 = v.F64[n:]
	}
}

// onVectors is rest where a loop on vectors does what it can before.
//
//go:noinline
func onVectors(f loop, rest BinaryFn) BinaryFn {
	if f == 0 {
		return rest
	}
	return func(dst, x, y Vec) {
		if done := runOn(f, dst, x, y, Vec{}); done < dst.Len() {
			dst.skip(done)
			x.skip(done)
			y.skip(done)
			rest(dst, x, y)
		}
	}
}

// unaryOnVectors is onVectors of functions of one operand.
//
//go:noinline
func unaryOnVectors(f loop, rest UnaryFn) UnaryFn {
	if f == 0 {
		return rest
	}
	return func(dst, x Vec) {
		if done := runOn(f, dst, x, Vec{}, Vec{}); done < dst.Len() {
			dst.skip(done)
			x.skip(done)
			rest(dst, x)
		}
	}
}

// Fill sets every element of dst to x.
func Fill[T any](dst []T, x T) {
	n := 0
	if unsafe.Sizeof(x) == 4 {
		n = run(loopFill32, len(dst), unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(&x), nil, nil)
	}
	for i := range dst[n:] {
		dst[n+i] = x
	}
}

// Deinterleave sets evens to the elements of from with even numbers, and odds to the others.
func Deinterleave[T any](evens, odds, from []T) {
	odds, from = odds[:len(evens)], from[:2*len(evens)]
	n := 0
	if unsafe.Sizeof(evens[0]) == 4 {
		n = runOver(loopDeinterleave32, evens, odds, from, from)
	}
	for i := n; i < len(evens); i++ {
		evens[i], odds[i] = from[2*i], from[2*i+1]
	}
}

// Rows says where the rows of a tile lie in memory: the byte of the first one, and how far apart they are, in bytes.
type Rows struct{ At, Pitch int }

// check panics where some of n rows of so many bytes are not in raw.
//
//go:noinline
func (r Rows) check(raw []byte, n, bytes int) {
	last := r.At + (n-1)*r.Pitch
	_, _ = raw[r.At:r.At+bytes], raw[last:last+bytes]
}

// LoadRows is Load of rows of so many elements, which are in dst one behind the other.
func LoadRows(d DType, dst Vec, columns int, raw []byte, from Rows) {
	row, memory := columns*infos[d].Bytes, dst.bytes()
	// Elements that are smaller in memory go to the end of dst, and to their places from there: they are read before
	// what is in front of them is written.
	packed := memory[len(memory)-dst.Len()*infos[d].Bytes:]
	if moveRows(packed, Rows{0, row}, raw, from, dst.Len()/columns, row); len(packed) < len(memory) {
		Load(d, dst, packed)
	}
}

// StoreRows is Store on the terms of LoadRows.
func StoreRows(d DType, raw []byte, to Rows, src Vec, columns int) {
	if bytes := columns * infos[d].Bytes; infos[d].Bytes >= 4 {
		moveRows(raw, to, src.bytes(), Rows{0, bytes}, src.Len()/columns, bytes)
		return
	}
	for lo := 0; lo < src.Len(); lo += columns {
		Store(d, raw[to.At+lo/columns*to.Pitch:], src.Slice(lo, lo+columns))
	}
}

// bytes is the memory of v, whose elements take as much as those of its class do.
func (v Vec) bytes() []byte {
	size := 4
	if v.I64 != nil || v.F64 != nil {
		size = 8
	}
	return unsafe.Slice((*byte)(v.at()), v.Len()*size)
}

// moveRows copies n rows of so many bytes one after the other.
func moveRows(dst []byte, to Rows, src []byte, from Rows, n, bytes int) {
	if n == 0 || bytes == 0 {
		return
	}
	to.check(dst, n, bytes)
	from.check(src, n, bytes)
	if withVectors && bytes%VectorBytes == 0 {
		copyRows(unsafe.Pointer(&dst[to.At]), unsafe.Pointer(&src[from.At]), n, bytes, to.Pitch, from.Pitch)
		return
	}
	for range n {
		copy(dst[to.At:to.At+bytes], src[from.At:])
		to.At, from.At = to.At+to.Pitch, from.At+from.Pitch
	}
}

// LoadColumns loads a tile of words with rows of so many, whose columns are rows in raw.
func LoadColumns(dst []uint32, columns int, raw []byte, from Rows) {
	const lanes = VectorBytes / 4
	rows := len(dst) / columns
	if rows == 0 {
		return
	}
	from.check(raw, columns, 4*rows)
	i, across := 0, 0 // what vectors have done: the rows before i, up to the column across
	if withVectors && columns >= lanes {
		for across = columns / lanes * lanes; i+lanes <= rows; i += lanes {
			to, at := unsafe.Pointer(&dst[i*columns]), unsafe.Pointer(&raw[from.At+4*i])
			transpose(to, at, columns/lanes, 4*columns, from.Pitch)
		}
	}
	for row := range rows {
		at := 0
		if row < i {
			at = across
		}
		for ; at < columns; at++ {
			dst[row*columns+at] = binary.LittleEndian.Uint32(raw[from.At+at*from.Pitch+4*row:])
		}
	}
}
