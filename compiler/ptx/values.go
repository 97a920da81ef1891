package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

func init() {
	emitters[ops.Const] = emitConst
	emitters[ops.ProgramID] = emitGrid("%ctaid.")
	emitters[ops.NumPrograms] = emitGrid("%nctaid.")
	emitters[ops.Arange] = emitArange
	emitters[ops.Splat] = emitSplat
	emitters[ops.ExpandDims] = emitRename
	emitters[ops.Broadcast] = emitRename
	emitters[ops.Reshape] = emitRename
	emitters[ops.Trans] = emitRename
	emitters[ops.Join] = emitJoin
	emitters[ops.Split] = emitSplit
	emitters[ops.Barrier] = func(e *emitter, _ *ir.Instr) { e.meet() }
}

func emitConst(e *emitter, in *ir.Instr) {
	v, s := in.Results[0], in.Scalar("value")
	n := e.layout(v).Regs()
	r := scalar.Const(e.Program, s)
	var elems []elem
	if affine(s.DType) {
		elems = repeated(elem{imm: wrapped(s.DType, s.Int())}, n)
	}
	e.setElems(v, elems, repeated(r, n))
}

func repeated[T any](x T, n int) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = x
	}
	return out
}

// emitGrid reads a special register for an axis of the grid.
func emitGrid(name string) func(*emitter, *ir.Instr) {
	return func(e *emitter, in *ir.Instr) {
		axis := in.Int("axis")
		e.set(in.Results[0], []asm.Reg{e.Do("mov.u32", asm.B32, asm.S(name+"xyz"[axis:axis+1]))})
	}
}

// emitArange: the thread's part of an index has no bits in common with a register's, so their sum is
// the index.
func emitArange(e *emitter, in *ir.Instr) {
	v := in.Results[0]
	l := e.layout(v)
	thread := e.threadOffset(l.Lane, l.Warp)
	out := make([]elem, l.Regs())
	for r := range out {
		out[r] = elem{thread, in.Int("start") + int64(l.At(r, 0, 0))}
	}
	e.setElems(v, out, nil)
}

func emitSplat(e *emitter, in *ir.Instr) {
	v, x := in.Results[0], in.Operands[0]
	n := e.layout(v).Regs()
	if v.Type.Pointer {
		p := e.ptrs[x.ID]
		if p.off != nil {
			p.off = repeated(p.off[0], n)
		}
		e.ptrs[v.ID] = p
		return
	}
	var elems []elem
	if affine(v.Type.DType) {
		elems = repeated(e.elemsIn(x, e.layout(x))[0], n)
	}
	e.setElems(v, elems, repeated(e.regs(x)[0], n))
}

// renaming is the operand's layout and registers from which in makes its result in layout l.
func renaming(in *ir.Instr, l layout.Layout) (from layout.Layout, regs []int) {
	x := in.Operands[0]
	if in.Op == ops.Broadcast {
		return l.UnBroadcast(x.Type.Shape)
	}
	from, _ = operandLayout(in, x, l)
	return from, nil
}

// emitRename is the operations that give registers other names. Scalars become tiles of one element.
func emitRename(e *emitter, in *ir.Instr) {
	v, x := in.Results[0], in.Operands[0]
	l := e.layout(v)
	from, names := renaming(in, l)
	if x.Type.IsScalar() {
		from, names = e.layout(x), make([]int, l.Regs())
	} else if v.Type.IsScalar() {
		from, names = e.layout(x), make([]int, 1)
	}
	if v.Type.Pointer {
		p := e.pointerIn(x, from)
		p.off, p.beside = renamed(p.off, names), renamed(p.beside, names)
		e.ptrs[v.ID] = p
		return
	}
	e.setElems(v, renamed(e.elemsIn(x, from), names), renamed(e.in(x, from), names))
}

// renamed picks values by number; no numbers stand for all in order.
func renamed[T any](values []T, names []int) []T {
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
	half := e.joined(in)
	if v.Type.Pointer {
		e.joinPointers(in, half)
		return
	}
	e.set(v, interleaved(e.in(in.Operands[0], half), e.in(in.Operands[1], half)))
}

// joined is the layout in which join takes its operands.
func (e *emitter) joined(in *ir.Instr) layout.Layout {
	if x := in.Operands[0]; x.Type.IsScalar() {
		return e.layout(x)
	}
	half, _, _ := e.layout(in.Results[0]).Split()
	return half
}

func interleaved[T any](x, y []T) []T {
	out := make([]T, 0, 2*len(x))
	for i := range x {
		out = append(out, x[i], y[i])
	}
	return out
}

func emitSplit(e *emitter, in *ir.Instr) {
	x := in.Operands[0]
	l := e.layout(x).ForSplit()
	_, names, _ := l.Split()
	for i, v := range in.Results {
		picked := names[i]
		if v.Type.IsScalar() {
			picked = picked[:1]
		}
		if v.Type.Pointer {
			p := e.pointerIn(x, l)
			p.off, p.beside = renamed(p.off, picked), renamed(p.beside, picked)
			e.ptrs[v.ID] = p
			continue
		}
		e.set(v, renamed(e.in(x, l), picked))
	}
}
