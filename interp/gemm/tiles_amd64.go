package gemm

import "github.com/newtlab/newt/compiler/num"

// addSingles and addDoubles are kernels of tiles of four rows and two vectors of 32 bytes, in AVX.

//go:noescape
func addSingles(c, a, panel []float32, depth, n, k int)

//go:noescape
func addDoubles(c, a, panel []float64, depth, n, k int)

func init() {
	if num.HasAVX2() {
		singles = append([]tile[float32]{{4, 16, addSingles}}, singles...)
		doubles = append([]tile[float64]{{4, 8, addDoubles}}, doubles...)
	}
}
