package gemm

// Go's compiler writes no instructions on vectors for WebAssembly. The build of the page gives these functions the
// bodies that frontend/build/vectors.go has for them; elsewhere there are no vectors.

// addSingles and addDoubles are kernels of tiles of four rows and two vectors of 16 bytes.

//go:noinline
func addSingles(c, a, panel []float32, depth, n, k int) { panic("gemm: no vectors") }

//go:noinline
func addDoubles(c, a, panel []float64, depth, n, k int) { panic("gemm: no vectors") }

// hasVectors reports whether the two have their bodies.
//
//go:noinline
func hasVectors() bool { return false }

func init() {
	if hasVectors() {
		singles = append([]tile[float32]{{4, 8, addSingles}}, singles...)
		doubles = append([]tile[float64]{{4, 4, addDoubles}}, doubles...)
	}
}
