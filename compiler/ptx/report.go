package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// The record of a site in the report area: its size, and where its fields are.
const (
	siteBytes  = 64
	pidAt      = 8
	offsetAt   = 24
	argumentAt = 32
	moreAt     = 36
)

// addSite gives a place that may report its number.
func (e *emitter) addSite(kind SiteKind, in *ir.Instr) int {
	e.sites = append(e.sites, Site{kind, in.Span, in})
	return len(e.sites) - 1
}

// writeReport writes a site's record, if this is the first thread to report it, and else adds to the record's count.
// The first is who changes the record's first word from 0 to 1 by compare-and-swap. offset is b64; arg and count are
// b32.
func (e *emitter) writeReport(site int, offset, arg, count asm.Reg) {
	at := int64(site * siteBytes)
	where := asm.M(e.reportArea, at)
	old := e.Reg(asm.B32)
	e.Add(asm.Inst{Op: "atom.global.cas.b32", Dst: []asm.Operand{asm.R(old)}, Src: []asm.Operand{where, asm.I(0),
		asm.I(1)}, Effect: true})
	first := e.Do("setp.eq.s32", asm.Pred, asm.R(old), asm.I(0))
	// The first reporter's own element is in the record, so it adds one less to the count.
	more := e.Reg(asm.B32)
	e.Move(more, asm.R(count))
	e.Unless(first, true, func() {
		for i, name := range []string{"%ctaid.x", "%ctaid.y", "%ctaid.z"} {
			pid := e.Do("mov.u32", asm.B32, asm.S(name))
			e.Effect("st.global.b32", asm.M(e.reportArea, at+pidAt+int64(4*i)), asm.R(pid))
		}
		e.Effect("st.global.b64", asm.M(e.reportArea, at+offsetAt), asm.R(offset))
		e.Effect("st.global.b32", asm.M(e.reportArea, at+argumentAt), asm.R(arg))
		e.Add(asm.Inst{Op: "sub.s32", Dst: []asm.Operand{asm.R(more)}, Src: []asm.Operand{asm.R(count), asm.I(1)}})
	})
	e.Effect("red.global.add.u32", asm.M(e.reportArea, at+moreAt), asm.R(more))
}
