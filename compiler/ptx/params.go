package ptx

import (
	"fmt"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// argument is the three entry parameters of a pointer, b64: its address, the lowest valid element offset (at most 0),
// and the number of elements of the whole storage.
type argument struct{ base, first, count asm.Reg }

// paramNames are the names of entry parameters in the text, after the argument's number.
var paramNames = [...]string{Base: "base", First: "first", Count: "count", Value: "value", Report: "report",
	Prints: "prints", BudgetParam: "budget", Reachable: "reachable", ReachableCount: "reachable_count"}

// declareParam declares a parameter of the entry and loads it.
func (e *emitter) declareParam(kind ParamKind, arg int) asm.Reg {
	name := fmt.Sprintf("%s_%s", e.Name, paramNames[kind])
	if kind <= Value {
		name = fmt.Sprintf("%s_%d_%s", e.Name, arg, paramNames[kind])
	}
	e.params = append(e.params, Param{kind, arg})
	e.Params = append(e.Params, asm.Param{Name: name})
	return e.Do("ld.param.b64", asm.B64, asm.MS(name, 0))
}

// readParams reads the entry's parameters, in the order of the launch ABI.
func (e *emitter) readParams() {
	e.args = make([]argument, len(e.fn.Params))
	for i, p := range e.fn.Params {
		if p.Value.Type.Pointer {
			e.args[i] = argument{e.declareParam(Base, i), e.declareParam(First, i), e.declareParam(Count, i)}
			e.ptrs[p.Value.ID] = pointer{arg: i}
			continue
		}
		e.setRegs(p.Value, []asm.Reg{e.narrowParam(p.Value.Type.DType, e.declareParam(Value, i))})
	}
	e.reportArea = e.declareParam(Report, 0)
	e.printArea = e.declareParam(Prints, 0)
	e.budget = e.Reg(asm.B64)
	e.Move(e.budget, asm.R(e.declareParam(BudgetParam, 0)))
	if e.fn.Addresses() {
		e.reachable = reachableTable{e.declareParam(Reachable, 0), e.declareParam(ReachableCount, 0)}
	}
}

// narrowParam is a value of dtype d from the 8 bytes of its parameter.
func (t *threadCode) narrowParam(d num.DType, r asm.Reg) asm.Reg {
	switch classOf(d) {
	case asm.Pred:
		return t.Do("setp.ne.s64", asm.Pred, asm.R(r), asm.I(0))
	case asm.B16:
		return t.Do("cvt.u16.u64", asm.B16, asm.R(r))
	case asm.B32:
		return t.Do("cvt.u32.u64", asm.B32, asm.R(r))
	}
	return r
}

// extentKey is an argument with an access's size: vec elements of so many bytes each.
type extentKey struct {
	arg, bytes, vec int
}

// extentBytes is the first byte offset in the argument's storage at which an access of vec elements no longer fits,
// b64. It is computed once, in the kernel's entry.
func (e *emitter) extentBytes(b extentKey) asm.Reg {
	if a, ok := e.addressed[b.arg]; ok {
		return e.extentBytesOf(a.count, b.bytes, b.vec)
	}
	if r, ok := e.extents[b]; ok {
		return r
	}
	var r asm.Reg
	e.Entry(func() { r = e.extentBytesOf(e.args[b.arg].count, b.bytes, b.vec) })
	e.extents[b] = r
	return r
}

// extentBytesOf is extentBytes of a storage with count elements: bytes · max(0, count - (vec - 1)).
func (t *threadCode) extentBytesOf(count asm.Reg, bytes, vec int) asm.Reg {
	// A vector may begin at the elements 0 to count - vec.
	if vec > 1 {
		count = t.Do("add.s64", asm.B64, asm.R(count), asm.I(int64(1-vec)))
		count = t.Do("max.s64", asm.B64, asm.R(count), asm.I(0))
	}
	return t.Do("mul.lo.s64", asm.B64, asm.R(count), asm.I(int64(bytes)))
}

// storageStart is the address of the first byte of an argument's storage, which a view's pointer may be behind.
func (e *emitter) storageStart(arg, bytes int) asm.Reg {
	if a, ok := e.addressed[arg]; ok {
		return a.start
	}
	if arg < len(e.opt.FirstZero) && e.opt.FirstZero[arg] {
		return e.args[arg].base
	}
	b := extentKey{arg: arg, bytes: bytes}
	if r, ok := e.extents[b]; ok {
		return r
	}
	var r asm.Reg
	a := e.args[arg]
	e.Entry(func() { r = e.Do("mad.lo.s64", asm.B64, asm.R(a.first), asm.I(int64(bytes)), asm.R(a.base)) })
	e.extents[b] = r
	return r
}

// argument is what a pointer that is not mixed points into.
func (e *emitter) argument(arg int) argument {
	if a, ok := e.addressed[arg]; ok {
		return a.argument
	}
	return e.args[arg]
}

// untag takes a tagged offset, of elements of so many bytes, apart: the argument's number, the offset, and the
// argument, by selects over all pointer parameters, or from the table of reachable memory. An argument that does not
// exist is an empty storage. Adding half before the shift rounds, so that a
// negative offset does not borrow from the number.
func (e *emitter) untag(number asm.Reg, bytes int) (index, offset asm.Reg, a argument) {
	const half = 1 << (tagShift - 1)
	up := e.Do("add.s64", asm.B64, asm.R(number), asm.I(half))
	index = e.Do("shr.s64", asm.B64, asm.R(up), asm.I(tagShift))
	high := e.Do("shl.b64", asm.B64, asm.R(index), asm.I(tagShift))
	offset = e.Do("sub.s64", asm.B64, asm.R(number), asm.R(high))
	zero := e.materializeSum(num.Int64, baseImm{})
	a = argument{zero, zero, zero}
	if e.reachable.at.OK() {
		start, size := e.reachableEntry(index)
		a = argument{start, zero, e.elements(size, bytes)}
	}
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
