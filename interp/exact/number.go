package exact

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Number is what a float means: an integer modulo p⁴, or one of the numbers from modulus on. Values are equal where
// they are modulo p³ (Equal), since a logarithm is known only so far.
//
// An odd modulus has halves and tenths, so that every decimal fraction is a number and sums and products are those of
// the reals. All but one in p numbers have an inverse. A power of a prime has an exponential function besides, which a
// prime has not: (1+p)^a for a modulo p³, with exp(a+b) = exp(a)·exp(b), and a logarithm that undoes it. Where p is
// 3 modulo 4, the squares have square roots with sqrt(x)·sqrt(y) = sqrt(x·y), too.
type Number uint64

const (
	// p is the prime below 2^(62/4), which leaves two bits, of 7 modulo 8 for which the most small primes, 2 to 17, are
	// squares.
	p       = 42719
	modulus = p * p * p * p
	cube    = p * p * p

	half  Number = (modulus + 1) / 2       // 1/2
	third Number = modulus - (modulus-1)/3 // 1/3, as the modulus is one more than a multiple of 6
	sixth Number = modulus - (modulus-1)/6 // 1/6

	plusInf  Number = modulus
	minusInf Number = modulus + 1
	nan      Number = modulus + 2
	// Unknown is what is not followed.
	Unknown Number = modulus + 3

	// doubt marks a number that may as well be another one: of two expressions that mean the same, it need not be of
	// both.
	doubt Number = 1 << 63
	// imaginary marks a number that was made of the root of one that has none: the product of two is in doubt.
	imaginary Number = 1 << 62

	marks = doubt | imaginary
)

// Equal reports whether two numbers mean the same. Unknown ones do not.
func Equal(x, y Number) bool {
	x, y = x&^marks, y&^marks
	if x >= modulus || y >= modulus {
		return x == y && x != Unknown
	}
	return x%cube == y%cube
}

func (x Number) finite() bool { return x&^marks < modulus }

func add(x, y Number) Number {
	if x >= modulus-y {
		return x - (modulus - y)
	}
	return x + y
}

func neg(x Number) Number {
	if x == 0 {
		return 0
	}
	return modulus - x
}

func sub(x, y Number) Number { return add(x, neg(y)) }

func mul(x, y Number) Number {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	_, rest := bits.Div64(hi, lo, modulus)
	return Number(rest)
}

func power(x Number, n uint64) Number {
	out := Number(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out = mul(out, x)
		}
		x = mul(x, x)
	}
	return out
}

// inverse is 1/x. Of a multiple of p, which has none, it is a function of x and no more.
func inverse(x Number) Number {
	if x%p == 0 {
		return opaque("inverse", x)
	}
	y := powerModulo(x%p, p-2) // Fermat's theorem
	for range 2 {              // Newton's iteration, which doubles the digits in base p
		y = mul(y, sub(2, mul(x, y)))
	}
	return y
}

func div(x, y Number) Number { return mul(x, inverse(y)) }

// exp is (1+p)^x: the first four terms of the binomial series, whose others are multiples of p⁴.
func exp(x Number) Number {
	x %= cube
	second := mul(mul(x, sub(x, 1)), half)
	third := mul(mul(mul(x, sub(x, 1)), sub(x, 2)), sixth)
	return add(add(1, mul(p, x)), add(mul(p*p, second), mul(p*p*p, third)))
}

// log is the a for which exp(a) is x, but for a factor that is a root of unity. It is modulo p³, and log(x·y) is
// log(x) + log(y).
func log(x Number) Number {
	if x%p == 0 {
		return opaque("log", x)
	}
	series := func(x Number) Number { // of the logarithm of 1 + p·t, divided by p
		t := (x - 1) / p
		return add(t, add(neg(mul(mul(p, mul(t, t)), half)), mul(mul(p*p, mul(t, mul(t, t))), third))) % cube
	}
	return div(div(series(power(x, p-1)), series(1+p)), p-1) % cube
}

// opaque is a function of which nothing is known but its name: equal arguments give equal results. They have inverses.
func opaque(name string, args ...Number) Number {
	h := uint64(14695981039346656037) // FNV-1a, and the finalizer of SplitMix64
	for _, c := range []byte(name) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	for _, x := range args {
		h = mix(h ^ mix(uint64(x%cube)))
	}
	x := Number(h % modulus)
	if x%p == 0 {
		x++
	}
	return x
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// log2e is the number that stands for the binary logarithm of e. It is no fraction.
func log2e() Number { return opaque("log2e") }

func exp2(x Number) Number { return exp(div(x, log2e())) }

// root is the square root of a number, the one that is a square itself. Half of the numbers have none: -x is a square
// then, and x has its root times a number that stands for that of -1. The square of that is not -1.
func root(x Number) Number {
	if r, ok := squareRoot(x); ok {
		return r
	}
	if r, ok := squareRoot(neg(x)); ok {
		return mul(r, opaque("i")) | imaginary
	}
	return opaque("sqrt", x) | imaginary // x is a multiple of p
}

func squareRoot(x Number) (r Number, ok bool) {
	if x == 0 {
		return 0, true
	}
	y := powerModulo(x%p, (p-3)/4) // 1/sqrt(x) modulo p
	if y*y%p*(x%p)%p != 1 {
		return 0, false
	}
	for range 2 { // Newton's iteration for it, which doubles the digits in base p
		y = mul(mul(y, sub(3, mul(x, mul(y, y)))), half)
	}
	return mul(x, y), true
}

// powerModulo is x^n modulo p.
func powerModulo(x Number, n uint64) Number {
	y := Number(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			y = y * x % p
		}
		x = x * x % p
	}
	return y
}

// closeTo is a bit more than half a unit in the last place of fp32, relative to a number: what a constant may be off.
const closeTo = 1e-7

// isClose reports whether x is y but for the rounding of a constant.
func isClose(x, y float64) bool { return math.Abs(x-y) <= closeTo*math.Abs(y) }

// maxNatural bounds the natural numbers whose inverses and roots constants are taken for.
const maxNatural = 1 << 16

// Of is what a constant means. People and compilers round the same constant in fp32 or fp64 and print so many digits of
// it; so what is near enough to one that people compute with is that: the inverse or the root of a natural number, a
// decimal fraction of a few digits, and these times log2(e), sqrt(pi) and their kin. Others are decimals of six digits.
func Of(v float64) Number {
	if x, ok := few(v); ok {
		return x
	}
	if v < 0 {
		return neg(Of(-v))
	}
	if x, ok := simple(v); ok {
		return x
	}
	for _, c := range transcendental {
		ratio := v / c.value
		mantissa, exponent := math.Frexp(ratio)
		if scaled := math.Round(math.Ldexp(mantissa, fewBits)); isClose(math.Ldexp(mantissa, fewBits), scaled) {
			return mul(c.number(), mul(Number(scaled), twoTo(exponent-fewBits)))
		}
		if x, ok := simple(ratio); ok {
			return mul(c.number(), x)
		}
	}
	return decimal(v, 6)
}

// input is what a value in memory means: a function of it, unless it is a number that people compute with.
func input(v float64) Number {
	if x, ok := few(v); ok {
		return x
	}
	return opaque("input", Number(math.Float64bits(v)))
}

// fewBits is how many a fraction has that is itself, whoever rounds it.
const fewBits = 12

// few is an integer, a fraction of few bits, or no finite number.
func few(v float64) (x Number, ok bool) {
	mantissa, exponent := math.Frexp(v)
	scaled := math.Ldexp(mantissa, fewBits)
	switch {
	case v != v:
		return nan, true
	case v > math.MaxFloat64:
		return plusInf, true
	case v < -math.MaxFloat64:
		return minusInf, true
	case v == math.Trunc(v) && math.Abs(v) < 1<<53:
		x = Number(math.Abs(v)) % modulus
	case scaled == math.Trunc(scaled):
		x = mul(Number(math.Abs(scaled)), twoTo(exponent-fewBits))
	default:
		return 0, false
	}
	if v < 0 {
		x = neg(x)
	}
	return x, true
}

// simple is the inverse of a natural number, a decimal fraction of at most five digits, or the root of a natural number
// or its inverse.
func simple(v float64) (x Number, ok bool) {
	// natural is the number that is near x, which v makes by a function whose inverse is of.
	natural := func(x float64, of func(n float64) float64) (Number, bool) {
		n := math.Round(x)
		return Number(n), n >= 1 && n <= maxNatural && isClose(v, of(n))
	}
	if n, ok := natural(1/v, func(n float64) float64 { return 1 / n }); ok {
		return inverse(n), true
	}
	if short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 4, 64), 64); isClose(v, short) {
		return decimal(v, 5), true
	}
	if n, ok := natural(v*v, math.Sqrt); ok {
		return root(n) &^ marks, true
	}
	if n, ok := natural(1/(v*v), func(n float64) float64 { return 1 / math.Sqrt(n) }); ok {
		return inverse(root(n) &^ marks), true
	}
	return 0, false
}

// transcendental are the numbers by which people multiply others.
var transcendental = []struct {
	value  float64
	number func() Number
}{
	{math.Log2E, log2e},
	{math.Ln2, func() Number { return inverse(log2e()) }},
	{math.Pi, func() Number { return mul(rootOfPi(), rootOfPi()) }},
	{1 / math.Pi, func() Number { return inverse(mul(rootOfPi(), rootOfPi())) }},
	{math.SqrtPi, rootOfPi},
	{1 / math.SqrtPi, func() Number { return inverse(rootOfPi()) }},
	{math.Sqrt2 / math.SqrtPi, func() Number { return div(root(2), rootOfPi()) }},
	{math.Sqrt2 * math.SqrtPi, func() Number { return mul(root(2), rootOfPi()) }},
}

// rootOfPi is a square, so that it is the root of its own square.
func rootOfPi() Number { return mul(opaque("pi"), opaque("pi")) }

// twoTo is 2^n.
func twoTo(n int) Number {
	if n < 0 {
		return inverse(power(2, uint64(-n)))
	}
	return power(2, uint64(n))
}

// decimal is a positive number rounded to some digits.
func decimal(v float64, digits int) Number {
	text := strconv.FormatFloat(v, 'e', digits-1, 64) // d.ddd…e±dd
	mantissa, exponent, _ := strings.Cut(text, "e")
	whole, _ := strconv.ParseUint(strings.Replace(mantissa, ".", "", 1), 10, 64)
	n, _ := strconv.Atoi(exponent)
	if n -= digits - 1; n < 0 {
		return div(Number(whole), power(10, uint64(-n)))
	}
	return mul(Number(whole), power(10, uint64(n)))
}

// signatureBits are the low bits modulo p³ that mark a number which was rounded to a narrow dtype.
const signatureBits = 16

// rounded is what x becomes in a dtype of fewer than 32 bits, where its value is v: itself where it is that value, or
// was rounded to the dtype before, and else a function of x.
func rounded(x Number, dtype string, v float64) Number {
	kept := x & marks
	x &^= marks
	signature := opaque("signature", opaque(dtype)) % (1 << signatureBits)
	is := func(x Number) bool { return x%cube%(1<<signatureBits) == signature }
	if Equal(x, Of(v)) || is(x) || is(neg(x)) {
		return x | kept
	}
	y := opaque("round", opaque(dtype), x) % cube
	y = y>>signatureBits<<signatureBits | signature
	for y%p == 0 || y >= cube {
		y = (y + 1<<signatureBits) % (cube >> signatureBits << signatureBits)
	}
	return y | kept
}
