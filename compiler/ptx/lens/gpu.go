package lens

import (
	"math"

	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/isa"
)

// multiprocessor is what the programs on one multiprocessor share (CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability").
type multiprocessor struct {
	programs, threads, registers, shared int
	reserved                             int // of shared memory, for each program
}

const (
	warpThreads = 32
	mostRegs    = 255 // of a thread
	regsUnit    = 8   // in which a thread gets registers
	warpsUnit   = 4   // in which registers limit warps: each quarter of a multiprocessor has its own
)

var multiprocessors = map[string]multiprocessor{
	"sm_80":  {32, 2048, 64 << 10, 164 << 10, 1 << 10},
	"sm_90a": {32, 2048, 64 << 10, 228 << 10, 1 << 10},
}

func occupancyOf(m *ptx.Module, a *Assembled) Occupancy {
	p := multiprocessors[m.Target]
	o := Occupancy{Programs: p.programs, Limit: "programs", MostWarps: p.threads / warpThreads}
	type limit struct {
		name     Limit
		programs int
	}
	limits := []limit{{"threads", p.threads / m.Threads}, {"shared memory", p.shared / (m.Shared + p.reserved)}}
	if a != nil {
		ofWarp := (a.Registers + regsUnit - 1) / regsUnit * regsUnit * warpThreads
		warps := p.registers / max(ofWarp, 1) / warpsUnit * warpsUnit
		limits = append(limits, limit{"registers", warps / (m.Threads / warpThreads)})
	}
	for _, l := range limits {
		if l.programs < o.Programs {
			o.Programs, o.Limit = l.programs, l.name
		}
	}
	o.Warps = o.Programs * m.Threads / warpThreads
	if o.Programs > 0 {
		o.MaxRegisters = min(mostRegs, p.registers/(o.Programs*m.Threads)/regsUnit*regsUnit)
	}
	return o
}

// peak is what a GPU does at most, in a second (NVIDIA's data sheets of H100 SXM and H200 SXM; tensor cores: 16-bit
// floats without sparsity).
type peak struct {
	name            string
	multiprocessors int
	bytes           float64
	flops           map[isa.Class]float64
}

var hopper = map[isa.Class]float64{
	isa.Half: 133.8e12, isa.Single: 66.9e12, isa.Double: 33.5e12, isa.Tensor: 989.4e12,
}

var peaks = []peak{{"H100 SXM", 132, 3.35e12, hopper}, {"H200 SXM", 132, 4.8e12, hopper}}

// Bound is "memory" or "compute", whichever takes longer.
func (r *Roofline) Bound() string {
	if r.ComputeSeconds > r.MemorySeconds {
		return "compute"
	}
	return "memory"
}

// fill is how many multiprocessors a launch's programs keep busy, and how many programs the busiest of them runs.
func (p *peak) fill(programs uint64) (busy int, rounds float64) {
	return int(min(programs, uint64(p.multiprocessors))), math.Ceil(float64(programs) / float64(p.multiprocessors))
}

// rooflineOf is nothing for kernels without float arithmetic or memory traffic. resident is how many programs a
// multiprocessor runs at a time.
func rooflineOf(k *Kernel, resident int) []Roofline {
	list := []Roofline{}
	bytes, flops := float64(k.read+k.written), 0.0
	for _, n := range k.total.FLOPs {
		flops += float64(n)
	}
	if bytes == 0 || flops == 0 {
		return list
	}
	all := float64(k.programs) / float64(k.simulated)
	for _, p := range peaks {
		r := Roofline{GPU: p.name, Intensity: flops / bytes, Multiprocessors: p.multiprocessors,
			PeakSeconds: all * bytes / p.bytes}
		full := 0.0 // the seconds of arithmetic if all multiprocessors were busy all the time
		for programs, work := range k.grids {
			busy, rounds := p.fill(programs)
			own := float64(busy) * processor.cache * processor.hertz // that those multiprocessors move
			r.MemorySeconds += all * float64(work.bytes) / min(p.bytes, own)
			for c, rate := range p.flops {
				seconds := all * float64(work.flops[c]) / rate
				full += seconds
				// The busiest multiprocessor has so many programs, and its part of the rate.
				r.ComputeSeconds += seconds * rounds * float64(p.multiprocessors) / float64(programs)
			}
			if r.Busy <= busy {
				r.Busy, r.Waves = busy, max(r.Waves, float64(programs)/float64(max(1, resident)*p.multiprocessors))
			}
		}
		r.Ridge = r.Intensity * r.PeakSeconds / full
		list = append(list, r)
	}
	return list
}
