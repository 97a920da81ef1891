package gpu

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
)

// keeping are options with processes that wait for as long as a test takes.
func keeping(o Options) Options {
	o.Idle = NewIdle(IdleLimits{PerDevice: 4, Total: 8, Timeout: time.Hour})
	return o
}

func partOf(t *testing.T, d device.Device, tenant string) *restartable {
	t.Helper()
	p, err := d.(device.Divisible).Part(tenant)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*restartable)
}

// opened is a device that keeps processes.
func opened(t testing.TB, o Options) device.Device {
	t.Helper()
	d := openDevice(t, o)
	t.Cleanup(func() { d.Close() })
	return d
}

// serve runs a job that goes well, and gives the process that it ran in.
func serve(t *testing.T, d device.Device, tenant string) *process {
	t.Helper()
	p := partOf(t, d, tenant)
	if err := launch(kernelOf(t, p, "quiet"), words(t, p)); err != nil {
		t.Fatal(err)
	}
	served := p.current.driver.process
	if err := p.Keep(); err != nil {
		t.Fatal(err)
	}
	return served
}

// ends fails if a process lives on.
func ends(t *testing.T, what string, p *process) {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(patience):
		t.Errorf("%s lives on", what)
	}
}

// TestTenants: a process serves jobs of one tenant alone, and one job where there is no tenant.
func TestTenants(t *testing.T) {
	d := opened(t, keeping(testOptions(t)))
	served := map[*process]string{}
	for round := range 3 {
		for _, tenant := range []string{"ann", "bob", "", "ann", "", "bob"} {
			p := serve(t, d, tenant)
			before, again := served[p]
			if again && before != tenant {
				t.Errorf("a process of %q is given to %q", before, tenant)
			}
			if want := tenant != "" && (round > 0 || served[p] != ""); again != want {
				t.Errorf("round %d, %q: it finds a process: %v, want %v", round, tenant, again, want)
			}
			served[p] = tenant
			if tenant == "" {
				ends(t, "the process of no tenant", p)
			}
		}
	}
}

// TestOverlappingParts: two parts of one tenant at the same time have a process each, and the last to end is kept.
func TestOverlappingParts(t *testing.T) {
	d := opened(t, keeping(testOptions(t)))
	a, b := partOf(t, d, "ann"), partOf(t, d, "ann")
	words(t, a)
	words(t, b)
	first, second := a.current.driver.process, b.current.driver.process
	if first == second {
		t.Fatal("two parts have one process")
	}
	a.Keep()
	b.Keep()
	ends(t, "the process that was kept first", first)
	if p := serve(t, d, "ann"); p != second {
		t.Error("the process that was kept last is not the next job's")
	}
}

// TestLeftovers: what a job leaves in its process is out of reach, and of no effect on the next one.
func TestLeftovers(t *testing.T) {
	d := opened(t, keeping(testOptions(t)))
	const large = 400 << 20 // more than half of what the stand-in has
	first := partOf(t, d, "ann")
	m, err := first.Alloc(large)
	if err == nil {
		err = m.Write(0, []byte("left"))
	}
	if err != nil {
		t.Fatal(err)
	}
	k := kernelOf(t, first, "quiet")
	left := device.Pointer{Memory: m, DType: num.Int32}
	if err := launch(k, left); err != nil {
		t.Fatal(err)
	}
	old := first.current.driver.process
	if err := first.Keep(); err != nil {
		t.Fatal(err)
	}

	second := partOf(t, d, "ann")
	defer second.Close()
	next, err := second.Alloc(large)
	if err != nil || second.current.driver.process != old {
		t.Fatalf("the memory of the first job: %v", err)
	}
	got := make([]byte, 4)
	if err := next.Read(0, got); err != nil || string(got) != "\x00\x00\x00\x00" {
		t.Errorf("new memory holds %q, %v", got, err)
	}
	if err := next.Write(0, []byte("mine")); err != nil {
		t.Fatal(err)
	}
	if err := m.Read(0, got); code(err) != "device-lost" {
		t.Errorf("memory of the first job can be read: %v", err)
	}
	if err := m.Write(0, []byte("evil")); code(err) != "device-lost" {
		t.Errorf("memory of the first job can be written: %v", err)
	}
	if err := launch(k, left); code(err) != "device-lost" {
		t.Errorf("the first job's kernel can be launched: %v", err)
	}
	m.Free()
	if err := next.Read(0, got); err != nil || string(got) != "mine" {
		t.Errorf("after that the second job's memory holds %q, %v", got, err)
	}
}

// TestPartIsOver: a part that has ended starts no process for a job that still runs, which nothing would end.
func TestPartIsOver(t *testing.T) {
	d := opened(t, keeping(testOptions(t)))
	for name, end := range map[string]func(*restartable) error{
		"closed": (*restartable).Close, "kept": (*restartable).Keep,
	} {
		p := partOf(t, d, "ann")
		k := kernelOf(t, p, "quiet")
		words(t, p)
		if err := end(p); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Alloc(64); code(err) != "device-lost" {
			t.Errorf("%s: memory gives %v", name, err)
		}
		if err := launch(k); code(err) != "device-lost" {
			t.Errorf("%s: a launch without memory gives %v", name, err)
		}
		if p.current != nil {
			t.Errorf("%s: the part has a process", name)
		}
	}
}

// TestKeptCode: the next job finds the code loaded, as long as the process has not loaded too much.
func TestKeptCode(t *testing.T) {
	o := keeping(testOptions(t))
	o.Cache = "-"
	d := opened(t, o)
	load := func(names ...string) (p *process, hit bool) {
		t.Helper()
		part := partOf(t, d, "ann")
		for _, name := range names {
			k := kernelOf(t, part, name)
			if err := launch(k, words(t, part)); err != nil {
				t.Fatal(err)
			}
			hit = k.(device.Compiler).Compiled().CacheHit
		}
		p = part.current.driver.process
		if err := part.Keep(); err != nil {
			t.Fatal(err)
		}
		return p, hit
	}
	first, hit := load("one")
	if hit {
		t.Error("the first job finds its kernel loaded")
	}
	if again, hit := load("one"); !hit || again != first {
		t.Error("the second job does not find the kernel loaded")
	}
	if again, hit := load("two"); hit || again != first {
		t.Error("another kernel is taken for the first")
	}
	var many []string
	for i := range maxModules {
		many = append(many, fmt.Sprint("kernel", i))
	}
	if again, _ := load(many...); again != first {
		t.Error("the process is given up before it has loaded much")
	}
	ends(t, "a process that has loaded much", first)
}

// TestServesAgain: what a process has loaded may keep it from serving another job.
func TestServesAgain(t *testing.T) {
	for _, c := range []struct {
		local  uint64
		source string
		want   bool
	}{
		{0, drill, true},
		{1024, drill, true},
		{1025, drill, false}, // the driver keeps local memory for as many threads as fit on the device
		{0, ".version 8.0\n.target sm_90a\n.global .align 4 .u32 count;\n" + drill, false},
		{0, ".visible .global .u32 count;\n", false},
		{0, "\tld.global.u32 %r1, [%rd1];\n\t@%p1 st.global.u32 [%rd1], %r1;\n\t.param .u64 .ptr .global .align 4 x\n", true},
	} {
		p := &process{modules: map[moduleKey]*gpu.Module{}}
		p.info.Processors = 128
		p.reserveLocal(c.local)
		p.addModule(gpu.Source{PTX: c.source}, &gpu.Module{})
		if p.servesAgain() != c.want {
			t.Errorf("with %d bytes for each thread, and\n%s\nit serves again: %v", c.local, c.source, !c.want)
		}
	}
}

// TestModulesAreBounded: what is kept of the modules of a process that a session keeps is bounded, in number and in
// bytes, and the last one is found again.
func TestModulesAreBounded(t *testing.T) {
	for _, size := range []int{0, maxKeptBytes / 10} {
		p := &process{modules: map[moduleKey]*gpu.Module{}}
		log := strings.Repeat(" ", size)
		for i := range 3 * maxModules {
			s := gpu.Source{PTX: drill, Entry: fmt.Sprint("kernel", i)}
			p.addModule(s, &gpu.Module{Log: log})
			if p.module(s) == nil {
				t.Fatalf("module %d of %d bytes is not found", i, size)
			}
		}
		if n := len(p.modules); n > maxModules || n*size > maxKeptBytes {
			t.Errorf("%d modules of %d bytes are kept", n, size)
		}
		if p.servesAgain() {
			t.Error("a process that has loaded much serves again")
		}
	}
}

// allMemory is less than a device has, and more than contexts leave of it.
func allMemory(d device.Device) int { return d.Capabilities().MemoryBytes - 1<<20 }

// TestFailedJobs: a process in which something went wrong serves no other job, whatever the job says of itself.
func TestFailedJobs(t *testing.T) {
	d := opened(t, keeping(testOptions(t)))
	for name, fail := range map[string]func(*restartable) error{
		"out of memory":   func(p *restartable) error { _, err := p.Alloc(allMemory(p)); return err },
		"wrong launch":    func(p *restartable) error { return launch(kernelOf(t, p, "refused"), words(t, p)) },
		"refused program": func(p *restartable) error { _, err := p.current.driver.Load(gpu.Source{}); return err },
		"fault":           func(p *restartable) error { return launch(kernelOf(t, p, "trap"), words(t, p)) },
		"deadline":        func(p *restartable) error { return launch(kernelOf(t, p, "hang"), words(t, p)) },
		"crash":           func(p *restartable) error { return launch(kernelOf(t, p, "crash"), words(t, p)) },
		"late fault":      func(p *restartable) error { launch(kernelOf(t, p, "late"), words(t, p)); return context.Canceled },
		"cancelled": func(p *restartable) error {
			ctx, cancel := context.WithCancel(t.Context())
			whenItHangs(t, cancel)
			_, err := kernelOf(t, p, "hang").Launch(ctx, device.Launch{Grid: [3]int{1, 1, 1}, Args: []device.Arg{words(t, p)}})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			if onGPU() && name != "out of memory" && name != "refused program" {
				t.Skip("compiled kernels do not fault on a GPU")
			}
			kept := serve(t, d, "ann")
			if name == "deadline" {
				setDeadline(d, 200*time.Millisecond)
			}
			p := partOf(t, d, "ann")
			words(t, p)
			setDeadline(d, 0)
			if p.current.driver.process != kept {
				t.Fatal("the job before has not kept its process")
			}
			if err := fail(p); err == nil {
				t.Fatal("nothing went wrong")
			}
			p.Keep()
			ends(t, "its process", kept)
			serve(t, d, "ann")
		})
	}
}

// TestEviction: the processes that have waited for longest make room.
func TestEviction(t *testing.T) {
	o := testOptions(t)
	o.Spare = 0
	o.Idle = NewIdle(IdleLimits{PerDevice: 2, Total: 3, Timeout: time.Hour})
	d, e := opened(t, o), opened(t, o)
	ann, bob := serve(t, d, "ann"), serve(t, d, "bob")
	if serve(t, d, "ann") != ann {
		t.Fatal("ann's process does not wait")
	}
	cleo := serve(t, d, "cleo")
	ends(t, "bob's process, the third on its device,", bob)
	if serve(t, d, "ann") != ann || serve(t, d, "cleo") != cleo {
		t.Error("a process is ended although there is room")
	}
	bob, dan := serve(t, e, "bob"), serve(t, e, "dan")
	ends(t, "ann's process, the fourth of all,", ann)
	if serve(t, d, "cleo") != cleo || serve(t, e, "bob") != bob || serve(t, e, "dan") != dan {
		t.Error("a process is ended although there is room")
	}
	d.Close()
	ends(t, "a process of a device that is closed", cleo)
	if serve(t, e, "bob") != bob {
		t.Error("closing a device ends the processes of another one")
	}
}

// TestIdleMemory: processes that wait are ended where a job needs their memory.
func TestIdleMemory(t *testing.T) {
	d := opened(t, keeping(testOptions(t)))
	ann, bob := serve(t, d, "ann"), serve(t, d, "bob")
	p := partOf(t, d, "ann")
	defer p.Close()
	if _, err := p.Alloc(1 << 50); code(err) != "out-of-memory" {
		t.Errorf("more than the device has: %v", err)
	}
	words(t, p)
	if _, err := p.Alloc(allMemory(p)); code(err) != "out-of-memory" {
		t.Errorf("all that the device has: %v", err)
	}
	ends(t, "a process that waited", bob)
	if p.current.driver.process != ann || ann.isLost() {
		t.Error("the job's own process is gone")
	}
}

// TestIdleTime: a process does not wait for ever.
func TestIdleTime(t *testing.T) {
	o := testOptions(t)
	o.Idle = NewIdle(IdleLimits{PerDevice: 1, Total: 1, Timeout: 100 * time.Millisecond})
	d := opened(t, o)
	ends(t, "a process that waited too long", serve(t, d, "ann"))
}

// TestIdleShare: contexts that wait take a small part of a device.
func TestIdleShare(t *testing.T) {
	for gib, want := range map[uint64]int{8: 1, 4: 0, 24: 3, 80: 10, 141: 16} {
		if got := DefaultIdleLimits.most(gib << 30); got != want {
			t.Errorf("on a GPU of %d GiB %d processes may wait, want %d", gib, got, want)
		}
	}
}
