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
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

func init() { emitters[ops.Dot], emitters[ops.WGMMA] = emitDot, emitDot }

// emitDot emits a dot by the method of its plan.
func emitDot(e *emitter, in *ir.Instr) {
	p, r := e.plan.Dots[in], in.Results[0]
	dc := &dotCode{e, in, p}
	emit := [...]func(*dotCode, []asm.Reg) []asm.Reg{plan.FMA: (*dotCode).emitFma, plan.MMA: (*dotCode).emitMma,
		plan.WGMMA: (*dotCode).emitWgmma}[p.Unit]
	e.setRegs(r, emit(dc, e.regs(in.Operands[2])))
}

// dotCode is one dot while it is emitted.
type dotCode struct {
	e  *emitter
	in *ir.Instr
	p  *plan.Dot
}

// mmaTypes are PTX's names of element types.
var mmaTypes = map[num.DType]string{num.Float16: "f16", num.BFloat16: "bf16", num.Float32: "tf32",
	num.Int8: "s8", num.Uint8: "u8", num.Float8E4M3: "e4m3", num.Float8E5M2: "e5m2"}

// mmaAccTypes are PTX's names of accumulator types.
var mmaAccTypes = map[num.DType]string{num.Float16: "f16", num.Float32: "f32", num.Int32: "s32"}

// mmaOp is the mma.sync instruction of a dot: A in rows, B in columns, types of D, A, B and C (PTX ISA, "mma").
func mmaOp(p *plan.Dot) string {
	sum := mmaAccTypes[p.Acc]
	return fmt.Sprintf("mma.sync.aligned.m16n8k%d.row.col.%s.%s.%s.%s", p.MmaK(), sum, mmaTypes[p.Elem[0]],
		mmaTypes[p.Elem[1]], sum)
}

// fragmentWords is the number of 32-bit registers that a thread has of A and of B for one mma.sync instruction:
// whatever the dtype, A is 16 rows of 32 bytes and B 8 columns of 32 bytes.
var fragmentWords = [2]int{4, 2}

// emitMma emits in by mma.sync and gives the registers of the sum, in p.AccLayout. The operands of step k+1 are loaded
// before the instructions of step k, so that loads from shared memory overlap with arithmetic.
func (dc *dotCode) emitMma(acc []asm.Reg) []asm.Reg {
	var parts [2][]*lazyRegs
	for s := range plan.Side(2) {
		parts[s] = dc.operandFragments(s)
	}
	sums := dc.accFragments(acc)
	g, op := gridOf(dc.p, dc.in), mmaOp(dc.p)
	// One step of K ahead: the loads of step k+1 are in flight while step k multiplies.
	g.prefetch(parts, 0)
	for k := range g.steps {
		if k+1 < g.steps {
			g.prefetch(parts, k+1)
		}
		for t := range g.batch * g.rows * g.cols {
			for _, pair := range dc.p.Terms {
				a := g.words(parts[0][pair[0]], 0, t, k)
				b := g.words(parts[1][pair[1]], 1, t, k)
				// A new register for each sum: ptxas allocates D and C to the same one, and the chain stays visible to
				// it.
				d := dc.e.Regs(asm.B32, len(sums[t]))
				dc.e.Add(asm.Inst{Op: asm.Op(op), Dst: []asm.Operand{asm.V(d...)},
					Src: []asm.Operand{asm.V(a...), asm.V(b...), asm.V(sums[t]...)}})
				sums[t] = d
			}
		}
	}
	return dc.accRegisters(sums)
}

// accFragments is the accumulator's registers tile by tile, 16×8 elements each, of which a thread has four; fp16 ones
// are packed in pairs.
func (dc *dotCode) accFragments(acc []asm.Reg) [][]asm.Reg {
	groups := make([][]asm.Reg, len(acc)/4)
	for i := range groups {
		groups[i] = dc.e.packIfNarrow(dc.p.Acc, acc[4*i:4*i+4])
	}
	return groups
}

// accRegisters undoes accFragments.
func (dc *dotCode) accRegisters(groups [][]asm.Reg) []asm.Reg {
	var acc []asm.Reg
	for _, g := range groups {
		acc = append(acc, dc.e.unpackWords(dc.p.Acc, g, 4)...)
	}
	return acc
}

// packIfNarrow packs elements of d into words unless they are words.
func (t *threadCode) packIfNarrow(d num.DType, regs []asm.Reg) []asm.Reg {
	if d.Info().Bits == 32 {
		return regs
	}
	return t.packWords(d, regs)
}

// mmaGrid is how many mma.sync instructions a warp needs along each dimension: batch, M (rows), N (cols), K (steps).
type mmaGrid struct{ batch, rows, cols, steps int }

// gridOf is the instructions of a warp for one dot.
func gridOf(p *plan.Dot, in *ir.Instr) mmaGrid {
	shape := p.AccLayout.Shape
	rank := len(shape)
	g := mmaGrid{batch: 1}
	g.rows = max(1, shape[rank-2]/plan.MmaM/p.Warps[rank-2])
	g.cols = max(1, shape[rank-1]/plan.MmaN/p.Warps[rank-1])
	if rank == 3 {
		g.batch = max(1, shape[0]/p.Warps[0])
	}
	k := in.Operands[0].Type.Shape
	g.steps = k[len(k)-1] / p.MmaK()
	return g
}

// tile is the number of the operand's tile, counted along the dimension that is not k, for the accumulator's t-th tile.
func (g mmaGrid) tile(s plan.Side, t int) int {
	// Tiles of the accumulator are numbered batch by batch, row by row.
	row, col := t/g.cols, t%g.cols
	if s == 0 {
		return row
	}
	return row/g.rows*g.cols + col
}

// firstWord is the number of the operand's first word for the accumulator's t-th tile in step k.
func (g mmaGrid) firstWord(s plan.Side, t, k int) int {
	return (g.tile(s, t)*g.steps + k) * fragmentWords[s]
}

func (g mmaGrid) words(o *lazyRegs, s plan.Side, t, k int) []asm.Reg {
	out := make([]asm.Reg, fragmentWords[s])
	for i := range out {
		out[i] = o.get(g.firstWord(s, t, k) + i)
	}
	return out
}

// prefetch reads all that step k needs.
func (g mmaGrid) prefetch(parts [2][]*lazyRegs, k int) {
	for s := range plan.Side(2) {
		for t := range g.batch * g.rows * g.cols {
			for _, o := range parts[s] {
				g.words(o, s, t, k)
			}
		}
	}
}

// operandFragments is operand s of in as fragments, in words: one set for each of the splits.
func (dc *dotCode) operandFragments(s plan.Side) []*lazyRegs {
	elem := dc.p.Elem[s]
	_, want := dc.p.OperandForm(dc.in, s)
	regs, t := dc.operand(s)
	switch {
	case dc.p.Splits > 1 && regs == nil:
		return dc.splitOperand(dc.e.loadElements(t, want), elem)
	case dc.p.Splits > 1:
		return dc.splitOperand(loadedRegs(regs), elem)
	case regs != nil:
		return []*lazyRegs{dc.e.packLazily(loadedRegs(regs), elem)}
	case t.dtype != elem && !dc.unconverted(1-s):
		// fp8 next to fp16: each element is converted where it belongs
		x := dc.e.loadElements(t, want)
		return []*lazyRegs{dc.e.packLazily(mapRegs(len(x.regs), func(i int) asm.Reg {
			return scalar.Cast(dc.e.Program, t.dtype, elem, num.RTNE, x.get(i))
		}), elem)}
	case t.dtype != elem: // fp8 in both: fragments of bytes are widened
		raw := dc.p.Fragments(s, dc.in.Operands[s].Type.Shape, t.dtype.Info().Bits)
		return []*lazyRegs{dc.e.widenFP8(dc.e.loadFragments(t, s, raw), t.dtype, s, want)}
	}
	return []*lazyRegs{dc.e.loadFragments(t, s, want)}
}

// unconverted reports whether operand s is in shared memory in another dtype than it is multiplied in.
func (dc *dotCode) unconverted(s plan.Side) bool {
	t := dc.in.Operands[s].Type
	return t.IsMemDesc() && t.DType != dc.p.Elem[s]
}

// packLazily packs the elements of an operand into words as they are asked for.
func (t *threadCode) packLazily(o *lazyRegs, d num.DType) *lazyRegs {
	per := 32 / d.Info().Bits
	if per == 1 {
		return o
	}
	return mapRegs(len(o.regs)/per, func(i int) asm.Reg {
		group := make([]asm.Reg, per)
		for j := range group {
			group[j] = o.get(i*per + j)
		}
		return t.packWords(d, group)[0]
	})
}

// loadFragments loads fragments of operand s from shared memory: by ldmatrix if the tile's layout allows it, which
// loads up to four 8×8 matrices of 16-bit elements, each lane giving the address of one row (PTX ISA, "ldmatrix").
func (tc *tileCode) loadFragments(t sharedTile, s plan.Side, want layout.Layout) *lazyRegs {
	l, number := want, func(word int) int { return word }
	if s == 1 {
		l, number = pairColumnTiles(want, t.mem.ElemBits)
	}
	x, ok := layout.Ldmatrix(t.mem, l)
	if !ok {
		return tc.packLazily(tc.loadElements(t, want), t.dtype)
	}
	op := fmt.Sprintf("ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16", x.Count, map[bool]string{true: ".trans"}[x.Trans])
	w := tc.walkAccess(layout.Access{Lane: x.Lane, Warp: x.Warp, At: x.At})
	o := newLazyRegs(len(x.At) * x.Count)
	for i := range x.At {
		numbers := make([]int, x.Count)
		for j := range numbers {
			numbers[j] = number(i*x.Count + j)
		}
		o.define(numbers, func() []asm.Reg {
			d := tc.Regs(asm.B32, x.Count)
			tc.Add(asm.Inst{Op: asm.Op(op), Dst: []asm.Operand{asm.V(d...)}, Src: []asm.Operand{tc.tileAddress(t, w,
				i).operand()}})
			return d
		})
	}
	return o
}

// pairColumnTiles permutes the registers of a right operand's layout so that two tiles next to each other along N come
// before the next along K; number maps a word of the permuted order to the original one. One ldmatrix.x4 then loads
// words of one step in K alone, so that fewer registers are live.
func pairColumnTiles(l layout.Layout, elemBits int) (paired layout.Layout, number func(word int) int) {
	n := len(l.Shape) - 1
	pack := bits.TrailingZeros(uint(32 / elemBits))
	// Register bits from the lowest on: elements in a word (pack), the two halves of K in a fragment, then tiles, in
	// the order of the layout.
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
	// Move the bit of the column pair from its place in the permuted word number to that in the original one, and the
	// bits of k between the two up by one.
	low := first - pack
	return paired, func(word int) int {
		k := word >> (low + 1) & (1<<(column-first) - 1)
		return word&(1<<low-1) | k<<low | word>>low&1<<(column-pack) | word>>(column-pack+1)<<(column-pack+1)
	}
}

// widenFP8 makes fp16 fragments of fp8 ones. Of the four elements along k in a word, the first two go to the lower half
// of an instruction's K, the others to the upper half. That permutes k, in both operands alike, and a sum over k does
// not depend on the order.
func (t *threadCode) widenFP8(raw *lazyRegs, d num.DType, s plan.Side, want layout.Layout) *lazyRegs {
	tiles := fragmentWords[s] / 2 // along the dimension that is not k
	o := newLazyRegs(want.Regs() / 2)
	for i := range raw.regs {
		instr, r := i/fragmentWords[s], i%fragmentWords[s]
		first := (2*instr+r/tiles)*fragmentWords[s] + r%tiles
		o.define([]int{first, first + tiles}, func() []asm.Reg {
			return t.packWords(num.Float16, t.castAll(d, num.Float16, t.unpackWords(d, []asm.Reg{raw.get(i)}, 4)))
		})
	}
	return o
}

// splitOperand splits fp32 elements: each split is what the ones before leave, rounded to elem.
func (dc *dotCode) splitOperand(o *lazyRegs, elem num.DType) []*lazyRegs {
	t, n := dc.e.threadCode, len(o.regs)
	elems := make([]*lazyRegs, dc.p.Splits)
	for i := range elems {
		elems[i] = newLazyRegs(n)
	}
	for r := range n {
		rest := mapRegs(1, func(int) asm.Reg { return o.get(r) })
		for _, part := range elems {
			before := rest
			part.define([]int{r}, func() []asm.Reg { return []asm.Reg{roundTo(t, before.get(0), elem)} })
			rest = mapRegs(1, func(int) asm.Reg {
				return t.Do("sub.rn.f32", asm.R(before.get(0)), asm.R(toFP32(t, part.get(r), elem)))
			})
		}
	}
	for i := range elems {
		elems[i] = t.packLazily(elems[i], elem)
	}
	return elems
}

// roundTo rounds an fp32 to elem: tf32 in fp32's bits, or bf16.
func roundTo(t *threadCode, x asm.Reg, elem num.DType) asm.Reg {
	if elem == num.Float32 {
		return t.Do("cvt.rna.tf32.f32", asm.R(x))
	}
	return scalar.Cast(t.Program, num.Float32, elem, num.RTNE, x)
}

// toFP32 undoes roundTo.
func toFP32(t *threadCode, x asm.Reg, elem num.DType) asm.Reg {
	if elem == num.Float32 {
		return x
	}
	return scalar.Cast(t.Program, elem, num.Float32, num.RTNE, x)
}
