package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

func init() {
	emitters[ops.Const] = emitConst
	emitters[ops.ProgramID] = func(e *emitter, in *ir.Instr) {
		e.setRegs(in.Results[0], []asm.Reg{e.programID(in.Int("axis"))})
	}
	emitters[ops.NumPrograms] = func(e *emitter, in *ir.Instr) {
		e.setRegs(in.Results[0], []asm.Reg{e.gridRegister("%nctaid.", in.Int("axis"))})
	}
	emitters[ops.Arange] = emitArange
	emitters[ops.Splat] = emitSplat
	emitters[ops.ExpandDims] = emitView
	emitters[ops.Broadcast] = emitView
	emitters[ops.Reshape] = emitView
	emitters[ops.Trans] = emitView
	emitters[ops.Join] = emitJoin
	emitters[ops.Split] = emitSplit
	emitters[ops.Barrier] = func(e *emitter, _ *ir.Instr) { e.Barrier() }
}

// emitConst emits a constant: one register for all elements.
func emitConst(e *emitter, in *ir.Instr) {
	v, s := in.Results[0], in.Scalar("value")
	n := v.Layout.Regs()
	r := scalar.Const(e.Program, s)
	var elems []baseImm
	if keepsBaseImm(s.DType) {
		elems = repeat(baseImm{imm: wrapTo(s.DType, s.Int())}, n)
	}
	e.setBaseImms(v, elems, repeat(r, n))
}

// repeat is n times x.
func repeat[T any](x T, n int) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = x
	}
	return out
}

// emitArange emits start, start+1, …. The thread's part of an element's number has no bits in common with a register's,
// so their sum is their XOR: base plus immediate.
func emitArange(e *emitter, in *ir.Instr) {
	v := in.Results[0]
	l := *v.Layout
	thread := e.threadOffset(l.Lane, l.Warp)
	out := make([]baseImm, l.Regs())
	for r := range out {
		out[r] = baseImm{thread, in.Int("start") + int64(l.At(r, 0, 0))}
	}
	e.setBaseImms(v, out, nil)
}

// emitSplat emits a scalar as a tile: one register for all elements.
func emitSplat(e *emitter, in *ir.Instr) {
	v, x := in.Results[0], in.Operands[0]
	n := v.Layout.Regs()
	if v.Type.Pointer {
		p := e.ptrs[x.ID]
		if p.off != nil {
			p.off = repeat(p.off[0], n)
		}
		e.ptrs[v.ID] = p
		return
	}
	var elems []baseImm
	if keepsBaseImm(v.Type.DType) {
		elems = repeat(e.elements(x)[0], n)
	}
	e.setBaseImms(v, elems, repeat(e.regs(x)[0], n))
}

// emitView emits an operation that only gives registers other names. Scalars become tiles of one element.
func emitView(e *emitter, in *ir.Instr) {
	v, x := in.Results[0], in.Operands[0]
	var names []int // the operand's register for each of the result's; nil: all in order
	switch {
	case x.Type.IsScalar() || v.Type.IsScalar(): // every register of the tile is the scalar's one
		names = make([]int, v.Layout.Regs())
	case in.Op == ops.Broadcast:
		_, names = v.Layout.UnBroadcast(x.Type.Shape)
	}
	if v.Type.Pointer {
		p := e.ptrs[x.ID]
		p.off, p.off2 = pickOrAll(p.off, names), pickOrAll(p.off2, names)
		e.ptrs[v.ID] = p
		return
	}
	e.setBaseImms(v, pickOrAll(e.elements(x), names), pickOrAll(e.regs(x), names))
}

// pickOrAll picks values by number; nil stands for all in order.
func pickOrAll[T any](values []T, names []int) []T {
	if names == nil || values == nil {
		return values
	}
	out := make([]T, len(names))
	for i, n := range names {
		out[i] = values[n]
	}
	return out
}

func emitJoin(e *emitter, in *ir.Instr) {
	v := in.Results[0]
	if v.Type.Pointer {
		e.joinPointers(in)
		return
	}
	e.setRegs(v, interleaved(e.regs(in.Operands[0]), e.regs(in.Operands[1])))
}

// interleaved is x[0], y[0], x[1], y[1], ….
func interleaved[T any](x, y []T) []T {
	out := make([]T, 0, 2*len(x))
	for i := range x {
		out = append(out, x[i], y[i])
	}
	return out
}

func emitSplit(e *emitter, in *ir.Instr) {
	x := in.Operands[0]
	_, names, _ := x.Layout.Split()
	for i, v := range in.Results {
		picked := names[i]
		if v.Type.IsScalar() {
			picked = picked[:1]
		}
		if v.Type.Pointer {
			p := e.ptrs[x.ID]
			p.off, p.off2 = pickOrAll(p.off, picked), pickOrAll(p.off2, picked)
			e.ptrs[v.ID] = p
			continue
		}
		e.setRegs(v, pickOrAll(e.regs(x), picked))
	}
}
