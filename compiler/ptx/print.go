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
	e.prints = append(e.prints, PrintSite{in})
	size := recordHead
	for _, v := range in.Operands {
		size += v.Type.Numel() * valueBytes
	}
	size = (size + recordAlign - 1) / recordAlign * recordAlign
	p := e.newPrintRecord(size, e.scratch(in))
	p.writeHead()
	offset := int64(printHeader + recordHead)
	for _, v := range in.Operands {
		p.writeValues(v, offset)
		offset += int64(v.Type.Numel() * valueBytes)
	}
}

// printRecord is a record in the print area.
type printRecord struct {
	e      *emitter
	at     asm.Reg // b32: its offset behind the area's header
	record asm.Reg // b64: its address, less the header's size
	fits   asm.Reg // pred: whether it does
}

// newPrintRecord reserves a record of the given size.
func (e *emitter) newPrintRecord(size, scratch int) *printRecord {
	p := &printRecord{e: e}
	// One record a program, so that its elements stay together.
	p.at = p.reserve(size, scratch)
	p.fits = e.Do("setp.le.u32", asm.R(p.at), asm.I(int64(e.opt.PrintBytes-size)))
	// PrintBytes - size would be negative, and the comparison is unsigned
	if size > e.opt.PrintBytes {
		p.fits = e.Do("mov.pred", asm.I(0))
	}
	p.record = e.add64(e.Do("cvt.u64.u32", asm.R(p.at)), e.params.prints)
	return p
}

// reserve is the offset of the program's record behind the area's header.
func (p *printRecord) reserve(size, scratch int) asm.Reg {
	place := sharedAddr{off: int64(scratch)}
	others := p.e.Do("setp.ne.s32", asm.R(p.e.tid), asm.I(0))
	at := p.e.Reg(asm.B32)
	p.e.Move(at, asm.I(0))
	p.e.Add(asm.Inst{Op: asm.Op("atom.global.add.u32"), Dst: []asm.Operand{asm.R(at)},
		Src: []asm.Operand{asm.M(p.e.params.prints, 0), asm.I(int64(size))}, Guard: others, Not: true})
	p.e.storeShared(place, num.Int32, []asm.Reg{at}, others)
	p.e.Barrier()
	return p.e.loadShared(place, num.Int32, 1)[0]
}

// writeHead writes a record's header, or that of a truncated record, and counts the latter.
func (p *printRecord) writeHead() {
	first := p.e.Do("setp.eq.s32", asm.R(p.e.tid), asm.I(0))
	p.e.Unless(first, true, func() {
		site := p.e.Do("selp.b32", asm.I(int64(len(p.e.prints)-1)), asm.I(truncatedRecord), asm.R(p.fits))
		room := p.e.Do("setp.le.u32", asm.R(p.at), asm.I(int64(p.e.opt.PrintBytes-recordHead)))
		if p.e.opt.PrintBytes < recordHead {
			room = p.e.Do("mov.pred", asm.I(0))
		}
		words := []asm.Reg{site}
		for axis := range int64(3) {
			words = append(words, p.e.programID(axis))
		}
		p.e.Add(asm.Inst{Op: asm.Op("st.global.v4.b32"),
			Src: []asm.Operand{asm.M(p.record, printHeader), asm.V(words...)}, Guard: room})
		p.e.Add(asm.Inst{Op: asm.Op("red.global.add.u32"), Src: []asm.Operand{asm.M(p.e.params.prints, 4), asm.I(1)},
			Guard: p.fits, Not: true})
	})
}

// writeValues writes v's elements from an offset in the record on.
func (p *printRecord) writeValues(v *ir.Value, offset int64) {
	l := *v.Layout
	thread := p.e.threadOffset(l.Lane, l.Warp)
	base := p.record
	if thread.OK() {
		base = p.e.Do("mad.wide.u32", asm.R(thread), asm.I(valueBytes), asm.R(p.record))
	}
	guard := p.e.andPred(map[asm.Reg]asm.Reg{}, p.fits, p.e.leaderPred(l))
	replicas := int(l.Free().Reg)
	for r := range l.Regs() {
		if r&replicas != 0 {
			continue
		}
		at := asm.M(base, offset+int64(l.At(r, 0, 0))*valueBytes)
		p.e.Add(asm.Inst{Op: asm.Op("st.global.b64"), Src: []asm.Operand{at, asm.R(p.toEightBytes(v, r))},
			Guard: guard})
	}
}

// toEightBytes is register r of v in 8 bytes: integers extended, floats as their bits, pointers as tagged offsets.
func (p *printRecord) toEightBytes(v *ir.Value, r int) asm.Reg {
	if v.Type.Pointer {
		return p.e.taggedOffset(p.e.ptrs[v.ID], r)
	}
	x, d := p.e.regs(v)[r], v.Type.DType
	switch {
	case !d.Info().Float:
		return p.e.extendToB64(d, x)
	case x.Class == asm.B16:
		return p.e.Do("cvt.u64.u16", asm.R(x))
	case x.Class == asm.B32:
		return p.e.Do("cvt.u64.u32", asm.R(x))
	}
	return x
}
