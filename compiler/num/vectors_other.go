//go:build !amd64 && !wasm

package num

import "unsafe"

// HasVectors reports whether there are functions on vectors.
func HasVectors() bool { return false }

func loops(f loop, dst, x, y, z unsafe.Pointer, n int) (done int) { panic("num: no vectors") }

func vectorPowers(dst, x []float32, steps float64, table *[exp2Steps]uint64) (n int) {
	panic("num: no vectors")
}
