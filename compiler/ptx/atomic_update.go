package ptx

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

// update is how elements are updated: emit does it for a vector of up to so many.
type update struct {
	vector int
	emit   func(*atomic, *vector)
}

// native are the instructions that update an element in one go.
var native = map[string]map[num.DType]string{
	"add": {num.Int32: "add.u32", num.Uint32: "add.u32", num.Int64: "add.u64", num.Uint64: "add.u64",
		num.Float16: "add.noftz.f16", num.BFloat16: "add.noftz.bf16", num.Float32: "add.f32", num.Float64: "add.f64"},
	"max":  {num.Int32: "max.s32", num.Uint32: "max.u32", num.Int64: "max.s64", num.Uint64: "max.u64"},
	"min":  {num.Int32: "min.s32", num.Uint32: "min.u32", num.Int64: "min.s64", num.Uint64: "min.u64"},
	"and":  sized("and", 32, 64),
	"or":   sized("or", 32, 64),
	"xor":  sized("xor", 32, 64),
	"xchg": sized("exch", 32, 64),
	"cas":  sized("cas", 16, 32, 64),
}

// sized is an instruction on bits, for every dtype of one of the sizes.
func sized(op string, sizes ...int) map[num.DType]string {
	m := map[num.DType]string{}
	for d := range num.NumDTypes {
		if n := d.Info().Bits; slices.Contains(sizes, n) {
			m[d] = op + ".b" + strconv.Itoa(n)
		}
	}
	return m
}

// arithmetic is what a loop around cas computes where there is no instruction; xchg computes nothing.
var arithmetic = map[string]ops.Op{"add": ops.Add, "max": ops.Max, "min": ops.Min, "and": ops.And, "or": ops.Or, "xor": ops.Xor}

// before90 are the targets that cannot add bf16 in memory, nor several floats at once.
var before90 = []string{"sm_80", "sm_86", "sm_89"}

// vectorAdds is how many elements the others add at once where nobody wants the old values.
var vectorAdds = map[num.DType]int{num.Float32: 4, num.Float16: 8, num.BFloat16: 8}

// update chooses the way to do in.
func (e *emitter) update(in *ir.Instr, d num.DType, fetch bool) update {
	name := "cas"
	if in.Op == ops.AtomicRMW {
		name = in.Str("rmw")
	}
	old := slices.Contains(before90, e.Target)
	op := native[name][d]
	switch {
	case op == "" && d.Info().Bits >= 32:
		return update{1, func(a *atomic, v *vector) { a.extreme(name, v) }}
	case op == "" || d == num.BFloat16 && name == "add" && old:
		return update{1, func(a *atomic, v *vector) { a.retry(name, v) }}
	}
	n := 1
	if name == "add" && !fetch && !old {
		n = max(1, vectorAdds[d])
	}
	return update{n, func(a *atomic, v *vector) { a.set(v, a.direct(op, v, v.guard, a.given(v))) }}
}

// given is a vector's operands but the pointer: one, or two for cas.
func (a *atomic) given(v *vector) []asm.Operand {
	out := make([]asm.Operand, len(a.operands))
	for i, regs := range a.operands {
		out[i] = unit(picked(regs, v.regs))
	}
	return out
}

// set notes a vector's old value, where one is wanted.
func (a *atomic) set(v *vector, old asm.Reg) { a.old[v.regs[0]] = old }

// direct is one instruction under a guard: red, where nobody wants the old value and the order has no acquire, which
// red cannot have and which takes a read. The old value, if it is wanted, is 0 where the guard does not hold.
func (a *atomic) direct(op string, v *vector, guard asm.Reg, operands []asm.Operand) (old asm.Reg) {
	swaps := strings.HasPrefix(op, "exch") || strings.HasPrefix(op, "cas")
	n := len(v.regs)
	if n > 1 {
		dot := strings.LastIndex(op, ".")
		op = op[:dot] + vectorSuffix(n) + op[dot:]
	}
	in := asm.Inst{Op: "red" + a.sem + ".global." + op, Src: append([]asm.Operand{v.operand()}, operands...), Guard: guard, Effect: true}
	if a.fetch || a.acquire || swaps {
		was := a.Regs(classOf(a.dtype), n)
		old, in.Op, in.Dst = was[0], "atom"+a.sem+".global."+op, []asm.Operand{unit(was)}
		if a.fetch && guard.OK() {
			a.Move(old, asm.I(0))
		}
	}
	a.Add(in)
	return old
}

func vectorSuffix(n int) string { return ".v" + strconv.Itoa(n) }

// sign is that of the infinity that changes no maximum or minimum.
var sign = map[string]int{"max": -1, "min": 1}

// extreme is max or min of floats by those of integers: floats that are not negative are ordered as signed integers,
// the others backwards as unsigned ones. A NaN becomes the infinity that changes nothing; one in memory may stay.
func (a *atomic) extreme(name string, v *vector) {
	bits := strconv.Itoa(a.dtype.Info().Bits)
	other := map[string]string{"max": "min", "min": "max"}[name]
	value := a.operands[0][v.regs[0]]
	none := scalar.Const(a.Program, num.FromFloat(a.dtype, math.Inf(sign[name])))
	nan := a.Do("setp.nan.f"+bits, asm.Pred, asm.R(value), asm.R(value))
	value = a.choose(nan, none, value)
	negative := a.Do("setp.lt.s"+bits, asm.Pred, asm.R(value), asm.I(0))
	positive := a.Do("not.pred", asm.Pred, asm.R(negative))
	if v.guard.OK() {
		negative = a.Do("and.pred", asm.Pred, asm.R(negative), asm.R(v.guard))
		positive = a.Do("and.pred", asm.Pred, asm.R(positive), asm.R(v.guard))
	}
	up := a.direct(name+".s"+bits, v, positive, []asm.Operand{asm.R(value)})
	down := a.direct(other+".u"+bits, v, negative, []asm.Operand{asm.R(value)})
	if a.fetch {
		a.set(v, a.choose(negative, down, up))
	}
}

// retry computes the new value and has it written if the old one is still there, again and again.
func (a *atomic) retry(name string, v *vector) {
	c := classOf(a.dtype)
	value := a.operands[0][v.regs[0]]
	old, got, again := a.Reg(c), a.Reg(c), a.Reg(asm.Pred)
	place := v.operand()
	a.Move(old, asm.I(0))
	a.Add(asm.Inst{Op: "ld.relaxed." + a.in.Str("scope") + ".global.b16", Dst: []asm.Operand{asm.R(old)}, Src: []asm.Operand{place}, Guard: v.guard, Effect: true})
	head := a.NewLabel("retry")
	a.Loop(head, func() {
		next := value
		if op, ok := arithmetic[name]; ok {
			next = scalar.Op(a.Program, op, a.dtype, old, value)
		}
		a.Move(got, asm.R(old))
		a.Add(asm.Inst{Op: "atom" + a.sem + ".global.cas.b16", Dst: []asm.Operand{asm.R(got)},
			Src: []asm.Operand{place, asm.R(old), asm.R(next)}, Guard: v.guard, Effect: true})
		a.Add(asm.Inst{Op: "setp.ne.b16", Dst: []asm.Operand{asm.R(again)}, Src: []asm.Operand{asm.R(got), asm.R(old)}})
		a.Move(old, asm.R(got))
		a.Branch(head, again, false)
	})
	a.Effect("bar.warp.sync", asm.I(-1)) // what follows may want the threads of a warp together
	a.set(v, old)
}
