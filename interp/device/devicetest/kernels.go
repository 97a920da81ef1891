package devicetest

import (
	"math"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

// VectorAdd is z[:n] = x[:n] + y[:n] in blocks of 32.
const VectorAdd = `func @add(%x: *fp32, %y: *fp32, %z: *fp32, %n: i32) {
  %pid = program_id {axis=0} : i32
  %b = const {value=i32(32)} : i32
  %start = mul %pid, %b : i32
  %r = arange {start=0, end=32} : i32[32]
  %s = splat %start {shape=[32]} : i32[32]
  %offs = add %s, %r : i32[32]
  %ns = splat %n {shape=[32]} : i32[32]
  %mask = lt %offs, %ns : i1[32]
  %xs = splat %x {shape=[32]} : *fp32[32]
  %xp = addptr %xs, %offs : *fp32[32]
  %xv = load %xp, %mask : fp32[32] @10:20
  %ys = splat %y {shape=[32]} : *fp32[32]
  %yp = addptr %ys, %offs : *fp32[32]
  %yv = load %yp, %mask : fp32[32] @30:40
  %sum = add %xv, %yv : fp32[32]
  %zs = splat %z {shape=[32]} : *fp32[32]
  %zp = addptr %zs, %offs : *fp32[32]
  store %zp, %sum, %mask @50:60
  return
}
`

// rows is z[i] = combination of row i of x, 4 × 16, for one program per row.
const rows = `func @rows(%x: *fp32, %z: *fp32) {
  %pid = program_id {axis=0} : i32
  %c = const {value=i32(16)} : i32
  %start = mul %pid, %c : i32
  %r = arange {start=0, end=16} : i32[16]
  %s = splat %start {shape=[16]} : i32[16]
  %offs = add %s, %r : i32[16]
  %xs = splat %x {shape=[16]} : *fp32[16]
  %xp = addptr %xs, %offs : *fp32[16]
  %v = load %xp : fp32[16]
  %t = reduce %v {axis=0} : fp32 combine (%a: fp32, %b: fp32) {
    %m = OP %a, %b : fp32
    yield %m
  }
  %zp = addptr %z, %pid : *fp32
  store %zp, %t
  return
}
`

// running is z = the running sums of x along rows of 4 × 8.
const running = `func @running(%x: *i32, %z: *i32) {
  %r = arange {start=0, end=32} : i32[32]
  %offs = reshape %r {shape=[4, 8]} : i32[4, 8]
  %xs = splat %x {shape=[4, 8]} : *i32[4, 8]
  %xp = addptr %xs, %offs : *i32[4, 8]
  %v = load %xp : i32[4, 8]
  %t = scan %v {axis=1} : i32[4, 8] combine (%a: i32, %b: i32) {
    %m = add %a, %b : i32
    yield %m
  }
  %zs = splat %z {shape=[4, 8]} : *i32[4, 8]
  %zp = addptr %zs, %offs : *i32[4, 8]
  store %zp, %t
  return
}
`

// turned is z = x transposed, 8 × 4 to 4 × 8.
const turned = `func @turned(%x: *i32, %z: *i32) {
  %r = arange {start=0, end=32} : i32[32]
  %from = reshape %r {shape=[8, 4]} : i32[8, 4]
  %to = reshape %r {shape=[4, 8]} : i32[4, 8]
  %xs = splat %x {shape=[8, 4]} : *i32[8, 4]
  %xp = addptr %xs, %from : *i32[8, 4]
  %v = load %xp : i32[8, 4]
  %t = trans %v {perm=[1, 0]} : i32[4, 8]
  %zs = splat %z {shape=[4, 8]} : *i32[4, 8]
  %zp = addptr %zs, %to : *i32[4, 8]
  store %zp, %t
  return
}
`

// fibonacci is z[i] = the (n+i)-th of a Fibonacci-like sequence that begins with 0, 1.
const fibonacci = `func @fibonacci(%z: *i32, %n: i32) {
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %a, %b = for %zero, %n, %one, %zero, %one : i32, i32 do (%i: i32, %p: i32, %q: i32) {
    %s = add %p, %q : i32
    yield %q, %s
  }
  store %z, %a
  %z1 = addptr %z, %one : *i32
  store %z1, %b
  return
}
`

// collatz is z[pid] = how many steps pid+1 takes to reach 1.
const collatz = `func @collatz(%z: *i32) {
  %pid = program_id {axis=0} : i32
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %two = const {value=i32(2)} : i32
  %three = const {value=i32(3)} : i32
  %start = add %pid, %one : i32
  %x, %n = while %start, %zero : i32, i32 cond (%v: i32, %k: i32) {
    %more = ne %v, %one : i1
    condition %more, %v, %k
  } do (%w: i32, %j: i32) {
    %odd = and %w, %one : i32
    %isodd = ne %odd, %zero : i1
    %next = if %isodd : i32 then {
      %m = mul %w, %three : i32
      %up = add %m, %one : i32
      yield %up
    } else {
      %down = div %w, %two : i32
      yield %down
    }
    %j1 = add %j, %one : i32
    yield %next, %j1
  }
  %zp = addptr %z, %pid : *i32
  store %zp, %n
  return
}
`

func testMemory(t *testing.T, f *fixture) {
	m, err := f.dev.Alloc(16)
	if err != nil {
		t.Fatal(err)
	}
	got := []byte{1, 2, 3, 4}
	if err := m.Read(12, got); err != nil || string(got) != "\x00\x00\x00\x00" {
		t.Errorf("new memory holds %v, %v", got, err)
	}
	if err := m.Write(2, []byte{7, 8}); err != nil {
		t.Error(err)
	}
	if err := m.Read(1, got); err != nil || string(got) != "\x00\x07\x08\x00" {
		t.Errorf("read back %v, %v", got, err)
	}
	for _, at := range []int{-1, 13, 17, math.MaxInt} {
		if m.Write(at, got) == nil || m.Read(at, got) == nil {
			t.Errorf("a copy of 4 bytes at %d of 16 is accepted", at)
		}
	}
	if _, err := f.dev.Alloc(-1); err == nil {
		t.Error("memory of -1 bytes")
	}
	m.Free()
}

func testKernels(t *testing.T, f *fixture) {
	x, y, z := f.tensor(num.Float32, ramp(100, 1)...), f.tensor(num.Float32, ramp(100, 2)...), f.zeros(num.Float32, 100)
	report := f.launch(f.load(VectorAdd), 4, x, y, z, integer(90))
	f.expect(z, 0, append(ramp(90, 3), make([]float64, 10)...)...)
	if report.Programs != 4 || len(report.Diagnostics) != 0 {
		t.Errorf("%d programs, diagnostics %v", report.Programs, report.Diagnostics)
	}

	for op, want := range map[string][]float64{"add": {120, 376, 632, 888}, "max": {15, 31, 47, 63},
		"min": {0, 16, 32, 48}} {
		z := f.zeros(num.Float32, 4)
		f.launch(f.load(replaced(rows, "OP", op)), 4, f.tensor(num.Float32, ramp(64, 1)...), z)
		f.expect(z, 0, want...)
	}

	ints := f.tensor(num.Int32, ramp(32, 1)...)
	sums, across := make([]float64, 32), make([]float64, 32)
	for i := range 32 {
		sums[i] = float64(i)
		if i%8 > 0 {
			sums[i] += sums[i-1]
		}
		across[i] = float64(i%8*4 + i/8)
	}
	out := f.zeros(num.Int32, 32)
	f.launch(f.load(running), 1, ints, out)
	f.expect(out, 0, sums...)
	f.launch(f.load(turned), 1, ints, out)
	f.expect(out, 0, across...)

	two := f.zeros(num.Int32, 2)
	f.launch(f.load(fibonacci), 1, two, integer(20))
	f.expect(two, 0, 6765, 10946)
	steps := f.zeros(num.Int32, 9)
	f.launch(f.load(collatz), 9, steps)
	f.expect(steps, 0, 0, 1, 7, 2, 5, 8, 16, 3, 19)
}

const doubled = `func @doubled(%x: *DT, %z: *DT) {
  %r = arange {start=0, end=8} : i32[8]
  %xs = splat %x {shape=[8]} : *DT[8]
  %xp = addptr %xs, %r : *DT[8]
  %v = load %xp : DT[8]
  %t = add %v, %v : DT[8]
  %zs = splat %z {shape=[8]} : *DT[8]
  %zp = addptr %zs, %r : *DT[8]
  store %zp, %t
  return
}
`

func testDTypes(t *testing.T, f *fixture) {
	for _, d := range f.dev.Capabilities().DTypes {
		if d == num.Int1 || d.IsFP8() {
			continue // their sums wrap, or are not Triton's
		}
		z := f.zeros(d, 8)
		f.launch(f.load(replaced(doubled, "DT", d.Info().Short)), 1, f.tensor(d, ramp(8, 3)...), z)
		f.expect(z, 0, ramp(8, 6)...)
	}
}

const dot = `func @dot(%x: *DT, %y: *DT, %z: *ACC) {
  %r = arange {start=0, end=1024} : i32[1024]
  %offs = reshape %r {shape=[32, 32]} : i32[32, 32]
  %xs = splat %x {shape=[32, 32]} : *DT[32, 32]
  %xp = addptr %xs, %offs : *DT[32, 32]
  %a = load %xp : DT[32, 32]
  %ys = splat %y {shape=[32, 32]} : *DT[32, 32]
  %yp = addptr %ys, %offs : *DT[32, 32]
  %b = load %yp : DT[32, 32]
  %one = const {value=ACC(1), shape=[32, 32]} : ACC[32, 32]
  %c = dot %a, %b, %one {input_precision=PREC} : ACC[32, 32]
  %zs = splat %z {shape=[32, 32]} : *ACC[32, 32]
  %zp = addptr %zs, %offs : *ACC[32, 32]
  store %zp, %c
  return
}
`

func testDot(t *testing.T, f *fixture) {
	for _, c := range []struct {
		in, acc   num.DType
		precision string
		tolerance float64
	}{
		{num.Float32, num.Float32, "ieee", 1e-5}, {num.Float32, num.Float32, "tf32", 5e-3},
		{num.Float32, num.Float32, "tf32x3", 2e-5}, {num.Float16, num.Float32, "tf32", 1e-5},
		{num.BFloat16, num.Float32, "tf32", 1e-5}, {num.Float16, num.Float16, "tf32", 5e-3},
		{num.Int8, num.Int32, "tf32", 0},
	} {
		x, y := make([]float64, 1024), make([]float64, 1024)
		for i := range x {
			x[i], y[i] = float64(i*7%13-6)/4, float64(i*5%11-5)/8
			if c.in == num.Int8 {
				x[i], y[i] = x[i]*4, y[i]*8
			}
		}
		want := make([]float64, 1024)
		for i := range want {
			want[i] = 1
			for k := range 32 {
				want[i] += x[i/32*32+k] * y[k*32+i%32]
			}
		}
		z := f.zeros(c.acc, 1024)
		text := replaced(dot, "DT", c.in.Info().Short, "ACC", c.acc.Info().Short, "PREC", c.precision)
		f.launch(f.load(text), 1, f.tensor(c.in, x...), f.tensor(c.in, y...), z)
		f.expect(z, c.tolerance, want...)
	}
}
