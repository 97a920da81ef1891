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

	launches, programs uint64
	lines              []sim.Count // by line of Module.Text, from 1
	total              sim.Count
	read, written      uint64 // bytes
}

// Add adds what a launch did.
func (k *Kernel) Add(grid [3]int, r *sim.Report) {
	k.launches++
	k.programs += uint64(grid[0]) * uint64(grid[1]) * uint64(grid[2])
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

// Report is what a kernel's launches did, summed up.
type Report struct {
	Kernel   string `json:"kernel"`
	File     string `json:"file"` // of the kernel's first line
	Target   string `json:"target"`
	Model    string `json:"model"` // where the counts come from
	Launches uint64 `json:"launches"`
	Programs uint64 `json:"programs"`
	Threads  int    `json:"threads"`      // of a program
	Shared   int    `json:"sharedMemory"` // bytes of a program
	Lines    []Line `json:"lines"`
	Work
	Assembled *Assembled `json:"assembled,omitempty"` // what ptxas made of it, if that was asked
	Occupancy Occupancy  `json:"occupancy"`
	Roofline  []Roofline `json:"roofline"`
}

// Work is what a kernel did as a whole.
type Work struct {
	Instructions map[string]uint64 `json:"instructions"` // of warps, by class
	FLOPs        map[string]uint64 `json:"flops"`        // additions and multiplications of floats, by class
	// ReadBytes and WrittenBytes are the sectors of global memory that a launch touches, each once.
	ReadBytes    uint64 `json:"readBytes"`
	WrittenBytes uint64 `json:"writtenBytes"`
}

// Line is what the instructions of a line did.
type Line struct {
	File         string            `json:"file,omitempty"` // both are zero for instructions that no line asks for
	Line         int               `json:"line,omitempty"` // from 1
	Source       string            `json:"source,omitempty"`
	Instructions map[string]uint64 `json:"instructions"` // of warps, by class
	Memory       []Traffic         `json:"memory,omitempty"`
}

// Traffic is one line's traffic with one memory by one kind of access. A unit is a 32-byte sector of global memory or
// a wavefront of shared memory; Ideal is the least that the same bytes take.
type Traffic struct {
	Memory   Memory `json:"memory"`
	Access   Access `json:"access"`
	Requests uint64 `json:"requests"` // of warps
	Units    uint64 `json:"units"`
	Ideal    uint64 `json:"ideal"`
}

// Memory is "global" or "shared".
type Memory string

// The memories.
const (
	Global Memory = "global"
	Shared Memory = "shared"
)

// Access is how a memory is reached: "load", "store", "atomic" or "async copy".
type Access string

var accesses = [sim.NumAccesses]Access{"load", "store", "atomic", "async copy"}

// Report sums the counts up by line of the files that the kernel's spans lie in.
func (k *Kernel) Report(files source.Files) *Report {
	m := k.Module
	r := &Report{
		Kernel: k.Name, Target: m.Target, Model: "PTX simulator", Launches: k.launches, Programs: k.programs,
		Threads: m.Threads, Shared: m.Shared, Lines: k.byLine(files),
		Work: Work{byClass(&k.total.Classes), byClass(&k.total.FLOPs), k.read, k.written},
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
