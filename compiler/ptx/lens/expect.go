package lens

import (
	"cmp"
	"math"

	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/isa"
	"github.com/newtlab/newt/compiler/ptx/sim"
)

// Expected is how long a launch may take, as far as counts tell: to put configurations of a kernel in order before any
// is run, not to foretell a time. Each field is the seconds that one thing would take if nothing else took any.
type Expected struct {
	Memory  float64 // what the launch touches, once, between the GPU's memory and its caches
	Cache   float64 // the sectors of all requests, between the second-level cache and the multiprocessors
	Compute float64 // the instructions and the wavefronts of shared memory, by the busiest unit
	Latency float64 // one program after the other, with as many beside it as fit
}

// Seconds is the whole: somewhat more than the longest part, since parts overlap, but not perfectly.
func (x Expected) Seconds() float64 {
	sum := 0.0
	for _, part := range []float64{x.Memory, x.Cache, x.Compute, x.Latency} {
		sum += math.Pow(part, overlap)
	}
	return math.Pow(sum, 1/overlap)
}

// Bound is what a launch is bound by, which is its longest part: "memory", "cache", "compute" or "latency".
func (x Expected) Bound() string {
	bound, longest := "memory", x.Memory
	for _, part := range []struct {
		name    string
		seconds float64
	}{{"cache", x.Cache}, {"compute", x.Compute}, {"latency", x.Latency}} {
		if part.seconds > longest {
			bound, longest = part.name, part.seconds
		}
	}
	return bound
}

// overlap is the exponent of the norm that joins the parts: 1 would be one after the other, infinity all at once.
const overlap = 3.0

// Launch is a launch of a kernel of which a sample was simulated.
type Launch struct {
	Module   *ptx.Module
	Programs int
	Stages   int         // of pipelined loops
	Pressure int         // registers that a thread's tiles take: plan.Pressure
	Bytes    float64     // of all arguments, the most that is moved if it is moved once
	Sample   *sim.Report // of some of the programs
}

// processor is a multiprocessor as the model sees it, beside what its GPU's row says: what it does in one cycle, from
// the throughputs that the CUDA C++ Programming Guide has for compute capability 9.0, and how long it waits.
var processor = struct {
	issue      float64                 // instructions of warps
	classes    [isa.NumClasses]float64 // instructions of warps; floats: of the target
	cache      float64                 // bytes from the second-level cache
	waits      [isa.NumClasses]float64 // cycles until what follows can go on, on average
	access     float64                 // cycles of a load from global memory
	registers  int                     // of one thread beyond those of its tiles
	spillCosts float64                 // instructions for each register that does not fit
}{
	issue: 4,
	classes: [isa.NumClasses]float64{isa.Integer: 2, isa.Conversion: 1, isa.Move: 2, isa.MemoryAccess: 1,
		isa.Control: 4},
	cache: 24,
	waits: [isa.NumClasses]float64{isa.Integer: 1.5, isa.Half: 1.5, isa.Single: 1.5, isa.Double: 4, isa.Tensor: 16,
		isa.Conversion: 2, isa.Move: 3, isa.MemoryAccess: 6, isa.Control: 8},
	access: 600, registers: 24, spillCosts: 2,
}

// perCycle is what a multiprocessor of a GPU does in a cycle: instructions of warps by class, and FLOPs of its tensor
// cores.
func perCycle(g *arch.GPU) (classes [isa.NumClasses]float64, tensor float64) {
	t, classes := arch.Find(g.Target), processor.classes
	classes[isa.Half], classes[isa.Single], classes[isa.Double] = t.Half, t.Single, t.Double
	return classes, cmp.Or(t.Tensor, g.Tensor/float64(g.Multiprocessors)/g.Load)
}

// Expect is what a launch may take on a GPU.
func (l *Launch) Expect(on *arch.GPU) Expected {
	p, sampled := &processor, float64(max(l.Sample.Blocks, 1))
	classes, tensors := perCycle(on)
	warps := float64(max(1, l.Module.Threads/warpThreads))
	resident, spilled := l.resident()
	programs := math.Ceil(float64(l.Programs) / float64(on.Multiprocessors)) // of the busiest multiprocessor
	rounds := math.Ceil(programs / resident)
	cycles := func(n float64) float64 { return n / on.Load }

	var busiest, executed, waited, tensor float64
	for c, n := range l.Sample.Total.Classes {
		each := float64(n) / sampled
		executed += each
		waited += each / warps * p.waits[c]
		if isa.Class(c) == isa.Tensor {
			tensor = float64(l.Sample.Total.FLOPs[c]) / sampled / tensors
			continue
		}
		busiest = max(busiest, each/classes[c])
	}
	spills := spilled * p.spillCosts * warps
	global, shared := l.Sample.Total.Global.Sum(), l.Sample.Total.Shared.Sum()
	wavefronts := (float64(shared.Units) + float64(global.Requests)) / sampled
	compute := max(busiest, (executed+spills)/p.issue, tensor, wavefronts+spills)
	sectors := float64(global.Units) / sampled * sectorBytes
	moved := min(l.Bytes, float64(l.Sample.ReadBytes+l.Sample.WrittenBytes)/sampled*float64(l.Programs))
	return Expected{
		Memory:  moved / on.Bytes,
		Cache:   cycles(programs * sectors / p.cache),
		Compute: cycles(programs * compute),
		Latency: cycles(rounds * (waited + p.access*l.loadRounds(sampled, warps))),
	}
}

// sectorBytes is what a request moves at least (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory").
const sectorBytes = 32

// resident is how many programs a multiprocessor runs at a time, and how many registers of a thread do not fit.
func (l *Launch) resident() (programs, spilled float64) {
	wanted := l.Pressure + processor.registers
	most := min(mostRegs, arch.Registers/l.Module.Threads/regsUnit*regsUnit)
	o := occupancyOf(l.Module, &Assembled{Registers: min(wanted, most)})
	return float64(max(1, o.Programs)), float64(max(0, wanted-most))
}

// loadRounds is how often a program waits for loads, by the load that its warps make most often: loads that are copied
// ahead are waited for once in as many times as there are copies under way. One warp makes a tensor copy, and all wait.
func (l *Launch) loadRounds(sampled, warps float64) float64 {
	ahead := float64(max(1, l.Stages-1))
	most := 1.0
	for i := range l.Sample.Lines {
		g := &l.Sample.Lines[i].Global
		loads := float64(g[sim.AccessRead].Requests) / warps
		copies := float64(g[sim.AccessAsync].Requests)/warps + float64(g[sim.AccessTensor].Requests)
		most = max(most, loads/sampled, copies/sampled/ahead)
	}
	return most
}
