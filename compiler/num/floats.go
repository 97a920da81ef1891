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

func remFloat[F float](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = F(math.Mod(float64(x[i]), float64(y[i])))
	}
}

// Go's min and max propagate NaN and order -0 below +0.

func minPropagate[F float](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = min(x[i], y[i])
	}
}

func maxPropagate[F float](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = max(x[i], y[i])
	}
}

func minNumber[F float](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		a, b := x[i], y[i]
		switch {
		case a < b || b != b:
			dst[i] = a
		case b < a || a != a:
			dst[i] = b
		default: // equal: only zeros can differ
			dst[i] = min(a, b)
		}
	}
}

func maxNumber[F float](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		a, b := x[i], y[i]
		switch {
		case a > b || b != b:
			dst[i] = a
		case b > a || a != a:
			dst[i] = b
		default:
			dst[i] = max(a, b)
		}
	}
}

func floatBinary[F float]() [NumBinaryOps]func(dst, x, y []F) {
	return [NumBinaryOps]func(dst, x, y []F){
		Add: addFloat[F], Sub: subFloat[F], Mul: mulFloat[F],
		Div: divFloat[F], DivRN: divFloat[F], Rem: remFloat[F],
		Min: minNumber[F], Max: maxNumber[F], MinNaN: minPropagate[F], MaxNaN: maxPropagate[F],
	}
}

func fmaFloat64(dst, x, y, z []float64) {
	x, y, z = x[:len(dst)], y[:len(dst)], z[:len(dst)]
	for i := range dst {
		dst[i] = math.FMA(x[i], y[i], z[i])
	}
}

// fma32 rounds x*y+z once. The product of two fp32 is exact in fp64; the sum is rounded to odd,
// which makes the second rounding harmless.
func fma32(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
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
		dst[i] = fma32(x[i], y[i], z[i])
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
