package ptx

import (
	"math/bits"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

func init() {
	emitters[ops.IntToPtr] = emitIntToPtr
	emitters[ops.PtrToInt] = emitPtrToInt
}

// Pointers made of integers, and integers made of pointers. What a kernel reads from memory as an address is the
// launch's own, and not the device's: a table says of each piece of memory that may be reached so which addresses stand
// for it, and where it is. inttoptr looks the address up, and every access is checked against the piece that was found.

// ReachableEntryBytes is the size of an entry of the table: three numbers of 8 bytes, the address that stands for the
// memory's first byte, the device's own address of it, and the memory's bytes. An entry of zeros, which is not counted,
// ends the table.
const ReachableEntryBytes = 24

// reachableTable is the table's address and the number of its entries, b64.
type reachableTable struct{ at, count asm.Reg }

// addressed is the memory that an inttoptr has found, as an argument whose base is the address that was given.
type addressed struct {
	argument
	given  asm.Reg // b64: the address that was looked up
	start  asm.Reg // b64: the device's address of the memory's first byte; 0 if there is none
	number asm.Reg // b64: the argument's number, the parameters plus the entry
	tag    asm.Reg // b64: the tagged offset of the address itself
}

// emitIntToPtr looks an address up. What is found is bound to the pointer's argument, which no other pointer has; of a
// tile of addresses, each has its own, and the pointers are tagged.
func emitIntToPtr(e *emitter, in *ir.Instr) {
	v := in.Results[0]
	arg, bytes := e.facts.Argument(v), v.Type.DType.Info().Bytes
	if arg == axis.Mixed {
		e.eachElement(in, func(x []asm.Reg) asm.Reg { return e.params.lookUp(x[0], bytes).tag })
		e.ptrs[v.ID] = pointer{arg: axis.Mixed, off: withoutImm(e.regs(v))}
		return
	}
	a := e.params.lookUp(e.regs(in.Operands[0])[0], bytes)
	if e.params.addressed == nil {
		e.params.addressed = map[int]addressed{}
	}
	e.params.addressed[arg] = a
	e.ptrs[v.ID] = pointer{arg: arg}
}

// lookUp finds the memory that an element of so many bytes at an address begins in. An address that is in none, or is
// not aligned, ends at the entry of zeros: memory without bytes, of an argument that does not exist.
func (p *parameters) lookUp(address asm.Reg, bytes int) addressed {
	at, past, size := p.Reg(asm.B64), p.Reg(asm.B64), p.Reg(asm.B64)
	index, entry := p.Reg(asm.B64), p.Reg(asm.B64)
	p.Move(index, asm.I(0))
	p.Move(entry, asm.R(p.reachable.at))
	head, end := p.NewLabel("lookup"), p.NewLabel("found")
	p.DivergentLoop(head, func() {
		p.Into(past, "sub.s64", asm.R(address), asm.R(p.Do("ld.global.b64", asm.M(entry, 0))))
		p.Into(at, "ld.global.b64", asm.M(entry, 8))
		p.Into(size, "ld.global.b64", asm.M(entry, 16))
		low := p.Do("and.b64", asm.R(past), asm.I(int64(bytes-1)))
		within := p.Do("setp.lt.u64", asm.R(past), asm.R(size))
		aligned := p.Do("setp.eq.s64", asm.R(low), asm.I(0))
		p.Branch(end, p.Do("and.pred", asm.R(within), asm.R(aligned)), false)
		more := p.Do("setp.lt.s64", asm.R(index), asm.R(p.reachable.count))
		p.Into(entry, "add.s64", asm.R(entry), asm.I(ReachableEntryBytes))
		p.Into(index, "add.s64", asm.R(index), asm.I(1))
		p.Branch(head, more, false)
	})
	// Behind the last entry: nothing was found.
	p.Move(index, asm.R(p.reachable.count))
	for _, r := range []asm.Reg{at, past, size} {
		p.Move(r, asm.I(0))
	}
	p.Bind(end)
	p.Effect("bar.warp.sync", asm.I(-1)) // threads may have read other addresses, and so differ until here
	before := p.elements(past, bytes)
	a := addressed{given: address, start: at, number: p.Do("add.s64", asm.R(index), asm.I(int64(len(p.args))))}
	a.tag = p.add64(p.Do("shl.b64", asm.R(a.number), asm.I(tagShift)), before)
	a.argument = argument{p.add64(at, past), p.Do("neg.s64", asm.R(before)), p.elements(size, bytes)}
	return a
}

// elements is how many elements of so many bytes, a power of two, a number of bytes is.
func (t *threadCode) elements(n asm.Reg, bytes int) asm.Reg {
	return t.Do("shr.u64", asm.R(n), asm.I(int64(bits.TrailingZeros(uint(bytes)))))
}

// reachableEntry is where the table has the memory with an argument's number; for other numbers, its entry of zeros.
func (p *parameters) reachableEntry(number asm.Reg) asm.Reg {
	index := p.Do("sub.s64", asm.R(number), asm.I(int64(len(p.args))))
	// A parameter's number is a very large index.
	is := p.Do("setp.lt.u64", asm.R(index), asm.R(p.reachable.count))
	index = p.Do("selp.b64", asm.R(index), asm.R(p.reachable.count), asm.R(is))
	return p.Do("mad.lo.s64", asm.R(index), asm.I(ReachableEntryBytes), asm.R(p.reachable.at))
}

// emitPtrToInt computes addresses: the pointer's own, plus its offset in bytes.
func emitPtrToInt(e *emitter, in *ir.Instr) {
	v, bytes := in.Results[0], int64(in.Operands[0].Type.DType.Info().Bytes)
	l := *v.Layout
	p := e.ptrs[in.Operands[0].ID]
	out := make([]asm.Reg, l.Regs())
	for r := range out {
		offset := e.fullOffset(p, r)
		var base asm.Reg
		if p.mixed() {
			base, offset = e.params.untagAddress(offset)
		} else {
			base = e.params.address(p.arg)
		}
		out[r] = e.Do("mad.lo.s64", asm.R(offset), asm.I(bytes), asm.R(base))
	}
	e.setRegs(v, out)
}

// address is the address that the offsets of pointers into an argument that is not mixed count from. What an address
// that is in no memory points to begins at 0.
func (p *parameters) address(arg int) asm.Reg {
	a, ok := p.addressed[arg]
	if !ok {
		return p.addresses[arg]
	}
	found := p.Do("setp.ne.s64", asm.R(a.start), asm.I(0))
	return p.Do("selp.b64", asm.R(a.given), asm.I(0), asm.R(found))
}

// untagAddress takes a tagged offset apart: the address that it counts from, and the offset.
func (p *parameters) untagAddress(number asm.Reg) (address, offset asm.Reg) {
	index, offset := p.untag(number)
	address = p.materializeSum(num.Int64, baseImm{})
	if p.reachable.at.OK() {
		address = p.Do("ld.global.b64", asm.M(p.reachableEntry(index), 0))
	}
	for i, own := range p.addresses {
		if own.OK() {
			is := p.Do("setp.eq.s64", asm.R(index), asm.I(int64(i)))
			address = p.Do("selp.b64", asm.R(own), asm.R(address), asm.R(is))
		}
	}
	return address, offset
}
