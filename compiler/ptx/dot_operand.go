package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

func init() {
	emitters[ops.LocalAlloc] = emitLocalAlloc
	emitters[ops.MemDescTrans] = emitMemDescTrans
	emitters[ops.FenceAsync] = emitFenceAsync
}

// sharedTile is a tile in shared memory, swizzled as mem says.
type sharedTile struct {
	base  asm.Reg // b32; with off, the byte of shared memory at which the tile begins. None: 0
	off   int
	mem   layout.Mem
	dtype num.DType
	// stride is how many bytes the next tile is behind, of several (memdesc_index).
	stride int
}

// contiguousAlong reports whether elements next to each other along axis are so in memory.
func (t sharedTile) contiguousAlong(axis int) bool { return t.mem.Off[bitOf(t.mem.Shape, axis)] == 1 }

// lazyRegs is an operand of a dot as its instructions take it: numbered registers, each of which is defined when get
// first asks for it. Loads from shared memory are emitted then, so that whoever asks decides how far ahead they go.
type lazyRegs struct {
	regs    []asm.Reg
	pending []func()    // by register; nil: it is defined
	load    func(i int) // defines the registers that register i is computed from; nil: there are none
}

// newLazyRegs has n registers, none of them defined.
func newLazyRegs(n int) *lazyRegs { return loadedRegs(make([]asm.Reg, n)) }

// loadedRegs is an operand whose registers are defined.
func loadedRegs(regs []asm.Reg) *lazyRegs {
	return &lazyRegs{regs: regs, pending: make([]func(), len(regs))}
}

// get defines register i if it is not, and gives it.
func (o *lazyRegs) get(i int) asm.Reg {
	if f := o.pending[i]; f != nil {
		f()
	}
	return o.regs[i]
}

// all defines all registers, and gives them.
func (o *lazyRegs) all() []asm.Reg {
	for i := range o.regs {
		o.get(i)
	}
	return o.regs
}

// define has f define the registers of the given numbers when the first of them is asked for.
func (o *lazyRegs) define(numbers []int, f func() []asm.Reg) {
	run := func() {
		for i, r := range f() {
			o.regs[numbers[i]] = r
			o.pending[numbers[i]] = nil
		}
	}
	for _, n := range numbers {
		o.pending[n] = run
	}
}

// mapRegs is an operand of n registers, the i-th of which f defines.
func mapRegs(n int, f func(i int) asm.Reg) *lazyRegs {
	o := newLazyRegs(n)
	for i := range n {
		o.define([]int{i}, func() []asm.Reg { return []asm.Reg{f(i)} })
	}
	return o
}

// emitMemDescTrans emits nothing: it is the same tile.
func emitMemDescTrans(e *emitter, in *ir.Instr) {
	t := e.staged[in.Operands[0]]
	t.mem = *in.Results[0].Mem
	e.staged[in.Results[0]] = t
}

// emitLocalAlloc finds where memory is, and stores the tile to it, if there is one. One of the threads that hold an
// element stores it.
func emitLocalAlloc(e *emitter, in *ir.Instr) {
	r, at := in.Results[0], in.Ints("offsets")
	t := sharedTile{off: int(at[0]), dtype: r.Type.DType}
	if len(at) > 1 {
		t.stride = int(at[1] - at[0])
	}
	if r.Mem != nil {
		t.mem = *r.Mem
	}
	e.staged[r] = t
	v := in.Operand(0)
	if v == nil {
		return
	}
	regs, l, d := e.regs(v), *v.Layout, v.Type.DType
	w := e.walkAccess(t.mem.Access(l, plan.MaxAccess/d.Info().Bytes))
	free := l.Free()
	// Threads with any free bit set hold replicas and do not store.
	replica := e.threadBits(free.Lane, free.Warp)
	for i, o := range w.access.At {
		numbers := w.access.Regs[i*w.access.Vec:][:w.access.Vec]
		to := sharedAddr{w.base(e.tileCode, i), int64(o.Imm) + int64(t.off)}
		e.storeShared(to, d, pickRegs(regs, numbers), replica)
	}
}

// tileAddress is the address of the i-th access of t. For a tile at a variable base, which is read in a loop, all but
// the
// base is computed in the kernel's entry.
func (tc *tileCode) tileAddress(t sharedTile, w addressWalk, i int) sharedAddr {
	o := w.access.At[i]
	if !t.base.OK() {
		return sharedAddr{w.base(tc, i), int64(o.Imm) + int64(t.off)}
	}
	// Accesses with the same swizzle bits share the sum; the rest is their immediate.
	if _, ok := w.bases[o.Xor]; !ok {
		w.bases[o.Xor] = tc.offsetBase(t.base, w.thread, o.Xor)
	}
	return sharedAddr{w.bases[o.Xor], int64(o.Imm) + int64(t.off)}
}

// offsetBase is base + (thread ^ xor), the second part computed in the kernel's entry.
func (t *threadCode) offsetBase(base, thread asm.Reg, xor uint32) asm.Reg {
	if !thread.OK() {
		return base
	}
	if xor != 0 {
		t.Entry(func() { thread = t.Do("xor.b32", asm.R(thread), asm.I(int64(xor))) })
	}
	return t.Do("add.s32", asm.R(base), asm.R(thread))
}

// loadElements is the elements of t in layout l.
func (tc *tileCode) loadElements(t sharedTile, l layout.Layout) *lazyRegs {
	return tc.loadAll(t, tc.walkAccess(t.mem.Access(l, plan.MaxAccess*8/t.mem.ElemBits)), l.Regs())
}

// loadAll is the first n registers that the accesses of w load from t.
func (tc *tileCode) loadAll(t sharedTile, w addressWalk, n int) *lazyRegs {
	x := newLazyRegs(n)
	for i := range w.access.At {
		numbers := w.access.Regs[i*w.access.Vec:][:w.access.Vec]
		if numbers[0] < n {
			x.define(numbers, func() []asm.Reg { return tc.loadShared(tc.tileAddress(t, w, i), t.dtype, len(numbers)) })
		}
	}
	// replicas within a thread
	for r, s := range w.access.Same[:n] {
		if r != s {
			x.define([]int{r}, func() []asm.Reg { return []asm.Reg{x.get(s)} })
		}
	}
	return x
}

// operand is operand s of a dot: registers in the layout that the dot takes, or, if they are nil, a tile in shared
// memory.
func (dc *dotCode) operand(s plan.Side) ([]asm.Reg, sharedTile) {
	v := dc.in.Operands[s]
	if v.Type.IsMemDesc() {
		return nil, dc.e.staged[v]
	}
	return dc.e.regs(v), sharedTile{}
}

// castAll converts registers of dtype from to dtype to.
func (t *threadCode) castAll(from, to num.DType, regs []asm.Reg) []asm.Reg {
	if from == to {
		return regs
	}
	return t.mapEach(regs, func(r asm.Reg) asm.Reg { return scalar.Cast(t.Program, from, to, num.RTNE, r) })
}
