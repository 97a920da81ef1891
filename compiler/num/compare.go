package num

import "unsafe"

type ordered interface {
	integer | float32 | float64
}

// bit is written so that the compiler emits a set-on-condition, not a branch.
func bit(b bool) int32 {
	var v int32
	if b {
		v = 1
	}
	return v
}

// T is the dtype's own type, S that of its storage.

func eqOf[T, S ordered](dst []int32, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = bit(T(x[i]) == T(y[i]))
	}
}

func neOf[T, S ordered](dst []int32, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = bit(T(x[i]) != T(y[i]))
	}
}

func ltOf[T, S ordered](dst []int32, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = bit(T(x[i]) < T(y[i]))
	}
}

func leOf[T, S ordered](dst []int32, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = bit(T(x[i]) <= T(y[i]))
	}
}

// compares are the comparisons that others are made of.
func compares[T, S ordered]() [NumCompareOps]func(dst []int32, x, y []S) {
	return [NumCompareOps]func(dst []int32, x, y []S){Eq: eqOf[T, S], Ne: neOf[T, S], Lt: ltOf[T, S], Le: leOf[T, S]}
}

// selectBits works on bit patterns: masks beat branches, and floats have no conditional move.
func selectBits[U uint32 | uint64](dst []U, cond []int32, x, y []U) {
	cond, x, y = cond[:len(dst)], x[:len(dst)], y[:len(dst)]
	for i := range dst {
		mask := -U(cond[i])
		dst[i] = x[i]&mask | y[i]&^mask
	}
}

// as reads a slice as another type of the same width.
func as[To, From any](s []From) []To {
	return unsafe.Slice((*To)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

var selectTable = [...]func(dst, cond, x, y Vec){
	ClassI32: func(dst, cond, x, y Vec) {
		n := runOn(loopSelect32, dst, cond, x, y)
		selectBits(as[uint32](dst.I32[n:]), cond.I32[n:], as[uint32](x.I32[n:]), as[uint32](y.I32[n:]))
	},
	ClassI64: func(dst, cond, x, y Vec) {
		selectBits(as[uint64](dst.I64), cond.I32, as[uint64](x.I64), as[uint64](y.I64))
	},
	ClassF32: func(dst, cond, x, y Vec) {
		n := runOn(loopSelect32, dst, cond, x, y)
		selectBits(as[uint32](dst.F32[n:]), cond.I32[n:], as[uint32](x.F32[n:]), as[uint32](y.F32[n:]))
	},
	ClassF64: func(dst, cond, x, y Vec) {
		selectBits(as[uint64](dst.F64), cond.I32, as[uint64](x.F64), as[uint64](y.F64))
	},
}
