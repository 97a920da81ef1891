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

// truncatedRecord is the site of a record that did not fit; readers of the area stop there.
const truncatedRecord = -1

// emitPrint has thread 0 reserve a record and broadcast its offset; each thread then writes the elements of which it is
// the leader.
func emitPrint(e *emitter, in *ir.Instr) {
	e.printSites = append(e.printSites, PrintSite{in})
	size := recordHead
	for _, v := range in.Operands {
		size += v.Type.Numel() * valueBytes
	}
	size = (size + recordAlign - 1) / recordAlign * recordAlign
	// One record a program, so that its elements stay together.
	at := e.reserveRecord(size)
	fits := e.Do("setp.le.u32", asm.Pred, asm.R(at), asm.I(int64(e.opt.PrintBytes-size)))
	// PrintBytes - size would be negative, and the comparison is unsigned
	if size > e.opt.PrintBytes {
		fits = e.Do("mov.pred", asm.Pred, asm.I(0))
	}
	record := e.add64(e.Do("cvt.u64.u32", asm.B64, asm.R(at)), e.printArea)
	e.writeRecordHead(at, record, fits)
	offset := int64(printHeader + recordHead)
	for _, v := range in.Operands {
		e.writeRecordValues(v, record, offset, fits)
		offset += int64(v.Type.Numel() * valueBytes)
	}
}

// reserveRecord is the offset of the program's record behind the area's header.
func (e *emitter) reserveRecord(size int) asm.Reg {
	place := sharedAddr{buffer: e.Shared("record", 4, 4)}
	others := e.Do("setp.ne.s32", asm.Pred, asm.R(e.tid), asm.I(0))
	at := e.Reg(asm.B32)
	e.Move(at, asm.I(0))
	e.Add(asm.Inst{Op: "atom.global.add.u32", Dst: []asm.Operand{asm.R(at)}, Src: []asm.Operand{asm.M(e.printArea,
		0), asm.I(int64(size))}, Guard: others, Not: true, Effect: true})
	e.storeShared(place, num.Int32, []asm.Reg{at}, others)
	return e.loadShared(place, num.Int32, 1)[0]
}

// writeRecordHead writes a record's header, or that of a truncated record, and counts the latter.
func (e *emitter) writeRecordHead(at, record, fits asm.Reg) {
	first := e.Do("setp.eq.s32", asm.Pred, asm.R(e.tid), asm.I(0))
	e.Unless(first, true, func() {
		site := e.Do("selp.b32", asm.B32, asm.I(int64(len(e.printSites)-1)), asm.I(truncatedRecord), asm.R(fits))
		room := e.Do("setp.le.u32", asm.Pred, asm.R(at), asm.I(int64(e.opt.PrintBytes-recordHead)))
		if e.opt.PrintBytes < recordHead {
			room = e.Do("mov.pred", asm.Pred, asm.I(0))
		}
		words := []asm.Reg{site}
		for _, name := range []string{"%ctaid.x", "%ctaid.y", "%ctaid.z"} {
			words = append(words, e.Do("mov.u32", asm.B32, asm.S(name)))
		}
		e.Add(asm.Inst{Op: "st.global.v4.b32", Src: []asm.Operand{asm.M(record, printHeader), asm.V(words...)},
			Guard: room, Effect: true})
		e.Add(asm.Inst{Op: "red.global.add.u32", Src: []asm.Operand{asm.M(e.printArea, 4), asm.I(1)}, Guard: fits,
			Not: true, Effect: true})
	})
}

// writeRecordValues writes v's elements from an offset in the record on.
func (e *emitter) writeRecordValues(v *ir.Value, record asm.Reg, offset int64, fits asm.Reg) {
	l := e.layoutOf(v)
	thread := e.threadOffset(l.Lane, l.Warp)
	base := record
	if thread.OK() {
		base = e.Do("mad.wide.u32", asm.B64, asm.R(thread), asm.I(valueBytes), asm.R(record))
	}
	guard := e.andPred(map[asm.Reg]asm.Reg{}, fits, e.leaderPred(l))
	replicas := int(l.Free().Reg)
	for r := range l.Regs() {
		if r&replicas != 0 {
			continue
		}
		e.Add(asm.Inst{Op: "st.global.b64", Src: []asm.Operand{asm.M(base, offset+int64(l.At(r, 0, 0))*valueBytes),
			asm.R(e.toEightBytes(v, r))},
			Guard: guard, Effect: true})
	}
}

// toEightBytes is register r of v in 8 bytes: integers extended, floats as their bits, pointers as tagged offsets.
func (e *emitter) toEightBytes(v *ir.Value, r int) asm.Reg {
	if v.Type.Pointer {
		return e.taggedOffset(e.ptrs[v.ID], r)
	}
	x, d := e.regs(v)[r], v.Type.DType
	switch {
	case !d.Info().Float:
		return e.extendToB64(d, x)
	case x.Class == asm.B16:
		return e.Do("cvt.u64.u16", asm.B64, asm.R(x))
	case x.Class == asm.B32:
		return e.Do("cvt.u64.u32", asm.B64, asm.R(x))
	}
	return x
}
