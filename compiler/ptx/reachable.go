package ptx

import (
	"math/bits"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

func init() { emitters[ops.IntToPtr] = emitIntToPtr }

// Pointers made of integers. What a kernel reads from memory as an address is the launch's own, and not the device's: a
// table says of each piece of memory that may be reached so which addresses stand for it, and where it is. inttoptr
// looks the address up, and every access is checked against the piece that was found.

// ReachableEntryBytes is the size of an entry of the table: three numbers of 8 bytes, the address that stands for the
// memory's first byte, the device's own address of it, and the memory's bytes. An entry of zeros, which is not counted,
// ends the table.
const ReachableEntryBytes = 24

// reachableTable is the table's address and the number of its entries, b64.
type reachableTable struct{ at, count asm.Reg }

// addressed is the memory that an inttoptr has found, as an argument whose base is the address that was given.
type addressed struct {
	argument
	start  asm.Reg // b64: the device's address of the memory's first byte
	number asm.Reg // b64: the argument's number, the parameters plus the entry
	tag    asm.Reg // b64: the tagged offset of the address itself
}

// emitIntToPtr looks an address up. What is found is bound to the pointer's argument, which no other pointer has; of a
// tile of addresses, each has its own, and the pointers are tagged.
func emitIntToPtr(e *emitter, in *ir.Instr) {
	v := in.Results[0]
	arg, bytes := e.facts.Argument(v), v.Type.DType.Info().Bytes
	if arg == axis.Mixed {
		e.eachElement(in, func(x []asm.Reg) asm.Reg { return e.lookUp(x[0], bytes).tag })
		e.ptrs[v.ID] = pointer{arg: axis.Mixed, off: withoutImm(e.regs(v))}
		return
	}
	a := e.lookUp(e.regs(in.Operands[0])[0], bytes)
	if e.addressed == nil {
		e.addressed = map[int]addressed{}
	}
	e.addressed[arg] = a
	e.ptrs[v.ID] = pointer{arg: arg}
}

// lookUp finds the memory that an element of so many bytes at an address begins in. An address that is in none, or is
// not aligned, ends at the entry of zeros: memory without bytes, of an argument that does not exist.
func (e *emitter) lookUp(address asm.Reg, bytes int) addressed {
	at, past, size := e.Reg(asm.B64), e.Reg(asm.B64), e.Reg(asm.B64)
	index, entry := e.Reg(asm.B64), e.Reg(asm.B64)
	e.Move(index, asm.I(0))
	e.Move(entry, asm.R(e.reachable.at))
	head, end := e.NewLabel("lookup"), e.NewLabel("found")
	e.Loop(head, func() {
		e.Into(past, "sub.s64", asm.R(address), asm.R(e.Do("ld.global.b64", asm.B64, asm.M(entry, 0))))
		e.Into(at, "ld.global.b64", asm.M(entry, 8))
		e.Into(size, "ld.global.b64", asm.M(entry, 16))
		low := e.Do("and.b64", asm.B64, asm.R(past), asm.I(int64(bytes-1)))
		within := e.Do("setp.lt.u64", asm.Pred, asm.R(past), asm.R(size))
		aligned := e.Do("setp.eq.s64", asm.Pred, asm.R(low), asm.I(0))
		e.Branch(end, e.Do("and.pred", asm.Pred, asm.R(within), asm.R(aligned)), false)
		more := e.Do("setp.lt.s64", asm.Pred, asm.R(index), asm.R(e.reachable.count))
		e.Into(entry, "add.s64", asm.R(entry), asm.I(ReachableEntryBytes))
		e.Into(index, "add.s64", asm.R(index), asm.I(1))
		e.Branch(head, more, false)
	})
	// Behind the last entry: nothing was found.
	e.Move(index, asm.R(e.reachable.count))
	for _, r := range []asm.Reg{at, past, size} {
		e.Move(r, asm.I(0))
	}
	e.Bind(end)
	e.Effect("bar.warp.sync", asm.I(-1)) // threads may have read other addresses, and so differ until here
	before := e.elements(past, bytes)
	a := addressed{start: at, number: e.Do("add.s64", asm.B64, asm.R(index), asm.I(int64(len(e.fn.Params))))}
	a.tag = e.add64(e.Do("shl.b64", asm.B64, asm.R(a.number), asm.I(tagShift)), before)
	a.argument = argument{e.add64(at, past), e.Do("neg.s64", asm.B64, asm.R(before)), e.elements(size, bytes)}
	return a
}

// elements is how many elements of so many bytes, a power of two, a number of bytes is.
func (t *threadCode) elements(n asm.Reg, bytes int) asm.Reg {
	return t.Do("shr.u64", asm.B64, asm.R(n), asm.I(int64(bits.TrailingZeros(uint(bytes)))))
}

// reachableEntry is the device's address and the bytes of the memory with an argument's number: nothing for others.
func (e *emitter) reachableEntry(number asm.Reg) (start, size asm.Reg) {
	index := e.Do("sub.s64", asm.B64, asm.R(number), asm.I(int64(len(e.fn.Params))))
	// A parameter's number is a very large index.
	is := e.Do("setp.lt.u64", asm.Pred, asm.R(index), asm.R(e.reachable.count))
	index = e.Do("selp.b64", asm.B64, asm.R(index), asm.R(e.reachable.count), asm.R(is))
	entry := e.Do("mad.lo.s64", asm.B64, asm.R(index), asm.I(ReachableEntryBytes), asm.R(e.reachable.at))
	return e.Do("ld.global.b64", asm.B64, asm.M(entry, 8)), e.Do("ld.global.b64", asm.B64, asm.M(entry, 16))
}
