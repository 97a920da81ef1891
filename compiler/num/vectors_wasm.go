package num

// vectorPowers is powers for the first n elements. Go's compiler writes no instructions on vectors for WebAssembly: the
// build of the page gives this function the body that frontend/build/vectors.go has for it; elsewhere n is 0.
//
//go:noinline
func vectorPowers(dst, x []float32, steps float64, table *[exp2Steps]uint64) (n int) { return 0 }
