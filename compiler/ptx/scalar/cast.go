package scalar

import (
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

func (g gen) cast(from, to num.DType, rounding num.Rounding, x asm.Reg) asm.Reg {
	f, t := from.Info(), to.Info()
	switch {
	case from == to:
		return x
	case from == num.Int1:
		return g.fromBool(to, x)
	case !f.Float && !t.Float:
		return g.intToInt(from, to, x)
	case !f.Float:
		return g.intToFloat(from, to, x)
	case from == num.Float64 && t.Float:
		return g.fromDouble(to, rounding, x)
	case from == num.Float64:
		return g.floatToInt("f64", to, x)
	case from == num.Float8E5M2 && to == num.BFloat16 && rounding == num.RTNE:
		return g.e5ToBrain(x)
	}
	x = g.toSingle(from, x)
	if !t.Float {
		return g.floatToInt("f32", to, x)
	}
	return g.fromSingle(to, rounding, x)
}

// fromBool picks one or zero.
func (g gen) fromBool(to num.DType, x asm.Reg) asm.Reg {
	one := num.FromInt(to, 1)
	return g.do(selects[Class(to)], int(one.Bits), 0, x)
}

var selects = [...]string{asm.B16: "selp.b16", asm.B32: "selp.b32", asm.B64: "selp.b64"}

func (g gen) intToInt(from, to num.DType, x asm.Reg) asm.Reg {
	s, d := integerOf(from), integerOf(to)
	if to == num.Int1 {
		return g.do("setp.ne.s"+s.width(), x, 0)
	}
	if s.bits != d.bits {
		x = g.do("cvt."+d.name()+"."+s.name(), x)
	}
	if to.Info().Bits == 8 {
		return g.canonical(to, x)
	}
	return x
}

// intToFloat rounds once: what fp32 cannot hold is rounded to odd on its way to a narrower float.
func (g gen) intToFloat(from, to num.DType, x asm.Reg) asm.Reg {
	s := integerOf(from).name()
	switch {
	case to == num.Float64:
		return g.do("cvt.rn.f64."+s, x)
	case to == num.Float32:
		return g.do("cvt.rn.f32."+s, x)
	// fp32 holds every 16-bit integer, so there is one rounding.
	case integerOf(from).bits == 16:
		return g.fromSingle(to, num.RTNE, g.do("cvt.rn.f32."+s, x))
	}
	// Round to odd, which makes the second rounding harmless.
	cut := g.do("cvt.rz.f32."+s, x)
	lost := g.do("setp.ne."+s, g.do("cvt.rzi."+s+".f32", cut), x)
	return g.fromSingle(to, num.RTNE, g.oddIf(lost, cut))
}

// oddIf sets the last bit of an fp32 that was truncated where it lost something: rounding what
// results to a narrower float rounds the original (Boldo and Melquiond, 2008).
func (g gen) oddIf(lost, x asm.Reg) asm.Reg {
	return g.do("or.b32", x, g.do("selp.b32", 1, 0, lost))
}

func (g gen) fromDouble(to num.DType, rounding num.Rounding, x asm.Reg) asm.Reg {
	if to == num.Float32 {
		return g.do("cvt."+modes[rounding]+".f32.f64", x)
	}
	cut := g.do("cvt.rz.f32.f64", x)
	// the same for fp64, whose narrowing has no direct instruction
	lost := g.do("setp.ne.f64", g.do("cvt.f64.f32", cut), x)
	return g.fromSingle(to, rounding, g.oddIf(lost, cut))
}

var modes = [...]string{num.RTNE: "rn", num.RTZ: "rz"}

// floatToInt truncates and saturates; NaN gives 0.
func (g gen) floatToInt(from string, to num.DType, x asm.Reg) asm.Reg {
	if to == num.Int1 {
		if from == "f64" {
			return g.do("setp.neu.f64", x, 0.0)
		}
		return g.do("setp.neu.f32", x, float32(0))
	}
	t := integerOf(to)
	if t.bits < 32 {
		return g.narrowInt(from, t, x)
	}
	v := g.do("cvt.rzi."+t.name()+"."+from, x)
	// cvt saturates and gives 0 for NaN (PTX ISA, "cvt")
	if from == "f32" && t.bits == 32 {
		return v
	}
	// Where 64 bits take part the hardware gives the sign bit alone for NaN.
	return g.do("selp.b"+t.width(), 0, v, g.do("setp.nan."+from, x, x))
}

// narrowInt saturates in 32 bits, then again.
func (g gen) narrowInt(from string, t integer, x asm.Reg) asm.Reg {
	v := g.floatToInt(from, num.Int32, x)
	low, high := 0, 1<<t.dtype.Info().Bits-1
	if t.signed {
		high >>= 1
		low = -high - 1
	}
	return g.do("cvt.u16.u32", g.do("min.s32", g.do("max.s32", v, low), high))
}
