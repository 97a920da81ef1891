package gpu

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/runner/gpu/wire"
)

func TestDriver(t *testing.T) {
	f := open(t, testPool(t, testOptions(t)))
	i := f.Info()
	if i.Name == "" || !strings.HasPrefix(i.Target, "sm_") || i.MemoryBytes <= 0 || i.Shared < 48<<10 || i.BytesPerSecond < 1e11 {
		t.Errorf("it says of itself %+v", i)
	}
	f.add()
	f.add()
}

const hopper = `.version 8.0
.target sm_90a
.address_size 64
.visible .entry fence(.param .u64 at)
{
	wgmma.fence.sync.aligned;
	ret;
}
`

// TestArchitecture loads code of the architecture's own instructions, from PTX and from the cache.
func TestArchitecture(t *testing.T) {
	p := testPool(t, testOptions(t))
	for _, hit := range []bool{false, true} {
		f := open(t, p)
		if f.Info().Target != "sm_90a" {
			t.Skip("the GPU is no sm_90")
		}
		m, err := f.Load(gpu.Source{PTX: hopper, Entry: "fence", Shared: 200 << 10})
		if err != nil {
			t.Fatal(err)
		}
		if m.CacheHit != hit {
			t.Errorf("made earlier: %v, want %v", m.CacheHit, hit)
		}
		l := &gpu.Launch{Module: m, Grid: [3]int{2, 1, 1}, Threads: 128, Shared: 200 << 10, Params: []uint64{0}}
		if _, err := f.Launch(t.Context(), l); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRefusals asks for what the driver refuses; the process lives on.
func TestRefusals(t *testing.T) {
	f := open(t, testPool(t, testOptions(t)))
	_, err := f.Alloc(1 << 45)
	wraps(t, err, gpu.ErrMemory)
	_, err = f.Load(gpu.Source{PTX: "no PTX", Entry: "add"})
	wraps(t, err, gpu.ErrImage)
	_, err = f.Load(gpu.Source{PTX: drill, Entry: "subtract"})
	wraps(t, err, gpu.ErrImage)
	_, err = f.Load(gpu.Source{PTX: drill, Entry: "add", Shared: 1 << 20})
	wraps(t, err, gpu.ErrImage)
	m, err := f.Load(gpu.Source{PTX: drill, Entry: "trap"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Launch(t.Context(), &gpu.Launch{Module: m, Grid: [3]int{1, 1, 1}, Threads: 2048, Params: []uint64{0}})
	wraps(t, err, gpu.ErrLaunch)
	_, err = f.Launch(t.Context(), &gpu.Launch{Module: &gpu.Module{Handle: 99}, Grid: [3]int{1, 1, 1}, Threads: 32})
	wraps(t, err, gpu.ErrLaunch)
	f.add()
}

// TestUnload: where the next module would be one too many, those before are unloaded in the process, and one that is
// launched again is loaded again.
func TestUnload(t *testing.T) {
	f := open(t, testPool(t, testOptions(t)))
	var modules []*gpu.Module
	for i := range maxModules + 1 {
		m, err := f.Load(gpu.Source{PTX: drill, Entry: "add", Shared: i})
		if err != nil {
			t.Fatal(err)
		}
		modules = append(modules, m)
	}
	x := f.floats(1, 2)
	launch := func(m *gpu.Module) *gpu.Launch {
		return &gpu.Launch{Module: m, Grid: [3]int{1, 1, 1}, Threads: 2, Params: []uint64{x, x, x, 2}}
	}
	has := func(m *gpu.Module) bool {
		r := wireRun(launch(m))
		r.Module = m.Handle
		_, err := f.exchange(t.Context(), r.Message(wire.Launch))
		return err == nil
	}
	first, last := modules[0], modules[maxModules]
	if has(first) || has(modules[maxModules-1]) || !has(last) {
		t.Errorf("the process has the first, the last but one and the last module: %v, %v, %v, want the last alone",
			has(first), has(modules[maxModules-1]), has(last))
	}
	for _, m := range []*gpu.Module{first, last, first} {
		if _, err := f.Launch(t.Context(), launch(m)); err != nil {
			t.Errorf("module %d: %v", m.Handle, err)
		}
	}
	if n := len(f.process.modules); n != 2 {
		t.Errorf("%d modules are loaded, want the last and the first", n)
	}
	if _, err := f.Time(t.Context(), launch(modules[1]), device.TimingRequest{Warmup: 1, Measure: 1}); err != nil {
		t.Errorf("timing a module that was unloaded: %v", err)
	}
}

func TestClearedMemory(t *testing.T) {
	f := open(t, testPool(t, testOptions(t)))
	const n = 2*wire.MaxCopy + 5
	dirt := []byte(strings.Repeat("x", n))
	for range 3 {
		at, err := f.Alloc(n)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, n)
		if err := f.Read(at, got); err != nil || strings.Trim(string(got), "\x00") != "" {
			t.Fatalf("new memory is not clear, %v", err)
		}
		if err := f.Write(at, dirt); err != nil {
			t.Fatal(err)
		}
		if err := f.Read(at, got); err != nil || string(got) != string(dirt) {
			t.Fatalf("what was written does not come back, %v", err)
		}
		if err := f.Free(at); err != nil {
			t.Fatal(err)
		}
	}
}

// faults are the ways in which a kernel loses its process.
var faults = []struct {
	entry string
	want  []error
}{
	{"trap", []error{gpu.ErrLost, gpu.ErrKernel}},
	{"stray", []error{gpu.ErrLost, gpu.ErrKernel}},
	{"odd", []error{gpu.ErrLost, gpu.ErrKernel}},
	{"hang", []error{gpu.ErrLost, context.DeadlineExceeded}},
	{"killed", []error{gpu.ErrLost}},
}

// fall runs one of faults and gives its error.
func (d *driver) fall(entry string) error {
	switch entry {
	case "killed":
		timer := time.AfterFunc(50*time.Millisecond, d.process.Kill)
		defer timer.Stop()
		return d.start("hang", patience)
	case "hang":
		return d.start(entry, 300*time.Millisecond)
	}
	return d.start(entry, patience) // an H200's driver takes up to half a second over a trap
}

// recovery is how soon the next job is to be done after a fault.
const recovery = 3 * time.Second

func TestFaults(t *testing.T) {
	p := testPool(t, testOptions(t))
	for _, c := range faults {
		t.Run(c.entry, func(t *testing.T) {
			bad := open(t, p)
			began := time.Now()
			wraps(t, bad.fall(c.entry), c.want...)
			fell := time.Now()
			wraps(t, bad.Read(0, make([]byte, 1)), gpu.ErrLost)
			select {
			case <-bad.process.Done():
			default:
				t.Error("its process lives on")
			}
			good := open(t, p)
			good.add()
			took := time.Since(fell)
			t.Logf("reported after %v, the next job done %v later", fell.Sub(began).Round(time.Millisecond), took.Round(time.Millisecond))
			if onGPU() && took > recovery {
				t.Errorf("the next job was done after %v", took)
			}
		})
	}
}

// TestManyJobs runs jobs two at a time, every fourth with a fault: the others are right.
func TestManyJobs(t *testing.T) {
	p := testPool(t, testOptions(t))
	jobs := make(chan int)
	var all sync.WaitGroup
	var lock sync.Mutex
	var ended []*driver
	job := func(t *testing.T, n int) {
		f := open(t, p)
		lock.Lock()
		ended = append(ended, f.driver)
		lock.Unlock()
		if n%4 != 3 {
			f.add()
			f.Close()
			return
		}
		c := faults[n/4%len(faults)]
		wraps(t, f.fall(c.entry), c.want...)
	}
	for range 2 {
		all.Go(func() {
			for n := range jobs {
				t.Run(fmt.Sprint(n), func(t *testing.T) { job(t, n) })
			}
		})
	}
	for n := range 200 {
		jobs <- n
	}
	close(jobs)
	all.Wait()
	for _, d := range ended {
		select {
		case <-d.process.Done():
		default:
			t.Errorf("process %d is left", d.process.PID())
		}
	}
}

// TestManyKeptJobs runs jobs of two tenants beside each other, each in the process of the last one unless that was lost.
func TestManyKeptJobs(t *testing.T) {
	p := testPool(t, keeping(testOptions(t)))
	if err := p.learn(t.Context()); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var served sync.Map // the tenant of each process
	for _, tenant := range []string{"ann", "bob"} {
		all.Go(func() {
			var last *process // that was kept
			for n := range 100 {
				taken, err := p.take(t.Context(), tenant)
				if err != nil {
					t.Error(err)
					return
				}
				if other, again := served.Swap(taken, tenant); again && other != tenant {
					t.Errorf("%s is given a process of %s", tenant, other)
				}
				if last != nil && taken != last {
					t.Errorf("%s is not given the process of the job before", tenant)
				}
				d := p.driver(taken)
				last = nil
				if n%4 == 3 {
					c := faults[n/4%len(faults)]
					wraps(t, d.fall(c.entry), c.want...)
				} else {
					t.Run(fmt.Sprint(tenant, n), func(t *testing.T) { fixture{t, d}.add() })
				}
				if d.leave() {
					last = taken
					p.keep(tenant, taken)
				} else {
					d.Close()
				}
				if lost := n%4 == 3; lost == (last != nil) || lost != taken.isLost() {
					t.Errorf("job %d of %s: its process was kept: %v", n, tenant, last != nil)
				}
			}
		})
	}
	all.Wait()
}

// TestParentGone ends the input of a worker whose kernel hangs: the worker ends too.
func TestParentGone(t *testing.T) {
	f := open(t, testPool(t, testOptions(t)))
	whenItHangs(t, func() { f.Close() })
	wraps(t, f.start("hang", patience), gpu.ErrLost)
}

func TestCachedCode(t *testing.T) {
	o := testOptions(t)
	p := testPool(t, o)
	load := func() *gpu.Module {
		t.Helper()
		f := open(t, p)
		m, err := f.Load(gpu.Source{PTX: drill, Entry: "add"})
		if err != nil {
			t.Fatal(err)
		}
		f.add()
		return m
	}
	first, second := load(), load()
	if first.CacheHit || !second.CacheHit {
		t.Errorf("made earlier: %v, then %v", first.CacheHit, second.CacheHit)
	}
	if second.Log != first.Log || second.Registers != first.Registers || second.SpillBytes != first.SpillBytes || first.Registers == 0 {
		t.Errorf("loaded again it is %+v, first %+v", second, first)
	}
	t.Logf("loaded in %v, from the cache in %v", first.ToSASS, second.ToSASS)
	if !onGPU() && first.SpillBytes != 20 {
		t.Errorf("%d bytes spilt, want 20", first.SpillBytes)
	}
}

// TestMachineCodeIsKept: where machine code is to be kept, modules have it with its line numbers, from the cache too; else they
// have none.
func TestMachineCodeIsKept(t *testing.T) {
	load := func(o Options) *gpu.Module {
		t.Helper()
		m, err := open(t, testPool(t, o)).Load(gpu.Source{PTX: drill, Entry: "add"})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	o := testOptions(t)
	if m := load(o); m.Cubin != "" {
		t.Errorf("unasked, a module keeps %d bytes", len(m.Cubin))
	}
	o.KeepCode = true
	first, second := load(o), load(o)
	if first.CacheHit || !second.CacheHit || first.Cubin == "" || first.Cubin != second.Cubin {
		t.Errorf("a module keeps %d bytes, and %d from the cache", len(first.Cubin), len(second.Cubin))
	}
	if !onGPU() && !strings.Contains(first.Cubin, "with line numbers") {
		t.Error("the driver was not asked for line numbers")
	}
}

func TestTime(t *testing.T) {
	f := open(t, testPool(t, testOptions(t)))
	m, err := f.Load(gpu.Source{PTX: drill, Entry: "add"})
	if err != nil {
		t.Fatal(err)
	}
	x := f.floats(1, 2, 3)
	l := &gpu.Launch{Module: m, Grid: [3]int{1, 1, 1}, Threads: 32, Params: []uint64{x, x, x, 3}}
	timings, err := f.Time(t.Context(), l, device.TimingRequest{Warmup: time.Millisecond, Measure: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if s := timings.Summary(); s.N == 0 || s.Min <= 0 || s.Median < s.Min || timings.FlushedKB != 256<<10 || timings.Clock != "events" {
		t.Errorf("%+v of %+v", s, timings)
	}
	t.Logf("%+v, clocks %d and %d MHz, driver %s", timings.Summary(), timings.SMClock, timings.MemClock, timings.Driver)
	f.add()
}

// TestTarget: each GPU gets the newest code that it runs, also one that came after this compiler.
func TestTarget(t *testing.T) {
	for capability, want := range map[[2]uint64]string{
		{7, 5}: "", {8, 0}: "sm_80", {8, 6}: "sm_86", {8, 7}: "sm_86", {8, 9}: "sm_89", {9, 0}: "sm_90a", {10, 0}: "sm_100a", {10, 3}: "sm_100", {12, 1}: "sm_120",
	} {
		if got := ptxTarget(&wire.Info{Major: capability[0], Minor: capability[1]}); got != want {
			t.Errorf("compute capability %d.%d: code for %q, want %q", capability[0], capability[1], got, want)
		}
	}
}

func TestNoGPU(t *testing.T) {
	if onGPU() {
		t.Skip("this machine has a GPU")
	}
	o := testOptions(t)
	o.Device = 7
	if _, err := start(t, testPool(t, o)); err == nil || !strings.Contains(err.Error(), "there is no GPU 7; GPUs: 1") {
		t.Errorf("the eighth of one GPU: %v", err)
	}
	o.Device = 0
	t.Setenv("NEWT_FAKE_MAJOR", "7")
	if _, err := start(t, testPool(t, o)); err == nil || !strings.Contains(err.Error(), "compute capability 7.0") {
		t.Errorf("a GPU too old: %v", err)
	}
	t.Setenv("NEWT_FAKE_NO_DEVICE", "1")
	if _, err := start(t, testPool(t, o)); err == nil || !strings.Contains(err.Error(), "the GPU's driver cannot be used") {
		t.Errorf("without a GPU: %v", err)
	}
	t.Setenv("LD_LIBRARY_PATH", "/nonexistent")
	if _, err := start(t, testPool(t, o)); err == nil || !strings.Contains(err.Error(), "libcuda.so.1") {
		t.Errorf("without a driver: %v", err)
	}
	o.Worker = "/nonexistent/newt-cuda"
	_, err := start(t, testPool(t, o))
	if err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a worker: %v", err)
	}
}
