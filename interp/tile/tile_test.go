package tile

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
)

// plan makes a kernel of a function's text form.
func plan(t testing.TB, text string) *Kernel {
	t.Helper()
	k, err := Plan(mustParse(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func mustParse(t testing.TB, text string) *ir.Func {
	t.Helper()
	fn, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

// launch runs k over a grid of n programs and fails the test on a fault.
func launch(t testing.TB, k *Kernel, n int, args ...Arg) *Report {
	t.Helper()
	report, fault := k.Run(context.Background(), Launch{Grid: [3]int{n, 1, 1}, Args: args})
	if fault != nil {
		t.Fatalf("%s: %v", fault.Code, fault)
	}
	return report
}

func f32(xs ...float32) Buffer {
	b := Buffer{DType: num.Float32}
	for _, x := range xs {
		b.Data = binary.LittleEndian.AppendUint32(b.Data, math.Float32bits(x))
	}
	return b
}

func i32(xs ...int32) Buffer {
	b := Buffer{DType: num.Int32}
	for _, x := range xs {
		b.Data = binary.LittleEndian.AppendUint32(b.Data, uint32(x))
	}
	return b
}

func zeros(d num.DType, n int) Buffer { return Buffer{DType: d, Data: make([]byte, n*d.Info().Bytes)} }

func int32Arg(v int64) Scalar { return Scalar{num.FromInt(num.Int32, v)} }

// values are the elements of b as fp64.
func values(b Buffer) []float64 {
	n := len(b.Data) / b.DType.Info().Bytes
	v := num.MakeVec(b.DType.Info().Class, n)
	num.Load(b.DType, v, b.Data)
	out := make([]float64, n)
	for i := range out {
		out[i] = num.ScalarAt(b.DType, v, i).Float()
	}
	return out
}

func expect(t *testing.T, got Buffer, want ...float64) {
	t.Helper()
	g := values(got)
	if len(g) != len(want) {
		t.Fatalf("%d elements, want %d", len(g), len(want))
	}
	for i := range want {
		if g[i] != want[i] && !(g[i] != g[i] && want[i] != want[i]) {
			t.Fatalf("element %d is %v, want %v (all: %v)", i, g[i], want[i], g)
		}
	}
}

const vectorAdd = `func @add(%x: *fp32 {div=16}, %y: *fp32 {div=16}, %z: *fp32 {div=16}, %n: i32) {
  %pid = program_id {axis=0} : i32
  %b = const {value=i32(BLOCK)} : i32
  %start = mul %pid, %b : i32
  %r = arange {start=0, end=BLOCK} : i32[BLOCK]
  %s = splat %start {shape=[BLOCK]} : i32[BLOCK]
  %offs = add %s, %r : i32[BLOCK]
  %ns = splat %n {shape=[BLOCK]} : i32[BLOCK]
  %mask = lt %offs, %ns : i1[BLOCK]
  %xs = splat %x {shape=[BLOCK]} : *fp32[BLOCK]
  %xp = addptr %xs, %offs : *fp32[BLOCK]
  %xv = load %xp, %mask : fp32[BLOCK]
  %ys = splat %y {shape=[BLOCK]} : *fp32[BLOCK]
  %yp = addptr %ys, %offs : *fp32[BLOCK]
  %yv = load %yp, %mask : fp32[BLOCK]
  %sum = add %xv, %yv : fp32[BLOCK]
  %zs = splat %z {shape=[BLOCK]} : *fp32[BLOCK]
  %zp = addptr %zs, %offs : *fp32[BLOCK]
  store %zp, %sum, %mask
  return
}
`
