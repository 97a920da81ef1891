package sched

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
)

// reportCompiled reports the compiled code of the kernel. It returns false if the device has not compiled it yet, which
// it has after the first launch.
func (r *run) reportCompiled(kernel device.Kernel) bool {
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
	r.reportMessage(protocol.ServerMessage{Compiled: m}, protocol.ServerMessage{Compiled: &short})
	return true
}

// reportSASS reports the machine code of the kernel, or why there is none.
func (r *run) reportSASS(ctx context.Context, kernel device.Kernel) {
	m, err := r.disassemble(ctx, kernel)
	if err != nil {
		r.logFailure(err)
		m = &protocol.SASS{Lines: []int{}, Problem: wireDiagnostic(refusal("runner-sass"))}
	}
	if len(m.Text) > r.sched.options.Limits.SASSBytes {
		m.Text, m.Lines = "", []int{}
	}
	r.reportMessage(protocol.ServerMessage{SASS: m}, shortSASS(m))
}

// shortSASS is the message without the code.
func shortSASS(m *protocol.SASS) protocol.ServerMessage {
	short := *m
	short.Text, short.Lines = "", []int{}
	return protocol.ServerMessage{SASS: &short}
}

// errNoTools is the error of a job that asks for machine code where nothing can print it.
var errNoTools = errors.New("there are no tools that print machine code")

func (r *run) disassemble(ctx context.Context, kernel device.Kernel) (*protocol.SASS, error) {
	if !r.job.queue.description.SASS {
		return nil, errNoTools
	}
	fn, err := ir.DecodeContext(ctx, r.wire)
	if err != nil {
		return nil, err
	}
	var made *device.Compiled
	if c, ok := kernel.(device.Compiler); ok {
		made = c.Compiled()
	}
	return r.sched.options.Disassembler.Disassembly(ctx, fn, r.compilerOptions(), r.device.Capabilities(), made)
}

// reportLaunch reports the launch's diagnostics and prints, within the limits; what exceeds them is counted as dropped.
func (r *run) reportLaunch(report *device.Report) {
	l := r.sched.options.Limits
	if list := report.Diagnostics; len(list) > 0 {
		m := protocol.Diagnostics{Dropped: max(0, len(list)-l.MaxDiagnostics)}
		for _, d := range list[:min(len(list), l.MaxDiagnostics)] {
			m.List = append(m.List, protocol.FromDiag(d))
		}
		short := protocol.Diagnostics{List: []protocol.Diagnostic{}, Dropped: len(list)}
		r.reportMessage(protocol.ServerMessage{Diagnostics: &m}, protocol.ServerMessage{Diagnostics: &short})
	}
	if len(report.Prints)+report.PrintsDropped == 0 {
		return
	}
	m, room := protocol.Prints{Prints: []protocol.Print{}, Dropped: report.PrintsDropped}, l.PrintBytes
	for i, p := range report.Prints {
		if room -= printWireBytes(p.Text); room < 0 {
			m.Dropped += len(report.Prints) - i
			break
		}
		m.Prints = append(m.Prints, protocol.Print{
			Program: p.Program[:], Start: int(p.Span.Start), End: int(p.Span.End), Text: p.Text,
		})
	}
	short := protocol.Prints{Prints: []protocol.Print{}, Dropped: m.Dropped + len(m.Prints)}
	r.reportMessage(protocol.ServerMessage{Prints: &m}, protocol.ServerMessage{Prints: &short})
}

// printWireBytes estimates the bytes of a print in a message: control characters take six bytes there, and the fields
// around a short text count as well.
func printWireBytes(text string) int {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic(err) // any string can be written as JSON
	}
	return len(encoded) + 98
}
