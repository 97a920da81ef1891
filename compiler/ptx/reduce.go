package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

func init() {
	emitters[ops.Reduce] = emitReduce
}

// reduction is a reduction while it is emitted, as its plan says (plan.Reduction).
type reduction struct {
	e      *emitter
	region *ir.Block
	plan   *plan.Reduction
	tileRegs
	scratch   int  // byte of shared memory, for exchanges
	exchanged bool // the scratch memory is in use
}

// emitReduce emits a reduction.
func emitReduce(e *emitter, in *ir.Instr) {
	_, keep := in.Operands[0].Layout.DropReplicas()
	r := &reduction{e: e, region: in.Regions[0], plan: e.plan.Reductions[in], tileRegs: e.tilesOf(in.Operands, keep),
		scratch: e.scratch(in)}
	r.emit(r.plan.Steps)
	for i, v := range in.Results {
		e.setRegs(v, r.regs[i])
	}
}

// emit emits steps.
func (r *reduction) emit(steps []plan.ReduceStep) {
	for _, s := range steps {
		switch s.Kind {
		case plan.InRegisters:
			r.reduceRegisters(s.Bit, s.InOrder)
		case plan.InLanes:
			r.reduceLanes(s.Bit)
		case plan.AllLanes:
			op := reduxOps[r.region.Terminator().Operands[0].Def.Op][r.dtypes[0]]
			r.regs[0] = r.e.mapEach(r.regs[0], func(v asm.Reg) asm.Reg {
				return r.e.Do(op, asm.R(v), asm.I(-1))
			})
		case plan.AcrossWarps:
			if r.exchanged {
				r.e.Barrier()
			}
			r.tileRegs, r.exchanged = r.e.convertAll(r.tileRegs, s.Exchange, r.scratch), true
		}
	}
}

// tilesOf is the registers of the given numbers of values.
func (e *emitter) tilesOf(values []*ir.Value, numbers []int) (t tileRegs) {
	for _, v := range values {
		t.dtypes = append(t.dtypes, v.Type.DType)
		t.regs = append(t.regs, pickRegs(e.regs(v), numbers))
	}
	return t
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
	if inOrder && r.plan.PickedBy != ops.Invalid {
		combine = r.pick
	}
	var rows [][]asm.Reg
	for at := range r.regs[0] {
		// with its partner at|1<<i
		if at>>i&1 == 0 {
			rows = append(rows, combine(r.row(at), r.row(at|1<<i)))
		}
	}
	r.tileRegs = tilesOfRows(r.dtypes, rows)
}

// pick is combine where the index of the left pair is the lesser.
func (r *reduction) pick(left, right []asm.Reg) []asm.Reg {
	return r.e.selectRow(scalar.Compare(r.e.Program, r.plan.PickedBy, r.dtypes[0], left[0], right[0]), left, right)
}

// reduceLanes combines lanes that differ in bit i of their number.
func (r *reduction) reduceLanes(i int) {
	other := tileRegs{r.dtypes, make([][]asm.Reg, len(r.regs))}
	for k, regs := range r.regs {
		other.regs[k] = r.e.shuffleLanes(butterfly(1<<i), regs)
	}
	rows := make([][]asm.Reg, len(r.regs[0]))
	for at := range rows {
		mine, theirs := r.row(at), other.row(at)
		// The lane whose bit is clear is on the left; both lanes compute the same.
		if !r.plan.BitExact {
			upper := r.e.threadBits(1<<i, 0)
			mine, theirs = r.e.selectRow(upper, theirs, mine), r.e.selectRow(upper, mine, theirs)
		}
		rows[at] = r.e.combine(r.region, mine, theirs)
	}
	r.tileRegs = tilesOfRows(r.dtypes, rows)
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
