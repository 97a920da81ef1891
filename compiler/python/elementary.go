package python

import "math"

// The elementary functions of module math, computed to about 100 bits and rounded once: what C libraries print,
// whose errors stay within 0.51 to 0.55 units in the last place, and what package math's do not always give.

// pair is the sum of two floats, the second at most half a unit in the last place of the first: 106 bits.
type pair struct{ high, low float64 }

// sumOf is a + b exactly (Knuth's TwoSum).
func sumOf(a, b float64) pair {
	s := a + b
	t := s - a
	return pair{s, (a - (s - t)) + (b - t)}
}

// productOf is a · b exactly.
func productOf(a, b float64) pair {
	p := a * b
	return pair{p, math.FMA(a, b, -p)}
}

func (x pair) plus(y pair) pair {
	s, t := sumOf(x.high, y.high), sumOf(x.low, y.low)
	s = sumOf(s.high, s.low+t.high)
	return sumOf(s.high, s.low+t.low)
}

func (x pair) negated() pair      { return pair{-x.high, -x.low} }
func (x pair) minus(y pair) pair  { return x.plus(y.negated()) }
func (x pair) scaled(by int) pair { return pair{math.Ldexp(x.high, by), math.Ldexp(x.low, by)} }
func (x pair) rounded() float64   { return x.high + x.low }

func (x pair) times(y pair) pair {
	p := productOf(x.high, y.high)
	return sumOf(p.high, p.low+(float64(x.high*y.low)+float64(x.low*y.high)))
}

func (x pair) over(y pair) pair {
	q := x.high / y.high
	r := x.minus(y.times(pair{high: q}))
	q2 := r.high / y.high
	r = r.minus(y.times(pair{high: q2}))
	s := sumOf(q, q2)
	return sumOf(s.high, s.low+r.high/y.high)
}

func exactly(x float64) pair { return pair{high: x} }

// The constants as pairs; halfPi to three floats, for arguments of many turns.
var (
	pairLn2 = pair{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	halfPi  = [3]float64{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110}
)

// expMinusOne is e^t - 1 for |t| ≤ ln 2 / 2: by the series at t/256, squared eight times.
func expMinusOne(t pair) pair {
	const halvings = 8
	r := t.scaled(-halvings)
	s, term := r, r
	for n := 2.0; n <= 11; n++ {
		term = term.times(r).over(exactly(n))
		s = s.plus(term)
	}
	for range halvings { // (1+s)² - 1
		s = s.plus(s).plus(s.times(s))
	}
	return s
}

// expSplit splits e^t into 2^k · (1 + s).
func expSplit(t pair) (k int, s pair) {
	n := math.Round(t.high / math.Ln2)
	return int(n), expMinusOne(t.minus(pairLn2.times(exactly(n))))
}

// Exp is e^x.
func Exp(x float64) float64 {
	if x-x != 0 || math.Abs(x) > 746 {
		return math.Exp(x)
	}
	return expOf(exactly(x))
}

func expOf(t pair) float64 {
	k, s := expSplit(t)
	return math.Ldexp(exactly(1).plus(s).rounded(), k)
}

func exp2(x float64) float64 {
	if x-x != 0 || x == math.Trunc(x) || math.Abs(x) > 1100 {
		return math.Exp2(x)
	}
	whole := math.Round(x)
	return math.Ldexp(exactly(1).plus(expMinusOne(pairLn2.times(exactly(x-whole)))).rounded(), int(whole))
}

// logPair is ln x as a multiple of ln 2 and the logarithm of a number near 1: 2·atanh((m-1)/(m+1)) by its series.
func logPair(x pair) (e float64, ln pair) {
	m, k := math.Frexp(x.high)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	y := pair{m, math.Ldexp(x.low, -k)}
	f := y.minus(exactly(1)).over(y.plus(exactly(1)))
	square := f.times(f)
	term := f.plus(f)
	ln = term
	for n := 3.0; math.Abs(term.high) > math.Abs(ln.high)*0x1p-106; n += 2 {
		term = term.times(square)
		ln = ln.plus(term.over(exactly(n)))
	}
	return float64(k), ln
}

// Log is the natural logarithm.
func Log(x float64) float64 {
	if x-x != 0 || x <= 0 {
		return math.Log(x)
	}
	e, ln := logPair(exactly(x))
	return pairLn2.times(exactly(e)).plus(ln).rounded()
}

func log2(x float64) float64 {
	if x-x != 0 || x <= 0 {
		return math.Log2(x)
	}
	e, ln := logPair(exactly(x))
	return exactly(e).plus(ln.over(pairLn2)).rounded()
}

// quarterTurns reduces an angle to |r| ≤ π/4 and a number of quarter turns.
func quarterTurns(x float64) (quarter int, r pair) {
	k := math.Round(x * (2 / math.Pi))
	r = exactly(x)
	for _, part := range halfPi {
		r = r.minus(productOf(k, part))
	}
	return int(int64(k) & 3), r
}

// sinCos are the sine and the cosine of |r| ≤ π/4 by their series.
func sinCos(r pair) (sin, cos pair) {
	square := r.times(r).negated()
	sin, cos = r, exactly(1)
	s, c := r, exactly(1)
	for n := 1.0; n < 28; n += 2 {
		c = c.times(square).over(exactly(n * (n + 1)))
		s = s.times(square).over(exactly((n + 1) * (n + 2)))
		cos, sin = cos.plus(c), sin.plus(s)
	}
	return sin, cos
}

// manyTurns is the angle beyond which quarterTurns loses digits.
const manyTurns = 1 << 30

// sinCosOf are the sine and cosine of any angle up to manyTurns.
func sinCosOf(x float64) (sin, cos pair) {
	quarter, r := quarterTurns(x)
	s, c := sinCos(r)
	switch quarter {
	case 1:
		return c, s.negated()
	case 2:
		return s.negated(), c.negated()
	case 3:
		return c.negated(), s
	}
	return s, c
}

// Sin is the sine of an angle in radians.
func Sin(x float64) float64 {
	if !(math.Abs(x) < manyTurns) || x == 0 {
		return math.Sin(x)
	}
	sin, _ := sinCosOf(x)
	return sin.rounded()
}

// Cos is the cosine of an angle in radians.
func Cos(x float64) float64 {
	if !(math.Abs(x) < manyTurns) {
		return math.Cos(x)
	}
	_, cos := sinCosOf(x)
	return cos.rounded()
}

func tan(x float64) float64 {
	if !(math.Abs(x) < manyTurns) || x == 0 {
		return math.Tan(x)
	}
	sin, cos := sinCosOf(x)
	return sin.over(cos).rounded()
}

// Atan2 is the angle of the point (x, y): package math's, corrected by one step of Newton's method.
func Atan2(y, x float64) float64 {
	estimate := math.Atan2(y, x)
	if x-x != 0 || y-y != 0 || x == 0 || y == 0 || math.Abs(x) > 1e100 || math.Abs(y) > 1e100 || math.Abs(y) < 1e-100 {
		return estimate
	}
	sin, cos := sinCosOf(estimate)
	px, py := exactly(x), exactly(y)
	error := py.times(cos).minus(px.times(sin)).over(px.times(cos).plus(py.times(sin)))
	return exactly(estimate).plus(error).rounded()
}

func atan(x float64) float64 { return Atan2(x, 1) }

func asin(x float64) float64 {
	estimate := math.Asin(x)
	if !(math.Abs(x) < 0.99) || math.Abs(x) < 1e-100 {
		return estimate
	}
	return asinPair(x, estimate).rounded()
}

func asinPair(x, estimate float64) pair {
	sin, cos := sinCosOf(estimate)
	return exactly(estimate).plus(exactly(x).minus(sin).over(cos))
}

func acos(x float64) float64 {
	if !(math.Abs(x) < 0.99) {
		return math.Acos(x)
	}
	return pair{halfPi[0], halfPi[1]}.minus(asinPair(x, math.Asin(x))).rounded()
}

// The functions below are those of fdlibm (Sun Microsystems 1993), which C libraries have to this day: their last
// digits follow from its formulas.

func sinh(x float64) float64 {
	a := math.Abs(x)
	if !(a < 22) || a < 0x1p-28 {
		return math.Sinh(x)
	}
	t, half := math.Expm1(a), math.Copysign(0.5, x)
	if a < 1 {
		return half * (2*t - float64(t*t)/(t+1))
	}
	return half * (t + t/(t+1))
}

func cosh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case !(a < 22):
		return math.Cosh(x)
	case a < 0.5*math.Ln2:
		t := math.Expm1(a)
		w := 1 + t
		return 1 + float64(t*t)/(w+w)
	}
	t := Exp(a)
	return 0.5*t + 0.5/t
}

func tanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case !(a < 22) || a < 0x1p-55:
		return math.Tanh(x)
	case a >= 1:
		return math.Copysign(1-2/(math.Expm1(2*a)+2), x)
	}
	t := math.Expm1(-2 * a)
	return math.Copysign(-t/(t+2), x)
}

func log10(x float64) float64 {
	if x-x != 0 || x <= 0 {
		return math.Log10(x)
	}
	const log2High, log2Low = 3.01029995663611771306e-01, 3.69423907715893078616e-13 // log10(2)
	m, k := math.Frexp(x)
	if k > 0 { // the mantissa lies in [1, 2), below 1 in [1/2, 1)
		m, k = 2*m, k-1
	}
	y := float64(k)
	z := float64(y*log2Low) + float64(4.34294481903251816668e-01*Log(m))
	return z + float64(y*log2High)
}

func asinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case !(a < 0x1p28) || a < 0x1p-28:
		return math.Asinh(x)
	case a > 2:
		return math.Copysign(Log(2*a+1/(math.Sqrt(float64(x*x)+1)+a)), x)
	}
	t := x * x
	return math.Copysign(math.Log1p(a+t/(1+math.Sqrt(1+t))), x)
}

func acosh(x float64) float64 {
	switch {
	case !(x > 1) || x > 0x1p28:
		return math.Acosh(x)
	case x > 2:
		return Log(2*x - 1/(x+math.Sqrt(float64(x*x)-1)))
	}
	t := x - 1
	return math.Log1p(t + math.Sqrt(2*t+float64(t*t)))
}

// Cbrt is the cube root.
func Cbrt(x float64) float64 {
	root := math.Cbrt(x)
	if x-x != 0 || x == 0 || math.Abs(x) < 1e-300 {
		return root
	}
	square := productOf(root, root)
	error := square.times(exactly(root)).minus(exactly(x)).over(square.times(exactly(3)))
	return exactly(root).minus(error).rounded()
}
