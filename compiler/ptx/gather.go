package ptx

import (
	"math/bits"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

func init() {
	emitters[ops.Gather] = (*emitter).gather
}

// gatherBytes is the most shared memory that a gather takes; a larger source goes through it in parts.
const gatherBytes = 64 << 10

// gatherer takes elements from a tile that lies in shared memory row by row.
type gatherer struct {
	*emitter
	trip       // of the source, one way
	src, index *ir.Value
	axis       int
	mem        layout.Mem
	at         []asm.Reg // per register of the index, the address apart from imm
	imm        []int64
}

// gather emits result[…, i, …] = src[…, index[…, i, …], …]. An index that is too large, or negative, takes the last
// element: it means no particular one, and nothing outside the buffer is read.
func (e *emitter) gather(in *ir.Instr) {
	g := &gatherer{emitter: e, src: in.Operands[0], index: in.Operands[1], axis: int(in.Int("axis"))}
	d, shape := g.src.Type.DType, g.src.Type.Shape
	order := make([]int, len(shape))
	for i := range order {
		order[i] = len(shape) - 1 - i
	}
	g.mem = layout.RowMajor(shape, order, memoryBits(d))
	l := e.layout(g.src)
	free := l.Free()
	skip := e.threadBits(free.Lane, free.Warp)
	g.trip = trip{dtype: d, bytes: min(g.mem.Bytes(), gatherBytes), in: e.regs(g.src), store: e.walk(g.mem.Access(l, 16))}
	g.parts = g.mem.Bytes() / g.bytes
	g.buffer = e.Shared("gather", g.bytes, scratchAlign)
	to, keep := e.layout(g.index).DropReplicas()
	g.addresses(to, picked(e.regs(g.index), keep))
	out := make([]asm.Reg, len(keep))
	for part := range g.parts {
		g.put(e, part, skip)
		for r := range out {
			out[r] = g.take(part, r, out[r])
		}
	}
	e.set(in.Results[0], e.convert(d, out, to, e.layout(in.Results[0])))
}

// addresses finds where each register's element is: the thread's and the register's place along the other dimensions,
// and the index along the axis.
func (g *gatherer) addresses(l layout.Layout, index []asm.Reg) {
	size := uint32(g.mem.ElemBits / 8)
	to := func(bases []uint32) []uint32 {
		moved := make([]uint32, len(bases))
		for i, b := range bases {
			moved[i] = size * g.elsewhere(l.Coord(b))
		}
		return moved
	}
	thread := g.threadOffset(to(l.Lane), to(l.Warp))
	regs := to(l.Reg)
	step := int(size) * stride(g.src.Type.Shape, g.axis)
	g.at, g.imm = make([]asm.Reg, len(index)), make([]int64, len(index))
	for r, v := range index {
		at := g.Do("shl.b32", asm.B32, asm.R(g.clamped(v)), asm.I(int64(bits.TrailingZeros(uint(step)))))
		if thread.OK() {
			at = g.Do("add.s32", asm.B32, asm.R(at), asm.R(thread))
		}
		g.at[r] = at
		for i, m := range regs {
			g.imm[r] += int64(m) & -int64(r>>i&1)
		}
	}
}

// elsewhere is the number of the source's element at the given place, and 0 along the axis.
func (g *gatherer) elsewhere(place []int) (element uint32) {
	for i, c := range place {
		if i != g.axis {
			element += uint32(c * stride(g.src.Type.Shape, i))
		}
	}
	return element
}

// stride is how many elements, row by row, lie between neighbours along axis.
func stride(shape []int, axis int) int {
	n := 1
	for _, d := range shape[axis+1:] {
		n *= d
	}
	return n
}

// clamped is an index as 32 bits, within the axis.
func (g *gatherer) clamped(v asm.Reg) asm.Reg {
	last := asm.I(int64(g.src.Type.Shape[g.axis] - 1))
	switch {
	case v.Class == asm.B64:
		return g.Do("cvt.u32.u64", asm.B32, asm.R(g.Do("min.u64", asm.B64, asm.R(v), last)))
	case v.Class == asm.Pred:
		v = g.word(v)
	case v.Class == asm.B16 && signExtended(g.index.Type.DType):
		v = g.Do("cvt.s32.s16", asm.B32, asm.R(v))
	case v.Class == asm.B16:
		v = g.Do("cvt.u32.u16", asm.B32, asm.R(v))
	}
	return g.Do("min.u32", asm.B32, asm.R(v), last)
}

// take loads what register r of the index points at, if it is in this part; else it keeps what was there.
func (g *gatherer) take(part, r int, was asm.Reg) asm.Reg {
	if g.parts == 1 {
		return g.loadShared(shared{g.buffer, g.at[r], g.imm[r]}, g.dtype, 1)[0]
	}
	in, base := g.within(part, g.at[r], g.imm[r])
	v := g.loadShared(shared{g.buffer, base, 0}, g.dtype, 1)[0]
	if !was.OK() {
		return v
	}
	return g.choose(in, v, was)
}

// within reports whether an address is in a part, and where in the buffer it is then.
func (g *gatherer) within(part int, base asm.Reg, off int64) (in, at asm.Reg) {
	at = g.Do("add.s32", asm.B32, asm.R(base), asm.I(off))
	high := g.Do("shr.u32", asm.B32, asm.R(at), asm.I(int64(bits.TrailingZeros(gatherBytes))))
	in = g.Do("setp.eq.s32", asm.Pred, asm.R(high), asm.I(int64(part)))
	return in, g.Do("and.b32", asm.B32, asm.R(at), asm.I(gatherBytes-1))
}
