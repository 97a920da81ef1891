package tile

import (
	"cmp"
	"slices"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
)

// Limits on what a launch may print.
const (
	MaxPrints    = 1000
	MaxPrintText = 1 << 20 // bytes
)

// noArgument is the position of the argument of an access that concerns none.
const noArgument = -1

// finding identifies violations that are reported as one.
type finding struct {
	code string
	span source.Span
	arg  int
}

// firstSeen is a violation with the program that had it first.
type firstSeen struct {
	program int64
	index   int64
	size    int64
	count   int64
	lanes   Lanes // of program's first execution of the operation
}

// extend adds the lanes from first to last to those of one execution of an operation, which come in
// ascending order: lanes that do not are of a later execution.
func (l *Lanes) extend(first, last int) {
	if first > l.Last {
		l.Last = last
	}
}

type printed struct {
	program int64
	span    source.Span
	text    string
	call    bool
}

// findings are what one machine has to report. A machine runs its programs in order, so that
// what it finds first is first among its own.
type findings struct {
	programs   int64 // that ran to their end
	violations map[finding]*firstSeen
	prints     []printed
	printText  int
	dropped    int
	droppedAt  int64 // the program of the first print that was dropped, where one was
}

// violate records that the lanes from first to last are out of bounds, the first of them at index.
// The tile has n lanes.
func (m *machine) violate(f finding, index, size int64, first, last, n int) {
	v := m.found.violations[f]
	if v == nil {
		v = &firstSeen{program: m.program, index: index, size: size, lanes: Lanes{first, last, n}}
		if m.found.violations == nil {
			m.found.violations = map[finding]*firstSeen{}
		}
		m.found.violations[f] = v
	}
	if v.program == m.program {
		v.lanes.extend(first, last)
	}
	v.count += int64(last - first + 1)
}

// drop counts a print that is not kept. From the first one on none is, so that what is kept is a beginning.
func (f *findings) drop(program int64) {
	if f.dropped == 0 {
		f.droppedAt = program
	}
	f.dropped++
}

// collect merges what the machines found.
func (r *run) collect(machines []*machine) *Report {
	report := &Report{}
	merged := map[finding]*firstSeen{}
	var prints []printed
	end := r.total // no print of a program from here on is kept
	for _, m := range machines {
		for f, v := range m.found.violations {
			merge(merged, f, v)
		}
		prints = append(prints, m.found.prints...)
		if m.found.dropped > 0 {
			end = min(end, m.found.droppedAt+1)
		}
		report.PrintsDropped += m.found.dropped
		report.Programs += m.found.programs
	}
	// Which machine found something first depends on the moment; which program did does not.
	args := machines[0].args
	for f, v := range merged {
		report.Violations = append(report.Violations, r.newViolation(args, f, v))
	}
	SortViolations(report.Violations)
	report.addPrints(r, prints, end)
	return report
}

func merge(all map[finding]*firstSeen, f finding, v *firstSeen) {
	have := all[f]
	if have == nil {
		first := *v
		all[f] = &first
		return
	}
	count := have.count + v.count
	if v.program < have.program {
		*have = *v
	}
	have.count = count
}

func (r *run) newViolation(args []argument, f finding, v *firstSeen) Violation {
	out := Violation{
		Code: f.code, Span: f.span, Arg: f.arg, Program: r.programAt(v.program),
		Index: v.index, Size: v.size, Count: v.count, Lanes: v.lanes,
	}
	if f.arg != noArgument {
		out.Tensor = args[f.arg].name
	}
	return out
}

// addPrints puts prints in program order and keeps those of programs before end that fit.
func (rep *Report) addPrints(r *run, prints []printed, end int64) {
	slices.SortStableFunc(prints, func(a, b printed) int { return cmp.Compare(a.program, b.program) })
	bytes := 0
	for i, p := range prints {
		// Run in order, programs after the one with the fault would never have begun.
		if r.fault != nil && p.program > r.faultAt {
			break // other workers were ahead of the program that stopped the launch
		}
		if bytes += len(p.text); i == MaxPrints || bytes > MaxPrintText || p.program >= end {
			rep.PrintsDropped += len(prints) - i
			break
		}
		rep.Prints = append(rep.Prints,
			device.Print{Program: r.programAt(p.program), Span: p.span, Text: p.text, Call: p.call})
	}
}
