package ptx

import (
	"math/bits"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

func init() {
	emitters[ops.Gather] = emitGather
}

// gatherer loads elements from a tile that is in shared memory in row-major order.
type gatherer struct {
	e          *emitter
	sharedTrip // of the source, one way
	src, index *ir.Value
	axis       int
	mem        layout.Mem
	at         []asm.Reg // per register of the index, the address apart from imm
	imm        []int64
}

// emitGather emits result[…, i, …] = src[…, index[…, i, …], …]. An index out of range, which has no meaning, takes the
// last element, so that nothing outside the buffer is read.
func emitGather(e *emitter, in *ir.Instr) {
	g := &gatherer{e: e, src: in.Operands[0], index: in.Operands[1], axis: int(in.Int("axis"))}
	d, shape := g.src.Type.DType, g.src.Type.Shape
	order := make([]int, len(shape))
	for i := range order {
		order[i] = len(shape) - 1 - i
	}
	g.mem = layout.RowMajor(shape, order, memoryBits(d))
	l := *g.src.Layout
	free := l.Free()
	skip := e.threadBits(free.Lane, free.Warp)
	g.sharedTrip = sharedTrip{dtype: d, bytes: min(g.mem.Bytes(), plan.GatherBytes), from: e.regs(g.src),
		at: e.scratch(in), storeAddrs: e.walkAccess(g.mem.Access(l, plan.MaxAccess/d.Info().Bytes))}
	g.parts = g.mem.Bytes() / g.bytes
	to, keep := g.index.Layout.DropReplicas()
	g.addresses(to, pickRegs(e.regs(g.index), keep))
	out := make([]asm.Reg, len(keep))
	// Each part is stored by all threads, then read by those whose index is in it.
	for part := range g.parts {
		if part > 0 {
			e.Barrier()
		}
		g.storePart(e.tileCode, part, skip)
		e.Barrier()
		for r := range out {
			out[r] = g.loadFromPart(part, r, out[r])
		}
	}
	e.setRegs(in.Results[0], pickRegs(out, g.index.Layout.Replicas()))
}

// addresses computes the address of each register's element: the thread's and the register's part along the other
// dimensions, plus the index along the axis.
func (g *gatherer) addresses(l layout.Layout, index []asm.Reg) {
	size := uint32(g.mem.ElemBits / 8)
	to := func(bases []uint32) []uint32 {
		moved := make([]uint32, len(bases))
		for i, b := range bases {
			moved[i] = size * g.offAxisElement(l.Coord(b))
		}
		return moved
	}
	thread := g.e.threadOffset(to(l.Lane), to(l.Warp))
	regs := to(l.Reg)
	step := int(size) * stride(g.src.Type.Shape, g.axis)
	g.at, g.imm = make([]asm.Reg, len(index)), make([]int64, len(index))
	for r, v := range index {
		// strides are powers of two
		at := g.e.Do("shl.b32", asm.R(g.clampIndex(v)), asm.I(int64(bits.TrailingZeros(uint(step)))))
		if thread.OK() {
			at = g.e.Do("add.s32", asm.R(at), asm.R(thread))
		}
		g.at[r] = at
		for i, m := range regs {
			g.imm[r] += int64(m) & -int64(r>>i&1)
		}
	}
}

// offAxisElement is the source's element number of a coordinate with 0 along the axis.
func (g *gatherer) offAxisElement(place []int) (element uint32) {
	for i, c := range place {
		if i != g.axis {
			element += uint32(c * stride(g.src.Type.Shape, i))
		}
	}
	return element
}

// stride is the number of elements between neighbors along axis in row-major order.
func stride(shape []int, axis int) int {
	n := 1
	for _, d := range shape[axis+1:] {
		n *= d
	}
	return n
}

// clampIndex is an index as 32 bits, at most the last along the axis. Negative ones are very large as unsigned numbers.
func (g *gatherer) clampIndex(v asm.Reg) asm.Reg {
	last := asm.I(int64(g.src.Type.Shape[g.axis] - 1))
	switch {
	// Unsigned minima: negative indices are beyond the end, too.
	case v.Class == asm.B64:
		return g.e.Do("cvt.u32.u64", asm.R(g.e.Do("min.u64", asm.R(v), last)))
	case v.Class == asm.Pred:
		v = g.e.predToWord(v)
	case v.Class == asm.B16 && signExtended(g.index.Type.DType):
		v = g.e.Do("cvt.s32.s16", asm.R(v))
	case v.Class == asm.B16:
		v = g.e.Do("cvt.u32.u16", asm.R(v))
	}
	return g.e.Do("min.u32", asm.R(v), last)
}

// loadFromPart loads the element that register r of the index selects if it is in this part; else it keeps was.
func (g *gatherer) loadFromPart(part, r int, was asm.Reg) asm.Reg {
	if g.parts == 1 {
		return g.e.loadShared(sharedAddr{g.at[r], int64(g.sharedTrip.at) + g.imm[r]}, g.dtype, 1)[0]
	}
	in, base := g.inPart(part, g.at[r], g.imm[r])
	v := g.e.loadShared(sharedAddr{base, int64(g.sharedTrip.at)}, g.dtype, 1)[0]
	if !was.OK() {
		return v
	}
	return g.e.selectReg(in, v, was)
}

// inPart is whether an address is in a part, and the address within the buffer if it is.
func (g *gatherer) inPart(part int, base asm.Reg, off int64) (in, at asm.Reg) {
	at = g.e.Do("add.s32", asm.R(base), asm.I(off))
	high := g.e.Do("shr.u32", asm.R(at), asm.I(int64(bits.TrailingZeros(plan.GatherBytes))))
	in = g.e.Do("setp.eq.s32", asm.R(high), asm.I(int64(part)))
	return in, g.e.Do("and.b32", asm.R(at), asm.I(plan.GatherBytes-1))
}
