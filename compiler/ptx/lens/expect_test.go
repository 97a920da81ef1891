package lens

import (
	"testing"

	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/isa"
	"github.com/newtlab/newt/compiler/ptx/sim"
)

var h100 = &arch.GPUs[0]

// sample is a program of 4 warps that loads 64 KiB in one round, adds, and stores.
func sample() *Launch {
	r := &sim.Report{Blocks: 1, Lines: make([]sim.Count, 3), ReadBytes: 1 << 16, WrittenBytes: 1 << 14}
	r.Lines[1].Global[sim.AccessRead] = sim.Traffic{Requests: 4, Units: 64, Ideal: 64}
	r.Total.Global[sim.AccessRead] = sim.Traffic{Requests: 128, Units: 2048, Ideal: 2048}
	r.Total.Shared[sim.AccessRead] = sim.Traffic{Requests: 32, Units: 32, Ideal: 32}
	r.Total.Classes[isa.Single], r.Total.Classes[isa.MemoryAccess] = 4000, 160
	return &Launch{Module: &ptx.Module{Target: "sm_90a", Threads: 128, Shared: 1 << 10}, Programs: 10_000, Stages: 3,
		Pressure: 40, Bytes: 1 << 30, Sample: r}
}

// TestExpect: what costs more takes longer, by the part that it concerns.
func TestExpect(t *testing.T) {
	for _, c := range []struct {
		name    string
		worse   func(l *Launch)
		part    func(x Expected) float64
		atLeast float64 // times longer
	}{
		{"memory that is touched", func(l *Launch) { l.Sample.ReadBytes *= 8; l.Bytes *= 8 },
			func(x Expected) float64 { return x.Memory }, 2},
		{"sectors that hold little", func(l *Launch) { l.Sample.Total.Global[sim.AccessRead].Units *= 8 },
			func(x Expected) float64 { return x.Cache }, 8},
		{"conversions, of which there are fewer at a time",
			func(l *Launch) { l.Sample.Total.Classes[isa.Conversion] = l.Sample.Total.Classes[isa.Single] },
			func(x Expected) float64 { return x.Compute }, 3},
		{"bank conflicts", func(l *Launch) { l.Sample.Total.Shared[sim.AccessRead].Units *= 1000 },
			func(x Expected) float64 { return x.Compute }, 8},
		{"registers that do not fit", func(l *Launch) { l.Pressure = 600 },
			func(x Expected) float64 { return x.Compute }, 1.5},
		{"few programs at a time", func(l *Launch) { l.Module.Shared = 200 << 10 },
			func(x Expected) float64 { return x.Latency }, 5},
		{"a loop that waits for each load", func(l *Launch) { l.Sample.Lines[1].Global[sim.AccessRead].Requests *= 50 },
			func(x Expected) float64 { return x.Latency }, 5},
		{"one program too many", func(l *Launch) { l.Programs = 10_000*132 + 1 },
			func(x Expected) float64 { return x.Compute }, 100},
	} {
		before, worse := sample(), sample()
		c.worse(worse)
		a, b := before.Expect(h100), worse.Expect(h100)
		if got := c.part(b) / c.part(a); got < c.atLeast {
			t.Errorf("%s: %.2f times as long", c.name, got)
		}
		if b.Seconds() <= a.Seconds() {
			t.Errorf("%s: the whole takes %g, before %g", c.name, b.Seconds(), a.Seconds())
		}
	}
}

// TestExpectCopiesAhead: a loop whose loads are copied ahead waits less with more stages; loads to registers gain
// nothing.
func TestExpectCopiesAhead(t *testing.T) {
	waits := func(access sim.Access, stages int) float64 {
		l := sample()
		l.Stages = stages
		l.Sample.Lines[1].Global[access].Requests = 400
		return l.Expect(h100).Latency
	}
	if waits(sim.AccessAsync, 4) >= waits(sim.AccessAsync, 2) {
		t.Error("copies under way do not help")
	}
	if waits(sim.AccessRead, 4) != waits(sim.AccessRead, 2) {
		t.Error("stages help loads that are not copied")
	}
}
