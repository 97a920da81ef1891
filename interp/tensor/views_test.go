package tensor

import (
	"slices"
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
