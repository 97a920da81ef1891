package tile

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/infra/soak"
)

func sized(text string, n int) string { return strings.ReplaceAll(text, "BLOCK", fmt.Sprint(n)) }

func ramp(n int) Buffer {
	xs := make([]float32, n)
	for i := range xs {
		xs[i] = float32(i)
	}
	return f32(xs...)
}

func TestVectorAddStopsAtTheMask(t *testing.T) {
	k := plan(t, sized(vectorAdd, 32))
	for _, n := range []int{1, 31, 32, 33, 100} {
		z := zeros(num.Float32, 128)
		report := launch(t, k, (n+31)/32, ramp(128), ramp(128), z, int32Arg(int64(n)))
		if len(report.Violations) > 0 {
			t.Fatalf("n=%d: %+v", n, report.Violations)
		}
		for i, x := range values(z) {
			want := 0.0
			if i < n {
				want = 2 * float64(i)
			}
			if x != want {
				t.Fatalf("n=%d: element %d is %v, want %v", n, i, x, want)
			}
		}
	}
}

// TestOutOfBounds lets vector addition run past tensors of 40 elements.
func TestOutOfBounds(t *testing.T) {
	k := plan(t, sized(vectorAdd, 32))
	for _, workers := range []int{1, 3} {
		x, z := ramp(40), zeros(num.Float32, 40)
		x.Name = "first"
		report, fault := k.Run(context.Background(), Launch{
			Grid: [3]int{3, 1, 1}, Args: []Arg{x, ramp(96), z, int32Arg(90)}, Workers: workers,
		})
		if fault != nil {
			t.Fatal(fault)
		}
		var got []string
		for _, v := range report.Violations {
			got = append(got, fmt.Sprintf("%s %s[%d] of %d, program %v, %d times", v.Code, v.Tensor, v.Index, v.Size, v.Program, v.Count))
		}
		want := []string{
			"out-of-bounds-load first[40] of 40, program [1 0 0], 50 times",
			"out-of-bounds-store z[40] of 40, program [1 0 0], 50 times",
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers:\n%s", workers, strings.Join(got, "\n"))
		}
		if g := values(z); g[39] != 78 {
			t.Errorf("element 39 is %v: lanes in bounds must be written", g[39])
		}
	}
}

// copyKernel copies lanes of x to z through pointers offset by i*STRIDE+START, masked by i < n.
const copyKernel = `func @copy(%x: *DT, %z: *DT, %n: i32) {
  %i = arange {start=0, end=16} : i32[16]
  %st = const {value=i32(STRIDE), shape=[16]} : i32[16]
  %at = const {value=i32(START), shape=[16]} : i32[16]
  %m = mul %i, %st : i32[16]
  %o = add %m, %at : i32[16]
  %ns = splat %n {shape=[16]} : i32[16]
  %mask = lt %i, %ns : i1[16]
  %xs = splat %x {shape=[16]} : *DT[16]
  %xp = addptr %xs, %o : *DT[16]
  %v = load %xp, %mask : DT[16]
  %zs = splat %z {shape=[16]} : *DT[16]
  %zp = addptr %zs, %i : *DT[16]
  store %zp, %v
  return
}
`

func TestLoadsOfEveryDTypeAndStride(t *testing.T) {
	for d := range num.NumDTypes {
		for _, stride := range []int{-1, 0, 1, 2} {
			for _, n := range []int{0, 5, 16} {
				text := strings.NewReplacer("DT", d.Info().Short, "STRIDE", fmt.Sprint(stride), "START", "20").Replace(copyKernel)
				x, z := zeros(d, 64), zeros(d, 16)
				for i := range x.Data {
					x.Data[i] = byte(i * 7)
				}
				if d == num.Int1 {
					for i := range x.Data {
						x.Data[i] &= 1
					}
				}
				launch(t, plan(t, text), 1, x, z, int32Arg(int64(n)))
				in, out := values(x), values(z)
				for i, got := range out {
					want := 0.0
					if i < n {
						want = in[20+i*stride]
					}
					if got != want && !(got != got && want != want) {
						t.Fatalf("%s stride %d, %d lanes: lane %d is %v, want %v", d, stride, n, i, got, want)
					}
				}
			}
		}
	}
}

func TestOffsetsBelowTheStart(t *testing.T) {
	text := strings.NewReplacer("DT", "fp32", "STRIDE", "1", "START", "-3").Replace(copyKernel)
	z := zeros(num.Float32, 16)
	report := launch(t, plan(t, text), 1, ramp(64), z, int32Arg(16))
	if len(report.Violations) != 1 || report.Violations[0].Index != -3 || report.Violations[0].Count != 3 {
		t.Fatalf("%+v", report.Violations)
	}
	expect(t, z, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	// A view that begins at element 3 of its storage has those elements.
	x := ramp(64)
	x.Offset = 3
	report = launch(t, plan(t, text), 1, x, z, int32Arg(16))
	if len(report.Violations) != 0 {
		t.Fatalf("%+v", report.Violations)
	}
	expect(t, z, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
}

// TestFarOffsets moves pointers so far that their number would be another argument's.
func TestFarOffsets(t *testing.T) {
	const text = `func @far(%x: *i32, %y: *i32, %z: *i32, %by: i64) {
  %p = addptr %x, %by : *i32
  %q = addptr %p, %by : *i32
  %v = load %q : i32
  store %z, %v
  return
}
`
	k := plan(t, text)
	for _, by := range []int64{1 << 46, 1 << 47, 1 << 48, 1 << 62, math.MaxInt64, -1 << 47, -1 << 48, math.MinInt64} {
		z := i32(7)
		report := launch(t, k, 1, i32(1), i32(2), z, Scalar{num.FromInt(num.Int64, by)})
		if len(report.Violations) != 1 || report.Violations[0].Tensor != "x" {
			t.Errorf("by %d: %+v", by, report.Violations)
		}
		expect(t, z, 0)
	}
}

func TestPoison(t *testing.T) {
	for _, c := range []struct {
		dtype, want string
	}{
		{"fp32", "[0 NaN -Inf NaN +Inf]"}, {"fp16", "[0 NaN -Inf NaN +Inf]"},
		{"i32", "[0 1.538113759e+09 -1.538113759e+09 1.538113759e+09 1.538113759e+09]"}, {"i8", "[0 -33 33 -33 -33]"}, {"i1", "[0 1 1 1 1]"},
	} {
		text := strings.NewReplacer("DT", c.dtype, "STRIDE", "1", "START", "0").Replace(copyKernel)
		d, _ := num.Parse(c.dtype)
		z := zeros(d, 16)
		l := Launch{Grid: [3]int{1, 1, 1}, Args: []Arg{zeros(d, 16), z, int32Arg(12)}, Poison: true}
		if _, fault := plan(t, text).Run(context.Background(), l); fault != nil {
			t.Fatal(fault)
		}
		if got := fmt.Sprint(values(z)[11:]); got != c.want {
			t.Errorf("%s: lanes 11 to 15 are %s; want %s", c.dtype, got, c.want)
		}
	}
}

const atomicKernel = `func @count(%x: *DT, %old: *DT) {
  %pid = program_id {axis=0} : i32
  %i = arange {start=0, end=32} : i32[32]
  %four = const {value=i32(3), shape=[32]} : i32[32]
  %o = and %i, %four : i32[32]
  %one = const {value=DT(1), shape=[32]} : DT[32]
  %xs = splat %x {shape=[32]} : *DT[32]
  %xp = addptr %xs, %o : *DT[32]
  %v = atomic_rmw %xp, %one {rmw=RMW, sem=relaxed, scope=gpu} : DT[32]
  %lanes = const {value=i32(32)} : i32
  %mine = mul %pid, %lanes : i32
  %from = addptr %old, %mine : *DT
  %os = splat %from {shape=[32]} : *DT[32]
  %op = addptr %os, %i : *DT[32]
  store %op, %v
  return
}
`

func TestAtomicsAcrossWorkers(t *testing.T) {
	for _, dtype := range []string{"i32", "i64", "fp32", "fp64", "u64"} {
		d, _ := num.Parse(dtype)
		x := zeros(d, 4)
		k := plan(t, strings.NewReplacer("DT", dtype, "RMW", "add").Replace(atomicKernel))
		_, fault := k.Run(context.Background(), Launch{Grid: [3]int{500, 1, 1}, Args: []Arg{x, zeros(d, 500*32)}, Workers: 8})
		if fault != nil {
			t.Fatal(fault)
		}
		expect(t, x, 4000, 4000, 4000, 4000)
	}
}

func TestAtomicKinds(t *testing.T) {
	for rmw, want := range map[string][]float64{
		"add": {18, 9, 8, 10}, "max": {10, 1, 1, 2}, "min": {1, 1, 0, 1},
		"and": {0, 1, 0, 0}, "or": {11, 1, 1, 3}, "xor": {10, 1, 0, 2}, "xchg": {1, 1, 1, 1},
	} {
		x, old := i32(10, 1, 0, 2), zeros(num.Int32, 32)
		launch(t, plan(t, strings.NewReplacer("DT", "i32", "RMW", rmw).Replace(atomicKernel)), 1, x, old)
		expect(t, x, want...)
		if got := values(old); got[0] != 10 || got[1] != 1 {
			t.Errorf("%s: the old values are %v", rmw, got)
		}
	}
}

// TestSpinLock takes a lock with atomic_cas in a loop, adds without atomics, and releases it.
func TestSpinLock(t *testing.T) {
	const text = `func @locked(%lock: *i32, %sum: *i32) {
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %first = atomic_cas %lock, %zero, %one {sem=acquire, scope=gpu} : i32
  %got = while %first : i32 cond (%held: i32) {
    %c = eq %held, %one : i1
    condition %c, %held
  } do (%h: i32) {
    %again = atomic_cas %lock, %zero, %one {sem=acquire, scope=gpu} : i32
    yield %again
  }
  %v = load %sum : i32
  %w = add %v, %one : i32
  store %sum, %w
  %old = atomic_rmw %lock, %zero {rmw=xchg, sem=release, scope=gpu} : i32
  return
}
`
	sum := i32(0)
	_, fault := plan(t, text).Run(context.Background(), Launch{Grid: [3]int{2000, 1, 1}, Args: []Arg{i32(0), sum}, Workers: 4})
	if fault != nil {
		t.Fatal(fault)
	}
	expect(t, sum, 2000)
}

func TestFaults(t *testing.T) {
	const endless = `func @endless(%x: *i32) {
  %one = const {value=i1(true)} : i1
  while cond {
    condition %one
  } do { @10:20
    yield
  }
  return
}
`
	const asserts = `func @asserts(%x: *i32) {
  %pid = program_id {axis=0} : i32
  %three = const {value=i32(3)} : i32
  %ok = lt %pid, %three : i1
  assert %ok {message="small pid"} @5:9
  return
}
`
	const plain = `func @plain(%x: *i32) {
  return
}
`
	for _, c := range []struct {
		name, text, code string
		grid             [3]int
		args             []Arg
		program          [3]int
	}{
		{"endless loop", strings.Replace(endless, "cond {", "cond { @10:20", 1), "loop-budget", [3]int{2, 1, 1}, []Arg{i32(0)}, [3]int{}},
		{"assertion", asserts, "assert-failed", [3]int{9, 1, 1}, []Arg{i32(0)}, [3]int{3, 0, 0}},
		{"grid too large", plain, "grid-out-of-range", [3]int{1, 65536, 1}, []Arg{i32(0)}, [3]int{}},
		{"empty grid", plain, "grid-out-of-range", [3]int{1, 0, 1}, []Arg{i32(0)}, [3]int{}},
		{"huge grid", plain, "launch-budget", [3]int{1<<31 - 1, 65535, 65535}, []Arg{i32(0)}, [3]int{}},
		{"no arguments", plain, "launch-arguments", [3]int{1, 1, 1}, nil, [3]int{}},
		{"a scalar for a pointer", plain, "launch-argument-type", [3]int{1, 1, 1}, []Arg{int32Arg(1)}, [3]int{}},
		{"another width", plain, "launch-argument-type", [3]int{1, 1, 1}, []Arg{zeros(num.Int8, 4)}, [3]int{}},
		{"an offset before the storage", plain, "launch-argument-offset", [3]int{1, 1, 1}, []Arg{Buffer{DType: num.Int32, Offset: -1}}, [3]int{}},
		{"an offset past the storage", plain, "launch-argument-offset", [3]int{1, 1, 1}, []Arg{Buffer{DType: num.Int32, Offset: math.MaxInt}}, [3]int{}},
		{"nothing", plain, "launch-argument-type", [3]int{1, 1, 1}, []Arg{nil}, [3]int{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, workers := range []int{1, 4} {
				text := strings.Replace(c.text, "} do { @10:20", "} do {", 1)
				_, fault := plan(t, text).Run(context.Background(), Launch{Grid: c.grid, Args: c.args, Budget: 1 << 24, Workers: workers})
				if fault == nil || fault.Code != c.code {
					t.Fatalf("%d workers: fault %+v, want %s", workers, fault, c.code)
				}
				if c.code != "loop-budget" && c.code != "launch-budget" && fault.Program != c.program {
					t.Errorf("%d workers: program %v, want %v", workers, fault.Program, c.program)
				}
				if r := fault.Diagnostic().In(diag.Chinese); r.Headline == fault.Code || strings.Contains(r.Headline+r.Label, "{") {
					t.Errorf("catalogue: %q %q", r.Headline, r.Label)
				}
			}
		})
	}
}

// TestWaits: a program that waits for another one goes on once that is done, and is stopped if no other can do it.
func TestWaits(t *testing.T) {
	const text = `func @waits(%x: *i32, %setter: i32) {
  %one = const {value=i32(1)} : i32
  %pid = program_id {axis=0} : i32
  %sets = eq %pid, %setter : i1
  if %sets then {
    atomic_store %x, %one {sem=release, scope=gpu}
    yield
  } else {
    while cond {
      %seen = atomic_load %x {sem=acquire, scope=gpu} : i32
      %again = ne %seen, %one : i1
      condition %again
    } do {
      yield
    }
    yield
  }
  return
}
`
	for _, c := range []struct {
		name              string
		setter            int64
		programs, workers int
		want              string
	}{
		{"for one before", 0, 5, 1, ""},
		{"for one after", 1, 2, 1, "loop-waits"},
		{"for one beside", 1, 2, 2, ""},
		{"for none", 9, 9, 1, "loop-waits"},
		{"all for none", 9, 9, 4, "loop-waits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := Launch{Grid: [3]int{c.programs, 1, 1}, Args: []Arg{zeros(num.Int32, 1), int32Arg(c.setter)}, Workers: c.workers}
			_, fault := plan(t, text).Run(context.Background(), l)
			got := ""
			if fault != nil {
				got = fault.Code
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestCancellation(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	const text = `func @endless() {
  %one = const {value=i1(true)} : i1
  while cond {
    condition %one
  } do {
    yield
  }
  return
}
`
	_, fault := plan(t, text).Run(ctx, Launch{Grid: [3]int{4, 1, 1}, Progress: func(int64, int64) { cancel() }})
	if fault == nil || fault.Code != "launch-cancelled" {
		t.Fatalf("%+v", fault)
	}
}

// TestHeavyBodiesAreRefusedAtOnce has one iteration, and one program, that is more than the budget.
func TestHeavyBodiesAreRefusedAtOnce(t *testing.T) {
	heavy := strings.Repeat(`  %NAME = dot %a, %a, %a {input_precision=ieee} : fp32[512, 512]
`, 300)
	body := ""
	for i, line := range strings.SplitAfter(heavy, "\n") {
		body += strings.Replace(line, "NAME", fmt.Sprintf("d%d", i), 1)
	}
	const head = "func @heavy(%n: i32) {\n  %a = const {value=fp32(1), shape=[512, 512]} : fp32[512, 512]\n"
	loop := "  %one = const {value=i32(1)} : i32\n  %zero = const {value=i32(0)} : i32\n" +
		"  for %zero, %n, %one do (%i: i32) {\n" + body + "  yield\n}\n"
	for code, text := range map[string]string{"launch-budget": head + body + "  return\n}\n", "loop-budget": head + loop + "  return\n}\n"} {
		l := Launch{Grid: [3]int{1, 1, 1}, Args: []Arg{int32Arg(3)}, Budget: 1 << 30}
		if _, fault := plan(t, text).Run(context.Background(), l); fault == nil || fault.Code != code {
			t.Errorf("fault %+v, want %s", fault, code)
		}
	}
	// Within the budget such a program still notices that it is to stop.
	ctx, cancel := context.WithCancel(context.Background())
	stop := func(int64, int64) { cancel() }
	_, fault := plan(t, head+body+"  return\n}\n").Run(ctx, Launch{Grid: [3]int{1, 1, 1}, Args: []Arg{int32Arg(3)}, Progress: stop})
	if fault == nil || fault.Code != "launch-cancelled" {
		t.Errorf("fault %+v", fault)
	}
}

func TestProgramOrderAndPrints(t *testing.T) {
	const text = `func @prints(%x: *i32) {
  %a = program_id {axis=0} : i32
  %b = program_id {axis=1} : i32
  print %a, %b {text="a {} b {} {{}", style=python}
  return
}
`
	for _, workers := range []int{1, 4} {
		report, fault := plan(t, text).Run(context.Background(), Launch{Grid: [3]int{2, 3, 1}, Args: []Arg{i32(0)}, Workers: workers})
		if fault != nil {
			t.Fatal(fault)
		}
		var got []string
		for _, p := range report.Prints {
			got = append(got, p.Text)
		}
		want := "a [0] b [0] {}|a [0] b [1] {}|a [0] b [2] {}|a [1] b [0] {}|a [1] b [1] {}|a [1] b [2] {}"
		if strings.Join(got, "|") != want {
			t.Errorf("%d workers: %q", workers, got)
		}
	}
	report, _ := plan(t, text).Run(context.Background(), Launch{Grid: [3]int{5000, 1, 1}, Args: []Arg{i32(0)}, Workers: 4})
	if len(report.Prints) != MaxPrints || report.PrintsDropped != 4000 || report.Prints[MaxPrints-1].Program[0] != MaxPrints-1 {
		t.Errorf("%d prints, %d dropped, the last of program %v", len(report.Prints), report.PrintsDropped, report.Prints[len(report.Prints)-1].Program)
	}
}

func TestKernelTooLarge(t *testing.T) {
	const n = 1 << 20
	var b strings.Builder
	b.WriteString("func @large(%x: *i32, %v: i32) {\n  %s0 = splat %v {shape=[1048576]} : i32[1048576]\n")
	for i := range 200 {
		fmt.Fprintf(&b, "  %%s%d = add %%s%d, %%s%d : i32[1048576]\n", i+1, i, i)
	}
	b.WriteString("  %t0 = add %s0, %s200 : i32[1048576]\n")
	for i := range 200 {
		fmt.Fprintf(&b, "  %%t%d = add %%t%d, %%s%d : i32[1048576]\n", i+1, i, i)
	}
	b.WriteString("  %p = splat %x {shape=[1048576]} : *i32[1048576]\n  store %p, %t200\n  return\n}\n")
	fn := mustParse(t, b.String())
	if _, err := Plan(fn); err == nil || err.(*Fault).Code != "kernel-too-large" {
		t.Fatalf("%v: %d MiB", err, n*4*200>>20)
	}
}

// TestCountBySwaps: of programs that run at once and count by swaps, each of which is tried again where another one came
// between, none loses a step.
func TestCountBySwaps(t *testing.T) {
	const programs = 4
	steps := int(soak.Times(20_000))
	k := plan(t, `func @count(%p: *i32, %n: i32) {
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %last = for %zero, %n, %one, %zero : i32 do (%i: i32, %guess: i32) {
    %was = while %guess : i32 cond (%seen: i32) {
      %next = add %seen, %one : i32
      %old = atomic_cas %p, %seen, %next {sem=relaxed, scope=gpu} : i32
      %again = ne %old, %seen : i1
      condition %again, %old
    } do (%found: i32) {
      yield %found
    }
    yield %was
  }
  return
}
`)
	p := i32(0)
	l := Launch{Grid: [3]int{programs, 1, 1}, Args: []Arg{p, int32Arg(int64(steps))}, Workers: programs}
	if _, fault := k.Run(t.Context(), l); fault != nil {
		t.Fatal(fault)
	}
	expect(t, p, float64(programs*steps))
}

// TestViewsAreNotWritten: a scan works in slots like those of its inputs; a free one is still a view of an argument.
func TestViewsAreNotWritten(t *testing.T) {
	k := plan(t, `func @k(%x: *i32, %z: *i32) {
  %i = arange {start=0, end=4} : i32[4]
  %xs = splat %x {shape=[4]} : *i32[4]
  %p = addptr %xs, %i : *i32[4]
  %a = load %p : i32[4]
  %d = load %p : i32[4]
  %b = add %a, %d : i32[4]
  %c = load %p : i32[4]
  %s = scan %c {axis=0} : i32[4] combine (%l: i32, %r: i32) {
    %t = add %l, %r : i32
    yield %t
  }
  %more = add %s, %c : i32[4]
  %sum = add %more, %b : i32[4]
  %zs = splat %z {shape=[4]} : *i32[4]
  %q = addptr %zs, %i : *i32[4]
  store %q, %sum
  return
}`)
	x, z := i32(1, 2, 3, 4), zeros(num.Int32, 4)
	launch(t, k, 1, x, z)
	expect(t, x, 1, 2, 3, 4)
	expect(t, z, 4, 9, 15, 22)
}
