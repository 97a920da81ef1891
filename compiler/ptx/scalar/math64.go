package scalar

import (
	"math"

	"github.com/newtlab/newt/compiler/ptx/asm"
)

// Functions of fp64, of which the hardware has none but the square root. Series are Taylor's.

func (g gen) horner64(z asm.Reg, c ...float64) asm.Reg {
	sum := any(c[0])
	for _, v := range c[1:] {
		sum = g.do("fma.rn.f64", z, sum, v)
	}
	return sum.(asm.Reg)
}

// taylorExp are the inverses of the factorials of 13 down to 0.
var taylorExp = func() (c []float64) {
	f := 1.0
	c = []float64{1}
	for n := 1.0; n <= 13; n++ {
		f *= n
		c = append([]float64{1 / f}, c...)
	}
	return c
}()

// The logarithm of 2 in two parts, the first cut to 33 bits: its products with exponents are exact.
const (
	ln2High = 0x1.62e42feep-1
	ln2Low  = math.Ln2 - ln2High
)

// expLimit is past every exponent that matters, and cuts what a 32-bit integer would not hold.
const expLimit = 1100

func exp64(g gen, x []asm.Reg) asm.Reg {
	v := g.clamp64(x[0], expLimit*math.Ln2)
	// x = k·log(2) + r; log(2) in two parts keeps r exact enough.
	k := g.do("cvt.rni.f64.f64", g.do("mul.rn.f64", v, math.Log2E))
	minus := g.do("neg.f64", k)
	r := g.do("fma.rn.f64", minus, ln2Low, g.do("fma.rn.f64", minus, ln2High, v))
	return g.scale64(g.horner64(r, taylorExp...), k)
}

func exp2of64(g gen, x []asm.Reg) asm.Reg {
	v := g.clamp64(x[0], expLimit)
	k := g.do("cvt.rni.f64.f64", v)
	r := g.do("mul.rn.f64", g.do("sub.rn.f64", v, k), math.Ln2)
	return g.scale64(g.horner64(r, taylorExp...), k)
}

// clamp64 brings x into [-limit, limit]; NaN stays.
func (g gen) clamp64(x asm.Reg, limit float64) asm.Reg {
	x = g.do("selp.f64", limit, x, g.do("setp.gt.f64", x, limit))
	return g.do("selp.f64", -limit, x, g.do("setp.lt.f64", x, -limit))
}

// scale64 is v·2^k for |k| up to 2·1023, in two steps so that subnormal results are reached. A NaN
// in k stands in v too.
func (g gen) scale64(v, k asm.Reg) asm.Reg {
	n := g.do("cvt.rzi.s32.f64", k)
	// 2^n itself may be out of range where v·2^n is not.
	first := g.do("shr.s32", n, 1)
	v = g.do("mul.rn.f64", v, g.powerOfTwo(first))
	return g.do("mul.rn.f64", v, g.powerOfTwo(g.do("sub.s32", n, first)))
}

func (g gen) powerOfTwo(n asm.Reg) asm.Reg {
	// the biased exponent in bits 52 to 62
	high := g.do("shl.b32", g.do("add.s32", n, 1023), 20)
	return g.pair("mov.b64", g.do("mov.b32", 0), high)
}

const halfRoot64 = 0x3fe6_a09e_667f_3bcd

// logParts64 is logParts32 for fp64.
func (g gen) logParts64(x asm.Reg) (f, rest, k asm.Reg) {
	tiny := g.do("setp.lt.f64", x, 0x1p-1022)
	v := g.do("selp.b64", g.do("mul.rn.f64", x, 0x1p54), x, tiny)
	e := g.do("shr.s64", g.do("sub.s64", v, halfRoot64), 52)
	m := g.do("sub.s64", v, g.do("shl.b64", e, 52))
	e = g.do("sub.s64", e, g.do("selp.b64", 54, 0, tiny))
	f = g.do("add.rn.f64", m, -1.0)
	s := g.do("div.rn.f64", f, g.do("add.rn.f64", f, 2.0))
	z := g.do("mul.rn.f64", s, s)
	series := g.do("mul.rn.f64", z, g.horner64(z,
		2./23, 2./21, 2./19, 2./17, 2./15, 2./13, 2./11, 2./9, 2./7, 2./5, 2./3))
	half := g.do("mul.rn.f64", g.do("mul.rn.f64", f, 0.5), f)
	rest = g.do("sub.rn.f64", g.do("mul.rn.f64", s, g.do("add.rn.f64", half, series)), half)
	return f, rest, g.do("cvt.rn.f64.s64", e)
}

// unlessSpecial64 is v where x is a positive finite number, else what any logarithm is.
func (g gen) unlessSpecial64(x, v asm.Reg) asm.Reg {
	usual := g.do("setp.lt.u64", g.do("sub.s64", x, 1), 0x7fef_ffff_ffff_ffff)
	zero := g.do("setp.eq.f64", x, 0.0)
	negative := g.do("setp.lt.f64", x, 0.0)
	other := g.do("selp.f64", math.NaN(), x, negative)
	other = g.do("selp.f64", math.Inf(-1), other, zero)
	return g.do("selp.b64", v, other, usual)
}

func log64(g gen, x []asm.Reg) asm.Reg {
	f, rest, k := g.logParts64(x[0])
	rest = g.do("fma.rn.f64", k, ln2Low, rest)
	return g.unlessSpecial64(x[0], g.do("fma.rn.f64", k, ln2High, g.do("add.rn.f64", f, rest)))
}

func log2of64(g gen, x []asm.Reg) asm.Reg {
	f, rest, k := g.logParts64(x[0])
	v := g.do("fma.rn.f64", g.do("add.rn.f64", f, rest), math.Log2E, k)
	return g.unlessSpecial64(x[0], v)
}

func sin64(g gen, x []asm.Reg) asm.Reg { return g.wave64(x[0], 0) }

func cos64(g gen, x []asm.Reg) asm.Reg { return g.wave64(x[0], 1) }

// farWave64 is where taking π/2 off in three parts ends; they would do to some 2^40.
const farWave64 = 1 << 30

// wave64 is the sine of x plus quarter turns.
func (g gen) wave64(x asm.Reg, quarter int) asm.Reg {
	const middle, tail = 6.123233995736766e-17, -1.4973849048591698e-33
	k := g.do("cvt.rni.f64.f64", g.do("mul.rn.f64", x, 2/math.Pi))
	minus := g.do("neg.f64", k)
	near := g.do("fma.rn.f64", minus, math.Pi/2, x)
	near = g.do("fma.rn.f64", minus, tail, g.do("fma.rn.f64", minus, middle, near))
	r, n := g.Reg(asm.B64), g.Reg(asm.B32)
	g.Move(r, asm.R(near))
	g.Move(n, asm.R(g.do("cvt.rzi.s32.f64", k)))
	far := g.do("setp.gt.f64", g.do("abs.f64", x), float64(farWave64))
	g.Unless(far, true, func() {
		far := g.reduceFar64(x)
		g.Move(r, asm.R(far.rest))
		g.Move(n, asm.R(far.turns))
	})
	turns := g.do("add.s32", n, quarter)
	z := g.do("mul.rn.f64", r, r)
	sine := g.horner64(z, 1./355687428096000, -1./1307674368000, 1./6227020800, -1./39916800, 1./362880, -1./5040,
		1./120, -1./6)
	sine = g.do("fma.rn.f64", g.do("mul.rn.f64", z, r), sine, r)
	cosine := g.horner64(z, 1./20922789888000, -1./87178291200, 1./479001600, -1./3628800, 1./40320, -1./720,
		1./24, -1./2, 1)
	odd := g.do("setp.ne.s32", g.do("and.b32", turns, 1), 0)
	v := g.do("selp.b64", cosine, sine, odd)
	sign := g.do("shl.b32", g.do("and.b32", turns, 2), 30)
	return g.do("xor.b64", v, g.pair("mov.b64", g.do("mov.b32", 0), sign))
}

func rsqrt64(g gen, x []asm.Reg) asm.Reg {
	return g.do("rcp.rn.f64", g.do("sqrt.rn.f64", x[0]))
}

// taylorErf is erf(x)/x as a series in x².
var taylorErf = func() (c []float64) {
	f := 2 / math.SqrtPi
	c = []float64{f}
	for n := 1.0; n <= 20; n++ {
		f = -f / n
		c = append([]float64{f / (2*n + 1)}, c...)
	}
	return c
}()

// erf64 is a series up to 1, and from there 1 - exp(-x²)·p(1/(x+2)), p interpolating exp(x²)·erfc(x)
// at Chebyshev's nodes.
func erf64(g gen, x []asm.Reg) asm.Reg {
	a := g.do("abs.f64", x[0])
	small := g.do("mul.rn.f64", a, g.horner64(g.do("mul.rn.f64", a, a), taylorErf...))
	capped := g.clamp64(a, 6)
	t := g.do("rcp.rn.f64", g.do("add.rn.f64", capped, 2.0))
	p := g.horner64(t, 239.24359154423945785, 215.85104898857410531, -2450.2988006299558575,
		4797.2741217981972643, -4833.989244655832389,
		2937.7653633196817943, -1134.6489834653753882, 307.40451639653312119,
		-75.312703801981123684, 10.649750811070024813,
		1.3493059469349290605, 2.9420026589969953265, 1.9666731458010266367,
		1.1287410218432882574, 0.56417951985835079545, 1.2965841302986556289e-7)
	e := exp64(g, []asm.Reg{g.do("neg.f64", g.do("mul.rn.f64", capped, capped))})
	large := g.do("fma.rn.f64", g.do("neg.f64", e), p, 1.0)
	v := g.do("selp.b64", small, large, g.do("setp.lt.f64", a, 1.0))
	return g.do("copysign.f64", x[0], v)
}
