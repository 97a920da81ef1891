package devicetest

import (
	"context"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
)

// testBounds lets vector addition run past its tensors.
func testBounds(t *testing.T, f *fixture) {
	x, y, z := f.tensor(num.Float32, ramp(40, 1)...), f.tensor(num.Float32, ramp(96, 1)...), f.zeros(num.Float32, 40)
	x.Name = "first"
	report := f.launch(f.load(VectorAdd), 3, x, y, z, integer(90))
	f.expect(z, 0, ramp(40, 2)...)
	if len(report.Diagnostics) != 2 {
		t.Fatalf("%d diagnostics, want one for the load and one for the store", len(report.Diagnostics))
	}
	load, store := report.Diagnostics[0], report.Diagnostics[1]
	if load.Code != "out-of-bounds-load" || store.Code != "out-of-bounds-store" {
		t.Errorf("codes are %s and %s", load.Code, store.Code)
	}
	switch r := load.Runtime; {
	case r == nil || r.Tensor != "first" || r.Size != 40 || r.Index < 40 || r.Index >= 90,
		r.Program != [3]int{int(r.Index) / 32, 0, 0}:
		t.Errorf("the load's details are %+v", r)
	case f.dev.Capabilities().Observes && (r.Index != 40 || r.Count != 50):
		t.Errorf("a device that sees every access in order reports %+v", r) // others report the first to come
	case r.Count < 1 || r.Count > 50:
		t.Errorf("%d elements are counted, of 50", r.Count)
	}
	if r := store.Runtime; r == nil || r.Tensor != "z" || store.Primary.Span.Start != 50 {
		t.Errorf("the store's details are %+v at %v", r, store.Primary.Span)
	}
}

const atomicSum = `func @sum(%x: *DT, %z: *DT) {
  %pid = program_id {axis=0} : i32
  %b = const {value=i32(32)} : i32
  %start = mul %pid, %b : i32
  %r = arange {start=0, end=32} : i32[32]
  %s = splat %start {shape=[32]} : i32[32]
  %offs = add %s, %r : i32[32]
  %xs = splat %x {shape=[32]} : *DT[32]
  %xp = addptr %xs, %offs : *DT[32]
  %v = load %xp : DT[32]
  %seven = const {value=i32(7), shape=[32]} : i32[32]
  %bin = and %r, %seven : i32[32]
  %zs = splat %z {shape=[32]} : *DT[32]
  %zp = addptr %zs, %bin : *DT[32]
  %old = atomic_rmw %zp, %v {rmw=RMW, sem=relaxed, scope=gpu} : DT[32]
  return
}
`

func testAtomics(t *testing.T, f *fixture) {
	for _, d := range []num.DType{num.Int32, num.Int64, num.Float32} {
		x := f.tensor(d, ramp(3200, 1)...)
		sum, most := make([]float64, 8), make([]float64, 8)
		for i := range 3200 {
			sum[i%8] += float64(i)
			most[i%8] = float64(i)
		}
		for rmw, want := range map[string][]float64{"add": sum, "max": most} {
			z := f.zeros(d, 8)
			f.launch(f.load(replaced(atomicSum, "DT", d.Info().Short, "RMW", rmw)), 100, x, z)
			f.expect(z, 0, want...)
		}
	}
}

// Endless is a loop that does not end; z is not touched.
const Endless = `func @endless(%z: *i32) {
  %yes = const {value=i1(true)} : i1
  while cond { @10:20
    condition %yes
  } do {
    yield
  }
  return
}
`

func testBudget(t *testing.T, f *fixture) {
	k, args := f.load(Endless), []device.Arg{f.zeros(num.Int32, 1)}
	f.fails("loop-budget", k, device.Launch{Grid: [3]int{2, 1, 1}, Args: args, Budget: 1 << 22})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := k.Launch(ctx, device.Launch{Grid: [3]int{1, 1, 1}, Args: args})
	if fault, ok := err.(device.Fault); !ok || fault.Diagnostic().Code != "launch-cancelled" {
		t.Errorf("a cancelled launch gave %v", err)
	}
}

const asserts = `func @asserts(%z: *i32) {
  %pid = program_id {axis=0} : i32
  %three = const {value=i32(3)} : i32
  %ok = ne %pid, %three : i1
  assert %ok {message="not three"} @10:20
  return
}
`

func testAssert(t *testing.T, f *fixture) {
	k, z := f.load(asserts), f.zeros(num.Int32, 1)
	f.launch(k, 3, z)
	f.fails("assert-failed", k, device.Launch{Grid: [3]int{8, 1, 1}, Args: []device.Arg{z}})
}

const prints = `func @prints(%z: *i32) {
  %x = program_id {axis=0} : i32
  %y = program_id {axis=1} : i32
  print %x, %y {text="at {} and {}", style=python}
  return
}
`

func testPrints(t *testing.T, f *fixture) {
	report, err := f.load(prints).Launch(context.Background(),
		device.Launch{Grid: [3]int{2, 2, 1}, Args: []device.Arg{f.zeros(num.Int32, 1)}})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range report.Prints {
		lines = append(lines, p.Text)
	}
	want := "at [0] and [0]; at [0] and [1]; at [1] and [0]; at [1] and [1]"
	if got := strings.Join(lines, "; "); got != want {
		t.Errorf("prints are %q, want %q", got, want)
	}
}

const overlapping = `func @overlapping(%x: *i32, %z: *i32) {
  %pid = program_id {axis=0} : i32
  %r = arange {start=0, end=4} : i32[4]
  %s = splat %pid {shape=[4]} : i32[4]
  %offs = add %s, %r : i32[4]
  %zs = splat %z {shape=[4]} : *i32[4]
  %zp = addptr %zs, %offs : *i32[4]
  %three = const {value=i32(3), shape=[4]} : i32[4]
  %v = add %s, %three : i32[4]
  store %zp, %v @10:20
  return
}
`

func testRaces(t *testing.T, f *fixture) {
	if !f.dev.Capabilities().FindsRaces {
		t.Skip("the device does not look for races")
	}
	l := device.Launch{Grid: [3]int{2, 1, 1}, Args: []device.Arg{f.zeros(num.Int32, 8), f.zeros(num.Int32, 8)},
		Races: true}
	report, err := f.load(overlapping).Launch(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	if d := report.Diagnostics; len(d) != 1 || d[0].Code != "race-stores" || d[0].Runtime.Count != 3 {
		t.Errorf("races are %v", report.Diagnostics)
	}
}

// testPoison leaves the last lanes of a load without a value.
func testPoison(t *testing.T, f *fixture) {
	if !f.dev.Capabilities().Poisons {
		t.Skip("the device does not poison")
	}
	const text = `func @partial(%x: *fp32, %z: *fp32, %n: i32) {
  %r = arange {start=0, end=4} : i32[4]
  %ns = splat %n {shape=[4]} : i32[4]
  %mask = lt %r, %ns : i1[4]
  %xs = splat %x {shape=[4]} : *fp32[4]
  %xp = addptr %xs, %r : *fp32[4]
  %v = load %xp, %mask : fp32[4]
  %zs = splat %z {shape=[4]} : *fp32[4]
  %zp = addptr %zs, %r : *fp32[4]
  store %zp, %v
  return
}
`
	z := f.zeros(num.Float32, 4)
	l := device.Launch{Grid: [3]int{1, 1, 1}, Args: []device.Arg{f.tensor(num.Float32, 1, 2, 3, 4), z, integer(2)},
		Poison: true}
	if _, err := f.load(text).Launch(context.Background(), l); err != nil {
		t.Fatal(err)
	}
	f.expect(z, 0, 1, 2, math.NaN(), math.Inf(1))
}

func testRefusals(t *testing.T, f *fixture) {
	k, x := f.load(VectorAdd), f.zeros(num.Float32, 4)
	good := []device.Arg{x, x, x, integer(1)}
	for _, grid := range [][3]int{{0, 1, 1}, {1, -1, 1}, {1, 65536, 1}, {1, 1, 65536}, {1 << 31, 1, 1}} {
		f.fails("grid-out-of-range", k, device.Launch{Grid: grid, Args: good})
	}
	one := [3]int{1, 1, 1}
	f.fails("launch-arguments", k, device.Launch{Grid: one, Args: good[:3]})
	f.fails("launch-argument-type", k, device.Launch{Grid: one, Args: []device.Arg{x, x, integer(1), integer(1)}})
	f.fails("launch-argument-type", k,
		device.Launch{Grid: one, Args: []device.Arg{x, x, f.zeros(num.Int8, 4), integer(1)}})
	f.fails("launch-argument-type", k, device.Launch{Grid: one, Args: []device.Arg{x, x, nil, integer(1)}})
}

// testHammer launches one kernel from many goroutines, on tensors of their own and one in common.
func testHammer(t *testing.T, f *fixture) {
	k, x := f.load(VectorAdd), f.tensor(num.Float32, ramp(64, 1)...)
	var all sync.WaitGroup
	for worker := range 8 {
		y, z := f.tensor(num.Float32, ramp(64, float64(worker))...), f.zeros(num.Float32, 64)
		all.Go(func() {
			for range 50 {
				l := device.Launch{Grid: [3]int{2, 1, 1}, Args: []device.Arg{x, y, z, integer(64)}}
				if _, err := k.Launch(context.Background(), l); err != nil {
					t.Error(err)
				}
			}
		})
		defer func() {
			all.Wait()
			f.expect(z, 0, ramp(64, float64(worker+1))...)
		}()
	}
}
