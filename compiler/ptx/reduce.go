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
	emitters[ops.Reduce] = (*emitter).reduce
}

// reduction halves tiles along an axis, one bit of the index after the other. The layout lacks the bits that are
// done: registers along them are gone, lanes and warps along them hold replicas.
type reduction struct {
	e      *emitter
	region *ir.Block
	tiles
	layout layout.Layout
	// commutes says that the operands of the region may change places, so that bits may be done in any order; exactly
	// so says that the result has the same bits then.
	commutes, exactly bool
}

// reduce emits a reduction. What its threads hold is combined in the thread first, then in the warp by shuffles, then
// through shared memory. A region of unknown kind sees its operands in the order of the index, which takes the bits of
// the index from the lowest on. Along the first dimension of others they go from the highest on: like the interpreter,
// and like Triton where each thread has one element, so that sums of floats round alike.
func (e *emitter) reduce(in *ir.Instr) {
	r := &reduction{e: e, region: in.Regions[0], commutes: commutes(in.Regions[0])}
	r.layout, r.tiles = e.operandTiles(in)
	r.exactly = r.commutes && !slices.Contains(r.dtypes, num.Float64)
	axis := int(in.Int("axis"))
	along := r.layout.AlongBits(axis)
	if r.commutes {
		if axis == 0 {
			slices.Reverse(along)
		}
		slices.SortStableFunc(along, func(a, b layout.Place) int { return int(a.In) - int(b.In) })
	}
	r.run(along)
	result, _ := r.layout.Slice(axis)
	for i, v := range in.Results {
		e.set(v, e.convert(r.dtypes[i], r.regs[i], result, e.layout(v)))
	}
}

// operandTiles is the operands of a reduction or scan in the layout of the first, without replicas in a thread.
func (e *emitter) operandTiles(in *ir.Instr) (layout.Layout, tiles) {
	whole := e.layout(in.Operands[0])
	l, keep := whole.DropReplicas()
	var t tiles
	for _, v := range in.Operands {
		t.dtypes = append(t.dtypes, v.Type.DType)
		t.regs = append(t.regs, picked(e.in(v, whole), keep))
	}
	return l, t
}

// commutes reports whether each value that the region yields is one operation on its two arguments, which may change
// places.
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

// run does the bits of the index, each given by its place.
func (r *reduction) run(along []layout.Place) {
	bases := make([]uint32, len(along))
	for i, p := range along {
		bases[i] = [...][]uint32{r.layout.Reg, r.layout.Lane, r.layout.Warp}[p.In][p.Bit]
	}
	for i, b := range bases {
		if lane := slices.Index(r.layout.Lane, b); lane >= 0 {
			r.acrossLanes(lane, bases[i:])
			continue
		}
		if slices.Contains(r.layout.Warp, b) {
			r.gatherWarps(bases[i:])
		}
		if reg := slices.Index(r.layout.Reg, b); reg >= 0 {
			r.inThread(reg)
		}
	}
}

// combined is the region of one element of each operand from both sides.
func (e *emitter) combined(region *ir.Block, left, right []asm.Reg) []asm.Reg {
	return e.inline(region, append(slices.Clone(left), right...))
}

// row is register i of every tile.
func (t tiles) row(i int) []asm.Reg {
	row := make([]asm.Reg, len(t.regs))
	for k, regs := range t.regs {
		row[k] = regs[i]
	}
	return row
}

// ofRows are the tiles that have the given rows.
func ofRows(dtypes []num.DType, rows [][]asm.Reg) tiles {
	t := tiles{dtypes, make([][]asm.Reg, len(dtypes))}
	for _, row := range rows {
		for k, v := range row {
			t.regs[k] = append(t.regs[k], v)
		}
	}
	return t
}

// inThread combines registers that differ in bit i of their number.
func (r *reduction) inThread(i int) {
	var rows [][]asm.Reg
	for at := range r.layout.Regs() {
		if at>>i&1 == 0 {
			rows = append(rows, r.e.combined(r.region, r.row(at), r.row(at|1<<i)))
		}
	}
	r.tiles = ofRows(r.dtypes, rows)
	r.layout.Reg = slices.Delete(slices.Clone(r.layout.Reg), i, i+1)
}

// acrossLanes combines lanes that differ in bit i of their number. left are the bits that are still to do.
func (r *reduction) acrossLanes(i int, left []uint32) {
	if op := r.wholeWarp(left); op != "" {
		for j, v := range r.regs[0] {
			r.regs[0][j] = r.e.Do(op, asm.B32, asm.R(v), asm.I(-1))
		}
		r.layout.Lane = make([]uint32, layout.LaneBits)
		return
	}
	other := tiles{r.dtypes, make([][]asm.Reg, len(r.regs))}
	for k, regs := range r.regs {
		other.regs[k] = r.e.shuffle(butterfly(1<<i), regs)
	}
	rows := make([][]asm.Reg, r.layout.Regs())
	for at := range rows {
		mine, theirs := r.row(at), other.row(at)
		if !r.exactly {
			upper := r.e.threadBits(1<<i, 0)
			mine, theirs = r.e.chooseRow(upper, theirs, mine), r.e.chooseRow(upper, mine, theirs)
		}
		rows[at] = r.e.combined(r.region, mine, theirs)
	}
	r.tiles = ofRows(r.dtypes, rows)
	r.layout.Lane = slices.Clone(r.layout.Lane)
	r.layout.Lane[i] = 0
}

// chooseRow is yes where cond holds, else no.
func (e *emitter) chooseRow(cond asm.Reg, yes, no []asm.Reg) []asm.Reg {
	out := make([]asm.Reg, len(yes))
	for i := range out {
		out[i] = e.choose(cond, yes[i], no[i])
	}
	return out
}

// warpWide are the operations that an instruction does over all lanes of a warp at once, for 32-bit integers.
var warpWide = map[ops.Op]map[num.DType]string{
	ops.Add: {num.Int32: "redux.sync.add.s32", num.Uint32: "redux.sync.add.u32"},
	ops.Min: {num.Int32: "redux.sync.min.s32", num.Uint32: "redux.sync.min.u32"},
	ops.Max: {num.Int32: "redux.sync.max.s32", num.Uint32: "redux.sync.max.u32"},
	ops.And: {num.Int32: "redux.sync.and.b32", num.Uint32: "redux.sync.and.b32"},
	ops.Or:  {num.Int32: "redux.sync.or.b32", num.Uint32: "redux.sync.or.b32"},
	ops.Xor: {num.Int32: "redux.sync.xor.b32", num.Uint32: "redux.sync.xor.b32"},
}

// wholeWarp is the instruction that does all lanes at once, where they are all still to do and there is one.
func (r *reduction) wholeWarp(left []uint32) string {
	for _, b := range r.layout.Lane {
		if !slices.Contains(left, b) {
			return ""
		}
	}
	if !r.commutes || len(r.dtypes) != 1 {
		return ""
	}
	return warpWide[r.region.Terminator().Operands[0].Def.Op][r.dtypes[0]]
}

// gatherWarps gives each thread what the warps hold along the given bits, in registers.
func (r *reduction) gatherWarps(bases []uint32) {
	dst := layout.Layout{Reg: slices.Clone(r.layout.Reg), Lane: r.layout.Lane, Warp: slices.Clone(r.layout.Warp)}
	for _, b := range bases {
		if i := slices.Index(dst.Warp, b); i >= 0 {
			dst.Reg = append(dst.Reg, b)
			dst.Warp[i] = 0
		}
	}
	r.tiles = r.e.warpsToRegs(r.tiles, r.layout, dst)
	dst.Shape = r.layout.Shape
	r.layout = dst
}

// flat is a layout of the elements that l reaches, numbered through.
func flat(l layout.Layout) layout.Layout {
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
