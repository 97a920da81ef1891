//go:build !purego

package num

import "unsafe"

// VectorBytes is the size of a vector.
const VectorBytes = 16

// Go's compiler writes no instructions on vectors for WebAssembly: the build of the page gives these functions their
// bodies (infra/vectorgen). Elsewhere there are no vectors.

// HasVectors reports whether the functions have their bodies.
//
//go:noinline
func HasVectors() bool { return false }

//go:noinline
func loops(f loop, dst, x, y, z unsafe.Pointer, n int) (done int) { panic("num: no vectors") }

//go:noinline
func laterLoops(f loop, dst, x, y, z unsafe.Pointer, n int) (done int) { panic("num: no vectors") }

//go:noinline
func vectorPowers(dst, x []float32, steps float64, table *[exp2Steps]uint64) (n int) {
	panic("num: no vectors")
}

//go:noinline
func copyRows(dst, src unsafe.Pointer, rows, bytes, to, from int) { panic("num: no vectors") }

//go:noinline
func transpose(dst, src unsafe.Pointer, blocks, to, from int) { panic("num: no vectors") }
