package tensor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/infra/soak"
)

// TestPooling compares pooling with its definition: the extremes, their places and the means of windows that are cut off
// at the input's end and, for a mean's count, at the padding's.
func TestPooling(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	largest, _ := AllOperations().Lookup(InFunctional, "max_pool1d")
	mean, _ := AllOperations().Lookup(InFunctional, "avg_pool1d")
	for range soak.Times(400) {
		c, n, size, stride, dilation := New(Options{}), 1+r.IntN(12), 1+r.IntN(4), 1+r.IntN(4), 1+r.IntN(2)
		padding, ceil, counts := r.IntN(size/2+1), r.IntN(2) == 0, r.IntN(2) == 0
		x := c.alloc(num.Float32, 1, 2, n)
		c.Generator.fillNormal(x, 0, 1)
		values := x.Floats()
		check := func(name string, result any, err error, dilation int, want func(row []float64, first, end int) (v, at float64)) {
			t.Helper()
			rest := n + 2*padding - dilation*(size-1) - 1
			if rest < 0 {
				if err == nil && !ceil {
					t.Fatalf("%s: a window of %d in %d elements", name, size, n)
				}
				return
			}
			if err != nil {
				t.Fatal(name, err)
			}
			places := rest/stride + 1
			if ceil && rest%stride > 0 && places*stride < n+padding {
				places++
			}
			list, ok := result.([]*Tensor)
			if !ok {
				list = []*Tensor{result.(*Tensor)}
			}
			for i, got := range list[0].Floats() {
				first := i%places*stride - padding
				v, at := want(values[i/places*n:][:n], first, first+dilation*(size-1)+1)
				if math.Abs(got-v) > 1e-5 || len(list) > 1 && list[1].Floats()[i] != at {
					t.Fatalf("%s of %v, size %d, stride %d, padding %d, dilation %d, ceil %v, counts %v: %v, want %v at %d (%v)",
						name, x, size, stride, padding, dilation, ceil, counts, list, v, i, at)
				}
			}
		}
		around := []any{x, int64(size), int64(stride), int64(padding)}
		result, err := c.Call(largest, append(around, int64(dilation), ceil, true), nil)
		check("max_pool1d", result, err, dilation, func(row []float64, first, end int) (v, at float64) {
			v = math.Inf(-1)
			for i := first; i < min(end, n); i += dilation {
				if i >= 0 && row[i] > v {
					v, at = row[i], float64(i)
				}
			}
			return v, at
		})
		result, err = c.Call(mean, append(around[:4:4], ceil, counts), nil)
		check("avg_pool1d", result, err, 1, func(row []float64, first, end int) (v, _ float64) {
			count := min(end, n) - max(first, 0)
			if counts {
				count = min(end, n+padding) - first
			}
			for i := max(first, 0); i < min(end, n); i++ {
				v += row[i]
			}
			return v / float64(count), 0
		})
	}
}

// TestTransposedConvolution: a transposed convolution is the transpose of the convolution: the inner product of
// conv3d(x) with y is that of x with conv_transpose3d(y).
func TestTransposedConvolution(t *testing.T) {
	c := New(Options{})
	draw := func(shape ...int) *Tensor {
		x := c.alloc(num.Float64, shape...)
		c.Generator.fillNormal(x, 0, 1)
		return x
	}
	inner := func(a, b *Tensor) (sum float64) {
		for i, v := range a.Floats() {
			sum += v * b.Floats()[i]
		}
		return sum
	}
	x, w := draw(2, 4, 7, 5, 9), draw(6, 2, 3, 2, 3)
	triple := func(a, b, c int64) []any { return []any{a, b, c} }
	call := func(name string, of *Tensor, options map[string]any) *Tensor {
		out, err := c.Call(must(t, InFunctional, name), []any{of, w}, options)
		if err != nil {
			t.Fatal(err)
		}
		return out.(*Tensor)
	}
	options := map[string]any{"stride": triple(2, 1, 3), "padding": triple(1, 0, 2), "dilation": triple(1, 2, 1),
		"groups": int64(2)}
	there := call("conv3d", x, options)
	y := draw(there.Shape()...)
	options["output_padding"] = triple(0, 0, 1)
	back := call("conv_transpose3d", y, options)
	if !slices.Equal(back.Shape(), x.Shape()) {
		t.Fatalf("shape %v, want %v", back.Shape(), x.Shape())
	}
	if a, b := inner(there, y), inner(x, back); math.Abs(a-b) > 1e-9*math.Abs(a) {
		t.Errorf("%v and %v", a, b)
	}
}
