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

// reporter writes reports.
type reporter struct {
	*threadCode
	area  asm.Reg // b64: the address of the report area
	sites []Site
}

// addSite gives a place that may report its number.
func (r *reporter) addSite(kind SiteKind, in *ir.Instr) int {
	r.sites = append(r.sites, Site{kind, in.Span, in})
	return len(r.sites) - 1
}

// writeReport writes a site's record, if this is the first thread to report it, and else adds to the record's count.
// The first is who changes the record's first word from 0 to 1 by compare-and-swap. offset is b64; arg and count are
// b32.
func (r *reporter) writeReport(site int, offset, arg, count asm.Reg) {
	at := int64(site * siteBytes)
	where := asm.M(r.area, at)
	old := r.Reg(asm.B32)
	r.Into(old, "atom.global.cas.b32", where, asm.I(0), asm.I(1))
	first := r.Do("setp.eq.s32", asm.R(old), asm.I(0))
	// The first reporter's own element is in the record, so it adds one less to the count.
	more := r.Reg(asm.B32)
	r.Move(more, asm.R(count))
	r.Unless(first, true, func() {
		for axis := range int64(3) {
			r.Effect("st.global.b32", asm.M(r.area, at+pidAt+4*axis), asm.R(r.programID(axis)))
		}
		r.Effect("st.global.b64", asm.M(r.area, at+offsetAt), asm.R(offset))
		r.Effect("st.global.b32", asm.M(r.area, at+argumentAt), asm.R(arg))
		r.Into(more, "sub.s32", asm.R(count), asm.I(1))
	})
	r.Effect("red.global.add.u32", asm.M(r.area, at+moreAt), asm.R(more))
}

// exitWithReport ends the program. The threads for which guard holds report the site.
func (r *reporter) exitWithReport(site int, guard, offset asm.Reg) {
	r.Unless(guard, true, func() {
		zero := r.Do("mov.b32", asm.I(0))
		if !offset.OK() {
			offset = r.Do("mov.b64", asm.I(0))
		}
		r.writeReport(site, offset, zero, r.Do("mov.b32", asm.I(1)))
	})
	r.Effect("ret")
}
