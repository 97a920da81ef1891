package prove_test

import (
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/prove"
)

// TestScalingOf: numbers that no condition is about are no sizes, be they different or the same: callers may mean strides
// over extents that are constants.
func TestScalingOf(t *testing.T) {
	const text = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x, H, sz, sh, B: tl.constexpr):\n" +
		"    p = tl.program_id(0)\n    q = tl.program_id(1)\n" +
		"    tl.store(x + p * sz + q * sh + tl.arange(0, B), 1.0, mask=q < H)\n"
	fn := compile(t, "k.py", text, "k", "*fp32, i32, i32, i32, 16")
	for _, strides := range [][]int64{{4800, 700}, {700, 700}} {
		u := use{grid: [3]int{2, 3, 1}, args: append([]int64{1 << 14, 3}, strides...)}
		s := prove.ScalingOf(fn, u.launch(fn))
		if !slices.Equal(s.Sizes, []int{1}) {
			t.Errorf("strides %d: the sizes are %v", strides, s.Sizes)
		}
		for param := 2; param < 4; param++ {
			if n, ok := s.Number(param, []int64{3}); ok {
				t.Errorf("strides %d: parameter %d follows as %d", strides, param, n)
			}
		}
	}
}
