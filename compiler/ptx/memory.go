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

func emitLoad(e *emitter, in *ir.Instr) {
	e.newAccess(in).emitLoad()
}

// emitLoad loads vectors into words. Words are unpacked after all loads have been issued, so that the loads overlap.
func (a *access) emitLoad() {
	e, in, v := a.e, a.in, a.in.Results[0]
	l, d := *v.Layout, v.Type.DType
	name := a.opcode("ld", d, a.Vector)
	other := e.maskedOffValues(in, l)
	words := map[*vector][]asm.Reg{}
	for i := range a.vectors {
		count, bits := wordsFor(d, a.Vector)
		words[&a.vectors[i]] = e.Regs(wordClass(bits), count)
	}
	one := a.opcode("ld", d, 1)
	parts := make([]asm.Reg, a.Vector)
	_, bits := wordsFor(d, 1)
	a.emit(func(x *vector) {
		// A guarded load leaves its destination as it was, so that has to hold the masked-off values before.
		if x.guard.OK() {
			e.moveAll(words[x], e.packWords(d, pickRegs(other, x.regs)))
		}
		e.Add(asm.Inst{Op: asm.Op(name), Dst: []asm.Operand{vectorOperand(words[x])}, Src: []asm.Operand{x.operand()},
			Guard: x.guard})
	}, a.ifVector(func(x *vector, i int, at asm.Operand, guard asm.Reg) {
		if bits >= 32 && x.guard.OK() { // the element's word, which has its masked-off value so far
			e.Add(asm.Inst{Op: asm.Op(one), Dst: []asm.Operand{asm.R(words[x][i])}, Src: []asm.Operand{at},
				Guard: guard})
			return
		}
		word := e.Reg(wordClass(bits))
		e.Move(word, asm.R(e.packWords(d, []asm.Reg{other[x.regs[i]]})[0]))
		e.Add(asm.Inst{Op: asm.Op(one), Dst: []asm.Operand{asm.R(word)}, Src: []asm.Operand{at}, Guard: guard})
		parts[i] = e.unpackWords(d, []asm.Reg{word}, 1)[0]
	}), func(x *vector) {
		if a.Vector > 1 && (bits < 32 || !x.guard.OK()) {
			e.moveAll(words[x], e.packWords(d, parts))
		}
	})
	out := make([]asm.Reg, l.Regs())
	// All loads have been issued: unpacking waits for the first of them only.
	for i, x := range a.vectors {
		for j, r := range e.unpackWords(d, words[&a.vectors[i]], a.Vector) {
			out[x.regs[j]] = r
		}
	}
	e.setRegs(v, e.copyToReplicas(l, out))
}

// moveAll assigns registers to variables.
func (t *threadCode) moveAll(to, from []asm.Reg) {
	for i := range to {
		t.Move(to[i], asm.R(from[i]))
	}
}

// copyToReplicas gives registers that are replicas the values of the registers that they repeat.
func (t *threadCode) copyToReplicas(l layout.Layout, regs []asm.Reg) []asm.Reg {
	replicas := int(l.Free().Reg)
	// Of registers that differ in replica bits only, the one with these bits 0 has been loaded.
	for r := range regs {
		regs[r] = regs[r&^replicas]
	}
	return regs
}

// maskedOffValues is the values of elements that the mask leaves out or that are out of bounds: 0 if the load has no
// other.
func (e *emitter) maskedOffValues(in *ir.Instr, l layout.Layout) []asm.Reg {
	if other := in.Operand(2); other != nil {
		return e.regs(other)
	}
	return repeat(scalar.Const(e.Program, num.Scalar{DType: in.Results[0].Type.DType}), l.Regs())
}

func emitStore(e *emitter, in *ir.Instr) {
	d, values, a := in.Operands[0].Type.DType, e.regs(in.Operands[1]), e.newAccess(in)
	name, one := a.opcode("st", d, a.Vector), a.opcode("st", d, 1)
	put := func(op string, at asm.Operand, guard asm.Reg, values []asm.Reg) {
		data := vectorOperand(e.packWords(d, values))
		e.Add(asm.Inst{Op: asm.Op(op), Src: []asm.Operand{at, data}, Guard: guard})
	}
	a.emit(func(x *vector) {
		put(name, x.operand(), x.guard, pickRegs(values, x.regs))
	}, a.ifVector(func(x *vector, i int, at asm.Operand, guard asm.Reg) {
		put(one, at, guard, []asm.Reg{values[x.regs[i]]})
	}), nil)
}
