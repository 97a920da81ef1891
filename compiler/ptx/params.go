package ptx

import (
	"fmt"
	"github.com/newtlab/newt/compiler/ir"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// argument is the three entry parameters of a pointer, b64: its address, the lowest valid element offset (at most 0),
// and the number of elements of the whole storage.
type argument struct{ base, first, count asm.Reg }

// paramNames are the names of entry parameters in the text, after the argument's number.
var paramNames = [...]string{Base: "base", First: "first", Count: "count", Value: "value", Report: "report",
	Prints: "prints", BudgetParam: "budget", Reachable: "reachable", ReachableCount: "reachable_count",
	Address: "address", Tensor: "tensor", Pitch: "pitch", Programs: "programs"}

// parameters are the entry's parameters, and what is computed from them and from the table of reachable memory.
type parameters struct {
	*threadCode
	declared  []Param
	firstZero []bool            // Options.FirstZero
	args      []argument        // by parameter of the function
	addresses []asm.Reg         // b64, by parameter: see Address; none in a kernel that needs none
	addressed map[int]addressed // by axis.Facts.Argument, of inttoptrs
	reachable reachableTable
	extents   map[extentKey]asm.Reg // computed in the kernel's entry
	prints    asm.Reg               // b64: the address of the print area
	tensors   map[*ir.Instr]*tensorMap
}

// declareParam declares a parameter of the entry and loads it.
func (p *parameters) declareParam(kind ParamKind, arg int) asm.Reg {
	name := fmt.Sprintf("%s_%s", p.Name, paramNames[kind])
	if kind <= Value || kind == Address {
		name = fmt.Sprintf("%s_%d_%s", p.Name, arg, paramNames[kind])
	}
	return p.Do("ld.param.b64", asm.MS(p.declare(name, Param{Kind: kind, Arg: arg}), 0))
}

// declare declares a parameter and gives its name.
func (p *parameters) declare(name string, x Param) string {
	p.declared = append(p.declared, x)
	p.Params = append(p.Params, asm.Param{Name: name, TensorMap: x.Kind == Tensor})
	return name
}

// readParams reads the entry's parameters, in the order of the launch ABI.
func (e *emitter) readParams() {
	p := e.params
	takes := e.fn.TakesAddresses()
	p.args, p.addresses = make([]argument, len(e.fn.Params)), make([]asm.Reg, len(e.fn.Params))
	for i, x := range e.fn.Params {
		if of := e.plan.Persistent; of != nil && of.Programs == x {
			continue // below
		}
		if x.Value.Type.Pointer {
			p.args[i] = argument{p.declareParam(Base, i), p.declareParam(First, i), p.declareParam(Count, i)}
			e.ptrs[x.Value.ID] = pointer{arg: i}
			if takes {
				p.addresses[i] = p.declareParam(Address, i)
			}
			continue
		}
		e.setRegs(x.Value, []asm.Reg{e.narrowParam(x.Value.Type.DType, p.declareParam(Value, i))})
	}
	e.reports.area = p.declareParam(Report, 0)
	p.prints = p.declareParam(Prints, 0)
	e.budget = e.Reg(asm.B64)
	e.Move(e.budget, asm.R(p.declareParam(BudgetParam, 0)))
	if of := e.plan.Persistent; of != nil {
		e.setRegs(of.Programs.Value, []asm.Reg{e.narrowParam(num.Int32, p.declareParam(Programs, 0))})
	}
	if e.fn.Addresses() {
		p.reachable = reachableTable{p.declareParam(Reachable, 0), p.declareParam(ReachableCount, 0)}
	}
}

// narrowParam is a value of dtype d from the 8 bytes of its parameter.
func (t *threadCode) narrowParam(d num.DType, r asm.Reg) asm.Reg {
	switch classOf(d) {
	case asm.Pred:
		return t.Do("setp.ne.s64", asm.R(r), asm.I(0))
	case asm.B16:
		return t.Do("cvt.u16.u64", asm.R(r))
	case asm.B32:
		return t.Do("cvt.u32.u64", asm.R(r))
	}
	return r
}

// extentKey is an argument with an access's size: vec elements of so many bytes each.
type extentKey struct {
	arg, bytes, vec int
}

// extentBytes is the first byte offset in the argument's storage at which an access of vec elements no longer fits,
// b64. It is computed once, in the kernel's entry.
func (p *parameters) extentBytes(b extentKey) asm.Reg {
	if a, ok := p.addressed[b.arg]; ok {
		return p.extentBytesOf(a.count, b.bytes, b.vec)
	}
	if r, ok := p.extents[b]; ok {
		return r
	}
	var r asm.Reg
	p.Entry(func() { r = p.extentBytesOf(p.args[b.arg].count, b.bytes, b.vec) })
	p.extents[b] = r
	return r
}

// extentBytesOf is extentBytes of a storage with count elements: bytes · max(0, count - (vec - 1)).
func (t *threadCode) extentBytesOf(count asm.Reg, bytes, vec int) asm.Reg {
	// A vector may begin at the elements 0 to count - vec.
	if vec > 1 {
		count = t.Do("add.s64", asm.R(count), asm.I(int64(1-vec)))
		count = t.Do("max.s64", asm.R(count), asm.I(0))
	}
	return t.Do("mul.lo.s64", asm.R(count), asm.I(int64(bytes)))
}

// storageStart is the address of the first byte of an argument's storage, which a view's pointer may be behind.
func (p *parameters) storageStart(arg, bytes int) asm.Reg {
	if a, ok := p.addressed[arg]; ok {
		return a.start
	}
	if arg < len(p.firstZero) && p.firstZero[arg] {
		return p.args[arg].base
	}
	b := extentKey{arg: arg, bytes: bytes}
	if r, ok := p.extents[b]; ok {
		return r
	}
	var r asm.Reg
	a := p.args[arg]
	p.Entry(func() { r = p.Do("mad.lo.s64", asm.R(a.first), asm.I(int64(bytes)), asm.R(a.base)) })
	p.extents[b] = r
	return r
}

// argument is what a pointer that is not mixed points into.
func (p *parameters) argument(arg int) argument {
	if a, ok := p.addressed[arg]; ok {
		return a.argument
	}
	return p.args[arg]
}

// untag takes a tagged offset apart: the argument's number and the offset.
func (t *threadCode) untag(number asm.Reg) (index, offset asm.Reg) {
	// Adding half before the shift rounds, so that a negative offset does not borrow from the number.
	const half = 1 << (tagShift - 1)
	up := t.Do("add.s64", asm.R(number), asm.I(half))
	index = t.Do("shr.s64", asm.R(up), asm.I(tagShift))
	high := t.Do("shl.b64", asm.R(index), asm.I(tagShift))
	return index, t.Do("sub.s64", asm.R(number), asm.R(high))
}

// untagArgument takes a tagged offset, of elements of so many bytes, apart, with the argument: by selects over all
// pointer parameters, or from the table of reachable memory. An argument that does not exist is an empty storage.
func (p *parameters) untagArgument(number asm.Reg, bytes int) (index, offset asm.Reg, a argument) {
	index, offset = p.untag(number)
	zero := p.materializeSum(num.Int64, baseImm{})
	a = argument{zero, zero, zero}
	if p.reachable.at.OK() {
		entry := p.reachableEntry(index)
		start := p.Do("ld.global.b64", asm.M(entry, 8))
		size := p.Do("ld.global.b64", asm.M(entry, 16))
		a = argument{start, zero, p.elements(size, bytes)}
	}
	for i, x := range p.args {
		if !x.base.OK() {
			continue
		}
		is := p.Do("setp.eq.s64", asm.R(index), asm.I(int64(i)))
		pick := func(x, y asm.Reg) asm.Reg { return p.Do("selp.b64", asm.R(x), asm.R(y), asm.R(is)) }
		a = argument{pick(x.base, a.base), pick(x.first, a.first), pick(x.count, a.count)}
	}
	return index, offset, a
}

// mixed reports whether p's argument is known only when the kernel runs.
func (p pointer) mixed() bool { return p.arg == axis.Mixed }
