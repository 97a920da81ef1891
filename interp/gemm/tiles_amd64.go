package gemm

// addSingles and addDoubles are kernels of tiles of four rows and two vectors of 32 bytes, in AVX.

//go:noescape
func addSingles(c, a, panel []float32, depth, n, k int)

//go:noescape
func addDoubles(c, a, panel []float64, depth, n, k int)

// hasAVX reports whether the processor has AVX, and the system saves its registers.
func hasAVX() bool

var avx = hasAVX()

// tiles are this processor's, the largest first.
func tiles[T Number]() []tile[T] {
	if !avx {
		return portable[T]()
	}
	switch add := any(add2x4[T]).(type) {
	case func(c, a, panel []float32, depth, n, k int):
		return any([]tile[float32]{{4, 16, addSingles}, {2, 4, add}}).([]tile[T])
	case func(c, a, panel []float64, depth, n, k int):
		return any([]tile[float64]{{4, 8, addDoubles}, {2, 4, add}}).([]tile[T])
	}
	return portable[T]()
}
