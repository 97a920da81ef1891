package tensor

import (
	"math"
	"math/rand/v2"
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
