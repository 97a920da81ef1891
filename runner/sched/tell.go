package sched

import (
	"encoding/json"

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
	short := *m
	short.PTX, short.Lines, short.Log = "", nil, ""
	r.say(protocol.ServerMessage{Compiled: m}, protocol.ServerMessage{Compiled: &short})
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
		short := protocol.Diagnostics{List: []protocol.Diagnostic{}, Dropped: len(list)}
		r.say(protocol.ServerMessage{Diagnostics: &m}, protocol.ServerMessage{Diagnostics: &short})
	}
	if len(report.Prints)+report.PrintsDropped == 0 {
		return
	}
	m, room := protocol.Prints{Prints: []protocol.Print{}, Dropped: report.PrintsDropped}, l.PrintBytes
	for i, p := range report.Prints {
		if room -= wireBytes(p.Text); room < 0 {
			m.Dropped += len(report.Prints) - i
			break
		}
		m.Prints = append(m.Prints, protocol.Print{Program: p.Program[:], Start: int(p.Span.Start), End: int(p.Span.End), Text: p.Text})
	}
	short := protocol.Prints{Prints: []protocol.Print{}, Dropped: m.Dropped + len(m.Prints)}
	r.say(protocol.ServerMessage{Prints: &m}, protocol.ServerMessage{Prints: &short})
}

// wireBytes is about what a print takes on the wire: some characters take six bytes there, and what surrounds a short
// text counts too.
func wireBytes(text string) int {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string can be written
	}
	return len(encoded) + 98
}
