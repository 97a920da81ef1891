package ptx

import (
	"maps"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

// sharedTile is a tile in shared memory.
type sharedTile struct {
	buf   *asm.Buffer
	base  asm.Reg // b32; with off, the byte offset of the tile in buf. None: 0
	off   int
	mem   layout.Mem
	dtype num.DType
}

// operand is one side of a product as its instructions take it: numbered registers, each of which is
// there once need has asked for it. What comes from shared memory is read then, so that the reader
// decides what is in flight.
type operand struct {
	regs  []asm.Reg
	fetch []func() // by register; nil: it is there
}

// newOperand has n registers, none of which is there.
func newOperand(n int) *operand { return &operand{make([]asm.Reg, n), make([]func(), n)} }

// given is an operand whose registers are there.
func given(regs []asm.Reg) *operand { return &operand{regs, make([]func(), len(regs))} }

// need makes sure of register i and gives it.
func (o *operand) need(i int) asm.Reg {
	if f := o.fetch[i]; f != nil {
		f()
	}
	return o.regs[i]
}

// later lets f define the registers of the given numbers when the first of them is asked for.
func (o *operand) later(numbers []int, f func() []asm.Reg) {
	run := func() {
		for i, r := range f() {
			o.regs[numbers[i]] = r
			o.fetch[numbers[i]] = nil
		}
	}
	for _, n := range numbers {
		o.fetch[n] = run
	}
}

// derived is an operand of n registers, the i-th of which f makes.
func derived(n int, f func(i int) asm.Reg) *operand {
	o := newOperand(n)
	for i := range n {
		o.later([]int{i}, func() []asm.Reg { return []asm.Reg{f(i)} })
	}
	return o
}

// sharedSource is the tile that holds v, where v is in shared memory: what a pipelined loop has
// fetched, or the transpose of that.
func (e *emitter) sharedSource(v *ir.Value) (sharedTile, bool) {
	t, ok := e.fetched[v]
	if !ok && v.Def != nil && v.Def.Op == ops.Trans {
		t, ok = e.sharedSource(v.Def.Operands[0])
		if ok {
			t.mem = t.mem.Trans(perm(v.Def))
		}
	}
	return t, ok
}

// perm is the permutation of a trans.
func perm(in *ir.Instr) []int {
	var perm []int
	for _, i := range in.Ints("perm") {
		perm = append(perm, int(i))
	}
	return perm
}

// share puts a tile, whose registers are given in layout l, into shared memory, to be read by a product
// that sums along dimension k.
func (e *emitter) share(d num.DType, regs []asm.Reg, l layout.Layout, k int) sharedTile {
	m := layout.ForDot(l.Shape, k, fastest(l), memoryBits(d))
	t := sharedTile{buf: e.Shared("operand", m.Bytes(), layout.Align), mem: m, dtype: d}
	w := e.walk(m.Access(l, maxVector/d.Info().Bytes))
	free := l.Free()
	replica := e.threadBits(free.Lane, free.Warp)
	for i, o := range w.access.At {
		numbers := w.access.Regs[i*w.access.Vec:][:w.access.Vec]
		e.storeShared(shared{t.buf, w.base(e, i), int64(o.Imm)}, d, picked(regs, numbers), replica)
	}
	e.publish()
	return t
}

// maxVector is the most bytes that a thread moves at once.
const maxVector = 16

// fastest is the dimension of the matrix along which a thread's first registers go.
func fastest(l layout.Layout) int {
	last := len(l.Shape) - 1
	for _, b := range l.Reg {
		if b == 1<<0 {
			return last
		}
		if b == uint32(l.Shape[last]) {
			return last - 1
		}
	}
	return last
}

// spot is where an access of t begins. What does not depend on the tile's place is computed at the
// kernel's start, since tiles that move are read in loops.
func (e *emitter) spot(t sharedTile, w walk, i int) shared {
	o := w.access.At[i]
	if !t.base.OK() {
		return shared{t.buf, w.base(e, i), int64(o.Imm) + int64(t.off)}
	}
	if _, ok := w.bases[o.Xor]; !ok {
		w.bases[o.Xor] = e.moved(t.base, w.thread, o.Xor)
	}
	return shared{t.buf, w.bases[o.Xor], int64(o.Imm) + int64(t.off)}
}

// moved is base + (thread ^ xor).
func (e *emitter) moved(base, thread asm.Reg, xor uint32) asm.Reg {
	if !thread.OK() {
		return base
	}
	if xor != 0 {
		e.Early(func() { thread = e.Do("xor.b32", asm.B32, asm.R(thread), asm.I(int64(xor))) })
	}
	return e.Do("add.s32", asm.B32, asm.R(base), asm.R(thread))
}

// elements is the operand whose registers are t's elements as threads of layout l hold them.
func (e *emitter) elements(t sharedTile, l layout.Layout) *operand {
	return e.readAll(t, e.walk(t.mem.Access(l, maxVector*8/t.mem.ElemBits)), l.Regs())
}

// readAll is an operand of the first n registers that a walk through t reads.
func (e *emitter) readAll(t sharedTile, w walk, n int) *operand {
	x := newOperand(n)
	for i := range w.access.At {
		numbers := w.access.Regs[i*w.access.Vec:][:w.access.Vec]
		if numbers[0] < n {
			x.later(numbers, func() []asm.Reg { return e.loadShared(e.spot(t, w, i), t.dtype, len(numbers)) })
		}
	}
	for r, s := range w.access.Same[:n] {
		if r != s {
			x.later([]int{r}, func() []asm.Reg { return []asm.Reg{x.need(s)} })
		}
	}
	return x
}

// side is one operand of a dot: 0 the left, 1 the right one.
type side int

// along is the dimension that the product sums along.
func (s side) along(rank int) int { return rank - 1 - int(s) }

// source is operand s of in, cast to d: registers whose threads hold it as want, or a tile in shared
// memory. Tiles of a ring have the dtype that they have in memory.
func (e *emitter) source(in *ir.Instr, s side, d num.DType, want layout.Layout) ([]asm.Reg, sharedTile) {
	v := in.Operands[s]
	if t, ok := e.sharedSource(v); ok && (t.buf.Ring || t.dtype == d) {
		return nil, t
	}
	l := e.layout(v)
	regs := e.castAll(v.Type.DType, d, e.regs(v))
	if layout.Plan(l, want, d.Info().Bits).Kind != layout.Shared {
		return e.convert(d, regs, l, want), sharedTile{}
	}
	return nil, e.share(d, regs, l, s.along(len(l.Shape)))
}

// shareBefore puts what products in a loop multiply, but what is made before the loop, into shared
// memory once. The result ends that, behind the loop.
func (e *emitter) shareBefore(loop *ir.Instr) (end func()) {
	was := maps.Clone(e.fetched)
	own := map[*ir.Value]bool{}
	inside := func(values []*ir.Value) {
		for _, v := range values {
			own[v] = true
		}
	}
	for _, region := range loop.Regions {
		inside(region.Args)
		region.Walk(func(in *ir.Instr) {
			inside(in.Results)
			for _, r := range in.Regions {
				inside(r.Args)
			}
			if in.Op != ops.Dot {
				return
			}
			for s := range side(2) {
				if v := in.Operands[s]; !own[v] {
					d, want := e.dotPlans[in].takes(in, s)
					if regs, t := e.source(in, s, d, want); regs == nil {
						e.fetched[v] = t
					}
				}
			}
		})
	}
	return func() { e.fetched = was }
}

// castAll is regs, of dtype from, as dtype to.
func (e *emitter) castAll(from, to num.DType, regs []asm.Reg) []asm.Reg {
	if from == to {
		return regs
	}
	return e.each(regs, func(r asm.Reg) asm.Reg { return scalar.Cast(e.Program, from, to, num.RTNE, r) })
}
