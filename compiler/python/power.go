package python

import (
	"math"
	"math/big"
)

// power is a to the b, correctly rounded but for the rarest cases: C libraries come that close, and
// math.Pow does not (100**1.5 would not be 1000).
func power(a, b float64) float64 {
	if a == 0 || a == 1 || b == 0 || a-a != 0 || b-b != 0 || a < 0 && b != math.Trunc(b) {
		return math.Pow(a, b)
	}
	sign := 1.0
	if a < 0 && math.Mod(b, 2) != 0 {
		sign = -1
	}
	a = math.Abs(a)
	switch estimate := b * math.Log2(a); {
	case estimate > 1100:
		return math.Inf(int(sign))
	case estimate < -1200:
		return math.Copysign(0, sign)
	}
	if b == math.Trunc(b) && math.Abs(b) <= exactExponent {
		return sign * powerExact(a, int(b))
	}
	t := logarithm(a)
	p, _ := exponential(t.Mul(t, new(big.Float).SetFloat64(b))).Float64()
	return sign * p
}

// exactExponent is the greatest exponent for which all digits are kept before rounding.
const exactExponent = 64

func powerExact(a float64, n int) float64 {
	x := new(big.Float).SetPrec(53 * exactExponent).SetFloat64(a)
	p := new(big.Float).SetPrec(53 * exactExponent).SetInt64(1)
	for range max(n, -n) {
		p.Mul(p, x)
	}
	if n < 0 {
		p.Quo(new(big.Float).SetPrec(53*exactExponent).SetInt64(1), p)
	}
	f, _ := p.Float64()
	return f
}

// workingBits is the precision of logarithm and exponential; 53 are wanted, 11 go to the exponent.
const workingBits = 192

func wide(x float64) *big.Float { return new(big.Float).SetPrec(workingBits).SetFloat64(x) }

var ln2 = atanhTwice(wide(1), wide(3))

// logarithm is ln(a) for a > 0: with a = m·2^e and m near 1, it is e·ln 2 + 2·atanh((m-1)/(m+1)).
func logarithm(a float64) *big.Float {
	m, e := math.Frexp(a)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	x := wide(m)
	fraction := atanhTwice(new(big.Float).Sub(x, wide(1)), new(big.Float).Add(x, wide(1)))
	return fraction.Add(fraction, new(big.Float).Mul(ln2, wide(float64(e))))
}

// atanhTwice is 2·atanh(p/q) for |p/q| ≤ 1/3, by its power series.
func atanhTwice(p, q *big.Float) *big.Float {
	z := new(big.Float).SetPrec(workingBits).Quo(p, q)
	square := new(big.Float).Mul(z, z)
	term := new(big.Float).Add(z, z)
	sum := new(big.Float).Set(term)
	for n := 3.0; term.Sign() != 0 && term.MantExp(nil) > sum.MantExp(nil)-workingBits; n += 2 {
		term.Mul(term, square)
		sum.Add(sum, new(big.Float).Quo(term, wide(n)))
	}
	return sum
}

// exponential is e^t: with t = k·ln 2 + r it is 2^k·e^r, and e^r = (e^(r/256))^256.
func exponential(t *big.Float) *big.Float {
	ratio, _ := new(big.Float).Quo(t, ln2).Float64()
	k := math.Round(ratio)
	const halvings = 8
	r := new(big.Float).Sub(t, new(big.Float).Mul(ln2, wide(k)))
	r.SetMantExp(r, -halvings)
	sum, term := wide(1), wide(1)
	for n := 1.0; term.Sign() != 0 && term.MantExp(nil) > -workingBits; n++ {
		term.Mul(term, r)
		term.Quo(term, wide(n))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum.SetMantExp(sum, int(k))
}
