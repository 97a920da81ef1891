package tensor

import (
	"math"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

// TestLayerNormOfHalves: sums over a thousand halves are as good as their rounding at the end, in the gradients too.
// Rounded after each operation, the gradient of the weight was off by 0.012.
func TestLayerNormOfHalves(t *testing.T) {
	grads := func(d num.DType) []*Tensor {
		c := New(Options{})
		draw := func(shape ...int) *Tensor {
			t := c.alloc(num.Float16, shape...)
			c.CUDAGenerator.fillNormal(t, 0, 0.5)
			t = toDType(c, t, d).detach()
			t.requireGrad(true)
			return t
		}
		x, w, b, g := draw(300, 128), draw(128), draw(128), draw(300, 128)
		if _, err := c.Call(must(t, InMethod, "backward"), []any{normalize(c, x, []int{-1}, w, b, 1e-5, true), g.detach()}, nil); err != nil {
			t.Fatal(err)
		}
		return []*Tensor{x.grad, w.grad, b.grad}
	}
	exact, halves := grads(num.Float64), grads(num.Float16)
	for i, name := range []string{"input", "weight", "bias"} {
		want := exact[i].Floats()
		for j, v := range halves[i].Floats() {
			if ulp := math.Max(math.Abs(want[j]), 1.0/16) * 0x1p-10; math.Abs(v-want[j]) > ulp {
				t.Fatalf("gradient %d of the %s is %v, want %v", j, name, v, want[j])
			}
		}
	}
}

func must(t *testing.T, where Where, name string) *Op {
	t.Helper()
	op, ok := AllOperations().Lookup(where, name)
	if !ok {
		t.Fatal("no ", name)
	}
	return op
}
