package gpu

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/devicetest"
	"github.com/newtlab/newt/interp/launch/launchtest"
)

func openDevice(t testing.TB, o Options) device.Device {
	t.Helper()
	d, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// part is kept instead of closed.
type part struct{ *restartable }

func (p part) Close() error { return p.Keep() }

// TestDevice is the suite that every device passes, also a part that finds what another one has kept.
func TestDevice(t *testing.T) {
	if !onGPU() {
		t.Skip("the stand-in for the driver executes no PTX")
	}
	o := testOptions(t)
	t.Run("whole", func(t *testing.T) {
		devicetest.Run(t, func() device.Device { return openDevice(t, o) })
	})
	t.Run("part", func(t *testing.T) {
		d := openDevice(t, keeping(o))
		t.Cleanup(func() { d.Close() })
		devicetest.Run(t, func() device.Device { return part{partOf(t, d, "somebody")} })
	})
}

// TestExamples runs the example of every name of the language.
func TestExamples(t *testing.T) {
	if !onGPU() {
		t.Skip("the stand-in for the driver executes no PTX")
	}
	d := openDevice(t, testOptions(t))
	defer d.Close()
	launchtest.Examples(t, d)
}

// kernelOf is a kernel that does nothing, by a name that says more to the stand-in.
func kernelOf(t *testing.T, d device.Device, name string) device.Kernel {
	t.Helper()
	fn, err := ir.Parse("func @" + name + "(%z: *i32) {\n  return\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	k, err := d.Load(fn, device.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func words(t *testing.T, d device.Device) device.Pointer {
	t.Helper()
	m, err := d.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	return device.Pointer{Memory: m, DType: num.Int32}
}

func launch(k device.Kernel, args ...device.Arg) error {
	_, err := k.Launch(context.Background(), device.Launch{Grid: [3]int{1, 1, 1}, Args: args})
	return err
}

// TestKernelsAreDropped: a process that a session keeps does not keep the kernels of the session's earlier jobs.
func TestKernelsAreDropped(t *testing.T) {
	d := openDevice(t, testOptions(t))
	t.Cleanup(func() { d.Close() })
	x := words(t, d)
	job := func() weak.Pointer[ir.Func] {
		k := kernelOf(t, d, "quiet")
		for range 2 {
			if err := launch(k, x); err != nil {
				t.Fatal(err)
			}
		}
		if k.(device.Compiler).Compiled() == nil {
			t.Error("nothing is known of how the kernel was compiled")
		}
		return weak.Make(k.(*kernel).fn)
	}
	fn := job()
	for end := time.Now().Add(patience); fn.Value() != nil; runtime.GC() { // timers of the launch may end later
		if time.Now().After(end) {
			t.Fatal("the kernel of a job that has ended is kept")
		}
	}
	if err := x.Memory.Read(0, make([]byte, 4)); err != nil {
		t.Error("the process is gone: ", err)
	}
}

func code(err error) string {
	if f, ok := err.(device.Fault); ok {
		return f.Diagnostic().Code
	}
	return fmt.Sprint(err)
}

// setDeadline sets the deadline of launches in the processes that the parts of d take from now on; 0 is the default.
func setDeadline(d device.Device, deadline time.Duration) {
	d.(whole).pool.options.GPU.Deadline = deadline
}

// TestLostDevice loses a process in the three ways that a job can, and goes on with the next one.
func TestLostDevice(t *testing.T) {
	if onGPU() {
		t.Skip("compiled kernels do not fault on a GPU")
	}
	whole := opened(t, testOptions(t))
	for name, want := range map[string]string{"trap": "device-fault", "hang": "launch-deadline", "crash": "device-lost"} {
		if name == "hang" {
			setDeadline(whole, 200*time.Millisecond)
		}
		d := partOf(t, whole, "")
		x := words(t, d)
		if err := launch(kernelOf(t, d, name), x); code(err) != want {
			t.Errorf("%s gives %v, want %s", name, code(err), want)
		}
		setDeadline(whole, 0)
		if err := x.Memory.Read(0, make([]byte, 4)); code(err) != "device-lost" {
			t.Errorf("memory after %s: %v", name, err)
		}
		if err := launch(kernelOf(t, d, "quiet"), x); code(err) != "device-lost" {
			t.Errorf("a launch on memory after %s: %v", name, err)
		}
		if err := launch(kernelOf(t, d, "quiet"), words(t, d)); err != nil {
			t.Errorf("the next job after %s: %v", name, err)
		}
		d.Close()
	}
	ctx, cancel := context.WithCancel(t.Context())
	whenItHangs(t, cancel)
	_, err := kernelOf(t, whole, "hang").Launch(ctx, device.Launch{Grid: [3]int{1, 1, 1}, Args: []device.Arg{words(t, whole)}})
	if code(err) != "launch-cancelled" {
		t.Errorf("a launch that is cancelled gives %v", err)
	}
}

// TestFailuresAreLogged: what a process writes as it crashes, and why none starts, are for the log, not for the client.
func TestFailuresAreLogged(t *testing.T) {
	if onGPU() {
		t.Skip("compiled kernels do not crash a GPU's process")
	}
	var log bytes.Buffer
	o := testOptions(t)
	o.Spare, o.Log = 0, slog.New(slog.NewTextHandler(&log, nil))
	folder := t.TempDir()
	program, err := os.ReadFile(o.Worker)
	if err == nil {
		o.Worker = filepath.Join(folder, WorkerName)
		err = os.WriteFile(o.Worker, program, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	d := openDevice(t, o)
	t.Cleanup(func() { d.Close() })
	told := func(what string, err error, want, logged string) {
		t.Helper()
		fault, ok := err.(device.Fault)
		if !ok {
			t.Fatalf("%s gives %v", what, err)
		}
		if got := fmt.Sprint(fault.Diagnostic().Args); got != want {
			t.Errorf("of %s the client is told %q, want %q", what, got, want)
		}
		if !strings.Contains(log.String(), logged) {
			t.Errorf("of %s the log has %s, and nothing of %q", what, &log, logged)
		}
	}
	const exited = "[the device was lost: exit status 2]"
	x := words(t, d)
	told("a crash", launch(kernelOf(t, d, "crash"), x), exited, "goroutine")
	told("a read behind it", x.Memory.Read(0, make([]byte, 4)), exited, "goroutine")
	if n := strings.Count(log.String(), "a GPU process has ended"); n != 1 {
		t.Errorf("one exit is logged %d times", n)
	}
	if err := os.Remove(o.Worker); err != nil {
		t.Fatal(err)
	}
	_, err = d.Alloc(64)
	told("a start that fails", err, "["+whyNotStarted+"]", folder)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = kernelOf(t, d, "quiet").Launch(ctx, device.Launch{Grid: [3]int{1, 1, 1}})
	if code(err) != "launch-cancelled" {
		t.Errorf("a launch that is cancelled before its process starts gives %v", err)
	}
}

const vectorAdd = `func @add(%x: *fp32 {div=16}, %y: *fp32 {div=16}, %z: *fp32 {div=16}, %n: i32) {
  %pid = program_id {axis=0} : i32
  %b = const {value=i32(1024)} : i32
  %start = mul %pid, %b : i32
  %r = arange {start=0, end=1024} : i32[1024]
  %s = splat %start {shape=[1024]} : i32[1024]
  %offs = add %s, %r : i32[1024]
  %ns = splat %n {shape=[1024]} : i32[1024]
  %mask = lt %offs, %ns : i1[1024]
  %xs = splat %x {shape=[1024]} : *fp32[1024]
  %xp = addptr %xs, %offs : *fp32[1024]
  %xv = load %xp, %mask : fp32[1024]
  %ys = splat %y {shape=[1024]} : *fp32[1024]
  %yp = addptr %ys, %offs : *fp32[1024]
  %yv = load %yp, %mask : fp32[1024]
  %sum = add %xv, %yv : fp32[1024]
  %zs = splat %z {shape=[1024]} : *fp32[1024]
  %zp = addptr %zs, %offs : *fp32[1024]
  store %zp, %sum, %mask
  return
}
`

// TestColdJobs measures jobs from IR to result, each on a process that was ready, with nothing in
// the cache of machine code.
func TestColdJobs(t *testing.T) {
	if !onGPU() {
		t.Skip("the stand-in for the driver executes no PTX")
	}
	o := testOptions(t)
	o.Cache = "-"
	d := openDevice(t, o)
	t.Cleanup(func() { d.Close() })
	const n = 4096
	for range 10 {
		time.Sleep(time.Second) // until a process is ready
		d := partOf(t, d, "")
		began := time.Now()
		fn, err := ir.Parse(vectorAdd)
		if err != nil {
			t.Fatal(err)
		}
		k, err := d.Load(fn, device.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var tensors []device.Pointer
		var args []device.Arg
		for range 3 {
			m, err := d.Alloc(4 * n)
			if err == nil {
				err = m.Write(0, make([]byte, 4*n))
			}
			if err != nil {
				t.Fatal(err)
			}
			p := device.Pointer{Memory: m, DType: num.Float32}
			tensors, args = append(tensors, p), append(args, p)
		}
		args = append(args, device.Scalar{Scalar: num.FromInt(num.Int32, n)})
		if _, err := k.Launch(t.Context(), device.Launch{Grid: [3]int{n / 1024, 1, 1}, Args: args}); err != nil {
			t.Fatal(err)
		}
		if err := tensors[2].Memory.Read(0, make([]byte, 4*n)); err != nil {
			t.Fatal(err)
		}
		took := time.Since(began)
		c := k.(device.Compiler).Compiled()
		t.Logf("%v in all; IR to PTX %v, PTX to machine code %v, %d registers", took.Round(time.Microsecond), c.ToPTX, c.ToSASS, c.Registers)
		d.Close()
	}
}
