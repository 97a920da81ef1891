package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

func init() {
	emitters[ops.Print] = emitPrint
}

// The print area: its head, a record's head, the alignment of records, and the size of a value.
const (
	printHeader = 16
	recordHead  = 16
	recordAlign = 16
	valueBytes  = 8
)

// noSite is the site of a record that did not fit; whoever reads the area stops there.
const noSite = -1

// emitPrint has one thread reserve a record and tell the others where; each then writes the elements
// that it owns.
func emitPrint(e *emitter, in *ir.Instr) {
	e.prints = append(e.prints, PrintSite{in})
	size := recordHead
	for _, v := range in.Operands {
		size += v.Type.Numel() * valueBytes
	}
	size = (size + recordAlign - 1) / recordAlign * recordAlign
	at := e.reserve(size)
	fits := e.Do("setp.le.u32", asm.Pred, asm.R(at), asm.I(int64(e.opt.PrintBytes-size)))
	if size > e.opt.PrintBytes {
		fits = e.Do("mov.pred", asm.Pred, asm.I(0))
	}
	record := e.add64(e.Do("cvt.u64.u32", asm.B64, asm.R(at)), e.printed)
	e.head(at, record, fits)
	offset := int64(printHeader + recordHead)
	for _, v := range in.Operands {
		e.printValues(v, record, offset, fits)
		offset += int64(v.Type.Numel() * valueBytes)
	}
}

// reserve is where the program's record begins, behind the area's head.
func (e *emitter) reserve(size int) asm.Reg {
	place := shared{buffer: e.Shared("record", 4, 4)}
	others := e.Do("setp.ne.s32", asm.Pred, asm.R(e.tid), asm.I(0))
	at := e.Reg(asm.B32)
	e.Move(at, asm.I(0))
	e.Add(asm.Inst{Op: "atom.global.add.u32", Dst: []asm.Operand{asm.R(at)}, Src: []asm.Operand{asm.M(e.printed, 0), asm.I(int64(size))}, Guard: others, Not: true, Effect: true})
	e.storeShared(place, num.Int32, []asm.Reg{at}, others)
	return e.loadShared(place, num.Int32, 1)[0]
}

// head writes a record's head, or what stands for a record that does not fit, and counts that.
func (e *emitter) head(at, record, fits asm.Reg) {
	first := e.Do("setp.eq.s32", asm.Pred, asm.R(e.tid), asm.I(0))
	e.Unless(first, true, func() {
		site := e.Do("selp.b32", asm.B32, asm.I(int64(len(e.prints)-1)), asm.I(noSite), asm.R(fits))
		room := e.Do("setp.le.u32", asm.Pred, asm.R(at), asm.I(int64(e.opt.PrintBytes-recordHead)))
		if e.opt.PrintBytes < recordHead {
			room = e.Do("mov.pred", asm.Pred, asm.I(0))
		}
		words := []asm.Reg{site}
		for _, name := range []string{"%ctaid.x", "%ctaid.y", "%ctaid.z"} {
			words = append(words, e.Do("mov.u32", asm.B32, asm.S(name)))
		}
		e.Add(asm.Inst{Op: "st.global.v4.b32", Src: []asm.Operand{asm.M(record, printHeader), asm.V(words...)}, Guard: room, Effect: true})
		e.Add(asm.Inst{Op: "red.global.add.u32", Src: []asm.Operand{asm.M(e.printed, 4), asm.I(1)}, Guard: fits, Not: true, Effect: true})
	})
}

// printValues writes v's elements from an offset behind the record on.
func (e *emitter) printValues(v *ir.Value, record asm.Reg, offset int64, fits asm.Reg) {
	l := e.layout(v)
	thread := e.threadOffset(l.Lane, l.Warp)
	base := record
	if thread.OK() {
		base = e.Do("mad.wide.u32", asm.B64, asm.R(thread), asm.I(valueBytes), asm.R(record))
	}
	guard := e.both(map[asm.Reg]asm.Reg{}, fits, e.owner(l))
	replicas := int(l.Free().Reg)
	for r := range l.Regs() {
		if r&replicas != 0 {
			continue
		}
		e.Add(asm.Inst{Op: "st.global.b64", Src: []asm.Operand{asm.M(base, offset+int64(l.At(r, 0, 0))*valueBytes), asm.R(e.eightBytes(v, r))},
			Guard: guard, Effect: true})
	}
}

// eightBytes is register r of v in 8 bytes: integers extended, floats as their bits, pointers as numbers.
func (e *emitter) eightBytes(v *ir.Value, r int) asm.Reg {
	if v.Type.Pointer {
		return e.number(e.ptrs[v.ID], r)
	}
	x, d := e.regs(v)[r], v.Type.DType
	switch {
	case !d.Info().Float:
		return e.extend(d, x)
	case x.Class == asm.B16:
		return e.Do("cvt.u64.u16", asm.B64, asm.R(x))
	case x.Class == asm.B32:
		return e.Do("cvt.u64.u32", asm.B64, asm.R(x))
	}
	return x
}
