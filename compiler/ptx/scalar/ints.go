package scalar

import (
	"strconv"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// integer is an integer dtype as instructions see it.
type integer struct {
	dtype  num.DType
	bits   int // of the register
	signed bool
}

func integerOf(d num.DType) integer {
	info := d.Info()
	return integer{d, max(info.Bits, 16), info.Signed}
}

func (t integer) width() string { return strconv.Itoa(t.bits) }

// name is the type by which instructions compute with t: s16 for an int8.
func (t integer) name() string {
	if t.signed {
		return "s" + t.width()
	}
	return "u" + t.width()
}

// canonical extends the low bits of x as d has it; only 8-bit values can be other than canonical.
func (g gen) canonical(d num.DType, x asm.Reg) asm.Reg {
	switch {
	case d == num.Int8:
		return g.do("cvt.s16.s8", x)
	case d.Info().Bits == 8:
		return g.do("and.b16", x, 0xff)
	}
	return x
}

// cut makes canonical what c leaves.
func cut(t integer, c code) code {
	return func(g gen, x []asm.Reg) asm.Reg { return g.canonical(t.dtype, c(g, x)) }
}

// wrapping may leave the range of an 8-bit type; within stays in it.
func wrapping(op string) func(t integer) code {
	return func(t integer) code { return cut(t, direct(op+"."+t.name())) }
}

func within(op string) func(t integer) code {
	return func(t integer) code { return direct(op + "." + t.name()) }
}

func bitwise(op string) func(t integer) code {
	return func(t integer) code { return direct(op + ".b" + t.width()) }
}

// quotient is 0 where the divisor is.
func quotient(t integer) code { return cut(t, unlessZero("div."+t.name(), t)) }

func remainder(t integer) code { return unlessZero("rem."+t.name(), t) }

func unlessZero(op string, t integer) code {
	return func(g gen, x []asm.Reg) asm.Reg {
		// The hardware gives all ones for a division by zero; the language, 0.
		zero := g.do("setp.eq.s"+t.width(), x[1], 0)
		return g.do("selp.b"+t.width(), 0, g.do(op, x[0], x[1]), zero)
	}
}

func shiftLeft(t integer) code {
	return cut(t, func(g gen, x []asm.Reg) asm.Reg { return g.do("shl.b"+t.width(), x[0], g.count(t, x[1])) })
}

func shiftRight(t integer) code {
	return func(g gen, x []asm.Reg) asm.Reg { return g.do("shr."+t.name(), x[0], g.count(t, x[1])) }
}

// count is how far a shift goes, in the 32 bits that shifts take: negative ones are far past the
// width, as are those of 64 bits that do not fit.
func (g gen) count(t integer, y asm.Reg) asm.Reg {
	switch t.bits {
	case 16:
		return g.do("cvt."+t.name()[:1]+"32."+t.name(), y)
	case 64:
		return g.do("cvt.u32.u64", g.do("min.u64", y, 64))
	}
	return y
}

func upperHalf(t integer) code {
	if t.bits < 32 {
		return nil
	}
	return direct("mul.hi.u" + t.width())
}

func negated(t integer) code { return cut(t, direct("neg.s"+t.width())) }

func inverted(t integer) code {
	if t.signed {
		return direct("not.b" + t.width())
	}
	return cut(t, direct("not.b"+t.width()))
}

func magnitude(t integer) code {
	if !t.signed {
		return same
	}
	return cut(t, direct("abs."+t.name()))
}

// Predicates.

func never(g gen, _ []asm.Reg) asm.Reg { return g.do("mov.pred", 0) }

func andNot(g gen, x []asm.Reg) asm.Reg { return g.do("and.pred", x[0], g.do("not.pred", x[1])) }

func orNot(g gen, x []asm.Reg) asm.Reg { return g.do("or.pred", x[0], g.do("not.pred", x[1])) }

func xnor(g gen, x []asm.Reg) asm.Reg { return g.do("not.pred", g.do("xor.pred", x[0], x[1])) }

func selectBool(g gen, x []asm.Reg) asm.Reg {
	return g.do("or.pred", g.do("and.pred", x[0], x[1]), andNot(g, []asm.Reg{x[2], x[0]}))
}

func choose(typ string) code {
	return func(g gen, x []asm.Reg) asm.Reg { return g.do("selp."+typ, x[1], x[2], x[0]) }
}
