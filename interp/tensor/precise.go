package tensor

import "math"

// pair is an unevaluated sum of two float64, some 106 bits (Dekker, 1971). The libm behind torch
// rounds log, sin and cos correctly but for rare cases; these do as well, where Go's own are off
// by an ulp now and then.
type pair struct{ hi, lo float64 }

func fastTwoSum(a, b float64) pair {
	s := a + b
	return pair{s, b - (s - a)} // exact where |a| >= |b|
}

func twoSum(a, b float64) pair {
	s := a + b
	t := s - a // Knuth's, for any a and b
	return pair{s, (a - (s - t)) + (b - t)}
}

func twoProduct(a, b float64) pair {
	p := float64(a * b) // rounded here: fused with what follows, the rest would be 0
	return pair{p, math.FMA(a, b, -p)}
}

func (x pair) add(y pair) pair {
	s := twoSum(x.hi, y.hi)
	return fastTwoSum(s.hi, s.lo+x.lo+y.lo)
}

func (x pair) mul(y pair) pair {
	p := twoProduct(x.hi, y.hi)
	return fastTwoSum(p.hi, p.lo+float64(x.hi*y.lo)+float64(x.lo*y.hi))
}

func (x pair) div(y pair) pair {
	q := x.hi / y.hi
	r := x.add(y.mul(pair{-q, 0})) // the remainder corrects the quotient
	return fastTwoSum(q, r.hi/y.hi)
}

// halfPi, in three parts that add up to π/2.
const (
	halfPi1 = 0x1.921fb54442d18p+00
	halfPi2 = 0x1.1a62633145c07p-54
	ln2Hi   = 0x1.62e42fefa39efp-01
	ln2Lo   = 0x1.abc9e3b39803fp-56
)

// sincos64 is sine and cosine of x in [0, 2π].
func sincos64(x float64) (sin, cos float64) {
	// x = k·π/2 + r with |r| <= π/4, and r in two parts.
	k := math.Round(x / halfPi1)
	p := twoProduct(k, halfPi1)
	r := pair{x, 0}.add(pair{-p.hi, -p.lo}).add(twoProduct(-k, halfPi2))
	s, c := sinSeries(r), cosSeries(r)
	switch int(k) & 3 {
	case 1:
		s, c = c, -s
	case 2:
		s, c = -s, -c
	case 3:
		s, c = -c, s
	}
	return s, c
}

func sinSeries(r pair) float64 { return taylor(r, r, 1) }

func cosSeries(r pair) float64 { return taylor(r, pair{1, 0}, 0) }

// taylor sums term − term·r²/((n+1)(n+2)) + …, which is sine from (r, 1) and cosine from (1, 0).
func taylor(r, term pair, n float64) float64 {
	square := r.mul(r)
	square.hi, square.lo = -square.hi, -square.lo
	sum := term
	for ; n < 30; n += 2 {
		term = term.mul(square).div(pair{(n + 1) * (n + 2), 0})
		sum = sum.add(term)
	}
	return sum.hi
}

// log64 is the natural logarithm of a positive normal x.
func log64(x float64) float64 {
	// log(m·2^e) = e·log 2 + 2·artanh(z), where z = (m-1)/(m+1); m is near 1, so the series is short.
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = m*2, e-1
	}
	z := pair{m - 1, 0}.div(twoSum(m, 1))
	square, power := z.mul(z), z
	sum := z
	for n := 3.0; n < 61; n += 2 {
		power = power.mul(square)
		sum = sum.add(power.div(pair{n, 0}))
	}
	sum = sum.add(sum)
	scale := twoProduct(float64(e), ln2Hi)
	return scale.add(pair{float64(float64(e) * ln2Lo), 0}).add(sum).hi
}
