package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

func init() {
	emitters[ops.Load] = emitLoad
	emitters[ops.Store] = emitStore
}

// emitLoad reads vectors into words, which are taken apart when all have been asked for.
func emitLoad(e *emitter, in *ir.Instr) {
	v := in.Results[0]
	l, d := e.layout(v), v.Type.DType
	a := e.newAccess(in, l, e.facts.Vector(in), false)
	name := a.instruction("ld", d, a.size)
	other := e.otherwise(in, l)
	words := make([][]asm.Reg, len(a.vectors))
	for i := range a.vectors {
		x := &a.vectors[i]
		count, bits := cells(d, a.size)
		words[i] = e.Regs(unitClass(bits), count)
		if x.guard.OK() {
			e.assignAll(words[i], e.packed(d, picked(other, x.regs)))
		}
		e.Add(asm.Inst{Op: name, Dst: []asm.Operand{unit(words[i])}, Src: []asm.Operand{x.operand()}, Guard: x.guard,
			Effect: in.Bool("volatile")})
	}
	one := a.instruction("ld", d, 1)
	parts := make([]asm.Reg, a.size)
	_, bits := cells(d, 1)
	wordsOf := func(x *vector) []asm.Reg {
		for i := range a.vectors {
			if &a.vectors[i] == x {
				return words[i]
			}
		}
		return nil
	}
	a.finish(a.several(func(x *vector, i int, at asm.Operand, guard asm.Reg) {
		if bits >= 32 && x.guard.OK() { // the element's word, which is as otherwise so far
			e.Add(asm.Inst{Op: one, Dst: []asm.Operand{asm.R(wordsOf(x)[i])}, Src: []asm.Operand{at}, Guard: guard})
			return
		}
		word := e.Reg(unitClass(bits))
		e.Move(word, asm.R(e.packed(d, []asm.Reg{other[x.regs[i]]})[0]))
		e.Add(asm.Inst{Op: one, Dst: []asm.Operand{asm.R(word)}, Src: []asm.Operand{at}, Guard: guard})
		parts[i] = e.unpacked(d, []asm.Reg{word}, 1)[0]
	}), func(x *vector) {
		if a.size > 1 && (bits < 32 || !x.guard.OK()) {
			e.assignAll(wordsOf(x), e.packed(d, parts))
		}
	})
	out := make([]asm.Reg, l.Regs())
	for i, x := range a.vectors {
		for j, r := range e.unpacked(d, words[i], a.size) {
			out[x.regs[j]] = r
		}
	}
	e.set(v, e.spreadReplicas(l, out))
}

// assignAll sets variables.
func (e *emitter) assignAll(to, from []asm.Reg) {
	for i := range to {
		e.Move(to[i], asm.R(from[i]))
	}
}

// spreadReplicas gives registers that repeat others what those have.
func (e *emitter) spreadReplicas(l layout.Layout, regs []asm.Reg) []asm.Reg {
	replicas := int(l.Free().Reg)
	for r := range regs {
		regs[r] = regs[r&^replicas]
	}
	return regs
}

// otherwise is what elements get that the mask leaves out or that are outside: 0 where the program
// does not say.
func (e *emitter) otherwise(in *ir.Instr, l layout.Layout) []asm.Reg {
	if other := in.Operand(2); other != nil {
		return e.in(other, l)
	}
	return repeated(scalar.Const(e.Program, num.Scalar{DType: in.Results[0].Type.DType}), l.Regs())
}

func emitStore(e *emitter, in *ir.Instr) {
	l := e.at[in]
	d := in.Operands[0].Type.DType
	values := e.in(in.Operands[1], l)
	a := e.newAccess(in, l, e.facts.Vector(in), true)
	name, one := a.instruction("st", d, a.size), a.instruction("st", d, 1)
	put := func(op string, at asm.Operand, guard asm.Reg, values []asm.Reg) {
		e.Add(asm.Inst{Op: op, Src: []asm.Operand{at, unit(e.packed(d, values))}, Guard: guard, Effect: true})
	}
	for i := range a.vectors {
		x := &a.vectors[i]
		put(name, x.operand(), x.guard, picked(values, x.regs))
	}
	a.finish(a.several(func(x *vector, i int, at asm.Operand, guard asm.Reg) {
		put(one, at, guard, []asm.Reg{values[x.regs[i]]})
	}), nil)
}
