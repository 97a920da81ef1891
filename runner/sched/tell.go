package sched

import (
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
)

// compiled tells what the device made of the kernel, once it knows.
func (r *run) compiled(kernel device.Kernel) bool {
	compiler, ok := kernel.(device.Compiler)
	if !ok {
		return true
	}
	c := compiler.Compiled()
	if c == nil {
		return false
	}
	m := protocol.FromCompiled(c)
	if len(m.PTX) > r.sched.options.Limits.PTXBytes {
		m.PTX, m.Lines = "", nil
	}
	m.Log = m.Log[:min(len(m.Log), r.sched.options.Limits.PrintBytes)]
	r.say(protocol.ServerMessage{Compiled: m})
	return true
}

// report tells what the launch had to say, within the limits.
func (r *run) report(report *device.Report) {
	l := r.sched.options.Limits
	if list := report.Diagnostics; len(list) > 0 {
		m := protocol.Diagnostics{Dropped: max(0, len(list)-l.MaxDiagnostics)}
		for _, d := range list[:min(len(list), l.MaxDiagnostics)] {
			m.List = append(m.List, protocol.FromDiag(d))
		}
		r.say(protocol.ServerMessage{Diagnostics: &m})
	}
	if len(report.Prints)+report.PrintsDropped == 0 {
		return
	}
	m, room := protocol.Prints{Prints: []protocol.Print{}, Dropped: report.PrintsDropped}, l.PrintBytes
	for i, p := range report.Prints {
		// What surrounds a short text on the wire counts too.
		if room -= len(p.Text) + 100; room < 0 {
			m.Dropped += len(report.Prints) - i
			break
		}
		m.Prints = append(m.Prints, protocol.Print{Program: p.Program[:], Start: int(p.Span.Start), End: int(p.Span.End), Text: p.Text})
	}
	r.say(protocol.ServerMessage{Prints: &m})
}
