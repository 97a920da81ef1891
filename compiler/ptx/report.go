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

// site numbers a place that may report.
func (e *emitter) site(kind SiteKind, in *ir.Instr) int {
	e.sites = append(e.sites, Site{kind, in.Span, in})
	return len(e.sites) - 1
}

// tell writes what went wrong at a site, if this is the first thread to say so, and else adds to the
// count. offset is b64; arg and count are b32.
func (e *emitter) tell(site int, offset, arg, count asm.Reg) {
	at := int64(site * siteBytes)
	where := asm.M(e.report, at)
	old := e.Reg(asm.B32)
	e.Add(asm.Inst{Op: "atom.global.cas.b32", Dst: []asm.Operand{asm.R(old)}, Src: []asm.Operand{where, asm.I(0), asm.I(1)}, Effect: true})
	first := e.Do("setp.eq.s32", asm.Pred, asm.R(old), asm.I(0))
	more := e.Reg(asm.B32)
	e.Move(more, asm.R(count))
	e.Unless(first, true, func() {
		for i, name := range []string{"%ctaid.x", "%ctaid.y", "%ctaid.z"} {
			pid := e.Do("mov.u32", asm.B32, asm.S(name))
			e.Effect("st.global.b32", asm.M(e.report, at+pidAt+int64(4*i)), asm.R(pid))
		}
		e.Effect("st.global.b64", asm.M(e.report, at+offsetAt), asm.R(offset))
		e.Effect("st.global.b32", asm.M(e.report, at+argumentAt), asm.R(arg))
		e.Add(asm.Inst{Op: "sub.s32", Dst: []asm.Operand{asm.R(more)}, Src: []asm.Operand{asm.R(count), asm.I(1)}})
	})
	e.Effect("red.global.add.u32", asm.M(e.report, at+moreAt), asm.R(more))
}
