//go:build !amd64 && !wasm

package num

// vectorPowers is powers for the first n elements, where there are vectors for it.
func vectorPowers(dst, x []float32, steps float64, table *[exp2Steps]uint64) (n int) { return 0 }
