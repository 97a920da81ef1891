package num

// HasAVX2 reports whether the processor has AVX2, and the system saves its registers.
func HasAVX2() bool

var hasAVX2 = HasAVX2()

// vectorPowers is powers for the first n elements.
func vectorPowers(dst, x []float32, steps float64, table *[exp2Steps]uint64) (n int) {
	if hasAVX2 {
		return powersAVX2(dst, x, steps, table)
	}
	return 0
}

// powersAVX2 is vectorPowers, four elements at a time.
//
//go:noescape
func powersAVX2(dst, x []float32, steps float64, table *[exp2Steps]uint64) (n int)
