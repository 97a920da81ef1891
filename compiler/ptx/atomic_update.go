package ptx

import (
	"math"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

// casArithmetic is what a compare-and-swap loop computes if there is no instruction; xchg computes nothing.
var casArithmetic = map[string]ops.Op{"add": ops.Add, "max": ops.Max, "min": ops.Min, "and": ops.And,
	"or": ops.Or, "xor": ops.Xor}

// update updates a vector as its plan says.
func (a *atomic) update(v *vector) {
	name := "cas"
	if a.in.Op == ops.AtomicRMW {
		name = a.in.Str("rmw")
	}
	switch u := a.Update; u.Way {
	case plan.AsIntegers:
		a.floatMinMax(name, v)
	case plan.InLoop:
		a.casLoop(name, v)
	case plan.Moved:
		a.move(v)
	default:
		a.setOld(v, a.emitAtom(u.Instr, v, v.guard, a.vectorOperands(v)))
	}
}

// vectorOperands is a vector's operands without the pointer: one, or two for cas.
func (a *atomic) vectorOperands(v *vector) []asm.Operand {
	out := make([]asm.Operand, len(a.operands))
	for i, regs := range a.operands {
		out[i] = vectorOperand(pickRegs(regs, v.regs))
	}
	return out
}

// setOld records a vector's old value, if it is used.
func (a *atomic) setOld(v *vector, old asm.Reg) { a.old[v.regs[0]] = old }

// emitAtom emits one instruction under a guard: red if the old value is not used and the order has no acquire, which
// red cannot have because it reads nothing; else atom. A used old value is 0 in threads where the guard does not hold.
func (a *atomic) emitAtom(op string, v *vector, guard asm.Reg, operands []asm.Operand) (old asm.Reg) {
	n := len(v.regs)
	if n > 1 {
		dot := strings.LastIndex(op, ".")
		op = op[:dot] + vectorSuffix(n) + op[dot:]
	}
	in := asm.Inst{Op: asm.Op("red" + a.sem + ".global." + op), Src: append([]asm.Operand{v.operand()}, operands...),
		Guard: guard}
	if _, acquire := a.in.MemoryOrder(); a.fetch || acquire || len(in.Op.Forms) == 0 { // a swap is never red
		was := a.e.Regs(classOf(a.dtype), n)
		old, in.Op, in.Dst = was[0], asm.Op("atom"+a.sem+".global."+op), []asm.Operand{vectorOperand(was)}
		if a.fetch && guard.OK() {
			a.e.Move(old, asm.I(0))
		}
	}
	a.e.Add(in)
	return old
}

// move loads or stores an element. A load that is used is 0 in threads where the guard does not hold.
func (a *atomic) move(v *vector) {
	_, bits := wordsFor(a.dtype, 1)
	in := asm.Inst{Src: []asm.Operand{v.operand()}, Guard: v.guard}
	suffix := a.sem + ".global" + memoryType(a.dtype, bits)
	if a.in.Op == ops.AtomicStore {
		in.Op = asm.Op("st" + suffix)
		in.Src = append(in.Src, vectorOperand(a.e.packWords(a.dtype, pickRegs(a.operands[0], v.regs))))
		a.e.Add(in)
		return
	}
	word := a.e.Reg(wordClass(bits))
	if a.fetch && v.guard.OK() {
		a.e.Move(word, asm.I(0))
	}
	in.Op, in.Dst = asm.Op("ld"+suffix), []asm.Operand{asm.R(word)}
	a.e.Add(in)
	a.setOld(v, a.e.unpackWords(a.dtype, []asm.Reg{word}, 1)[0])
}

func vectorSuffix(n int) string { return ".v" + strconv.Itoa(n) }

// identitySign is the sign of the infinity that is the identity of max or min.
var identitySign = map[string]int{"max": -1, "min": 1}

// floatMinMax is max or min of floats by those of integers: floats that are not negative are ordered as signed
// integers, the others in reverse as unsigned ones. A NaN operand becomes the identity; a NaN in memory may stay.
func (a *atomic) floatMinMax(name string, v *vector) {
	bits := strconv.Itoa(a.dtype.Info().Bits)
	other := map[string]string{"max": "min", "min": "max"}[name]
	value := a.operands[0][v.regs[0]]
	none := scalar.Const(a.e.Program, num.FromFloat(a.dtype, math.Inf(identitySign[name])))
	// IEEE maximumNumber: a NaN loses against any number.
	nan := a.e.Do("setp.nan.f"+bits, asm.R(value), asm.R(value))
	value = a.e.selectReg(nan, none, value)
	negative := a.e.Do("setp.lt.s"+bits, asm.R(value), asm.I(0))
	positive := a.e.Do("not.pred", asm.R(negative))
	if v.guard.OK() {
		negative = a.e.Do("and.pred", asm.R(negative), asm.R(v.guard))
		positive = a.e.Do("and.pred", asm.R(positive), asm.R(v.guard))
	}
	up := a.emitAtom(name+".s"+bits, v, positive, []asm.Operand{asm.R(value)})
	down := a.emitAtom(other+".u"+bits, v, negative, []asm.Operand{asm.R(value)})
	if a.fetch {
		a.setOld(v, a.e.selectReg(negative, down, up))
	}
}

// casLoop computes the new value and writes it by compare-and-swap, again until the old one has not changed in between.
func (a *atomic) casLoop(name string, v *vector) {
	c := classOf(a.dtype)
	value := a.operands[0][v.regs[0]]
	old, got, again := a.e.Reg(c), a.e.Reg(c), a.e.Reg(asm.Pred)
	place := v.operand()
	a.e.Move(old, asm.I(0))
	a.e.Add(asm.Inst{Op: asm.Op("ld.relaxed." + a.in.Str("scope") + ".global.b16"), Dst: []asm.Operand{asm.R(old)},
		Src: []asm.Operand{place}, Guard: v.guard})
	head := a.e.NewLabel("retry")
	a.e.DivergentLoop(head, func() {
		next := value
		if op, ok := casArithmetic[name]; ok {
			next = scalar.Op(a.e.Program, op, a.dtype, old, value)
		}
		// Threads that the guard leaves out compare equal and leave the loop.
		a.e.Move(got, asm.R(old))
		a.e.Add(asm.Inst{Op: asm.Op("atom" + a.sem + ".global.cas.b16"), Dst: []asm.Operand{asm.R(got)},
			Src: []asm.Operand{place, asm.R(old), asm.R(next)}, Guard: v.guard})
		a.e.Into(again, "setp.ne.b16", asm.R(got), asm.R(old))
		a.e.Move(old, asm.R(got))
		a.e.Branch(head, again, false)
	})
	a.e.Effect("bar.warp.sync", asm.I(-1)) // what follows may want the threads of a warp together
	a.setOld(v, old)
}
