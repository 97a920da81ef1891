package ptx

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

func init() { emitters[ops.Dot] = (*emitter).dot }

// dot multiplies, adds to the accumulator, and gives the result in the layout that it is kept in.
func (e *emitter) dot(in *ir.Instr) {
	p, r := e.dotPlans[in], in.Results[0]
	acc := e.castAll(r.Type.DType, p.sum, e.in(in.Operands[2], p.acc))
	switch {
	case p.group:
		acc = e.groupDot(in, p, acc)
	case p.mma:
		acc = e.mmaDot(in, p, acc)
	default:
		acc = e.fmaDot(in, p, acc)
	}
	acc = e.castAll(p.sum, r.Type.DType, acc)
	e.set(r, e.convert(r.Type.DType, acc, p.acc, e.layout(r)))
}

// mmaTypes are the names of element types in the instruction.
var mmaTypes = map[num.DType]string{num.Float16: "f16", num.BFloat16: "bf16", num.Float32: "tf32", num.Int8: "s8", num.Uint8: "u8"}

// mmaSums are those of what it adds up in.
var mmaSums = map[num.DType]string{num.Float16: "f16", num.Float32: "f32", num.Int32: "s32"}

// mmaOp is the mma.sync instruction of a dot.
func (p product) mmaOp() string {
	sum := mmaSums[p.sum]
	return fmt.Sprintf("mma.sync.aligned.m16n8k%d.row.col.%s.%s.%s.%s", p.mmaK(), sum, mmaTypes[p.elem[0]], mmaTypes[p.elem[1]], sum)
}

func (p product) mmaK() int { return layout.MmaK(p.elem[0].Info().Bits) }

// fragmentWords are the 32-bit registers of A and B in an mma.sync instruction.
var fragmentWords = [2]int{4, 2}

// mmaFragments is how threads hold an operand with elements of so many bits for mma.sync.
var mmaFragments = [2]func(shape, warps []int, elemBits int) layout.Layout{layout.MmaA, layout.MmaB}

// mmaDot adds the product to acc, registers in layout p.acc.
func (e *emitter) mmaDot(in *ir.Instr, p *dotPlan, acc []asm.Reg) []asm.Reg {
	var parts [2][]*operand
	for s := range side(2) {
		parts[s] = e.fragments(in, s, p)
	}
	sums := e.sumGroups(p, acc)
	g, op := p.grid(in), p.mmaOp()
	g.ask(parts, 0)
	for k := range g.steps {
		if k+1 < g.steps {
			g.ask(parts, k+1)
		}
		for t := range g.batch * g.rows * g.cols {
			for _, pair := range p.pairs {
				a := g.words(parts[0][pair[0]], 0, t, k)
				b := g.words(parts[1][pair[1]], 1, t, k)
				d := e.Regs(asm.B32, len(sums[t]))
				e.Add(asm.Inst{Op: op, Dst: []asm.Operand{asm.V(d...)}, Src: []asm.Operand{asm.V(a...), asm.V(b...), asm.V(sums[t]...)}})
				sums[t] = d
			}
		}
	}
	return e.ungroup(p, sums)
}

// sumGroups is the accumulator's registers instruction by instruction; fp16 ones are paired.
func (e *emitter) sumGroups(p *dotPlan, acc []asm.Reg) [][]asm.Reg {
	groups := make([][]asm.Reg, len(acc)/4)
	for i := range groups {
		groups[i] = e.packedWords(p.sum, acc[4*i:4*i+4])
	}
	return groups
}

func (e *emitter) ungroup(p *dotPlan, groups [][]asm.Reg) []asm.Reg {
	var acc []asm.Reg
	for _, g := range groups {
		acc = append(acc, e.unpacked(p.sum, g, 4)...)
	}
	return acc
}

// packedWords puts elements of d side by side in words.
func (e *emitter) packedWords(d num.DType, regs []asm.Reg) []asm.Reg {
	if d.Info().Bits == 32 {
		return regs
	}
	return e.packed(d, regs)
}

// mmaGrid is how many instructions a warp needs in each direction.
type mmaGrid struct{ batch, rows, cols, steps int }

// grid counts the instructions of a warp from the registers that it has.
func (p *dotPlan) grid(in *ir.Instr) mmaGrid {
	shape := p.acc.Shape
	rank := len(shape)
	g := mmaGrid{batch: 1}
	g.rows = max(1, shape[rank-2]/mmaRows/p.warps[rank-2])
	g.cols = max(1, shape[rank-1]/mmaCols/p.warps[rank-1])
	if rank == 3 {
		g.batch = max(1, shape[0]/p.warps[0])
	}
	k := in.Operands[0].Type.Shape
	g.steps = k[len(k)-1] / p.mmaK()
	return g
}

// tile is the number, among an operand's tiles along the other dimension than k, of what instruction t
// of the accumulator takes.
func (g mmaGrid) tile(s side, t int) int {
	row, col := t/g.cols, t%g.cols
	if s == 0 {
		return row
	}
	return row/g.rows*g.cols + col
}

// first is the number of the first word that instruction t takes in step k.
func (g mmaGrid) first(s side, t, k int) int { return (g.tile(s, t)*g.steps + k) * fragmentWords[s] }

func (g mmaGrid) words(o *operand, s side, t, k int) []asm.Reg {
	out := make([]asm.Reg, fragmentWords[s])
	for i := range out {
		out[i] = o.need(g.first(s, t, k) + i)
	}
	return out
}

// ask reads all that step k needs.
func (g mmaGrid) ask(parts [2][]*operand, k int) {
	for s := range side(2) {
		for t := range g.batch * g.rows * g.cols {
			for _, o := range parts[s] {
				g.words(o, s, t, k)
			}
		}
	}
}

// takes is the dtype and the layout in which the product takes operand s from registers, or the dtype in
// which it puts it into shared memory.
func (p *dotPlan) takes(in *ir.Instr, s side) (num.DType, layout.Layout) {
	shape := in.Operands[s].Type.Shape
	switch k := shape[s.along(len(shape))]; {
	case !p.mma && s == 0:
		return p.elem[s], layout.FmaA(p.acc, k)
	case !p.mma:
		return p.elem[s], layout.FmaB(p.acc, k)
	}
	want := mmaFragments[s](shape, p.warps, p.elem[s].Info().Bits)
	if p.parts > 1 {
		return num.Float32, want
	}
	return p.elem[s], want
}

// fragments is operand s of in, in words, as the parts that are multiplied.
func (e *emitter) fragments(in *ir.Instr, s side, p *dotPlan) []*operand {
	elem := p.elem[s]
	held, want := p.takes(in, s)
	regs, t := e.source(in, s, held, want)
	switch {
	case p.parts > 1 && regs == nil:
		return e.split(e.elements(t, want), p, elem)
	case p.parts > 1:
		return e.split(given(regs), p, elem)
	case regs != nil:
		return []*operand{e.words(given(regs), elem)}
	case t.dtype != elem && !e.isRaw(in, 1-s, p):
		x := e.elements(t, want)
		return []*operand{e.words(derived(len(x.regs), func(i int) asm.Reg {
			return scalar.Cast(e.Program, t.dtype, elem, num.RTNE, x.need(i))
		}), elem)}
	case t.dtype != elem:
		raw := mmaFragments[s](in.Operands[s].Type.Shape, p.warps, t.dtype.Info().Bits)
		return []*operand{e.widened(e.matrixWords(t, s, raw), t.dtype, s, want)}
	}
	return []*operand{e.matrixWords(t, s, want)}
}

// isRaw reports whether operand s is in shared memory as it was loaded, in another dtype than it is multiplied in.
func (e *emitter) isRaw(in *ir.Instr, s side, p *dotPlan) bool {
	t, ok := e.sharedSource(in.Operands[s])
	return ok && t.buf.Ring && t.dtype != p.elem[s]
}

// words packs the elements of an operand.
func (e *emitter) words(o *operand, d num.DType) *operand {
	per := 32 / d.Info().Bits
	if per == 1 {
		return o
	}
	return derived(len(o.regs)/per, func(i int) asm.Reg {
		group := make([]asm.Reg, per)
		for j := range group {
			group[j] = o.need(i*per + j)
		}
		return e.packed(d, group)[0]
	})
}

// matrixWords reads fragments of operand s from shared memory: by ldmatrix where the tile's layout
// allows.
func (e *emitter) matrixWords(t sharedTile, s side, want layout.Layout) *operand {
	l, number := want, func(word int) int { return word }
	if s == 1 {
		l, number = pairColumns(want, t.mem.ElemBits)
	}
	x, ok := layout.Ldmatrix(t.mem, l)
	if !ok {
		return e.words(e.elements(t, want), t.dtype)
	}
	op := fmt.Sprintf("ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16", x.Count, map[bool]string{true: ".trans"}[x.Trans])
	w := e.walk(layout.Access{Lane: x.Lane, Warp: x.Warp, At: x.At})
	o := newOperand(len(x.At) * x.Count)
	for i := range x.At {
		numbers := make([]int, x.Count)
		for j := range numbers {
			numbers[j] = number(i*x.Count + j)
		}
		o.later(numbers, func() []asm.Reg {
			d := e.Regs(asm.B32, x.Count)
			e.Add(asm.Inst{Op: op, Dst: []asm.Operand{asm.V(d...)}, Src: []asm.Operand{e.spot(t, w, i).operand()}, Access: asm.ReadsShared, Buffer: t.buf})
			return d
		})
	}
	return o
}

// pairColumns is a right operand's layout with its registers in an order that has two instructions side
// by side along N before the next along K, and the number of a word of it in the first order. One
// ldmatrix then reads one step's words alone, which keeps fewer registers busy.
func pairColumns(l layout.Layout, elemBits int) (paired layout.Layout, number func(word int) int) {
	n := len(l.Shape) - 1
	pack := bits.TrailingZeros(uint(32 / elemBits))
	first := pack + 1 // of the bits behind one instruction's
	column := first
	for column < len(l.Reg) && l.Coord(l.Reg[column])[n] == 0 {
		column++
	}
	if column == len(l.Reg) {
		return l, func(word int) int { return word }
	}
	reg := slices.Delete(slices.Clone(l.Reg), column, column+1)
	paired = l
	paired.Reg = slices.Insert(reg, first, l.Reg[column])
	low := first - pack
	return paired, func(word int) int {
		k := word >> (low + 1) & (1<<(column-first) - 1)
		return word&(1<<low-1) | k<<low | word>>low&1<<(column-pack) | word>>(column-pack+1)<<(column-pack+1)
	}
}

// widened makes fp16 fragments of fp8 ones. Of the four elements along k in a word, the first two go
// where an instruction has its first elements along k, the others where it has its second: which k an
// element stands for does not matter as long as both operands agree.
func (e *emitter) widened(raw *operand, d num.DType, s side, want layout.Layout) *operand {
	tiles := fragmentWords[s] / 2 // along the dimension that is not k
	o := newOperand(want.Regs() / 2)
	for i := range raw.regs {
		instr, r := i/fragmentWords[s], i%fragmentWords[s]
		first := (2*instr+r/tiles)*fragmentWords[s] + r%tiles
		o.later([]int{first, first + tiles}, func() []asm.Reg {
			return e.packed(num.Float16, e.castAll(d, num.Float16, e.unpacked(d, []asm.Reg{raw.need(i)}, 4)))
		})
	}
	return o
}

// split takes fp32 elements apart: each part is the rest rounded to elem.
func (e *emitter) split(o *operand, p *dotPlan, elem num.DType) []*operand {
	n := len(o.regs)
	elems := make([]*operand, p.parts)
	for i := range elems {
		elems[i] = newOperand(n)
	}
	for r := range n {
		rest := derived(1, func(int) asm.Reg { return o.need(r) })
		for _, part := range elems {
			before := rest
			part.later([]int{r}, func() []asm.Reg { return []asm.Reg{e.rounded(before.need(0), elem)} })
			rest = derived(1, func(int) asm.Reg {
				return e.Do("sub.rn.f32", asm.B32, asm.R(before.need(0)), asm.R(e.asSingle(part.need(r), elem)))
			})
		}
	}
	for i := range elems {
		elems[i] = e.words(elems[i], elem)
	}
	return elems
}

// rounded is an fp32 as elem, whose parts add up to it again: tf32 in fp32's bits, or bf16.
func (e *emitter) rounded(x asm.Reg, elem num.DType) asm.Reg {
	if elem == num.Float32 {
		return e.Do("cvt.rna.tf32.f32", asm.B32, asm.R(x))
	}
	return scalar.Cast(e.Program, num.Float32, elem, num.RTNE, x)
}

func (e *emitter) asSingle(x asm.Reg, elem num.DType) asm.Reg {
	if elem == num.Float32 {
		return x
	}
	return scalar.Cast(e.Program, elem, num.Float32, num.RTNE, x)
}
