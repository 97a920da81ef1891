package ptx

import (
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

func init() {
	emitters[ops.Reduce] = (*emitter).emitReduce
}

// reduction halves tiles along an axis, one bit of the index after the other. The layout loses the bits that are done:
// registers along them are gone, lanes and warps along them hold replicas.
type reduction struct {
	e      *emitter
	region *ir.Block
	tileRegs
	layout layout.Layout
	// commutes says that the operands of the region may be swapped, so that bits may be done in any order; bitExact
	// says that the result then has the same bits in both lanes of a butterfly, NaN or not.
	commutes, bitExact bool
}

// emitReduce emits a reduction: along registers in each thread, then along lanes by butterfly shuffles, then along
// warps through shared memory, from where each thread combines the warps' elements, or each warp by shuffles if they
// are many.
//
// A region that is not known to commute sees its operands in the order of the index, which takes the bits of the index
// from the lowest on. Others go from the highest bit on along the first dimension, as the interpreter does, and as
// Triton does if each thread has one element, so that sums of floats round alike.
func (e *emitter) emitReduce(in *ir.Instr) {
	r := &reduction{e: e, region: in.Regions[0]}
	r.layout, r.tileRegs = e.operandTiles(in)
	// In fp64 the bits of a NaN depend on the order of the operands; narrower dtypes have one NaN.
	r.bitExact = commutes(r.region) && !slices.Contains(r.dtypes, num.Float64) ||
		picks(r.region) && !r.dtypes[0].Info().Float
	r.commutes = commutes(r.region) || picks(r.region)
	axis := int(in.Int("axis"))
	along := r.layout.AlongBits(axis)
	if r.commutes {
		// the interpreter's order along the first dimension, see above
		if axis == 0 {
			slices.Reverse(along)
		}
		// Registers, then lanes, then warps: the cheapest first, when the most elements are left.
		slices.SortStableFunc(along, func(a, b layout.Place) int { return int(a.In) - int(b.In) })
	}
	r.reduceBits(along)
	result, _ := r.layout.Slice(axis)
	for i, v := range in.Results {
		e.setRegs(v, e.convert(r.dtypes[i], r.regs[i], result, e.layoutOf(v)))
	}
}

// operandTiles is the operands of a reduction or scan in the layout of the first, without replicas in a thread.
func (e *emitter) operandTiles(in *ir.Instr) (layout.Layout, tileRegs) {
	whole := e.layoutOf(in.Operands[0])
	l, keep := whole.DropReplicas()
	var t tileRegs
	for _, v := range in.Operands {
		t.dtypes = append(t.dtypes, v.Type.DType)
		t.regs = append(t.regs, pickRegs(e.regsIn(v, whole), keep))
	}
	return l, t
}

// commutes reports whether each value that the region yields is one commutative operation on its two arguments.
func commutes(region *ir.Block) bool {
	n := len(region.Args) / 2
	for i, v := range region.Terminator().Operands {
		x, y := region.Args[i], region.Args[i+n]
		if v.Def == nil || !v.Def.Op.Has(ops.Commutative) || len(v.Def.Operands) != 2 {
			return false
		}
		if a := v.Def.Operands; !(a[0] == x && a[1] == y || a[0] == y && a[1] == x) {
			return false
		}
	}
	return true
}

// picks reports whether the region yields the pair that comes first in a strict order of pairs, as argmax and argmin do
// that prefer the first of equal elements:
//
//	select(x0 > y0 or x0 == y0 and x1 < y1, x, y)
//
// Swapping the operands changes nothing, unless a NaN is among them, which is neither before nor behind another: then
// what is picked depends on the order.
func picks(region *ir.Block) bool {
	yields := region.Terminator().Operands
	if len(yields) != 2 || len(region.Args) != 4 {
		return false
	}
	x, y := region.Args[:2], region.Args[2:]
	for i, v := range yields {
		if !isOp(v, ops.Select) || v.Def.Operands[0] != yields[0].Def.Operands[0] ||
			v.Def.Operands[1] != x[i] || v.Def.Operands[2] != y[i] {
			return false
		}
	}
	compares := func(v *ir.Value, i int, by ...ops.Op) bool {
		return isOp(v, by...) && isPair(v, func(a, b *ir.Value) bool { return a == x[i] && b == y[i] })
	}
	before := []ops.Op{ops.Lt, ops.Gt}
	c := yields[0].Def.Operands[0]
	return isOp(c, ops.Or) && isPair(c, func(first, tie *ir.Value) bool {
		return compares(first, 0, before...) && isOp(tie, ops.And) && isPair(tie, func(equal, second *ir.Value) bool {
			return compares(equal, 0, ops.Eq) && compares(second, 1, before...)
		})
	})
}

// isOp reports whether v is the result of one of the operations.
func isOp(v *ir.Value, list ...ops.Op) bool { return v.Def != nil && slices.Contains(list, v.Def.Op) }

// isPair reports whether the operands of v's operation, in one order or the other, are what is asks for.
func isPair(v *ir.Value, is func(a, b *ir.Value) bool) bool {
	a, b := v.Def.Operands[0], v.Def.Operands[1]
	return is(a, b) || is(b, a)
}

// reduceBits reduces along the bits of the index, each given by its place in the layout.
func (r *reduction) reduceBits(along []layout.Place) {
	bases := make([]uint32, len(along))
	for i, p := range along {
		bases[i] = [...][]uint32{r.layout.Reg, r.layout.Lane, r.layout.Warp}[p.In][p.Bit]
	}
	for i, b := range bases {
		// A basis moves from warps to registers or lanes once warps have been exchanged.
		if slices.Contains(r.layout.Warp, b) {
			r.exchangeWarps(bases[i:])
		}
		if lane := slices.Index(r.layout.Lane, b); lane >= 0 {
			r.reduceLanes(lane, bases[i:])
			continue
		}
		if reg := slices.Index(r.layout.Reg, b); reg >= 0 {
			r.reduceRegisters(reg)
		}
	}
}

// combine emits the region for one element of each operand from the left and the right.
func (e *emitter) combine(region *ir.Block, left, right []asm.Reg) []asm.Reg {
	return e.inlineRegion(region, append(slices.Clone(left), right...))
}

// row is register i of every tile.
func (t tileRegs) row(i int) []asm.Reg {
	row := make([]asm.Reg, len(t.regs))
	for k, regs := range t.regs {
		row[k] = regs[i]
	}
	return row
}

// tilesOfRows undoes row.
func tilesOfRows(dtypes []num.DType, rows [][]asm.Reg) tileRegs {
	t := tileRegs{dtypes, make([][]asm.Reg, len(dtypes))}
	for _, row := range rows {
		for k, v := range row {
			t.regs[k] = append(t.regs[k], v)
		}
	}
	return t
}

// reduceRegisters combines registers that differ in bit i of their number.
func (r *reduction) reduceRegisters(i int) {
	var rows [][]asm.Reg
	for at := range r.layout.Regs() {
		// with its partner at|1<<i
		if at>>i&1 == 0 {
			rows = append(rows, r.e.combine(r.region, r.row(at), r.row(at|1<<i)))
		}
	}
	r.tileRegs = tilesOfRows(r.dtypes, rows)
	r.layout.Reg = slices.Delete(slices.Clone(r.layout.Reg), i, i+1)
}

// reduceLanes combines lanes that differ in bit i of their number. left are the bits of the index that are still to do.
func (r *reduction) reduceLanes(i int, left []uint32) {
	// One redux.sync in place of five shuffles and operations.
	if op := r.reduxOp(left); op != "" {
		for j, v := range r.regs[0] {
			r.regs[0][j] = r.e.Do(op, asm.B32, asm.R(v), asm.I(-1))
		}
		r.layout.Lane = make([]uint32, layout.LaneBits)
		return
	}
	other := tileRegs{r.dtypes, make([][]asm.Reg, len(r.regs))}
	for k, regs := range r.regs {
		other.regs[k] = r.e.shuffleLanes(butterfly(1<<i), regs)
	}
	rows := make([][]asm.Reg, r.layout.Regs())
	for at := range rows {
		mine, theirs := r.row(at), other.row(at)
		// The lane whose bit is clear is on the left; both lanes compute the same.
		if !r.bitExact {
			upper := r.e.threadBits(1<<i, 0)
			mine, theirs = r.e.selectRow(upper, theirs, mine), r.e.selectRow(upper, mine, theirs)
		}
		rows[at] = r.e.combine(r.region, mine, theirs)
	}
	r.tileRegs = tilesOfRows(r.dtypes, rows)
	r.layout.Lane = slices.Clone(r.layout.Lane)
	r.layout.Lane[i] = 0
}

// selectRow is yes if cond holds, else no, register by register.
func (t *threadCode) selectRow(cond asm.Reg, yes, no []asm.Reg) []asm.Reg {
	out := make([]asm.Reg, len(yes))
	for i := range out {
		out[i] = t.selectReg(cond, yes[i], no[i])
	}
	return out
}

// reduxOps are the instructions that reduce 32-bit integers over all lanes of a warp at once (PTX ISA, "redux.sync").
var reduxOps = map[ops.Op]map[num.DType]string{
	ops.Add: {num.Int32: "redux.sync.add.s32", num.Uint32: "redux.sync.add.u32"},
	ops.Min: {num.Int32: "redux.sync.min.s32", num.Uint32: "redux.sync.min.u32"},
	ops.Max: {num.Int32: "redux.sync.max.s32", num.Uint32: "redux.sync.max.u32"},
	ops.And: {num.Int32: "redux.sync.and.b32", num.Uint32: "redux.sync.and.b32"},
	ops.Or:  {num.Int32: "redux.sync.or.b32", num.Uint32: "redux.sync.or.b32"},
	ops.Xor: {num.Int32: "redux.sync.xor.b32", num.Uint32: "redux.sync.xor.b32"},
}

// reduxOp is the instruction that does all lanes at once, if there is one and all lanes are still to do; else "".
func (r *reduction) reduxOp(left []uint32) string {
	for _, b := range r.layout.Lane {
		if !slices.Contains(left, b) {
			return ""
		}
	}
	if !r.commutes || len(r.dtypes) != 1 {
		return ""
	}
	return reduxOps[r.region.Terminator().Operands[0].Def.Op][r.dtypes[0]]
}

// exchangeWarps gives each thread what the warps hold along the given bits: in registers, or, where that is cheaper,
// lanes that hold replicas get an element each, which are then combined as those of lanes are.
func (r *reduction) exchangeWarps(bases []uint32) {
	dst := layout.Layout{Reg: slices.Clone(r.layout.Reg), Lane: slices.Clone(r.layout.Lane),
		Warp: slices.Clone(r.layout.Warp)}
	toLanes := r.combinesInLanes(bases)
	for _, b := range bases {
		i := slices.Index(dst.Warp, b)
		if i < 0 {
			continue
		}
		dst.Warp[i] = 0
		if toLanes {
			dst.Lane[slices.Index(dst.Lane, 0)] = b
		} else {
			dst.Reg = append(dst.Reg, b)
		}
	}
	r.tileRegs = r.e.spreadWarps(r.tileRegs, r.layout, dst)
	// The exchange has numbered elements through; the axis keeps its shape.
	dst.Shape = r.layout.Shape
	r.layout = dst
}

// slowWork is how many arithmetic instructions a multiprocessor does in the time of a shuffle or an access to shared
// memory (CUDA C++ Programming Guide, "Arithmetic Instructions").
const slowWork = 4

// combinesInLanes reports whether lanes should combine what the warps hold along the given bits, by a shuffle for each
// bit, in place of each thread all of it: that is less work, of which one step waits for the other.
func (r *reduction) combinesInLanes(bases []uint32) bool {
	steps, free := 0, 0
	for _, b := range bases {
		if slices.Contains(r.layout.Warp, b) {
			steps++
		}
	}
	for _, b := range r.layout.Lane {
		if b == 0 {
			free++
		}
	}
	words := 0
	for _, d := range r.dtypes {
		words += (d.Info().Bits + 31) / 32
	}
	elements, work := 1<<steps, len(r.region.Instrs)-1
	inRegisters := (elements-1)*work + slowWork*max(1, elements*words/4) // four words a load
	inLanes := steps*(work+slowWork*words) + slowWork*words
	return steps <= free && 2*inLanes <= inRegisters
}

// flattened is l as a one-dimensional layout of the elements that it reaches, numbered without gaps.
func flattened(l layout.Layout) layout.Layout {
	// Bases are single bits of the element's number; the ones that occur are renumbered in order.
	var reached uint32
	lists := [...][]uint32{l.Reg, l.Lane, l.Warp}
	for _, bases := range lists {
		for _, b := range bases {
			reached |= b
		}
	}
	for i, bases := range lists {
		lists[i] = make([]uint32, len(bases))
		for j, b := range bases {
			if b != 0 {
				lists[i][j] = 1 << bits.OnesCount32(reached&(b-1))
			}
		}
	}
	return layout.Layout{Shape: []int{1 << bits.OnesCount32(reached)}, Reg: lists[0], Lane: lists[1], Warp: lists[2]}
}
