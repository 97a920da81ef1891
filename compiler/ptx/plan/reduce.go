package plan

import (
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// Reduction is how a reduction halves tiles along its axis, one bit of the index after the other: along registers in
// each thread, then along lanes by shuffles, then along warps through shared memory, from where each thread combines
// the warps' elements, or each warp by shuffles if they are many.
//
// A region that is not known to commute sees its operands in the order of the index, which takes the bits of the index
// from the lowest on. Others go from the highest bit on along the first dimension, as the interpreter does, and as
// Triton does if each thread has one element, so that sums of floats round alike.
type Reduction struct {
	// BitExact says that the result of the region has the same bits in both lanes of a butterfly, NaN or not.
	BitExact bool
	// PickedBy is the comparison by which the region picks the pair of the lesser index, if the pairs' second elements
	// are the index, else Invalid.
	PickedBy ops.Op
	Steps    []ReduceStep
}

// ReduceStep is one step of a reduction.
type ReduceStep struct {
	Kind ReduceKind
	Bit  int // of the number of the register or lane
	// InOrder, of registers: all that the left one stands for comes before what the right one does.
	InOrder  bool
	Exchange []*Conversion // of each tile
}

// ReduceKind is a kind of step.
type ReduceKind uint8

// The kinds of steps.
const (
	InRegisters ReduceKind = iota // combine registers that differ in a bit of their number
	InLanes                       // combine lanes that do
	AllLanes                      // all lanes of a warp at once
	AcrossWarps                   // give each thread, or lane, what the warps hold
)

// reducer follows the layout of the tiles while a reduction is planned. It loses the bits that are done: registers
// along them are gone, lanes and warps along them hold replicas.
type reducer struct {
	p        *Plan
	region   *ir.Block
	dtypes   []num.DType
	layout   layout.Layout
	commutes bool // the operands of the region may be swapped, so that bits may be done in any order
	steps    []ReduceStep
}

// broadcast takes an atomic's old values from the threads that did it to all that hold an element, where these are in
// several warps.
func (p *Plan) broadcast(in *ir.Instr) *Conversion {
	a := p.Accesses[in]
	if a.Unused || a.Layout.Free().Warp == 0 {
		return nil
	}
	m, vec := layout.Choose(a.Layout, a.Layout, 8*in.Operands[0].Type.DType.Info().Bytes)
	x := m.Access(a.Layout, vec)
	return p.throughShared(m, x, x, a.Layout, a.Layout)
}

func (p *Plan) reduction(in *ir.Instr) *Reduction {
	x, axis, picks := in.Operands[0], int(in.Int("axis")), PickedBy(in.Regions[0])
	r := &reducer{p: p, region: in.Regions[0], dtypes: dtypesOf(in.Operands)}
	r.layout, _ = x.Layout.DropReplicas()
	r.commutes = commutes(r.region) || picks != ops.Invalid
	// In fp64 the bits of a NaN depend on the order of the operands; narrower dtypes have one NaN.
	out := &Reduction{BitExact: commutes(r.region) && !slices.Contains(r.dtypes, num.Float64) ||
		picks != ops.Invalid && !r.dtypes[0].Info().Float}
	if picks != ops.Invalid && p.isIndex(in.Operands[1], axis) {
		out.PickedBy = picks
	}
	along := r.layout.AlongBits(axis)
	if r.commutes {
		// the interpreter's order along the first dimension, see above
		if axis == 0 && out.PickedBy == ops.Invalid {
			slices.Reverse(along)
		}
		// Registers, then lanes, then warps: the cheapest first, when the most elements are left.
		slices.SortStableFunc(along, func(a, b layout.Place) int { return int(a.In) - int(b.In) })
	}
	r.alongBits(along)
	out.Steps = r.steps
	return out
}

// dtypesOf is the dtypes of values.
func dtypesOf(values []*ir.Value) (list []num.DType) {
	for _, v := range values {
		list = append(list, v.Type.DType)
	}
	return list
}

// alongBits reduces along the bits of the index, each given by its place in the layout.
func (r *reducer) alongBits(along []layout.Place) {
	bases := make([]uint32, len(along))
	for i, p := range along {
		bases[i] = [...][]uint32{r.layout.Reg, r.layout.Lane, r.layout.Warp}[p.In][p.Bit]
	}
	done := uint32(0)
	for i, b := range bases {
		// A basis moves from warps to registers or lanes once warps have been exchanged.
		if slices.Contains(r.layout.Warp, b) {
			r.acrossWarps(bases[i:])
		}
		if lane := slices.Index(r.layout.Lane, b); lane >= 0 {
			r.inLanes(lane, bases[i:])
		} else if reg := slices.Index(r.layout.Reg, b); reg >= 0 {
			r.steps = append(r.steps, ReduceStep{Kind: InRegisters, Bit: reg, InOrder: b > done})
			r.layout.Reg = slices.Delete(slices.Clone(r.layout.Reg), reg, reg+1)
		}
		done += b
	}
}

// inLanes combines lanes that differ in bit i of their number. left are the bits of the index that are still to do.
func (r *reducer) inLanes(i int, left []uint32) {
	// One redux.sync in place of five shuffles and operations.
	if r.takesAllLanes(left) {
		r.steps = append(r.steps, ReduceStep{Kind: AllLanes})
		r.layout.Lane = make([]uint32, layout.LaneBits)
		return
	}
	r.steps = append(r.steps, ReduceStep{Kind: InLanes, Bit: i})
	r.layout.Lane = slices.Clone(r.layout.Lane)
	r.layout.Lane[i] = 0
}

// takesAllLanes reports whether one instruction combines all lanes, and all of them are still to do (PTX ISA,
// "redux.sync").
func (r *reducer) takesAllLanes(left []uint32) bool {
	for _, b := range r.layout.Lane {
		if !slices.Contains(left, b) {
			return false
		}
	}
	if !r.commutes || len(r.dtypes) != 1 || r.dtypes[0] != num.Int32 && r.dtypes[0] != num.Uint32 {
		return false
	}
	switch r.region.Terminator().Operands[0].Def.Op {
	case ops.Add, ops.Min, ops.Max, ops.And, ops.Or, ops.Xor:
		return true
	}
	return false
}

// acrossWarps gives each thread what the warps hold along the given bits: in registers, or, where that is cheaper,
// lanes that hold replicas get an element each, which are then combined as those of lanes are.
func (r *reducer) acrossWarps(bases []uint32) {
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
	r.steps = append(r.steps, ReduceStep{Kind: AcrossWarps, Exchange: r.p.exchangeWarps(r.dtypes, r.layout, dst)})
	// The exchange has numbered elements through; the axis keeps its shape.
	dst.Shape = r.layout.Shape
	r.layout = dst
}

// slowWork is how many arithmetic instructions a multiprocessor does in the time of a shuffle or an access to shared
// memory (CUDA C++ Programming Guide, "Arithmetic Instructions").
const slowWork = 4

// combinesInLanes reports whether lanes should combine what the warps hold along the given bits, by a shuffle for each
// bit, in place of each thread all of it: that is less work, of which one step waits for the other.
func (r *reducer) combinesInLanes(bases []uint32) bool {
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

// exchangeWarps gives each warp what several hold: dst has bits of src's warps as its last register bits, or as lane
// bits that were free. If all lanes of a warp hold the same, the warps' elements are contiguous in shared memory, to be
// loaded as vectors.
func (p *Plan) exchangeWarps(dtypes []num.DType, src, dst layout.Layout) (by []*Conversion) {
	// Only the elements that the warps hold go through shared memory, numbered without gaps.
	src, dst = flattened(src), flattened(dst)
	for _, d := range dtypes {
		// If lanes differ the general plan is right; it swizzles against bank conflicts.
		if slices.ContainsFunc(src.Lane, func(b uint32) bool { return b != 0 }) {
			by = append(by, p.Convert(src, dst, d.Info().Bits))
			continue
		}
		m := layout.Mem{Shape: src.Shape, Off: make([]uint32, bits.Len(uint(src.Elems()-1))),
			ElemBits: 8 * d.Info().Bytes}
		// Offsets grow along the warps' bits first, so that a thread loads what the warps hold with one vector.
		next := uint32(1)
		for _, b := range slices.Concat(dst.Reg[len(src.Reg):], src.Reg, dst.Lane, dst.Warp) {
			if b != 0 {
				m.Off[bits.TrailingZeros32(b)] = next
				next *= 2
			}
		}
		by = append(by, p.throughShared(m, m.Access(src, MaxAccess), m.Access(dst, MaxAccess), src, dst))
	}
	return by
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

// PickedBy is, of a region that yields the pair that comes first in a strict order of pairs, the comparison of x0 with
// y0 that picks x if x1 is less than y1; Invalid of other regions. Argmax and argmin are such that prefer the first of
// equal elements; argmax is picked by >=:
//
//	select(x0 > y0 or x0 == y0 and x1 < y1, x, y)
//
// Swapping the operands changes nothing, unless a NaN is among them, which is neither before nor behind another: then
// what is picked depends on the order.
func PickedBy(region *ir.Block) ops.Op {
	yields := region.Terminator().Operands
	if len(yields) != 2 || len(region.Args) != 4 {
		return ops.Invalid
	}
	x, y := region.Args[:2], region.Args[2:]
	for i, v := range yields {
		if !IsOp(v, ops.Select) || v.Def.Operands[0] != yields[0].Def.Operands[0] ||
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
	if v == nil || !IsOp(v, op) {
		return nil, nil
	}
	switch a, b := v.Def.Operands[0], v.Def.Operands[1]; {
	case IsOp(b, last...):
		return a, b
	case IsOp(a, last...):
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

// IsOp reports whether v is the result of one of the operations.
func IsOp(v *ir.Value, list ...ops.Op) bool { return v.Def != nil && slices.Contains(list, v.Def.Op) }

// isIndex reports whether v is the index along an axis.
func (p *Plan) isIndex(v *ir.Value, axis int) bool {
	if p.Facts.Dims(v)[axis].Contiguity < int64(v.Type.Shape[axis]) {
		return false
	}
	for v.Def != nil && ViewOps[v.Def.Op] {
		v = v.Def.Operands[0]
	}
	return IsOp(v, ops.Arange)
}
