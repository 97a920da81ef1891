package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// multiplyAdds are the instructions by which a thread adds a product, by the dtype of the sum.
var multiplyAdds = map[num.DType]string{
	num.Float32: "fma.rn.f32", num.Float64: "fma.rn.f64", num.Int32: "mad.lo.s32", num.Int64: "mad.lo.s64",
}

// unfused are the instructions of products whose rounding is wanted: multiply, then add.
var unfused = map[num.DType][2]string{
	num.Float32: {"mul.rn.f32", "add.rn.f32"}, num.Float64: {"mul.rn.f64", "add.rn.f64"},
}

// fmaDot adds the product to acc, registers in layout p.acc. Every element gets its products in
// ascending order along k.
func (e *emitter) fmaDot(in *ir.Instr, p *dotPlan, acc []asm.Reg) []asm.Reg {
	shape := in.Operands[0].Type.Shape
	depth := shape[len(shape)-1]
	f := fmaPlan{sum: p.sum}
	f.index, f.width = fmaIndex(p.acc)
	var x [2]*operand
	var parts [2]chunks
	alike := depth > fmaChunk
	for s := range side(2) {
		d, want := p.takes(in, s)
		regs, t := e.source(in, s, d, want)
		switch {
		case regs != nil:
			x[s], alike = given(regs), false
		default:
			var ok bool
			parts[s], ok = e.chunks(t, want, depth, f.width[s])
			x[s], alike = e.elements(t, want), alike && ok
		}
	}
	if alike {
		if !e.accumulates(in, p) {
			acc = e.variablesOf(acc)
		}
		e.fmaLoop(f, parts, depth/fmaChunk, acc)
		return acc
	}
	sums := make([]asm.Reg, len(acc))
	e.fmaSteps(f, x, depth, acc, func(r int) asm.Reg {
		sums[r] = e.Reg(acc[r].Class)
		return sums[r]
	})
	return sums
}

// fmaPlan says what a thread multiplies: for each register of the accumulator, which of the registers that an
// operand has for one k, and how many these are.
type fmaPlan struct {
	sum   num.DType
	index [2][]int
	width [2]int
}

// fmaSteps adds depth products to each register of acc; to gives the register for a sum, in which the next product is
// added.
func (e *emitter) fmaSteps(f fmaPlan, x [2]*operand, depth int, acc []asm.Reg, to func(r int) asm.Reg) {
	acc = slices.Clone(acc)
	ask := func(k int) {
		for s, o := range x {
			for i := range f.width[s] {
				o.need(k*f.width[s] + i)
			}
		}
	}
	ask(0)
	for k := range depth {
		if k+1 < depth {
			ask(k + 1)
		}
		for r, c := range acc {
			a, b := x[0].need(k*f.width[0]+f.index[0][r]), x[1].need(k*f.width[1]+f.index[1][r])
			acc[r] = to(r)
			e.multiplyAdd(f.sum, acc[r], a, b, c)
		}
	}
}

// multiplyAdd makes to the sum of c and a·b.
func (e *emitter) multiplyAdd(d num.DType, to, a, b, c asm.Reg) {
	if two, ok := unfused[d]; ok && e.opt.Exact {
		e.Into(to, two[1], asm.R(e.Do(two[0], c.Class, asm.R(a), asm.R(b))), asm.R(c))
		return
	}
	e.Into(to, multiplyAdds[d], asm.R(a), asm.R(b), asm.R(c))
}

// fmaIndex says for each register of the accumulator which of the registers that an operand has for
// one k it takes, and how many these are.
func fmaIndex(acc layout.Layout) (index [2][]int, width [2]int) {
	rank := len(acc.Shape)
	for s := range index {
		index[s] = make([]int, acc.Regs())
		width[s] = 1
		other := rank - 1 - s // the result's dimension that the operand lacks
		for i, b := range acc.Reg {
			if b == 0 || acc.Coord(b)[other] != 0 {
				continue
			}
			for r := range index[s] {
				index[s][r] += width[s] * (r >> i & 1)
			}
			width[s] *= 2
		}
	}
	return index, width
}
