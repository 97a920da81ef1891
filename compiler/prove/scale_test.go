package prove_test

import (
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/prove"
)

// TestScalingOf: strides over extents that are constants are no sizes, since nothing says how they depend on one
// another; a single number that no condition is about is one.
func TestScalingOf(t *testing.T) {
	const text = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x, H, sz, sh, B: tl.constexpr):\n" +
		"    p = tl.program_id(0)\n    q = tl.program_id(1)\n" +
		"    tl.store(x + p * sz + q * sh + tl.arange(0, B), 1.0, mask=q < H)\n"
	fn := compile(t, "k.py", text, "k", "*fp32, i32, i32, i32, 16")
	for _, c := range []struct {
		sz, sh int64
		want   []int
	}{
		{4800, 700, []int{1}},
		{700, 700, []int{1, 2}},
	} {
		u := use{grid: [3]int{2, 3, 1}, args: []int64{1 << 14, 3, c.sz, c.sh}}
		s := prove.ScalingOf(fn, u.launch(fn))
		if !slices.Equal(s.Sizes, c.want) {
			t.Errorf("strides %d and %d: the sizes are %v, want %v", c.sz, c.sh, s.Sizes, c.want)
		}
		if n, ok := s.Number(3, []int64{3, 5}); ok != (c.sz == c.sh) || ok && n != 5 {
			t.Errorf("strides %d and %d: the second is %d, %v", c.sz, c.sh, n, ok)
		}
	}
}
