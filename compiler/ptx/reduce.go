package ptx

import (
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

func init() {
	emitters[ops.Reduce] = emitReduce
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
	// pickedBy is the region's, if the pairs' second elements are the index, else Invalid.
	pickedBy ops.Op
}

// emitReduce emits a reduction: along registers in each thread, then along lanes by butterfly shuffles, then along
// warps through shared memory, from where each thread combines the warps' elements, or each warp by shuffles if they
// are many.
//
// A region that is not known to commute sees its operands in the order of the index, which takes the bits of the index
// from the lowest on. Others go from the highest bit on along the first dimension, as the interpreter does, and as
// Triton does if each thread has one element, so that sums of floats round alike.
func emitReduce(e *emitter, in *ir.Instr) {
	r := &reduction{e: e, region: in.Regions[0]}
	r.layout, r.tileRegs = e.operandTiles(in)
	scaled, ok := e.scaled[in.Operands[0]]
	if ok = ok && axis.TakesMax(in); ok {
		_, keep := e.layoutOf(in.Operands[0]).DropReplicas()
		r.regs[0] = pickRegs(scaled.regs, keep)
	}
	axis, picks := int(in.Int("axis")), pickedBy(r.region)
	if picks != ops.Invalid && e.isIndex(in.Operands[1], axis) {
		r.pickedBy = picks
	}
	// In fp64 the bits of a NaN depend on the order of the operands; narrower dtypes have one NaN.
	r.bitExact = commutes(r.region) && !slices.Contains(r.dtypes, num.Float64) ||
		picks != ops.Invalid && !r.dtypes[0].Info().Float
	r.commutes = commutes(r.region) || picks != ops.Invalid
	along := r.layout.AlongBits(axis)
	if r.commutes {
		// the interpreter's order along the first dimension, see above
		if axis == 0 && r.pickedBy == ops.Invalid {
			slices.Reverse(along)
		}
		// Registers, then lanes, then warps: the cheapest first, when the most elements are left.
		slices.SortStableFunc(along, func(a, b layout.Place) int { return int(a.In) - int(b.In) })
	}
	if e.plan.PartialSums[in] != nil {
		e.emitPartialSum(in, r, axis, along)
		return
	}
	r.reduceBits(along)
	if ok {
		r.regs[0] = e.mapEach(r.regs[0], func(x asm.Reg) asm.Reg {
			return scalar.Op(e.Program, ops.Mul, num.Float32, x, scaled.scale)
		})
	}
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

// pickedBy is, of a region that yields the pair that comes first in a strict order of pairs, the comparison of x0 with
// y0 that picks x if x1 is less than y1; Invalid of other regions. Argmax and argmin are such that prefer the first of
// equal elements; argmax is picked by >=:
//
//	select(x0 > y0 or x0 == y0 and x1 < y1, x, y)
//
// Swapping the operands changes nothing, unless a NaN is among them, which is neither before nor behind another: then
// what is picked depends on the order.
func pickedBy(region *ir.Block) ops.Op {
	yields := region.Terminator().Operands
	if len(yields) != 2 || len(region.Args) != 4 {
		return ops.Invalid
	}
	x, y := region.Args[:2], region.Args[2:]
	for i, v := range yields {
		if !isOp(v, ops.Select) || v.Def.Operands[0] != yields[0].Def.Operands[0] ||
			v.Def.Operands[1] != x[i] || v.Def.Operands[2] != y[i] {
			return ops.Invalid
		}
	}
	before, tie := eitherOp(yields[0].Def.Operands[0], ops.Or, ops.And)
	equal, second := eitherOp(tie, ops.And, ops.Lt, ops.Gt)
	if comparison(equal, x[0], y[0]) != ops.Eq {
		return ops.Invalid
	}
	first := comparison(before, x[0], y[0])
	switch comparison(second, x[1], y[1]) {
	case ops.Lt:
		return map[ops.Op]ops.Op{ops.Lt: ops.Le, ops.Gt: ops.Ge}[first]
	case ops.Gt:
		return map[ops.Op]ops.Op{ops.Lt: ops.Lt, ops.Gt: ops.Gt}[first]
	}
	return ops.Invalid
}

// eitherOp is the operands of v, which is the result of op, with that last which is the result of one of the operations
// of last; nil if there is none.
func eitherOp(v *ir.Value, op ops.Op, last ...ops.Op) (other, found *ir.Value) {
	if v == nil || !isOp(v, op) {
		return nil, nil
	}
	switch a, b := v.Def.Operands[0], v.Def.Operands[1]; {
	case isOp(b, last...):
		return a, b
	case isOp(a, last...):
		return b, a
	}
	return nil, nil
}

// comparison is the operation by which v compares a with b, Invalid if it does not.
func comparison(v, a, b *ir.Value) ops.Op {
	switch {
	case v == nil || v.Def == nil || len(v.Def.Operands) != 2:
	case v.Def.Operands[0] == a && v.Def.Operands[1] == b:
		return v.Def.Op
	case v.Def.Operands[0] == b && v.Def.Operands[1] == a:
		return mirrored[v.Def.Op]
	}
	return ops.Invalid
}

// mirrored are comparisons with their operands swapped.
var mirrored = map[ops.Op]ops.Op{ops.Eq: ops.Eq, ops.Lt: ops.Gt, ops.Gt: ops.Lt}

// isOp reports whether v is the result of one of the operations.
func isOp(v *ir.Value, list ...ops.Op) bool { return v.Def != nil && slices.Contains(list, v.Def.Op) }

// reduceBits reduces along the bits of the index, each given by its place in the layout.
func (r *reduction) reduceBits(along []layout.Place) {
	bases := make([]uint32, len(along))
	for i, p := range along {
		bases[i] = [...][]uint32{r.layout.Reg, r.layout.Lane, r.layout.Warp}[p.In][p.Bit]
	}
	done := uint32(0)
	for i, b := range bases {
		// A basis moves from warps to registers or lanes once warps have been exchanged.
		if slices.Contains(r.layout.Warp, b) {
			r.exchangeWarps(bases[i:])
		}
		if lane := slices.Index(r.layout.Lane, b); lane >= 0 {
			r.reduceLanes(lane, bases[i:])
		} else if reg := slices.Index(r.layout.Reg, b); reg >= 0 {
			// All that a register stands for comes before its partner's.
			r.reduceRegisters(reg, b > done)
		}
		done += b
	}
}

// isIndex reports whether v is the index along an axis.
func (e *emitter) isIndex(v *ir.Value, axis int) bool {
	if e.facts.Dims(v)[axis].Contiguity < int64(v.Type.Shape[axis]) {
		return false
	}
	for v.Def != nil && plan.ViewOps[v.Def.Op] {
		v = v.Def.Operands[0]
	}
	return isOp(v, ops.Arange)
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

// reduceRegisters combines registers that differ in bit i of their number. In order, the indices that the left one
// stands for are less than those of the right one.
func (r *reduction) reduceRegisters(i int, inOrder bool) {
	combine := func(left, right []asm.Reg) []asm.Reg { return r.e.combine(r.region, left, right) }
	if inOrder && r.pickedBy != ops.Invalid {
		combine = r.pick
	}
	var rows [][]asm.Reg
	for at := range r.layout.Regs() {
		// with its partner at|1<<i
		if at>>i&1 == 0 {
			rows = append(rows, combine(r.row(at), r.row(at|1<<i)))
		}
	}
	r.tileRegs = tilesOfRows(r.dtypes, rows)
	r.layout.Reg = slices.Delete(slices.Clone(r.layout.Reg), i, i+1)
}

// pick is combine where the index of the left pair is the lesser.
func (r *reduction) pick(left, right []asm.Reg) []asm.Reg {
	return r.e.selectRow(scalar.Compare(r.e.Program, r.pickedBy, r.dtypes[0], left[0], right[0]), left, right)
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
