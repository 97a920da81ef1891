package gpu_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/device/devicetest"
	"github.com/newtlab/newt/interp/device/gpu"
)

// counting counts what a driver is asked to load.
type counting struct {
	gpu.Driver
	loads []string
}

func (c *counting) Load(s gpu.Source) (*gpu.Module, error) {
	c.loads = append(c.loads, s.PTX)
	return c.Driver.Load(s)
}

const shifted = `func @shifted(%x: *i32, %z: *i32, %n: i32) {
  %r = arange {start=0, end=32} : i32[32]
  %ns = splat %n {shape=[32]} : i32[32]
  %offs = add %r, %ns : i32[32]
  %xs = splat %x {shape=[32]} : *i32[32]
  %xp = addptr %xs, %offs : *i32[32]
  %v = load %xp : i32[32] @10:20
  %zs = splat %z {shape=[32]} : *i32[32]
  %zp = addptr %zs, %r : *i32[32]
  store %zp, %v @30:40
  return
}
`

const checks = `func @checks(%x: *i32, %z: *i32) {
  %r = arange {start=0, end=32} : i32[32]
  %xs = splat %x {shape=[32]} : *i32[32]
  %xp = addptr %xs, %r : *i32[32]
  %v = load %xp : i32[32]
  %five = const {value=i32(5), shape=[32]} : i32[32]
  %ok = ne %v, %five : i1[32]
  assert %ok {message="never five"} @10:20
  return
}
`

const says = `func @says(%x: *i32, %z: *i32) {
  %pid = program_id {axis=0} : i32
  %r = arange {start=0, end=32} : i32[32]
  %xs = splat %x {shape=[32]} : *i32[32]
  %xp = addptr %xs, %r : *i32[32]
  %v = load %xp : i32[32]
  %h = cast %v {to=fp16} : fp16[32]
  print %pid, %h {text="program: {} {}", style=device} @10:20
  print {text="done", style=python} @30:40
  return
}
`

// tensor is n consecutive integers on a device.
func tensor(t *testing.T, d device.Device, n int) device.Pointer {
	t.Helper()
	var raw []byte
	for i := range n {
		raw = binary.LittleEndian.AppendUint32(raw, uint32(i))
	}
	m, err := d.Alloc(len(raw))
	if err == nil {
		err = m.Write(0, raw)
	}
	if err != nil {
		t.Fatal(err)
	}
	return device.Pointer{Memory: m, DType: num.Int32}
}

func load(t *testing.T, d device.Device, text string) device.Kernel {
	t.Helper()
	fn, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	k, err := d.Load(fn, device.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func integer(v int64) device.Scalar { return device.Scalar{Scalar: num.FromInt(num.Int32, v)} }

// TestVariants launches one kernel on arguments of which more and less is known.
func TestVariants(t *testing.T) {
	c := &counting{Driver: gpu.NewSimulator(gpu.SimulatorOptions{})}
	d := gpu.Open(c, gpu.Options{})
	k := load(t, d, shifted)
	x, z := tensor(t, d, 40), tensor(t, d, 32)
	for _, step := range []struct {
		shift  int64
		offset int
		loads  int
		faults int
	}{{0, 0, 1, 0}, {8, 0, 1, 0}, {9, 0, 2, 1}, {20, 0, 2, 1}, {8, 0, 2, 0}, {-2, 4, 3, 0}} {
		x.Offset = step.offset
		report, err := k.Launch(t.Context(), device.Launch{Grid: [3]int{1, 1, 1}, Args: []device.Arg{x, z, integer(step.shift)}})
		if err != nil {
			t.Fatal(err)
		}
		if len(c.loads) != step.loads || len(report.Diagnostics) != step.faults {
			t.Errorf("%+v: %d programs are loaded, %d diagnostics", step, len(c.loads), len(report.Diagnostics))
		}
	}
	if free, checked := c.loads[0], c.loads[1]; len(free) >= len(checked) {
		t.Error("code without checks is no shorter than code with them")
	}
	compiled := k.(device.Compiler).Compiled()
	if compiled == nil || !strings.Contains(compiled.PTX, ".entry") || len(compiled.Lines) != strings.Count(compiled.PTX, "\n") {
		t.Errorf("what is said of the code: %+v", compiled)
	}
}

// TestPrepare: a kernel that is compiled before its first launch is compiled as most launches have it, and not again.
func TestPrepare(t *testing.T) {
	c := &counting{Driver: gpu.NewSimulator(gpu.SimulatorOptions{})}
	d := gpu.Open(c, gpu.Options{})
	k := load(t, d, shifted)
	if made, err := k.(device.Preparer).Prepare(); err != nil || !strings.Contains(made.PTX, ".entry") {
		t.Fatal(made, err)
	}
	args := []device.Arg{tensor(t, d, 40), tensor(t, d, 32), integer(8)}
	if _, err := k.Launch(t.Context(), device.Launch{Grid: [3]int{1, 1, 1}, Args: args}); err != nil || len(c.loads) != 1 {
		t.Errorf("%d programs are loaded, %v", len(c.loads), err)
	}
}

// withoutLanes leaves the program alone in what list says of accesses out of bounds: a GPU does not
// record lanes.
func withoutLanes(list diag.List) {
	for _, d := range list {
		for i, a := range d.Args {
			if t, ok := a.(diag.Text); ok && strings.HasPrefix(t.Key, "runtime.program-lane") {
				d.Args[i] = diag.Text{Key: "runtime.program", Args: t.Args[:1]}
			}
		}
	}
}

// TestSameWords compares what the simulator reports of one program with what the interpreter says.
func TestSameWords(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		args  func(x, z device.Pointer) []device.Arg
		grid  int
		limit int64
	}{
		"out of bounds": {text: shifted, args: func(x, z device.Pointer) []device.Arg { return []device.Arg{x, z, integer(8)} }, grid: 1},
		"below":         {text: shifted, args: func(x, z device.Pointer) []device.Arg { return []device.Arg{x, z, integer(-1)} }, grid: 1},
		"named": {text: shifted, args: func(x, z device.Pointer) []device.Arg {
			x.Name = "data"
			x.Offset = 3
			return []device.Arg{x, z, integer(0)}
		}, grid: 1},
		"assert": {text: checks, args: func(x, z device.Pointer) []device.Arg { return []device.Arg{x, z} }, grid: 1},
		"budget": {text: devicetest.Endless, args: func(x, z device.Pointer) []device.Arg { return []device.Arg{z} }, grid: 1, limit: 1 << 12},
		"prints": {text: says, args: func(x, z device.Pointer) []device.Arg { return []device.Arg{x, z} }, grid: 3},
	} {
		t.Run(name, func(t *testing.T) {
			run := func(d device.Device) (report *device.Report, words any) {
				x, z := tensor(t, d, 32), tensor(t, d, 32)
				report, err := load(t, d, c.text).Launch(context.Background(), device.Launch{
					Grid: [3]int{c.grid, 1, 1}, Args: c.args(x, z), Budget: c.limit,
				})
				if f, ok := err.(device.Fault); ok {
					return report, f.Diagnostic()
				}
				return report, err
			}
			want, wantErr := run(cpu.New(cpu.Options{}))
			withoutLanes(want.Diagnostics)
			got, gotErr := run(gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{}))
			if !reflect.DeepEqual(gotErr, wantErr) {
				t.Errorf("it stops with %+v, want %+v", gotErr, wantErr)
			}
			if !reflect.DeepEqual(got.Diagnostics, want.Diagnostics) {
				t.Errorf("it says\n%s, want\n%s", all(got), all(want))
			}
			if !reflect.DeepEqual(got.Prints, want.Prints) || got.PrintsDropped != want.PrintsDropped {
				t.Errorf("it prints\n%+v, want\n%+v", got.Prints, want.Prints)
			}
			if got.Programs != want.Programs && wantErr == nil {
				t.Errorf("%d programs ran, want %d", got.Programs, want.Programs)
			}
		})
	}
}

// all is every diagnostic of a report.
func all(r *device.Report) string {
	raw, _ := json.Marshal(r.Diagnostics)
	return string(raw)
}

// TestDeadline stops a kernel that is within its budget and out of its time.
func TestDeadline(t *testing.T) {
	d := gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{Budget: 1 << 40}), gpu.Options{Deadline: 50 * time.Millisecond})
	_, err := load(t, d, devicetest.Endless).Launch(t.Context(), device.Launch{Grid: [3]int{1, 1, 1}, Args: []device.Arg{tensor(t, d, 1)}, Budget: 1 << 40})
	if f, ok := err.(device.Fault); !ok || f.Diagnostic().Code != "launch-deadline" {
		t.Errorf("it gives %v", err)
	}
}

func TestManyPrints(t *testing.T) {
	d := gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{PrintBytes: 1000})
	report, err := load(t, d, says).Launch(t.Context(), device.Launch{Grid: [3]int{8, 1, 1}, Args: []device.Arg{tensor(t, d, 32), tensor(t, d, 1)}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(report.Prints); n == 0 || n+report.PrintsDropped != 16 {
		t.Errorf("%d prints and %d dropped, of 16", n, report.PrintsDropped)
	}
}

// TestCode: a kernel is compiled again only if something differs that the code depends on.
func TestCode(t *testing.T) {
	code := gpu.NewCode()
	launch := func(code *gpu.Code, text string, o device.Options, offset int) (*device.Compiled, string) {
		t.Helper()
		d := gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{Code: code})
		fn, err := ir.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		k, err := d.Load(fn, o)
		if err != nil {
			t.Fatal(err)
		}
		x, z := tensor(t, d, 40), tensor(t, d, 32)
		x.Offset = offset
		report, err := k.Launch(t.Context(), device.Launch{Grid: [3]int{1, 1, 1}, Args: []device.Arg{x, z, integer(8)}})
		if err != nil {
			t.Fatal(err)
		}
		return k.(device.Compiler).Compiled(), all(report)
	}
	first, _ := launch(code, shifted, device.Options{}, 0)
	for _, c := range []struct {
		name   string
		text   string
		o      device.Options
		offset int
		again  bool
	}{
		{"the same", shifted, device.Options{}, 0, true},
		{"the default warps", shifted, device.Options{NumWarps: gpu.DefaultNumWarps}, 0, true},
		{"other warps", shifted, device.Options{NumWarps: 1}, 0, false},
		{"other stages", shifted, device.Options{NumStages: 1}, 0, false},
		{"an access that needs a check", shifted, device.Options{}, 1, false},
		{"another place", strings.Replace(shifted, "@10:20", "@11:20", 1), device.Options{}, 0, false},
		{"another function", strings.Replace(shifted, "add %r", "sub %r", 1), device.Options{}, 9, false},
	} {
		for range 2 {
			got, says := launch(code, c.text, c.o, c.offset)
			want, wantSays := launch(nil, c.text, c.o, c.offset)
			if again := &got.Lines[0] == &first.Lines[0]; again != c.again {
				t.Errorf("%s: it is not compiled again: %v, want %v", c.name, again, c.again)
			}
			if got.PTX != want.PTX || !slices.Equal(got.Lines, want.Lines) || says != wantSays {
				t.Errorf("%s: the code, or what it reports, differs from that without Code", c.name)
			}
		}
	}
}
