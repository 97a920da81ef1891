package scalar

import (
	"math"

	"github.com/newtlab/newt/compiler/ptx/asm"
)

// Functions of fp32. Series are Taylor's; the two fits say so. Every step names its rounding, so
// that nothing is fused but what is written as fma.

// exp32 is what Triton emits: one product, one approximate power of two.
func exp32(g gen, x []asm.Reg) asm.Reg {
	return g.do("ex2.approx.ftz.f32", g.do("mul.f32", x[0], float32(math.Log2E)))
}

// horner32 is the polynomial in z whose coefficients, the highest first, are c.
func (g gen) horner32(z asm.Reg, c ...float32) asm.Reg {
	sum := any(c[0])
	for _, v := range c[1:] {
		sum = g.do("fma.rn.f32", z, sum, v)
	}
	return sum.(asm.Reg)
}

const halfRoot32 = 0x3f35_04f3 // sqrt(1/2): mantissas lie in [sqrt(1/2), sqrt(2))

// logParts32 splits x into m·2^k and gives f = m-1, log(m)-f and k as a float. What is not a
// positive finite number gives nonsense.
func (g gen) logParts32(x asm.Reg) (f, rest, k asm.Reg) {
	// Subnormals are scaled into the normal range, and the exponent corrected below.
	tiny := g.do("setp.lt.f32", x, float32(0x1p-126))
	v := g.do("selp.b32", g.do("mul.rn.f32", x, float32(0x1p23)), x, tiny)
	// The exponent such that the mantissa is in [sqrt(1/2), sqrt(2)): from the bits, without branches.
	e := g.do("shr.s32", g.do("sub.s32", v, halfRoot32), 23)
	m := g.do("sub.s32", v, g.do("shl.b32", e, 23))
	e = g.do("sub.s32", e, g.do("selp.b32", 23, 0, tiny))
	f = g.do("add.rn.f32", m, float32(-1))
	// log(m) = f - f²/2 + s·(f²/2 + 2z/3 + 2z²/5 + …) with s = f/(2+f), z = s².
	s := g.do("div.full.f32", f, g.do("add.rn.f32", f, float32(2)))
	z := g.do("mul.rn.f32", s, s)
	series := g.do("mul.rn.f32", z, g.horner32(z, 2./11, 2./9, 2./7, 2./5, 2./3))
	half := g.do("mul.rn.f32", g.do("mul.rn.f32", f, float32(0.5)), f)
	rest = g.do("sub.rn.f32", g.do("mul.rn.f32", s, g.do("add.rn.f32", half, series)), half)
	return f, rest, g.do("cvt.rn.f32.s32", e)
}

// unlessSpecial32 is v where x is a positive finite number, and the hardware's logarithm, which is
// right about everything else, where it is not.
func (g gen) unlessSpecial32(x, v asm.Reg) asm.Reg {
	// As integers, the positive finite floats are 1 to 0x7f7fffff.
	usual := g.do("setp.lt.u32", g.do("sub.s32", x, 1), 0x7f7f_ffff)
	return g.do("selp.b32", v, g.do("lg2.approx.f32", x), usual)
}

func log32(g gen, x []asm.Reg) asm.Reg {
	f, rest, k := g.logParts32(x[0])
	high := float32(0x1.62e4p-1) // log(2) cut so that its product with k is exact
	rest = g.do("fma.rn.f32", k, float32(math.Ln2-float64(high)), rest)
	return g.unlessSpecial32(x[0], g.do("fma.rn.f32", k, high, g.do("add.rn.f32", f, rest)))
}

func log2of32(g gen, x []asm.Reg) asm.Reg {
	f, rest, k := g.logParts32(x[0])
	high := float32(math.Log2E)
	// Double-float arithmetic: f + rest as sum + lost, times log2(e) as high + low.
	sum := g.do("add.rn.f32", f, rest)
	lost := g.do("add.rn.f32", g.do("sub.rn.f32", f, sum), rest)
	low := g.do("mul.rn.f32", sum, float32(math.Log2E-float64(high)))
	low = g.do("fma.rn.f32", lost, high, low)
	product := g.do("mul.rn.f32", sum, high)
	low = g.do("add.rn.f32", low, g.do("fma.rn.f32", sum, high, g.do("neg.f32", product)))
	// Fast two-sum: what k + product loses goes to low.
	total := g.do("add.rn.f32", k, product)
	low = g.do("add.rn.f32", low, g.do("add.rn.f32", g.do("sub.rn.f32", k, total), product))
	return g.unlessSpecial32(x[0], g.do("add.rn.f32", total, low))
}

func sin32(g gen, x []asm.Reg) asm.Reg { return g.wave32(x[0], 0) }

func cos32(g gen, x []asm.Reg) asm.Reg { return g.wave32(x[0], 1) }

// farWave32 is from where on the quarter turns in a number are too many for three steps.
const farWave32 = 1 << 16

// wave32 is the sine of x plus quarter turns.
func (g gen) wave32(x asm.Reg, quarter int) asm.Reg {
	const head, middle = float32(math.Pi / 2), float32(math.Pi/2 - float64(float32(math.Pi/2)))
	tail := float32(math.Pi/2 - float64(head) - float64(middle) + 6.123233995736766e-17) // π/2 beyond fp64
	// Cody-Waite reduction: x - k·π/2 with π/2 in three parts, by fma.
	k := g.do("cvt.rni.f32.f32", g.do("mul.rn.f32", x, float32(2/math.Pi)))
	minus := g.do("neg.f32", k)
	near := g.do("fma.rn.f32", minus, head, x)
	near = g.do("fma.rn.f32", minus, tail, g.do("fma.rn.f32", minus, middle, near))
	r, n := g.Reg(asm.B32), g.Reg(asm.B32)
	g.Move(r, asm.R(near))
	g.Move(n, asm.R(g.do("cvt.rzi.s32.f32", k)))
	// Beyond that k has too many bits for the parts to cancel.
	far := g.do("setp.gt.f32", g.do("abs.f32", x), float32(farWave32))
	g.Unless(far, true, func() {
		far := g.reduceFar32(x)
		g.Move(r, asm.R(far.rest))
		g.Move(n, asm.R(far.turns))
	})
	return g.quadrant32(r, g.do("add.s32", n, quarter))
}

// quadrant32 is the sine of r plus turns quarter turns, r within π/4 of 0.
func (g gen) quadrant32(r, turns asm.Reg) asm.Reg {
	z := g.do("mul.rn.f32", r, r)
	sine := g.horner32(z, 1./362880, -1./5040, 1./120, -1./6)
	sine = g.do("fma.rn.f32", g.do("mul.rn.f32", z, r), sine, r)
	cosine := g.horner32(z, -1./3628800, 1./40320, -1./720, 1./24, -1./2, 1)
	// Odd quarter turns take the cosine, and turns 2 and 3 the other sign: bit 1 goes to the sign bit.
	odd := g.do("setp.ne.s32", g.do("and.b32", turns, 1), 0)
	v := g.do("selp.b32", cosine, sine, odd)
	return g.do("xor.b32", v, g.do("shl.b32", g.do("and.b32", turns, 2), 30))
}

// erf32 is x times a polynomial in x² up to 1, and from there 1 less a power of two whose exponent
// is a polynomial; both polynomials interpolate at Chebyshev's nodes.
func erf32(g gen, x []asm.Reg) asm.Reg {
	a := g.do("abs.f32", x[0])
	z := g.do("mul.rn.f32", a, a)
	small := g.do("mul.rn.f32", a, g.horner32(z,
		0.000078758750626854883, -0.00080168642871658695, 0.0051890874234339740, -0.026854212010626412,
		0.11283594715160218, -0.37612626666720331, 1.1283791658483509))
	capped := g.do("min.NaN.f32", a, float32(4))
	power := g.horner32(capped, 2.3619102270186009e-6, -0.000066447709780746271, 0.00086100851651544197,
		-0.0068666459689287323,
		0.038117641890024139, -0.15881198977090871, -0.91153231128885899, -1.6305821714934442, 0.00046186157666988072)
	large := g.do("sub.rn.f32", float32(1), g.do("ex2.approx.ftz.f32", power))
	v := g.do("selp.b32", small, large, g.do("setp.lt.f32", a, float32(1)))
	return g.do("copysign.f32", x[0], v)
}
