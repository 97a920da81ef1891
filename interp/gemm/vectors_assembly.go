//go:build (amd64 || arm64) && !purego

package gemm

//go:noescape
func addSingles(c, a, b []float32, rows, depth, n, k, pitch int)

//go:noescape
func addDoubles(c, a, b []float64, rows, depth, n, k, pitch int)
