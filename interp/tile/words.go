package tile

import (
	"unsafe"

	"github.com/newtlab/newt/compiler/num"
)

// Moving elements does not depend on what they mean, only on their width: words32 and words64 are
// a vector's elements as plain words, exactly one of them not nil.

func words32(v num.Vec) []uint32 {
	if v.F32 != nil {
		return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(v.F32))), len(v.F32))
	}
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(v.I32))), len(v.I32))
}

func words64(v num.Vec) []uint64 {
	if v.F64 != nil {
		return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(v.F64))), len(v.F64))
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(v.I64))), len(v.I64))
}

func wide(c num.Class) bool { return c == num.ClassI64 || c == num.ClassF64 }

// copyVec copies src, which is of dst's class and at least as long, to dst.
func copyVec(dst, src num.Vec) {
	switch {
	case dst.F32 != nil:
		copy(dst.F32, src.F32)
	case dst.I32 != nil:
		copy(dst.I32, src.I32)
	case dst.I64 != nil:
		copy(dst.I64, src.I64)
	default:
		copy(dst.F64, src.F64)
	}
}

// fillVec sets every element of dst to element 0 of src.
func fillVec(dst, src num.Vec) {
	switch {
	case dst.I32 != nil:
		num.Fill(dst.I32, src.I32[0])
	case dst.I64 != nil:
		num.Fill(dst.I64, src.I64[0])
	case dst.F32 != nil:
		num.Fill(dst.F32, src.F32[0])
	default:
		num.Fill(dst.F64, src.F64[0])
	}
}

// pick sets dst[i] to src[index[i]].
func pick(c num.Class, dst, src num.Vec, index []int32) {
	if wide(c) {
		pickWords(words64(dst), words64(src), index)
	} else {
		pickWords(words32(dst), words32(src), index)
	}
}

func pickWords[T any](dst, src []T, index []int32) {
	dst = dst[:len(index)]
	for i, at := range index {
		dst[i] = src[at]
	}
}
