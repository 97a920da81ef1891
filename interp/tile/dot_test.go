package tile

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/trace"
)

const dotKernel = `func @dot(%x: *IN, %y: *IN, %z: *ACC) {
  %xr = arange {start=0, end=NX} : i32[NX]
  %xo = reshape %xr {shape=[P, M, K]} : i32[P, M, K]
  %xs = splat %x {shape=[P, M, K]} : *IN[P, M, K]
  %xp = addptr %xs, %xo : *IN[P, M, K]
  %a = load %xp : IN[P, M, K]
  %yr = arange {start=0, end=NY} : i32[NY]
  %yo = reshape %yr {shape=[P, K, N]} : i32[P, K, N]
  %ys = splat %y {shape=[P, K, N]} : *IN[P, K, N]
  %yp = addptr %ys, %yo : *IN[P, K, N]
  %b = load %yp : IN[P, K, N]
  %zr = arange {start=0, end=NZ} : i32[NZ]
  %zo = reshape %zr {shape=[P, M, N]} : i32[P, M, N]
  %zs = splat %z {shape=[P, M, N]} : *ACC[P, M, N]
  %zp = addptr %zs, %zo : *ACC[P, M, N]
  %acc = load %zp : ACC[P, M, N]
  %c = dot %a, %b, %acc {input_precision=PREC} : ACC[P, M, N]
  store %zp, %c
  return
}
`

// pattern is n values that every dtype but int1 holds exactly.
func pattern(d num.DType, n, factor, modulus int) Buffer {
	v := num.MakeVec(num.ClassF64, n)
	for i := range v.F64 {
		v.F64[i] = float64(i*factor%modulus - modulus/2)
	}
	w := num.MakeVec(d.Info().Class, n)
	num.Cast(num.Float64, d, num.RTNE)(w, v)
	b := zeros(d, n)
	num.Store(d, b.Data, w)
	return b
}

// TestDot compares with the sum as it stands in books. All values and sums are exact.
func TestDot(t *testing.T) {
	for _, c := range []struct{ p, m, n, k int }{{1, 16, 16, 16}, {2, 4, 8, 16}, {1, 1, 4, 8}, {1, 2, 2, 32}, {4, 1, 1, 1}, {1, 8, 4, 1024}} {
		for _, d := range []struct{ in, acc num.DType }{
			{num.Float32, num.Float32}, {num.Float64, num.Float64}, {num.Float16, num.Float32}, {num.BFloat16, num.Float64},
			{num.Float8E5M2, num.Float32}, {num.Int8, num.Int32}, {num.Int32, num.Int64}, {num.Int64, num.Int32}, {num.Float64, num.Float32},
		} {
			text := strings.NewReplacer("NX", fmt.Sprint(c.p*c.m*c.k), "NY", fmt.Sprint(c.p*c.k*c.n), "NZ", fmt.Sprint(c.p*c.m*c.n),
				"IN", d.in.Info().Short, "ACC", d.acc.Info().Short, "PREC", "tf32",
				"P", fmt.Sprint(c.p), "M", fmt.Sprint(c.m), "N", fmt.Sprint(c.n), "K", fmt.Sprint(c.k)).Replace(dotKernel)
			x, y := pattern(d.in, c.p*c.m*c.k, 5, 7), pattern(d.in, c.p*c.k*c.n, 3, 5)
			z := pattern(d.acc, c.p*c.m*c.n, 1, 9)
			xv, yv, want := values(x), values(y), values(z)
			for i := range want {
				p, row, col := i/c.n/c.m, i/c.n, i%c.n
				for k := range c.k {
					want[i] += xv[row*c.k+k] * yv[(p*c.k+k)*c.n+col]
				}
			}
			launch(t, plan(t, text), 1, x, y, z)
			t.Run(fmt.Sprint(c, d.in, d.acc), func(t *testing.T) { expect(t, z, want...) })
		}
	}
}

// TestDotPrecision multiplies 1 + 2⁻¹² by itself, which tf32 and bf16 cannot hold.
func TestDotPrecision(t *testing.T) {
	const x = 1 + 1.0/4096
	for precision, want := range map[string][2]float64{
		"ieee": {float64(float32(x * x)), 0}, "tf32": {1, 0}, "tf32x3": {x * x, 1e-7}, "bf16x3": {x * x, 1e-4}, "bf16x6": {x * x, 1e-6},
	} {
		text := strings.NewReplacer("NX", "1", "NY", "1", "NZ", "1", "IN", "fp32", "ACC", "fp32", "PREC", precision,
			"P", "1", "M", "1", "N", "1", "K", "1").Replace(dotKernel)
		z := f32(0)
		launch(t, plan(t, text), 1, f32(x), f32(x), z)
		if got := values(z)[0]; math.Abs(got-want[0]) > want[1] {
			t.Errorf("%s: %v, want %v", precision, got, want[0])
		}
	}
}

// products keeps what it is told of.
type products struct{ seen []trace.Product }

func (p *products) Launch([3]int, []trace.Buffer) {}
func (p *products) Access(*trace.Access)          {}
func (p *products) Product(s trace.Product)       { p.seen = append(p.seen, s) }

// TestProductsAreObserved: each program tells of its products, through a Tee too.
func TestProductsAreObserved(t *testing.T) {
	text := strings.NewReplacer("NX", "128", "NY", "256", "NZ", "64", "IN", "fp32", "ACC", "fp32", "PREC", "tf32x3",
		"P", "2", "M", "4", "N", "8", "K", "16").Replace(dotKernel)
	x, y, z := pattern(num.Float32, 128, 5, 7), pattern(num.Float32, 256, 3, 5), pattern(num.Float32, 64, 1, 9)
	p := &products{}
	l := Launch{Grid: [3]int{3, 1, 1}, Args: []Arg{x, y, z}, Observer: trace.Tee{&trace.Recorder{}, p}}
	if _, fault := plan(t, text).Run(t.Context(), l); fault != nil {
		t.Fatal(fault)
	}
	want := trace.Product{A: num.Float32, B: num.Float32, Precision: "tf32x3", Operations: 2 * 2 * 4 * 8 * 16}
	if len(p.seen) != 3 || p.seen[0] != want || p.seen[2] != want {
		t.Errorf("three programs tell of %+v", p.seen)
	}
}
