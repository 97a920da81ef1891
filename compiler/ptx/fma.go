package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// fmaOps are the multiply-add instructions, by the dtype of the accumulator.
var fmaOps = map[num.DType]string{
	num.Float32: "fma.rn.f32", num.Float64: "fma.rn.f64", num.Int32: "mad.lo.s32", num.Int64: "mad.lo.s64",
}

// unfusedOps multiply and then add, each with its own rounding, as the interpreter does (Options.Exact).
var unfusedOps = map[num.DType][2]string{
	num.Float32: {"mul.rn.f32", "add.rn.f32"}, num.Float64: {"mul.rn.f64", "add.rn.f64"},
}

// emitFma emits in by multiply-adds of each thread and gives the registers of the sum, in p.AccLayout. Every element
// gets its products in ascending order along k.
func (dc *dotCode) emitFma(acc []asm.Reg) []asm.Reg {
	shape := dc.in.Operands[0].Type.Shape
	depth := shape[len(shape)-1]
	f := fmaPlan{acc: dc.p.Acc}
	f.index, f.width = operandIndex(dc.p.AccLayout)
	if dc.p.Chunks != nil {
		if !dc.p.InPlace {
			acc = dc.e.copyToVars(acc)
		}
		dc.fmaLoop(f, depth, acc)
		return acc
	}
	var x [2]*lazyRegs
	for s := range plan.Side(2) {
		regs, t := dc.operand(s)
		if x[s] = loadedRegs(regs); regs == nil {
			_, want := dc.p.OperandForm(dc.in, s)
			x[s] = dc.e.loadElements(t, want)
		}
	}
	sums := make([]asm.Reg, len(acc))
	dc.fmaSteps(f, x, depth, acc, func(r int) asm.Reg {
		sums[r] = dc.e.Reg(acc[r].Class)
		return sums[r]
	})
	return sums
}

// fmaPlan is the outer product that a thread computes for each k.
type fmaPlan struct {
	acc   num.DType
	index [2][]int // by register of the accumulator: which of the operand's registers for one k it multiplies
	width [2]int   // how many registers an operand has for one k
}

// fmaSteps adds depth products to each register of acc; to gives the register for a sum, to which the next product is
// added. Operands of k+1 are loaded before the products of k.
func (dc *dotCode) fmaSteps(f fmaPlan, x [2]*lazyRegs, depth int, acc []asm.Reg, to func(r int) asm.Reg) {
	acc = slices.Clone(acc)
	ask := func(k int) {
		for s, o := range x {
			for i := range f.width[s] {
				o.get(k*f.width[s] + i)
			}
		}
	}
	// As in emitMma, loads run one step of k ahead.
	ask(0)
	for k := range depth {
		if k+1 < depth {
			ask(k + 1)
		}
		for r, c := range acc {
			a, b := x[0].get(k*f.width[0]+f.index[0][r]), x[1].get(k*f.width[1]+f.index[1][r])
			acc[r] = to(r)
			dc.emitMultiplyAdd(f.acc, acc[r], a, b, c)
		}
	}
}

// emitMultiplyAdd sets to to a·b + c.
func (dc *dotCode) emitMultiplyAdd(d num.DType, to, a, b, c asm.Reg) {
	if two, ok := unfusedOps[d]; ok && dc.e.opt.Exact {
		dc.e.Into(to, two[1], asm.R(dc.e.Do(two[0], asm.R(a), asm.R(b))), asm.R(c))
		return
	}
	dc.e.Into(to, fmaOps[d], asm.R(a), asm.R(b), asm.R(c))
}

// operandIndex is fmaPlan's index and width for an accumulator layout: the register bits along the dimension that an
// operand has, in order, number its registers.
func operandIndex(acc layout.Layout) (index [2][]int, width [2]int) {
	rank := len(acc.Shape)
	for s := range index {
		index[s] = make([]int, acc.Regs())
		width[s] = 1
		// Register bits along the dimension that the operand lacks repeat its elements.
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
