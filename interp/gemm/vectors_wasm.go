//go:build !purego

package gemm

// The build of the page gives these functions their bodies, as compiler/num says.

//go:noinline
func addSingles(c, a, b []float32, rows, depth, n, k, pitch int) { panic("gemm: no vectors") }

//go:noinline
func addDoubles(c, a, b []float64, rows, depth, n, k, pitch int) { panic("gemm: no vectors") }
