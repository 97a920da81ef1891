package exact

import (
	"math"
	"math/bits"
	"strconv"
)

// Number is what a float means: an integer modulo p⁴, or one of the numbers from modulus on. Values are equal where they
// are modulo p³ (Equal), since a logarithm is known only so far.
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

// Of is what a value means that is an input or a constant. People and compilers round the same constant in fp32 or fp64
// and print so many digits of it; so an inverse or a root of a natural number, a multiple by a power of two of log2(e)
// or its inverse, and a decimal fraction of six digits are what they were before they were rounded. Integers and
// fractions of few bits are themselves.
func Of(v float64) Number {
	switch {
	case v != v:
		return nan
	case v > math.MaxFloat64:
		return plusInf
	case v < -math.MaxFloat64:
		return minusInf
	case v < 0:
		return neg(Of(-v))
	case v == math.Trunc(v) && v < 1<<53:
		return Number(v) % modulus
	}
	mantissa, exponent := math.Frexp(v)
	if scaled := math.Ldexp(mantissa, 12); scaled == math.Trunc(scaled) {
		return mul(Number(scaled), twoTo(exponent-12))
	}
	if n := math.Round(1 / v); n <= maxNatural && isClose(1/v, n) {
		return inverse(Number(n))
	}
	for _, c := range []struct {
		of float64
		is func() Number
	}{{math.Log2E, log2e}, {math.Ln2, func() Number { return inverse(log2e()) }}} {
		ratio := v / c.of
		if n := math.Round(math.Log2(ratio)); isClose(ratio, math.Exp2(n)) {
			return mul(c.is(), twoTo(int(n)))
		}
	}
	if n := math.Round(v * v); n >= 2 && n <= maxNatural && isClose(v, math.Sqrt(n)) {
		return root(Number(n)) &^ marks
	}
	if n := math.Round(1 / (v * v)); n >= 2 && n <= maxNatural && isClose(v, 1/math.Sqrt(n)) {
		return inverse(root(Number(n)) &^ marks)
	}
	return decimal(v)
}

// twoTo is 2^n.
func twoTo(n int) Number {
	if n < 0 {
		return inverse(power(2, uint64(-n)))
	}
	return power(2, uint64(n))
}

// decimal is a number rounded to six digits.
func decimal(v float64) Number {
	text := strconv.AppendFloat(nil, v, 'e', 5, 64) // d.ddddde±dd
	digits := Number(text[0] - '0')
	for _, c := range text[2:7] {
		digits = 10*digits + Number(c-'0')
	}
	n, _ := strconv.Atoi(string(text[8:]))
	if n -= 5; n < 0 {
		return div(digits, power(10, uint64(-n)))
	}
	return mul(digits, power(10, uint64(n)))
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
