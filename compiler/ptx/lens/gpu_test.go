package lens

import (
	"math"
	"testing"

	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/isa"
	"github.com/newtlab/newt/compiler/ptx/sim"
)

func TestOccupancy(t *testing.T) {
	for _, c := range []struct {
		threads, shared, registers int
		want                       Occupancy
	}{
		{32, 0, 0, Occupancy{32, 32, 64, "programs", 64}},
		{128, 0, 0, Occupancy{16, 64, 64, "threads", 32}},
		{1024, 0, 0, Occupancy{2, 64, 64, "threads", 32}},
		{128, 48 << 10, 0, Occupancy{4, 16, 64, "shared memory", 128}},
		{128, 227 << 10, 0, Occupancy{1, 4, 64, "shared memory", 255}},
		{128, 0, 32, Occupancy{16, 64, 64, "threads", 32}},
		{128, 0, 33, Occupancy{12, 48, 64, "registers", 40}},
		{128, 0, 255, Occupancy{2, 8, 64, "registers", 255}},
	} {
		var a *Assembled
		if c.registers > 0 {
			a = &Assembled{Registers: c.registers}
		}
		if got := occupancyOf(&ptx.Module{Target: "sm_90a", Threads: c.threads, Shared: c.shared}, a); got != c.want {
			t.Errorf("%d threads, %d bytes, %d registers: %+v, want %+v", c.threads, c.shared, c.registers, got, c.want)
		}
	}
}

func TestParseAssembled(t *testing.T) {
	const output = `ptxas info    : Compiling entry function 'matmul' for 'sm_90a'
ptxas info    : Function properties for matmul
    16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 72 registers, used 1 barriers
`
	if got := ParseAssembled(output); got == nil || *got != (Assembled{72, 12, 8}) {
		t.Errorf("%+v", got)
	}
	if got := ParseAssembled("ptxas fatal   : Unresolved extern function"); got != nil {
		t.Errorf("of a failure: %+v", got)
	}
}

// TestRoofline: 8 MB at 3.35 TB/s and 1 GFLOP of tensor cores at 989.4 TFLOP/s, of a program on each multiprocessor.
func TestRoofline(t *testing.T) {
	k := &Kernel{Module: &ptx.Module{Target: "sm_90a"}}
	r := &sim.Report{Blocks: 132, ReadBytes: 6e6, WrittenBytes: 2e6}
	r.Total.FLOPs[isa.Tensor] = 1e9
	k.Add([3]int{132, 1, 1}, r)
	got := rooflineOf(k, 4)[0]
	for name, c := range map[string][2]float64{
		"memory": {got.MemorySeconds, 8e6 / 3.35e12}, "compute": {got.ComputeSeconds, 1e9 / 989.4e12},
		"intensity": {got.Intensity, 125}, "ridge": {got.Ridge, 989.4e12 / 3.35e12},
	} {
		if math.Abs(c[0]-c[1]) > 1e-9*c[1] {
			t.Errorf("%s is %g, want %g", name, c[0], c[1])
		}
	}
	if got.Bound() != "memory" {
		t.Errorf("bound by %s", got.Bound())
	}
	if got.Busy != 132 || got.Multiprocessors != 132 || got.Waves != 0.25 {
		t.Errorf("%+v", got)
	}
	if none := rooflineOf(&Kernel{}, 1); len(none) != 0 {
		t.Errorf("a kernel that does nothing has %+v", none)
	}
}

// TestRooflineOfFewPrograms: 16 programs have the arithmetic of 16 of 132 multiprocessors, and their paths to memory; 133
// take as long as 264, since one multiprocessor has two.
func TestRooflineOfFewPrograms(t *testing.T) {
	at := func(programs int) Roofline {
		k := &Kernel{Module: &ptx.Module{Target: "sm_90a"}}
		r := &sim.Report{Blocks: uint64(programs), ReadBytes: 1000 * uint64(programs)}
		r.Total.FLOPs[isa.Tensor] = 1e6 * uint64(programs)
		k.Add([3]int{programs, 1, 1}, r)
		return rooflineOf(k, 2)[0]
	}
	one, few, full, more, twice := at(1), at(16), at(132), at(133), at(264)
	same := func(a, b float64) bool { return math.Abs(a-b) < 1e-9*b }
	if !same(one.ComputeSeconds, full.ComputeSeconds) || !same(few.ComputeSeconds, full.ComputeSeconds) ||
		!same(more.ComputeSeconds, twice.ComputeSeconds) || !same(twice.ComputeSeconds, 2*full.ComputeSeconds) {
		t.Errorf("arithmetic of 1, 16, 132, 133, 264 programs: %g %g %g %g %g s", one.ComputeSeconds, few.ComputeSeconds,
			full.ComputeSeconds, more.ComputeSeconds, twice.ComputeSeconds)
	}
	if one.MemorySeconds < full.MemorySeconds/2 || few.Busy != 16 || few.Waves != 16.0/264 || more.Waves <= 0.5 {
		t.Errorf("1: %+v\n16: %+v\n133: %+v", one, few, more)
	}
	if !same(one.Ridge, full.Ridge) {
		t.Errorf("ridges %g and %g", one.Ridge, full.Ridge)
	}
	// The roofs are those of the whole GPU: a full one lies on them, and one program far below.
	if !same(one.PeakSeconds*132, full.PeakSeconds) || one.MemorySeconds < 10*one.PeakSeconds ||
		!same(full.ComputeSeconds, full.Intensity*full.PeakSeconds/full.Ridge) {
		t.Errorf("1: %+v\n132: %+v", one, full)
	}
}
