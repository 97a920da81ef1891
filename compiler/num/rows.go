package num

// What rows of fp64 need in softmax and normalizations, where most elements are fp32 on their way there and back.

// AddNumber sets dst to x + y.
func AddNumber(dst, x []float64, y float64) {
	x = x[:len(dst)]
	for i := runOver(loopAddNumber, dst, x, []float64{y}, x); i < len(dst); i++ {
		dst[i] = x[i] + y
	}
}

// MulNumber sets dst to x · y.
func MulNumber(dst, x []float64, y float64) {
	x = x[:len(dst)]
	for i := runOver(loopMulNumber, dst, x, []float64{y}, x); i < len(dst); i++ {
		dst[i] = x[i] * y
	}
}

// Sum adds x up in fp64, in four sums in turns, so that additions overlap.
func Sum[F float32 | float64](x []F) float64 {
	f := loopSumFloat64
	if _, ok := any(x).([]float32); ok {
		f = loopSumFloat32
	}
	var sums [4]float64
	n := run(f, len(x), at(sums[:]), at(x), nil, nil)
	for ; n+4 <= len(x); n += 4 {
		for i, v := range x[n : n+4] {
			sums[i] += float64(v)
		}
	}
	for _, v := range x[n:] {
		sums[0] += float64(v)
	}
	return (sums[0] + sums[1]) + (sums[2] + sums[3])
}
