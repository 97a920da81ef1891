package lens

import (
	"math"

	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/isa"
)

const (
	warpThreads = 32
	mostRegs    = 255 // of a thread
	regsUnit    = 8   // in which a thread gets registers
	warpsUnit   = 4   // in which registers limit warps: each quarter of a multiprocessor has its own
)

func occupancyOf(m *ptx.Module, a *Assembled) Occupancy {
	t := arch.Find(m.Target)
	o := Occupancy{Programs: t.Blocks, Limit: "programs", MostWarps: t.Threads / warpThreads}
	type limit struct {
		name     Limit
		programs int
	}
	limits := []limit{{"threads", t.Threads / m.Threads},
		{"shared memory", t.Shared / (m.Shared + arch.ReservedShared)}}
	if a != nil {
		registersOfWarp := (a.Registers + regsUnit - 1) / regsUnit * regsUnit * warpThreads
		warps := arch.Registers / max(registersOfWarp, 1) / warpsUnit * warpsUnit
		limits = append(limits, limit{"registers", warps / (m.Threads / warpThreads)})
	}
	for _, l := range limits {
		if l.programs < o.Programs {
			o.Programs, o.Limit = l.programs, l.name
		}
	}
	o.Warps = o.Programs * m.Threads / warpThreads
	if o.Programs > 0 {
		o.MaxRegisters = min(mostRegs, arch.Registers/(o.Programs*m.Threads)/regsUnit*regsUnit)
	}
	return o
}

// peakFLOPs is what a GPU does at most, in a second: fused multiply-adds of 32 threads, of pairs of fp16.
func peakFLOPs(g *arch.GPU) map[isa.Class]float64 {
	t, threads := arch.Find(g.Target), 2*warpThreads*float64(g.Multiprocessors)*g.Boost
	return map[isa.Class]float64{isa.Half: 2 * t.Half * threads, isa.Single: t.Single * threads,
		isa.Double: t.Double * threads, isa.Tensor: g.Tensor}
}

// Bound is "memory" or "compute", whichever takes longer.
func (r *Roofline) Bound() string {
	if r.ComputeSeconds > r.MemorySeconds {
		return "compute"
	}
	return "memory"
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
	for _, g := range arch.Find(k.Module.Target).GPUs() {
		r := Roofline{GPU: g.Name, Intensity: flops / bytes, Multiprocessors: g.Multiprocessors,
			PeakSeconds: all * bytes / g.Bytes}
		peaks, sms := peakFLOPs(&g), float64(g.Multiprocessors)
		full := 0.0 // the seconds of arithmetic if all multiprocessors were busy all the time
		for programs, work := range k.grids {
			busy := min(float64(programs), sms)
			rounds := math.Ceil(float64(programs) / sms) // of programs, on the busiest multiprocessor
			own := busy * processor.cache * g.Load       // that those multiprocessors move
			r.MemorySeconds += all * float64(work.bytes) / min(g.Bytes, own)
			for c, rate := range peaks {
				seconds := all * float64(work.flops[c]) / rate
				full += seconds
				// The busiest multiprocessor has so many programs, and its part of the rate.
				r.ComputeSeconds += seconds * rounds * sms / float64(programs)
			}
			r.Busy = max(r.Busy, int(busy))
			r.Waves = max(r.Waves, float64(programs)/(float64(max(1, resident))*sms))
		}
		r.Ridge = r.Intensity * r.PeakSeconds / full
		list = append(list, r)
	}
	return list
}
