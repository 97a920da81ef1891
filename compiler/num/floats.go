package num

import "math"

type float interface{ float32 | float64 }

func addFloat[F float](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

func subFloat[F float](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] - y[i]
	}
}

func mulFloat[F float](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

func divFloat[F float](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] / y[i]
	}
}

// remFloat32 computes x % y as the GPU does: x - y*trunc(x/y) with the last step rounded once,
// and x where y is infinite. It is fmod as long as the quotient is small, zeros lose their sign,
// and a large quotient's rounding shows. The recorded results of Triton agree bit for bit.
func remFloat32(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		a, b := x[i], y[i]
		if math.IsInf(float64(b), 0) {
			dst[i] = a
			continue
		}
		dst[i] = Fma32(-float32(math.Trunc(float64(a/b))), b, a)
	}
}

// remFloat64 is remFloat32 in fp64.
func remFloat64(dst, x, y []float64) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		a, b := x[i], y[i]
		if math.IsInf(b, 0) {
			dst[i] = a
			continue
		}
		dst[i] = math.FMA(-math.Trunc(a/b), b, a)
	}
}

// Go's min and max order -0 below +0. The bits of the NaN that they give depend on the processor: here it is the first.

func minPropagate[F float](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		m := min(x[i], y[i])
		if m != m {
			m = firstNaN(x[i], y[i])
		}
		dst[i] = m
	}
}

func maxPropagate[F float](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		m := max(x[i], y[i])
		if m != m {
			m = firstNaN(x[i], y[i])
		}
		dst[i] = m
	}
}

// A NaN is rare, so the variants that ignore it look for one after the fact.

func minNumber[F float](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		m := min(x[i], y[i])
		if m != m {
			m = number(x[i], y[i])
		}
		dst[i] = m
	}
}

func maxNumber[F float](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		m := max(x[i], y[i])
		if m != m {
			m = number(x[i], y[i])
		}
		dst[i] = m
	}
}

// number is a unless it is NaN.
func number[F float](a, b F) F {
	if a != a {
		return b
	}
	return a
}

// firstNaN is a if it is a NaN, else b.
func firstNaN[F float](a, b F) F {
	if a != a {
		return a
	}
	return b
}

func floatBinary[F float](rem func(dst, x, y []F)) [NumBinaryOps]func(dst, x, y []F) {
	return [NumBinaryOps]func(dst, x, y []F){
		Add: addFloat[F], Sub: subFloat[F], Mul: mulFloat[F],
		Div: divFloat[F], DivRN: divFloat[F], Rem: rem,
		Min: minNumber[F], Max: maxNumber[F], MinNaN: minPropagate[F], MaxNaN: maxPropagate[F],
	}
}

func fmaFloat64(dst, x, y, z []float64) {
	x, y, z = x[:len(dst)], y[:len(dst)], z[:len(dst)]
	for i := range dst {
		dst[i] = math.FMA(x[i], y[i], z[i])
	}
}

// Fma32 is x*y+z rounded once. The product of two fp32 is exact in fp64, and rounding the sum twice goes wrong only
// where fp64 has it in the middle between two fp32: there, and where fp32 has fewer bits, it is rounded to odd first.
func Fma32(x, y, z float32) float32 {
	const middle, dropped, smallest = 1 << 28, 1<<29 - 1, (1023 - 126) << 53 // the bits of 2^-126, without the sign
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	if u := math.Float64bits(s); u&dropped != middle && u<<1-1 >= smallest-1 { // of 0, u<<1-1 is the largest
		return float32(s)
	}
	return float32(addOdd(p, c))
}

// addOdd is a+b with the last bit set where the sum is not exact (Boldo and Melquiond,
// "Emulation of FMA and correctly rounded sums", 2008).
func addOdd(a, b float64) float64 {
	s := a + b
	t := s - a
	e := (a - (s - t)) + (b - t)
	if e == 0 || e != e {
		return s
	}
	bits := math.Float64bits(s)
	if bits&1 == 0 {
		if (e > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
	}
	return math.Float64frombits(bits)
}

func fmaFloat32(dst, x, y, z []float32) {
	x, y, z = x[:len(dst)], y[:len(dst)], z[:len(dst)]
	for i := range dst {
		dst[i] = Fma32(x[i], y[i], z[i])
	}
}

// fmaNarrow rounds x*y+z once to f. The product of two narrow floats is exact in fp32 and
// fp64; the sum is rounded to odd on its way down.
func fmaNarrow(f *format, dst, x, y, z []float32) {
	x, y, z = x[:len(dst)], y[:len(dst)], z[:len(dst)]
	for i := range dst {
		dst[i] = roundOdd(addOdd(float64(x[i])*float64(y[i]), float64(z[i])))
	}
	f.roundTo(dst)
}
