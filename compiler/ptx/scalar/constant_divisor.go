package scalar

import (
	"math/big"
	"math/bits"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// DivideBy is x div or rem c, as op says, for an integer dtype d and a constant c. NVIDIA's assembler makes the same
// code of a division by a constant as of any other, some twenty instructions through a reciprocal; a shift or a
// multiplication does (Granlund and Montgomery, Division by Invariant Integers using Multiplication, PLDI 1994).
func DivideBy(p *asm.Program, op ops.Op, d num.DType, x asm.Reg, c int64) asm.Reg {
	g, t := gen{p}, integerOf(d)
	if c == 0 || t.bits == 16 {
		return Op(p, op, d, x, g.constant(num.FromInt(d, c)))
	}
	return constantDivisor{g, t, x}.divide(op, c)
}

// DivideNatural is x div or rem y, as op says, for an integer dtype of 16 bits or more where x is not negative and y is
// positive.
func DivideNatural(p *asm.Program, op ops.Op, d num.DType, x, y asm.Reg) asm.Reg {
	name := map[ops.Op]string{ops.Div: "div.u", ops.Rem: "rem.u"}[op]
	return gen{p}.do(name+integerOf(d).width(), x, y)
}

// DivideByPowerOfTwo is x div or rem y, as op says, for an integer dtype of 32 or 64 bits where x is not negative and y
// is a power of two.
func DivideByPowerOfTwo(p *asm.Program, op ops.Op, d num.DType, x, y asm.Reg) asm.Reg {
	g, t := gen{p}, integerOf(d)
	if op == ops.Rem {
		return g.do("and.b"+t.width(), x, g.do("sub.s"+t.width(), y, 1))
	}
	return g.do("shr.u"+t.width(), x, p.Do("bfind.u"+t.width(), asm.R(y)))
}

// constantDivisor writes a division of x, of 32 or 64 bits, by a constant.
type constantDivisor struct {
	gen
	t integer
	x asm.Reg
}

func (v constantDivisor) divide(op ops.Op, c int64) asm.Reg {
	unsigned := uint64(c) & (^uint64(0) >> (64 - v.t.bits))
	if op == ops.Rem && !v.t.signed && isPowerOf2(unsigned) {
		return v.do("and.b"+v.t.width(), v.x, unsigned-1)
	}
	var quotient asm.Reg
	if v.t.signed {
		quotient = v.signed(c)
	} else {
		quotient = v.unsigned(unsigned)
	}
	if op == ops.Div {
		return quotient
	}
	return v.do("sub.s"+v.t.width(), v.x, v.do("mul.lo.s"+v.t.width(), quotient, uint64(c)))
}

// unsigned is figure 4.2 of the paper.
func (v constantDivisor) unsigned(c uint64) asm.Reg {
	if isPowerOf2(c) {
		return v.shift("u", v.x, bits.TrailingZeros64(c))
	}
	x, before := v.x, 0
	m := multiplierOf(c, v.t.bits, v.t.bits)
	if m.tooWide && c%2 == 0 {
		before = bits.TrailingZeros64(c)
		m = multiplierOf(c>>before, v.t.bits, v.t.bits-before)
		x = v.shift("u", x, before)
	}
	high := v.do("mul.hi.u"+v.t.width(), x, m.low)
	if !m.tooWide {
		return v.shift("u", high, m.shift)
	}
	// x·(2^bits + low) does not fit: its upper half is (x - high) + 2·high, half of it (x - high)/2 + high.
	half := v.shift("u", v.do("sub.s"+v.t.width(), x, high), 1)
	return v.shift("u", v.do("add.s"+v.t.width(), half, high), m.shift-1)
}

// signed is figure 5.2 of the paper.
func (v constantDivisor) signed(c int64) asm.Reg {
	magnitude, top := uint64(max(c, -c)), v.t.bits-1 // -2^63 is its own magnitude
	var q asm.Reg
	switch sign := v.shift("s", v.x, top); {
	case magnitude == 1:
		q = v.x
	case isPowerOf2(magnitude):
		// Negative numbers are rounded up, to 0, by what the shift would drop.
		k := bits.TrailingZeros64(magnitude)
		q = v.shift("s", v.do("add.s"+v.t.width(), v.x, v.shift("u", sign, v.t.bits-k)), k)
	default:
		m := multiplierOf(magnitude, v.t.bits, top)
		q = v.do("mul.hi.s"+v.t.width(), v.x, m.low)
		if m.low>>top != 0 { // as a signed number it is low - 2^bits
			q = v.do("add.s"+v.t.width(), q, v.x)
		}
		q = v.do("sub.s"+v.t.width(), v.shift("s", q, m.shift), sign)
	}
	if c < 0 {
		q = v.do("neg.s"+v.t.width(), q)
	}
	return q
}

// shift goes right by n, with copies of the sign for s, with zeros for u.
func (v constantDivisor) shift(sign string, x asm.Reg, n int) asm.Reg {
	if n == 0 {
		return x
	}
	return v.do("shr."+sign+v.t.width(), x, n)
}

func isPowerOf2(c uint64) bool { return c&(c-1) == 0 }

// multiplier stands for a division: x/c is the upper half of x·(low + 2^bits if tooWide), shifted right.
type multiplier struct {
	low     uint64
	tooWide bool // to be a number of that many bits
	shift   int
}

// multiplierOf is that of a divisor c for numbers of width bits below 2^precision (figure 6.2 of the paper): an m, with
// the least shift that allows one, such that 2^(width+shift) < m·c <= 2^(width+shift) + 2^(width+shift-precision).
func multiplierOf(c uint64, width, precision int) multiplier {
	shift := bits.Len64(c - 1)
	divisor := new(big.Int).SetUint64(c)
	power := func(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }
	low := new(big.Int).Div(power(width+shift), divisor)
	high := power(width + shift)
	high.Add(high, power(width+shift-precision)).Div(high, divisor)
	for ; shift > 0; shift-- {
		halfLow, halfHigh := new(big.Int).Rsh(low, 1), new(big.Int).Rsh(high, 1)
		if halfLow.Cmp(halfHigh) >= 0 {
			break
		}
		low, high = halfLow, halfHigh
	}
	tooWide := high.BitLen() > width
	if tooWide {
		high.SetBit(high, width, 0)
	}
	return multiplier{low: high.Uint64(), tooWide: tooWide, shift: shift}
}
