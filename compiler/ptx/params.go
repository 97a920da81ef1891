package ptx

import (
	"fmt"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// argument is what code knows of a pointer parameter; b64 registers.
type argument struct{ base, first, count asm.Reg }

// paramNames are how parameters of the entry are called in the text, after the argument's number.
var paramNames = [...]string{Base: "base", First: "first", Count: "count", Value: "value", Report: "report", Prints: "prints", BudgetParam: "budget"}

// param declares a parameter of the entry and reads it.
func (e *emitter) param(kind ParamKind, arg int) asm.Reg {
	name := fmt.Sprintf("%s_%s", e.Name, paramNames[kind])
	if kind <= Value {
		name = fmt.Sprintf("%s_%d_%s", e.Name, arg, paramNames[kind])
	}
	e.params = append(e.params, Param{kind, arg})
	e.Params = append(e.Params, asm.Param{Name: name})
	return e.Do("ld.param.b64", asm.B64, asm.MS(name, 0))
}

// parameters reads the entry's parameters, in the order of the launch ABI.
func (e *emitter) parameters() {
	e.args = make([]argument, len(e.fn.Params))
	for i, p := range e.fn.Params {
		if p.Value.Type.Pointer {
			e.args[i] = argument{e.param(Base, i), e.param(First, i), e.param(Count, i)}
			e.ptrs[p.Value.ID] = pointer{arg: i}
			continue
		}
		e.set(p.Value, []asm.Reg{e.narrowed(p.Value.Type.DType, e.param(Value, i))})
	}
	e.report = e.param(Report, 0)
	e.printed = e.param(Prints, 0)
	e.budget = e.Reg(asm.B64)
	e.Move(e.budget, asm.R(e.param(BudgetParam, 0)))
}

// narrowed takes a value of dtype d out of its 8 bytes.
func (e *emitter) narrowed(d num.DType, r asm.Reg) asm.Reg {
	switch classOf(d) {
	case asm.Pred:
		return e.Do("setp.ne.s64", asm.Pred, asm.R(r), asm.I(0))
	case asm.B16:
		return e.Do("cvt.u16.u64", asm.B16, asm.R(r))
	case asm.B32:
		return e.Do("cvt.u32.u64", asm.B32, asm.R(r))
	}
	return r
}

// bound is what a check of accesses compares with.
type bound struct {
	arg, bytes, vec int
}

// limit is the first byte, counted from the first of the argument's storage, at which an access of
// vec elements no longer fits, b64.
func (e *emitter) limit(b bound) asm.Reg {
	if r, ok := e.limits[b]; ok {
		return r
	}
	var r asm.Reg
	e.Early(func() { r = e.limitOf(e.args[b.arg].count, b.bytes, b.vec) })
	e.limits[b] = r
	return r
}

func (e *emitter) limitOf(count asm.Reg, bytes, vec int) asm.Reg {
	if vec > 1 {
		count = e.Do("add.s64", asm.B64, asm.R(count), asm.I(int64(1-vec)))
		count = e.Do("max.s64", asm.B64, asm.R(count), asm.I(0))
	}
	return e.Do("mul.lo.s64", asm.B64, asm.R(count), asm.I(int64(bytes)))
}

// lowest is the address of the first byte of an argument's storage.
func (e *emitter) lowest(arg, bytes int) asm.Reg {
	if arg < len(e.opt.FirstZero) && e.opt.FirstZero[arg] {
		return e.args[arg].base
	}
	b := bound{arg: arg, bytes: bytes}
	if r, ok := e.limits[b]; ok {
		return r
	}
	var r asm.Reg
	a := e.args[arg]
	e.Early(func() { r = e.Do("mad.lo.s64", asm.B64, asm.R(a.first), asm.I(int64(bytes)), asm.R(a.base)) })
	e.limits[b] = r
	return r
}

// argumentOf finds what a number's argument is: one that holds nothing where it is none. The order
// of parameters is that of the launch ABI.
func (e *emitter) argumentOf(number asm.Reg) (index, offset asm.Reg, a argument) {
	const half = 1 << (argumentShift - 1)
	up := e.Do("add.s64", asm.B64, asm.R(number), asm.I(half))
	index = e.Do("shr.s64", asm.B64, asm.R(up), asm.I(argumentShift))
	high := e.Do("shl.b64", asm.B64, asm.R(index), asm.I(argumentShift))
	offset = e.Do("sub.s64", asm.B64, asm.R(number), asm.R(high))
	zero := e.register(num.Int64, elem{})
	a = argument{zero, zero, zero}
	for i, x := range e.args {
		if !x.base.OK() {
			continue
		}
		is := e.Do("setp.eq.s64", asm.Pred, asm.R(index), asm.I(int64(i)))
		pick := func(x, y asm.Reg) asm.Reg { return e.Do("selp.b64", asm.B64, asm.R(x), asm.R(y), asm.R(is)) }
		a = argument{pick(x.base, a.base), pick(x.first, a.first), pick(x.count, a.count)}
	}
	return index, offset, a
}

// mixed reports whether p's argument is known only when the kernel runs.
func (p pointer) mixed() bool { return p.arg == axis.Mixed }
