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

// run has a loop compute the elements of dst that fill vectors, and says how many of the first ones these are. Only the
// operands that the loop has are read.
func run[D, X, Y, Z any](f loop, dst []D, x []X, y []Y, z []Z) (done int) {
	if f == 0 || !withVectors || len(dst) < fewest {
		return 0
	}
	to, a := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(x))
	b, c := unsafe.Pointer(unsafe.SliceData(y)), unsafe.Pointer(unsafe.SliceData(z))
	if f >= firstLater {
		return laterLoops(f-firstLater+1, to, a, b, c, len(dst))
	}
	return loops(f, to, a, b, c, len(dst))
}

// onVectors is rest where a loop on vectors does what it can before.
func onVectors[D, S any](f loop, rest func(dst []D, x, y []S)) func(dst []D, x, y []S) {
	if f == 0 {
		return rest
	}
	return func(dst []D, x, y []S) {
		x, y = x[:len(dst)], y[:len(dst)]
		n := run(f, dst, x, y, []S(nil))
		rest(dst[n:], x[n:], y[n:])
	}
}

// binaryOnVectors is a row of kernels with loops on vectors.
func binaryOnVectors[S any](
	rest [NumBinaryOps]func(dst, x, y []S), on [NumBinaryOps]loop,
) [NumBinaryOps]func(dst, x, y []S) {
	for op, f := range on {
		rest[op] = onVectors(f, rest[op])
	}
	return rest
}

// unaryOnVectors is onVectors of functions of one operand.
func unaryOnVectors[D, S any](f loop, rest func(dst []D, x []S)) func(dst []D, x []S) {
	if f == 0 {
		return rest
	}
	return func(dst []D, x []S) {
		x = x[:len(dst)]
		n := run(f, dst, x, []S(nil), []S(nil))
		rest(dst[n:], x[n:])
	}
}

// Fill sets every element of dst to x.
func Fill[T any](dst []T, x T) {
	n := 0
	if unsafe.Sizeof(x) == 4 {
		n = run(loopFill32, dst, []T{x}, dst, dst)
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
		n = run(loopDeinterleave32, evens, odds, from, from)
	}
	for i := n; i < len(evens); i++ {
		evens[i], odds[i] = from[2*i], from[2*i+1]
	}
}

// Rows says where the rows of a tile lie in memory: the byte of the first one, and how far apart they are, in bytes.
type Rows struct{ At, Pitch int }

// check panics where some of n rows of so many bytes are not in raw.
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

// bytes is the memory of v.
func (v Vec) bytes() []byte {
	switch {
	case v.I32 != nil:
		return bytesOf(v.I32)
	case v.I64 != nil:
		return bytesOf(v.I64)
	case v.F32 != nil:
		return bytesOf(v.F32)
	}
	return bytesOf(v.F64)
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
