package tile

import (
	"cmp"
	"slices"

	"github.com/newtlab/newt/compiler/source"
)

// Limits on what a launch may print.
const (
	MaxPrints    = 1000
	MaxPrintText = 1 << 20 // bytes
)

// noArgument stands for an access that concerns no argument.
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
}

type printed struct {
	program int64
	span    source.Span
	text    string
}

// findings are what one machine has to report. A machine runs its programs in order, so that
// what it finds first is first among its own.
type findings struct {
	programs   int64 // that ran to their end
	violations map[finding]*firstSeen
	prints     []printed
	printText  int
	dropped    int
}

// violate records count lanes that are out of bounds, the first at index.
func (m *machine) violate(f finding, index, size int64, count int) {
	v := m.found.violations[f]
	if v == nil {
		v = &firstSeen{program: m.program, index: index, size: size}
		if m.found.violations == nil {
			m.found.violations = map[finding]*firstSeen{}
		}
		m.found.violations[f] = v
	}
	v.count += int64(count)
}

// full reports whether no further print is kept; it counts the print that is not.
func (f *findings) full() bool {
	if len(f.prints) < MaxPrints && f.printText < MaxPrintText {
		return false
	}
	f.dropped++
	return true
}

// collect merges what the machines found.
func (r *run) collect(machines []*machine) *Report {
	report := &Report{}
	merged := map[finding]*firstSeen{}
	var prints []printed
	for _, m := range machines {
		for f, v := range m.found.violations {
			merge(merged, f, v)
		}
		prints = append(prints, m.found.prints...)
		report.PrintsDropped += m.found.dropped
		report.Programs += m.found.programs
	}
	args := machines[0].args
	for f, v := range merged {
		report.Violations = append(report.Violations, r.violation(args, f, v))
	}
	SortViolations(report.Violations)
	report.addPrints(r, prints)
	return report
}

func merge(all map[finding]*firstSeen, f finding, v *firstSeen) {
	have := all[f]
	if have == nil {
		all[f] = &firstSeen{v.program, v.index, v.size, v.count}
		return
	}
	have.count += v.count
	if v.program < have.program {
		have.program, have.index, have.size = v.program, v.index, v.size
	}
}

func (r *run) violation(args []argument, f finding, v *firstSeen) Violation {
	out := Violation{
		Code: f.code, Span: f.span, Arg: f.arg, Program: r.programAt(v.program),
		Index: v.index, Size: v.size, Count: v.count,
	}
	if f.arg != noArgument {
		out.Tensor = args[f.arg].name
	}
	return out
}

// addPrints puts prints in program order and keeps the first ones.
func (rep *Report) addPrints(r *run, prints []printed) {
	slices.SortStableFunc(prints, func(a, b printed) int { return cmp.Compare(a.program, b.program) })
	bytes := 0
	for _, p := range prints {
		if r.fault != nil && p.program > r.faultAt {
			break // other workers were ahead of the program that stopped the launch
		}
		if len(rep.Prints) == MaxPrints || bytes >= MaxPrintText {
			rep.PrintsDropped++
			continue
		}
		bytes += len(p.text)
		rep.Prints = append(rep.Prints, Print{r.programAt(p.program), p.span, p.text})
	}
}
