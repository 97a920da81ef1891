package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

func init() {
	emitters[ops.Histogram] = emitHistogram
}

// emitHistogram counts in shared memory: all threads clear the bins, add one for each of their elements by red.shared,
// and read the result, as often as it takes for all bins.
func emitHistogram(e *emitter, in *ir.Instr) {
	bins := int(in.Int("num_bins"))
	l := *in.Results[0].Layout
	c := &sharedTrip{dtype: num.Int32, bytes: 4 * min(bins, plan.HistogramBins), to: make([]asm.Reg, l.Regs()),
		at: e.scratch(in)}
	c.parts = 4 * bins / c.bytes
	c.loadAddrs = e.walkAccess(layout.RowMajor(l.Shape, []int{0}, 32).Access(l, 4))
	c.storeAddrs = c.loadAddrs
	c.from = repeat(e.Do("mov.b32", asm.I(0)), l.Regs())
	free := l.Free()
	for part := range c.parts {
		if part > 0 {
			e.Barrier()
		}
		c.storePart(e.tileCode, part, e.threadBits(free.Lane, free.Warp))
		e.Barrier()
		e.countBins(in, c, part*c.bytes/4)
		e.Barrier()
		c.loadPart(e.tileCode, part)
	}
	e.setRegs(in.Results[0], c.to)
}

// countBins adds the elements that belong to the bins from first on.
func (e *emitter) countBins(in *ir.Instr, c *sharedTrip, first int) {
	x := in.Operands[0]
	whole := *x.Layout
	l, keep := whole.DropReplicas()
	free := l.Free()
	skip := e.threadBits(free.Lane, free.Warp)
	var mask []asm.Reg
	if m := in.Operand(1); m != nil {
		mask = pickRegs(e.regs(m), keep)
	}
	for r, v := range pickRegs(e.regs(x), keep) {
		if first > 0 {
			v = e.Do("sub.s32", asm.R(v), asm.I(int64(first)))
		}
		// Unsigned, so values below first are not counted either.
		p := e.Do("setp.lt.u32", asm.R(v), asm.I(int64(c.bytes/4)))
		if mask != nil {
			p = e.Do("and.pred", asm.R(p), asm.R(mask[r]))
		}
		// Of an element's replicas one is counted.
		if skip.OK() {
			p = e.Do("and.pred", asm.R(p), asm.R(e.Do("not.pred", asm.R(skip))))
		}
		at := e.Do("shl.b32", asm.R(v), asm.I(2))
		e.Add(asm.Inst{Op: asm.Op("red.shared.add.u32"), Src: []asm.Operand{asm.MB(at, int64(c.at)), asm.I(1)},
			Guard: p})
	}
}
