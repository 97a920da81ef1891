//go:build (amd64 || arm64) && !purego

package num

import "unsafe"

// What infra/vectorgen writes in assembly.

//go:noescape
func loops(f loop, dst, x, y, z unsafe.Pointer, n int) (done int)

//go:noescape
func laterLoops(f loop, dst, x, y, z unsafe.Pointer, n int) (done int)

//go:noescape
func vectorPowers(dst, x []float32, steps float64, table *[exp2Steps]uint64) (n int)

//go:noescape
func copyRows(dst, src unsafe.Pointer, rows, bytes, to, from int)

//go:noescape
func transpose(dst, src unsafe.Pointer, blocks, to, from int)
