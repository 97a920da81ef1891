// Package lens says what a kernel asks of a GPU, by line of its source: memory sectors, shared-memory wavefronts and
// instructions by class, next to the least that the same work takes. The numbers are a model: they come from the PTX
// simulator, which counts what PTX says. ptxas makes machine code of it, which has other instructions, and registers
// and spills that PTX does not show; sectors and wavefronts follow from addresses, and ptxas keeps those.
//
// runner/cli/testdata/nsight/nsight.py compares the counts of 20 kernels with Nsight Compute's on a GPU; NSIGHT.md
// has the table.
package lens

import (
	"cmp"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/isa"
	"github.com/newtlab/newt/compiler/ptx/sim"
	"github.com/newtlab/newt/compiler/source"
)

// Kernel sums up the launches of a compiled kernel.
type Kernel struct {
	Name      string
	Module    *ptx.Module
	Assembled *Assembled // nil where it is not known

	launches, programs, simulated uint64
	lines                         []sim.Count // by line of Module.Text, from 1
	total                         sim.Count
	read, written                 uint64 // bytes
}

// Add adds what a launch did.
func (k *Kernel) Add(grid [3]int, r *sim.Report) {
	k.launches++
	k.programs += uint64(grid[0]) * uint64(grid[1]) * uint64(grid[2])
	k.simulated += r.Blocks
	k.total.Add(&r.Total)
	k.read += r.ReadBytes
	k.written += r.WrittenBytes
	if k.lines == nil {
		k.lines = make([]sim.Count, len(r.Lines))
	}
	for i := range r.Lines {
		k.lines[i].Add(&r.Lines[i])
	}
}

// The memories.
const (
	Global Memory = "global"
	Shared Memory = "shared"
)

var accesses = [sim.NumAccesses]Access{"load", "store", "atomic", "async copy"}

// Report sums the counts up by line of the files that the kernel's spans lie in.
func (k *Kernel) Report(files source.Files) *Report {
	m := k.Module
	r := &Report{
		Kernel: k.Name, Target: m.Target, Model: "PTX simulator", Launches: k.launches, Programs: k.programs,
		Simulated: k.simulated, Threads: m.Threads, Shared: m.Shared, Lines: k.byLine(files),
		Instructions: byClass(&k.total.Classes), FLOPs: byClass(&k.total.FLOPs),
		ReadBytes: k.read, WrittenBytes: k.written,
	}
	if i := slices.IndexFunc(r.Lines, func(l Line) bool { return l.File != "" }); i >= 0 {
		r.File = r.Lines[i].File
	}
	r.Assembled, r.Occupancy = k.Assembled, occupancyOf(m, k.Assembled)
	r.Roofline = rooflineOf(k)
	return r
}

// byLine are the lines that did anything, in the order of the files' names and lines.
func (k *Kernel) byLine(files source.Files) []Line {
	type place struct {
		file string
		line int
	}
	sums, texts := map[place]*sim.Count{}, map[place]string{}
	for i := range k.lines {
		c := &k.lines[i]
		if c.Executed == 0 {
			continue
		}
		var at place
		if span := k.Module.Lines[i-1]; span != (source.Span{}) {
			if f := files.File(span); f != nil {
				at = place{f.Name, f.Position(span.Start).Line}
				texts[at] = strings.TrimSpace(f.Slice(f.LineSpan(at.line)))
			}
		}
		if sums[at] == nil {
			sums[at] = &sim.Count{}
		}
		sums[at].Add(c)
	}
	var lines []Line
	for at, c := range sums {
		lines = append(lines, Line{at.file, at.line, texts[at], byClass(&c.Classes),
			append(traffic(Global, &c.Global), traffic(Shared, &c.Shared)...)})
	}
	slices.SortFunc(lines, func(a, b Line) int { return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line) })
	return lines
}

func traffic(m Memory, all *sim.ByAccess) (list []Traffic) {
	for i, t := range all {
		if t.Requests > 0 {
			list = append(list, Traffic{m, accesses[i], t.Requests, t.Units, t.Ideal})
		}
	}
	return list
}

func byClass(counts *[isa.NumClasses]uint64) map[string]uint64 {
	m := map[string]uint64{}
	for c, n := range counts {
		if n > 0 {
			m[isa.Class(c).String()] = n
		}
	}
	return m
}
