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
	longest                       uint64      // warp instructions of the program that executed most
	lines                         []sim.Count // by line of Module.Text, from 1
	total                         sim.Count
	read, written                 uint64 // bytes
	waveSectors                   uint64
	grids                         map[uint64]*gridWork
	unique, words                 map[reach]uint64 // sectors that are touched, and words that atomics update
}

// reach is one kind of accesses of an expression.
type reach struct {
	span   source.Span
	access sim.Access
}

// gridWork is what the launches of so many programs did.
type gridWork struct {
	bytes uint64
	flops [isa.NumClasses]uint64
}

// Add adds what a launch did.
func (k *Kernel) Add(grid [3]int, r *sim.Report) {
	k.launches++
	k.programs += uint64(grid[0]) * uint64(grid[1]) * uint64(grid[2])
	k.simulated += r.Blocks
	k.longest = max(k.longest, r.Longest)
	k.total.Add(&r.Total)
	k.read += r.ReadBytes
	k.written += r.WrittenBytes
	k.waveSectors += r.WaveSectors
	if k.lines == nil {
		k.lines = make([]sim.Count, len(r.Lines))
	}
	for i := range r.Lines {
		k.lines[i].Add(&r.Lines[i])
	}
	n := uint64(grid[0]) * uint64(grid[1]) * uint64(grid[2])
	if k.grids == nil {
		k.grids, k.unique, k.words = map[uint64]*gridWork{}, map[reach]uint64{}, map[reach]uint64{}
	}
	if k.grids[n] == nil {
		k.grids[n] = &gridWork{}
	}
	k.grids[n].bytes += r.ReadBytes + r.WrittenBytes
	for c, f := range r.Total.FLOPs {
		k.grids[n].flops[c] += f
	}
	k.addPlaces(k.unique, r, r.Sectors)
	k.addPlaces(k.words, r, r.Updated)
}

// addPlaces counts the places that a launch reached, each once for each expression of the source.
func (k *Kernel) addPlaces(sums map[reach]uint64, r *sim.Report, byLine map[int]*sim.Footprint) {
	all := map[reach]*sim.Footprint{}
	for line, f := range byLine {
		used := func(t sim.Traffic) bool { return t.Requests > 0 } // all accesses of an instruction are of one kind
		at := reach{k.Module.Lines[line-1], sim.Access(slices.IndexFunc(r.Lines[line].Global[:], used))}
		if all[at] == nil {
			all[at] = &sim.Footprint{}
		}
		all[at].Union(f)
	}
	for at, f := range all {
		sums[at] += f.Len()
	}
}

// wavefrontBytes is what a wavefront moves: a word of each of 32 banks.
const wavefrontBytes = 128

// The memories.
const (
	Global Memory = "global"
	Shared Memory = "shared"
)

var accesses = [sim.NumAccesses]Access{"load", "store", "atomic", "async copy", "tensor copy"}

// Report sums the counts up by line of the files that the kernel's spans lie in.
func (k *Kernel) Report(files source.Files) *Report {
	m := k.Module
	r := &Report{
		Kernel: k.Name, Target: m.Target, Model: "PTX simulator", Launches: k.launches, Programs: k.programs,
		Simulated: k.simulated, Longest: k.longest, Threads: m.Threads, Shared: m.Shared, Lines: k.byLine(files),
		Instructions: byClass(&k.total.Classes), FLOPs: byClass(&k.total.FLOPs),
		ReadBytes: k.read, WrittenBytes: k.written, Wave: sim.WaveBlocks, WaveSectors: k.waveSectors,
	}
	if i := slices.IndexFunc(r.Lines, func(l Line) bool { return l.File != "" }); i >= 0 {
		r.File = r.Lines[i].File
	}
	r.Assembled, r.Occupancy = k.Assembled, occupancyOf(m, k.Assembled)
	r.Roofline = rooflineOf(k, r.Occupancy.Programs)
	return r
}

// byLine are the lines that did anything, in the order of the files' names and lines.
func (k *Kernel) byLine(files source.Files) []Line {
	type place struct {
		file string
		line int
	}
	sums, texts := map[place]*sim.Count{}, map[place]string{}
	spans := map[place]map[source.Span]bool{}
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
			sums[at], spans[at] = &sim.Count{}, map[source.Span]bool{}
		}
		sums[at].Add(c)
		spans[at][k.Module.Lines[i-1]] = true
	}
	var lines []Line
	costs := map[place]float64{}
	for at, c := range sums {
		l := Line{at.file, at.line, texts[at], byClass(&c.Classes),
			append(traffic(Global, &c.Global), traffic(Shared, &c.Shared)...)}
		k.addUnique(l.Memory, spans[at])
		costs[at] = cost(c)
		lines = append(lines, l)
	}
	slices.SortFunc(lines, func(a, b Line) int {
		x, y := place{a.File, a.Line}, place{b.File, b.Line}
		return cmp.Or(cmp.Compare(costs[y], costs[x]), cmp.Compare(a.File, b.File), a.Line-b.Line)
	})
	return lines
}

// cost is about how many cycles a multiprocessor takes for counts.
func cost(c *sim.Count) float64 {
	return float64(c.Executed)/processor.issue + float64(c.Shared.Sum().Units) +
		float64(c.Global.Sum().Units)*sectorBytes/processor.cache
}

// addUnique adds what the accesses of a line's spans reach.
func (k *Kernel) addUnique(list []Traffic, spans map[source.Span]bool) {
	for i := range list {
		t := &list[i]
		if t.Memory != Global {
			break
		}
		for span := range spans {
			at := reach{span, sim.Access(slices.Index(accesses[:], t.Access))}
			t.Unique += k.unique[at]
			t.Words += k.words[at]
		}
	}
}

func traffic(m Memory, all *sim.ByAccess) (list []Traffic) {
	for i, t := range all {
		if t.Requests == 0 {
			continue
		}
		x := Traffic{Memory: m, Access: accesses[i], Requests: t.Requests, Units: t.Units, Ideal: t.Ideal}
		if m == Shared { // by the bytes: narrow accesses leave most of a wavefront unused
			x.Ideal = min(t.Units, (t.Bytes+wavefrontBytes-1)/wavefrontBytes)
		}
		if m == Global && sim.Access(i) == sim.AccessAtomic {
			x.Updates = t.Words
		}
		list = append(list, x)
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
