package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// held is what the emitter knows of a value: a loop's arguments stand for other iterations' values
// while these are computed ahead.
type held struct {
	regs   []asm.Reg
	elems  []elem
	ptr    pointer
	copies []version
}

// hold is what is known of v.
func (e *emitter) hold(v *ir.Value) held {
	return held{e.vals[v.ID], e.elems[v.ID], e.ptrs[v.ID], slices.Clone(e.copies[v.ID])}
}

// holdAs is v as a value of argument's layout.
func (e *emitter) holdAs(v, argument *ir.Value) held {
	h := held{copies: e.copies[argument.ID]}
	l := e.layout(argument)
	if v.Type.Pointer {
		h.ptr = e.pointerIn(v, l)
		return h
	}
	h.regs, h.elems = e.in(v, l), e.elemsIn(v, l)
	return h
}

// release makes v stand for what was held.
func (e *emitter) release(v *ir.Value, h held) {
	e.vals[v.ID], e.elems[v.ID], e.ptrs[v.ID], e.copies[v.ID] = h.regs, h.elems, h.ptr, slices.Clone(h.copies)
}

// passes reports whether v is argument moved by scalars alone, so that each register's own part of a
// pointer stays what it is.
func passes(v, argument *ir.Value) bool {
	if v == argument {
		return true
	}
	if v.Def == nil || v.Def.Op != ops.AddPtr {
		return false
	}
	_, _, ok := splatOf(v.Def.Operands[1])
	return ok && passes(v.Def.Operands[0], argument)
}

// makeVariables has the state ahead in variables.
func (t *turning) makeVariables() {
	from := t.ahead
	t.ahead = ahead{index: t.Reg(from.index.Class), runs: t.Reg(asm.Pred)}
	t.Move(t.ahead.index, asm.R(from.index))
	t.Move(t.ahead.runs, asm.R(from.runs))
	for i, h := range from.state {
		t.ahead.state = append(t.ahead.state, t.movingVariables(h, i))
	}
	t.assign(t.ahead, from)
}

// movingVariables is the i-th carried value of the ring in variables, which have no values yet. What every
// iteration leaves as it is stays where it is.
func (t *turning) movingVariables(h held, i int) held {
	c := t.moving[i]
	v, yielded := t.argument(c), t.loop.Regions[0].Terminator().Operands[c]
	same := passes(yielded, v)
	switch {
	case yielded == v:
		return h
	case !v.Type.Pointer:
		return held{regs: t.Regs(classOf(v.Type.DType), len(h.regs)), copies: h.copies}
	}
	h.ptr.uniform = t.Reg(asm.B64)
	if !same {
		h.ptr.beside = nil
		h.ptr.off = asElems(t.Regs(asm.B64, t.layout(v).Regs()))
	}
	return h
}

// assign sets the variables of one state to another's values.
func (t *turning) assign(to, from ahead) {
	vars, values := []asm.Reg{to.index, to.runs}, []asm.Reg{from.index, from.runs}
	for i, h := range to.state {
		x := from.state[i]
		vars = append(vars, h.regs...)
		values = append(values, x.regs...)
		if h.ptr.uniform.OK() {
			vars = append(vars, h.ptr.uniform)
			values = append(values, t.total(pointer{uniform: x.ptr.uniform}, 0))
		}
		for r, y := range h.ptr.off {
			if x.ptr.off == nil || y != x.ptr.off[r] {
				vars = append(vars, y.reg)
				values = append(values, t.own(x.ptr, r))
			}
		}
	}
	t.moveAll(vars, values)
}

// moveAll sets variables as if at the same time.
func (e *emitter) moveAll(vars, values []asm.Reg) {
	for i, x := range values {
		if vars[i] != x && slices.Contains(vars, x) {
			values[i] = e.Reg(x.Class)
			e.Move(values[i], asm.R(x))
		}
	}
	for i, v := range vars {
		if v != values[i] {
			e.Move(v, asm.R(values[i]))
		}
	}
}
