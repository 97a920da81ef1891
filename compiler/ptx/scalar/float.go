package scalar

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// eight describes an 8-bit float by what integer code needs. The numbers are package num's, which
// names their sources.
type eight struct {
	mantissa, bias int
	top            float32 // largest value
	nan            int     // its encoding, sign apart; 0: none
	signedZero     bool
}

var eights = map[num.DType]eight{
	num.Float8E4M3:   {3, 7, 448, 0x7f, true},
	num.Float8E5M2:   {2, 15, 57344, 0x7f, true},
	num.Float8E4M3B8: {3, 8, 240, 0x80, false},
	num.Float8E5B16:  {2, 16, 57344, 0x80, false},
	num.Float8E4B15:  {3, 15, 1.875, 0, true},
}

// pairs are the 8-bit floats that some targets convert themselves.
var pairs = map[num.DType]string{num.Float8E4M3: "e4m3x2", num.Float8E5M2: "e5m2x2"}

const nan32 = 0x7fc0_0000

// toSingle widens a narrow float; what is fp32 already stays.
func (g gen) toSingle(from num.DType, x asm.Reg) asm.Reg {
	switch {
	case from == num.Float32:
		return x
	case from == num.Float16:
		return g.do("cvt.f32.f16", x)
	case from == num.BFloat16:
		// bf16 is the upper half of an fp32
		return g.pair("mov.b32", g.do("mov.b16", 0), x)
	case from == num.Float8E5M2: // the upper half of an fp16
		return g.do("cvt.f32.f16", g.do("shl.b16", x, 8))
	case pairs[from] != "" && arch.Find(g.Target).FP8:
		both := g.do("cvt.rn.f16x2."+pairs[from], x)
		return g.do("cvt.f32.f16", g.do("cvt.u16.u32", both))
	}
	return g.decode(eights[from], x)
}

// pair joins two registers, the lower half first.
func (g gen) pair(op string, low, high asm.Reg) asm.Reg {
	return g.Do(op, asm.V(low, high))
}

// decode moves the bits to fp32's places and scales by a power of two, which also normalizes what
// is subnormal.
func (g gen) decode(f eight, x asm.Reg) asm.Reg {
	// 7 bits of magnitude go to the top of fp32's exponent and mantissa; the sign is bit 7.
	wide := g.do("cvt.u32.u16", x)
	mag := g.do("and.b32", wide, 0x7f)
	bits := g.do("shl.b32", mag, 23-f.mantissa)
	// The exponent is off by 127 - bias; the product is exact, and normalizes subnormals.
	v := g.do("mul.rn.f32", bits, float32(math.Ldexp(1, 127-f.bias)))
	v = g.do("or.b32", v, g.do("shl.b32", g.do("and.b32", wide, 0x80), 24))
	switch {
	case f.nan == 0:
		return v
	case f.nan == 0x80:
		// the one NaN is the encoding of -0
		return g.do("selp.b32", nan32, v, g.do("setp.eq.s32", wide, f.nan))
	}
	return g.do("selp.b32", nan32, v, g.do("setp.eq.s32", mag, f.nan))
}

// fromSingle rounds an fp32 to a narrower float, or to the double that it is.
func (g gen) fromSingle(to num.DType, rounding num.Rounding, x asm.Reg) asm.Reg {
	mode := modes[rounding]
	switch {
	case to == num.Float32:
		return x
	case to == num.Float64:
		return g.do("cvt.f64.f32", x)
	case to == num.Float16:
		return g.do("cvt."+mode+".f16.f32", x)
	case to == num.BFloat16:
		return g.do("cvt."+mode+".bf16.f32", x)
	case rounding == num.RTNE && pairs[to] != "" && arch.Find(g.Target).FP8:
		// two at once: the upper one is 0
		return g.do("cvt.rn.satfinite."+pairs[to]+".f32", float32(0), x)
	}
	return g.encode(eights[to], mode, x)
}

// encode rounds to an 8-bit float; what is too large becomes the largest value.
func (g gen) encode(f eight, mode string, x asm.Reg) asm.Reg {
	// bits of fp32's mantissa that are rounded away
	drop := 23 - f.mantissa
	mag := g.do("and.b32", x, 0x7fff_ffff)
	rounded := mag
	if mode == "rn" {
		// To nearest even: add just under half a unit, or half if the bit that stays is odd, then truncate.
		odd := g.do("and.b32", g.do("shr.u32", mag, drop), 1)
		rounded = g.do("add.s32", g.do("add.s32", mag, 1<<(drop-1)-1), odd)
	}
	// saturate; magnitudes of floats are ordered as integers
	rounded = g.do("min.u32", rounded, int(math.Float32bits(f.top)))
	normal := g.do("shr.u32", g.do("sub.s32", rounded, (127-f.bias)<<23), drop)
	// Below the least normal value, the sum with a power of two whose last place is the least
	// subnormal has the encoding in its last bits.
	magic := float32(math.Ldexp(1, 1-f.bias-f.mantissa+23))
	tiny := g.do("sub.s32", g.do("add."+mode+".f32", mag, magic), int(math.Float32bits(magic)))
	// the least normal value
	least := int(math.Float32bits(float32(math.Ldexp(1, 1-f.bias))))
	v := g.do("selp.b32", tiny, normal, g.do("setp.lt.u32", mag, least))
	sign := g.do("and.b32", g.do("shr.u32", x, 24), 0x80)
	// 0x80 is NaN in these formats
	if !f.signedZero {
		sign = g.do("selp.b32", 0, sign, g.do("setp.eq.s32", v, 0))
	}
	v = g.do("or.b32", v, sign)
	if f.nan != 0 {
		v = g.do("selp.b32", f.nan, v, g.do("setp.gt.u32", mag, 0x7f80_0000))
	}
	return g.do("cvt.u16.u32", v)
}

// e5ToBrain reads infinity as 65536, which is what num.Cast says of it.
func (g gen) e5ToBrain(x asm.Reg) asm.Reg {
	v := g.toSingle(num.Float8E5M2, x)
	mag := g.do("and.b32", v, 0x7fff_ffff)
	infinite := g.do("setp.eq.s32", mag, 0x7f80_0000)
	sign := g.do("and.b32", v, 1<<31)
	v = g.do("selp.b32", g.do("or.b32", sign, int(math.Float32bits(65536))), v, infinite)
	return g.fromSingle(num.BFloat16, num.RTNE, v)
}

// remainder32 is x - y·trunc(x/y), rounded once, and x where y is infinite.
func remainder32(g gen, x []asm.Reg) asm.Reg { return g.floatRemainder("f32", "b32", x[0], x[1]) }

func remainder64(g gen, x []asm.Reg) asm.Reg { return g.floatRemainder("f64", "b64", x[0], x[1]) }

func (g gen) floatRemainder(t, bits string, x, y asm.Reg) asm.Reg {
	// fma makes x - q·y with one rounding.
	q := g.do("cvt.rzi."+t+"."+t, g.do("div.rn."+t, x, y))
	r := g.do("fma.rn."+t, g.do("neg."+t, q), y, x)
	return g.do("selp."+bits, x, r, g.do("testp.infinite."+t, y))
}

// orNaN is op on doubles where no operand is NaN, else NaN.
func orNaN(op string) code {
	return func(g gen, x []asm.Reg) asm.Reg {
		bad := g.do("setp.nan.f64", x[0], x[1])
		return g.do("selp.f64", math.NaN(), g.do(op, x[0], x[1]), bad)
	}
}

// fusedEight rounds x·y + z once: in fp32 to odd, which makes the second rounding harmless. Where the
// sums rounded down and up differ, something was lost.
func fusedEight(d num.DType) code {
	odd := func(g gen, x []asm.Reg) asm.Reg {
		var sums [3]asm.Reg
		for i, mode := range []string{"rm", "rp", "rz"} {
			sums[i] = g.do("fma."+mode+".f32", x[0], x[1], x[2])
		}
		return g.oddIf(g.do("setp.ne.f32", sums[0], sums[1]), sums[2])
	}
	return row{single: odd}.widened(d)
}
