package gemm

const vectorBytes = 32

//go:noescape
func addSingles(c, a, b []float32, rows, depth, n, k, pitch int)

//go:noescape
func addDoubles(c, a, b []float64, rows, depth, n, k, pitch int)
