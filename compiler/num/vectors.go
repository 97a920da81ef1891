package num

import "unsafe"

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
	return loops(f, unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(x)),
		unsafe.Pointer(unsafe.SliceData(y)), unsafe.Pointer(unsafe.SliceData(z)), len(dst))
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
