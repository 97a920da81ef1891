//go:build (amd64 || arm64 || wasm) && !purego

package gemm

import "github.com/newtlab/newt/compiler/num"

// addSingles and addDoubles are kernels of tiles of four rows and two vectors, which infra/vectorgen writes.
func init() {
	if num.HasVectors() {
		singles = append([]tile[float32]{{4, 2 * num.VectorBytes / 4, addSingles}}, singles...)
		doubles = append([]tile[float64]{{4, 2 * num.VectorBytes / 8, addDoubles}}, doubles...)
	}
}
