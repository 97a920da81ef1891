package scalar

import (
	"math"

	"github.com/newtlab/newt/compiler/ptx/asm"
)

// Quarter turns are taken off large numbers by multiplying the mantissa with those bits of 2/π that
// matter (Payne and Hanek, "Radian reduction for trigonometric functions", 1983).

// twoOverPi is 2/π in words of 64 bits: a zero, then the fraction's, as many as fp64's exponents need.
var twoOverPi = [...]uint64{
	0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
	0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
	0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
	0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
}

// turned is what a reduction leaves: the rest within π/4 of 0, and the quarter turns modulo 4.
type turned struct{ rest, turns asm.Reg }

// reduceFar32 reduces |x| above 2. Infinity and NaN give NaN.
func (g gen) reduceFar32(x asm.Reg) turned {
	// |x| = m · 2^(place-30). What counts of 2/π · 2^(place-30) is its value modulo 4.
	// Payne-Hanek reduction: only the bits of 2/π that matter for x's exponent are multiplied.
	place := g.do("sub.s32", g.do("and.b32", g.do("shr.u32", x, 23), 0xff), 128)
	// the mantissa with its leading one at bit 31
	m := g.do("or.b32", g.do("shl.b32", x, 8), 1<<31)
	words := []uint64{0}
	for _, w := range twoOverPi[1:4] {
		words = append(words, w>>32, w&math.MaxUint32)
	}
	four := g.window("b32", words, g.do("shr.u32", place, 5))
	shift := g.do("and.b32", place, 31)
	var w [3]asm.Reg
	// 96 bits of 2/π from bit place on: a funnel shift of neighboring words.
	for i := range w {
		w[i] = g.do("shf.l.wrap.b32", four[i+1], four[i], shift)
	}
	low := g.do("mul.hi.u32", w[2], m)
	sum := g.do("mad.wide.u32", w[1], m, g.do("cvt.u64.u32", low))
	top := g.do("mul.lo.s32", w[0], m)
	// The middle 64 bits of the product: quarter turns modulo 4 in the top two, their fraction below.
	p := g.do("add.s64", sum, g.do("shl.b64", g.do("cvt.u64.u32", top), 32))
	nearest, fraction := g.nearestTurn(p)
	v := g.do("mul.rn.f64", g.do("cvt.rn.f64.s64", fraction), math.Pi/2*0x1p-62)
	out := turned{g.do("cvt.rn.f32.f64", v), nearest}
	negative := g.do("setp.lt.s32", x, 0)
	out.rest = g.do("selp.b32", g.do("neg.f32", out.rest), out.rest, negative)
	out.turns = g.do("selp.b32", g.do("neg.s32", out.turns), out.turns, negative)
	out.rest = g.do("selp.b32", out.rest, nan32, g.do("testp.finite.f32", x))
	return out
}

// reduceFar64 is reduceFar32 for fp64.
func (g gen) reduceFar64(x asm.Reg) turned {
	exponent := g.do("cvt.u32.u64", g.do("shr.u64", x, 52))
	place := g.do("sub.s32", g.do("and.b32", exponent, 0x7ff), 1024)
	// the mantissa with its leading one at bit 63
	m := g.do("or.b64", g.do("shl.b64", x, 11), math.MinInt64)
	four := g.window("b64", twoOverPi[:], g.do("shr.u32", place, 6))
	shift := g.do("and.b32", place, 63)
	back := g.do("sub.s32", 64, shift)
	var w [3]asm.Reg
	for i := range w {
		w[i] = g.do("or.b64", g.do("shl.b64", four[i], shift), g.do("shr.u64", four[i+1], back))
	}
	middle := g.do("mul.lo.u64", w[1], m)
	low := g.do("add.s64", middle, g.do("mul.hi.u64", w[2], m))
	// an unsigned sum that is less than a summand has wrapped
	carry := g.do("selp.b64", 1, 0, g.do("setp.lt.u64", low, middle))
	high := g.do("mad.lo.u64", w[0], m, g.do("add.s64", g.do("mul.hi.u64", w[1], m), carry))
	nearest, fraction := g.nearestTurn(high)
	v := g.do("fma.rn.f64", g.do("cvt.rn.f64.u64", low), 0x1p-64, g.do("cvt.rn.f64.s64", fraction))
	out := turned{g.do("mul.rn.f64", v, math.Pi/2*0x1p-62), nearest}
	negative := g.do("setp.lt.s64", x, 0)
	out.rest = g.do("selp.b64", g.do("neg.f64", out.rest), out.rest, negative)
	out.turns = g.do("selp.b32", g.do("neg.s32", out.turns), out.turns, negative)
	out.rest = g.do("selp.f64", out.rest, math.NaN(), g.do("testp.finite.f64", x))
	return out
}

// nearestTurn splits p, which counts quarter turns modulo 4 in units of 2^-62, into the nearest
// whole number and the signed rest.
func (g gen) nearestTurn(p asm.Reg) (nearest, rest asm.Reg) {
	// rounded to nearest by adding half
	n := g.do("shr.u64", g.do("add.s64", p, 1<<61), 62)
	return g.do("cvt.u32.u64", n), g.do("sub.s64", p, g.do("shl.b64", n, 62))
}

// window is four of the words from index i on. It halves what is left to choose from by each bit of
// i, the highest first.
func (g gen) window(typ string, words []uint64, i asm.Reg) []any {
	const want = 4
	from := make([]any, len(words))
	for j, w := range words {
		from[j] = w
	}
	for bit := 16; bit > 0; bit /= 2 {
		if bit > len(words)-want {
			continue
		}
		set := g.do("setp.ne.s32", g.do("and.b32", i, bit), 0)
		next := from[:min(len(from), want+bit-1)]
		for j := range next {
			if j+bit < len(from) {
				next[j] = g.do("selp."+typ, from[j+bit], from[j], set)
			}
		}
		from = next
	}
	return from
}
