package num

import "math"

// What rows of fp64 need in softmax and normalizations, where most elements are fp32 on their way there and back.

// AddNumber sets dst to x + y.
func AddNumber[F float](dst []float64, x []F, y float64) {
	from, ok := any(x).([]float64)
	if !ok {
		Cast(Float32, Float64, RTNE)(Vec{F64: dst}, Vec{F32: any(x).([]float32)[:len(dst)]})
		from = dst
	}
	from = from[:len(dst)]
	for i := runOver(loopAddNumber, dst, from, []float64{y}, from); i < len(dst); i++ {
		dst[i] = from[i] + y
	}
}

// MulNumber sets dst to x · y.
func MulNumber(dst, x []float64, y float64) {
	x = x[:len(dst)]
	for i := runOver(loopMulNumber, dst, x, []float64{y}, x); i < len(dst); i++ {
		dst[i] = x[i] * y
	}
}

// RoundToFloat32 sets dst to x rounded to fp32.
func RoundToFloat32(dst, x []float64) {
	x = x[:len(dst)]
	for i := runOver(loopRoundToFloat32, dst, x, x, x); i < len(dst); i++ {
		dst[i] = float64(float32(x[i]))
	}
}

// Extreme is the largest element of x, or the smallest: NaN where there is one, an infinity where there is no element.
func Extreme[F float](x []F, largest bool) F {
	f, best := loopMaxNaNFloat32, F(math.Inf(-1))
	if !largest {
		f, best = loopMinNaNFloat32, F(math.Inf(1))
	}
	var lanes [256]float32 // the extremes of every 256th element
	if singles, ok := any(x).([]float32); ok && withVectors && len(x) >= 2*len(lanes) {
		n := copy(lanes[:], singles)
		for ; n+len(lanes) <= len(x); n += len(lanes) {
			runOver(f, lanes[:], lanes[:], singles[n:], lanes[:0])
		}
		x = x[n:]
		for n = len(lanes) / 2; n >= 32; n /= 2 {
			runOver(f, lanes[:n], lanes[:n], lanes[n:], lanes[:0])
		}
		best = F(Extreme(lanes[:2*n], largest))
	}
	for _, v := range x {
		if largest && !(v <= best) || !largest && !(v >= best) {
			if best != best {
				break
			}
			best = v
		}
	}
	return best
}

// Sum adds x up in fp64, in four sums in turns, so that additions overlap.
func Sum[F float](x []F) float64 {
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
