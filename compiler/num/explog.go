package num

import "math"

// Exponentials and logarithms of fp32, computed in fp64 by short series: a result is rounded from
// one that is off by less than a hundredth of its last place. They are hot in softmax.
//
// Products are converted to float64 one by one so that no platform fuses them into sums:
// the same kernel gives the same bits everywhere.

// exp2Steps is the number of intervals that an octave is cut into.
const exp2Steps = 32

// exp2Table holds 2^(i/exp2Steps) as fp64 bits.
var exp2Table = func() (t [exp2Steps]uint64) {
	for i := range t {
		t[i] = math.Float64bits(math.Exp2(float64(i) / exp2Steps))
	}
	return t
}()

func exp32(dst, x []float32) { powers32(dst, x, exp2Steps*math.Log2E) }

func exp2of32(dst, x []float32) { powers32(dst, x, exp2Steps) }

// powers32 is powers where the processor may have vectors for the most part of it.
func powers32(dst, x []float32, steps float64) {
	n := 0
	if withVectors {
		n = vectorPowers(dst, x, steps, &exp2Table)
	}
	powers(dst[n:], x[n:], steps)
}

// ExpForFloat32 is the exponential of x in fp64, off by less than 2e-13 of it, and 0 or infinite where fp32 is: for
// what is rounded to fp32 or less in the end.
func ExpForFloat32(dst, x []float64) {
	x = x[:len(dst)]
	n := runOver(loopExp, dst, x, exp2Table[:], []byte(nil))
	powers(dst[n:], x[n:], exp2Steps*math.Log2E)
}

// ExpAbove sets dst to the exponentials of x - y. Those of fp32 are as ExpForFloat32 has them.
func ExpAbove[F float](dst []float64, x []F, y float64) {
	x = x[:len(dst)]
	switch x := any(x).(type) {
	case []float32:
		n := runOver(loopExpAbove, dst, x, exp2Table[:], []float64{y})
		AddNumber(dst[n:], x[n:], -y)
		powers(dst[n:], dst[n:], exp2Steps*math.Log2E)
	case []float64:
		for i, v := range x {
			dst[i] = math.Exp(v - y)
		}
	}
}

// powers computes 2^(x*steps/exp2Steps): the nearest interval's start from the table, the rest by
// five terms of the exponential series, whose remainder is below 2e-13.
func powers[F float](dst, x []F, steps float64) {
	const (
		round = 0x1.8p52 // adding and subtracting it rounds to an integer
		limit = 160 * exp2Steps
		ln2   = math.Ln2 / exp2Steps
	)
	x = x[:len(dst)]
	for i := range dst {
		t := float64(float64(x[i]) * steps)
		if !(t < limit && t > -limit) {
			dst[i] = F(beyond(t))
			continue
		}
		whole := t + round - round
		k := int64(whole)
		r := (t - whole) * ln2
		p := 1 + float64(r*(1+float64(r*(0.5+float64(r*(1.0/6+float64(r*(1.0/24))))))))
		scale := math.Float64frombits(exp2Table[k&(exp2Steps-1)] + uint64(k>>5)<<52)
		dst[i] = F(p * scale)
	}
}

// beyond is the power for an exponent past fp32's range, or NaN.
func beyond(t float64) float64 {
	switch {
	case t > 0:
		return math.Inf(1)
	case t < 0:
		return 0
	}
	return t
}

func log32(dst, x []float32) { logarithms(dst, x, math.Ln2, 2) }

func log2of32(dst, x []float32) { logarithms(dst, x, 1, 2*math.Log2E) }

// logarithms splits x into m * 2^k with m around 1 and adds k*octave to unit*artanh(s), where
// s = (m-1)/(m+1); seven terms of the series leave a remainder below 1e-12 of the result.
func logarithms(dst, x []float32, octave, unit float64) {
	const (
		halfRoot = 0x3fe6_a09e_667f_3bcd // sqrt(1/2): m lies in [sqrt(1/2), sqrt(2))
	)
	x = x[:len(dst)]
	for i := range dst {
		v := float64(x[i])
		if v != v {
			// As on vectors: without its sign, and quiet.
			dst[i] = math.Float32frombits(math.Float32bits(x[i])&^(1<<31) | 1<<22)
			continue
		}
		if !(v > 0 && v <= math.MaxFloat32) {
			dst[i] = float32(math.Log(v)) // ±0, negative or infinite: the same for every base
			continue
		}
		u := math.Float64bits(v)
		k := int64(u-halfRoot) >> 52
		m := math.Float64frombits(u - uint64(k)<<52)
		s := (m - 1) / (m + 1)
		z := s * s
		p := 1.0/9 + float64(z*(1.0/11+float64(z*(1.0/13))))
		p = 1.0/3 + float64(z*(1.0/5+float64(z*(1.0/7+float64(z*p)))))
		dst[i] = float32(float64(float64(k)*octave) + float64(unit*(s+float64(s*float64(z*p)))))
	}
}
