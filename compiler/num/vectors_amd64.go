package num

// HasAVX2 reports whether the processor has AVX2, and the system saves its registers.
func HasAVX2() bool

var hasVectors = HasAVX2()

// vectorPowers is powers for the first n elements, in AVX2, four at a time.
//
//go:noescape
func vectorPowers(dst, x []float32, steps float64, table *[exp2Steps]uint64) (n int)
