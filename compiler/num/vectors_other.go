//go:build purego || (!amd64 && !arm64 && !wasm)

package num

import "unsafe"

// VectorBytes is the size of a vector.
const VectorBytes = 16

// HasVectors reports whether there are functions on vectors.
func HasVectors() bool { return false }

func loops(f loop, dst, x, y, z unsafe.Pointer, n int) (done int) { panic("num: no vectors") }

func laterLoops(f loop, dst, x, y, z unsafe.Pointer, n int) (done int) { panic("num: no vectors") }

func vectorPowers(dst, x []float32, steps float64, table *[exp2Steps]uint64) (n int) {
	panic("num: no vectors")
}

func copyRows(dst, src unsafe.Pointer, rows, bytes, to, from int) { panic("num: no vectors") }

func transpose(dst, src unsafe.Pointer, blocks, to, from int) { panic("num: no vectors") }
