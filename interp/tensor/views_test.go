package tensor

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

// TestUnsqueezeStrides: a new dimension has the stride that torch gives it, which as_strided and kernels see.
func TestUnsqueezeStrides(t *testing.T) {
	c := New(Options{})
	x, err := c.FromFloats(num.Float32, []int{2, 3}, make([]float64, 6))
	if err != nil {
		t.Fatal(err)
	}
	for d, want := range [][]int{{6, 3, 1}, {3, 3, 1}, {3, 1, 1}} {
		if got := unsqueeze(c, x, d).Strides(); !slices.Equal(got, want) {
			t.Errorf("unsqueeze(%d) has strides %v, want %v", d, got, want)
		}
	}
}

// TestInPlaceForms: each place offers the operations in place that torch has there.
func TestInPlaceForms(t *testing.T) {
	for _, c := range []struct {
		where        Where
		names, wrong string
	}{
		{InTorch, "abs_ clamp_ clip_ acosh_ fix_ xlogy_ relu_", "add_ masked_fill_ softmax_ leaky_relu_"},
		{InFunctional, "relu_ leaky_relu_ threshold_", "gelu_ dropout_ relu6_ abs_"},
	} {
		names := AllOperations().Names(c.where)
		for _, name := range strings.Fields(c.names) {
			if _, ok := AllOperations().Lookup(c.where, name); !ok || !slices.Contains(names, name) {
				t.Errorf("%d: %s is not there", c.where, name)
			}
		}
		for _, name := range strings.Fields(c.wrong) {
			if _, ok := AllOperations().Lookup(c.where, name); ok || slices.Contains(names, name) {
				t.Errorf("%d: %s is there", c.where, name)
			}
		}
	}
}

// TestInPlaceShape: what is written in place has the shape of what it is written over, also where it only has one dimension
// of 1 more.
func TestInPlaceShape(t *testing.T) {
	c := New(Options{MaxElements: 1 << 12})
	for name, where := range map[string]Where{"clamp_max_": InTorch, "copy_": InMethod} {
		op, _ := AllOperations().Lookup(where, name)
		for _, shape := range [][]int{{1, 3}, {2, 3}} {
			_, err := c.Call(op, []any{c.alloc(num.Float32, 3), c.alloc(num.Int32, shape...)}, nil)
			want := fmt.Sprintf("RuntimeError: output with shape [3] doesn't match the broadcast shape [%d, 3]", shape[0])
			if err == nil || err.Error() != want {
				t.Errorf("%s %v: %v", name, shape, err)
			}
		}
	}
}
