package ptx_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/interp/tile"
)

// TestPartialSums: a loop that adds up sums leaves what lanes and warps have to the end, where nothing in the loop reads
// the sum, and gives what the interpreter does.
func TestPartialSums(t *testing.T) {
	const rows = `def kernel(x_ptr, z_ptr, n):
    i = tl.arange(0, 16)[:, None] * 32 + tl.arange(0, 32)[None, :]
    s = tl.zeros((16,), tl.float32)
    for k in range(0, n):
        x = tl.load(x_ptr + k * 512 + i)
        s = s * 0.5 + tl.sum(x, 1)
    tl.store(z_ptr + tl.arange(0, 16), s)
`
	const scalar = `def kernel(x_ptr, z_ptr, n):
    i = tl.arange(0, 512)
    s = 0.0
    for k in range(0, n):
        s += tl.sum(tl.load(x_ptr + k * 512 + i), 0)
    tl.store(z_ptr, s)
`
	for _, c := range []struct {
		name, text string
		n          int64
		partial    bool
	}{
		{"rows", rows, 4, true},
		{"columns", strings.NewReplacer("tl.sum(x, 1)", "tl.sum(x, 0)", "(16,)", "(32,)", "(0, 16), s", "(0, 32), s").Replace(rows), 4, true},
		{"no iteration", rows, 0, true},
		{"a scalar", scalar, 3, true},
		{"the other way around", strings.Replace(rows, "s * 0.5 + tl.sum(x, 1)", "tl.sum(x, 1) + 0.5 * s", 1), 4, true},
		{"decides a branch", strings.Replace(scalar, "    tl.store", "    if s > 100.0:\n        s -= 100.0\n    tl.store", 1), 3, true},
		{"decides a trip count", strings.Replace(scalar, "    tl.store", "    for k in range((s / 100.0).to(tl.int32)):\n        s += k\n    tl.store", 1), 3, true},
		{"a factor for each row", strings.Replace(rows, "s * 0.5", "s * (1.0 + tl.arange(0, 16) % 2)", 1), 4, true},
		{"not from zero", strings.Replace(rows, "tl.zeros((16,), tl.float32)", "tl.full((16,), 1.0, tl.float32)", 1), 4, false},
		{"read in the loop", strings.Replace(rows, "        s = ", "        tl.store(z_ptr + 16 + tl.arange(0, 16), s)\n        s = ", 1), 4, false},
		{"read behind the sum", strings.Replace(scalar, "    tl.store", "        tl.store(z_ptr + 1 + k, s)\n    tl.store", 1), 3, false},
		{"multiplied by itself", strings.Replace(rows, "s * 0.5", "s * s", 1), 2, false},
		{"multiplied behind", strings.Replace(rows, "s * 0.5 + tl.sum(x, 1)", "(s + tl.sum(x, 1)) * 0.5", 1), 4, false},
		{"a maximum", strings.Replace(rows, "s * 0.5 + tl.sum(x, 1)", "tl.maximum(s * 0.5, tl.max(x, 1))", 1), 4, false},
	} {
		for _, warps := range []int{1, 4} {
			fn := compiled(t, c.name, "\n"+c.text, "*fp32:16, *fp32:16, i32")
			args := func() []tile.Arg {
				x := make([]byte, 4*4*512) // small integers, whose sums are exact in any order
				for i := range 4 * 512 {
					binary.LittleEndian.PutUint32(x[4*i:], math.Float32bits(float32(i*37%64)))
				}
				return []tile.Arg{tile.Buffer{DType: num.Float32, Data: x}, tile.Buffer{DType: num.Float32, Data: make([]byte, 4*64)},
					tile.Scalar{Scalar: num.FromInt(num.Int32, c.n)}}
			}
			opt := ptx.Options{Target: "sm_90a", NumWarps: warps}
			m, err := ptx.Compile(fn, opt)
			if err != nil {
				t.Fatal(err)
			}
			at := strings.Index(m.Text, "bra $for")
			if at < 0 {
				t.Fatal("no loop")
			}
			if behind := strings.Contains(m.Text[at:], "shfl.sync.bfly"); behind != c.partial {
				t.Errorf("%s, %d warps: shuffles behind the loop: %v\n%s", c.name, warps, behind, m.Text)
			}
			compare(t, c.name, fn, one, args, opt, 1)
			opt.Exact = true
			if m, err = ptx.Compile(fn, opt); err != nil || strings.Contains(m.Text[strings.Index(m.Text, "bra $for"):], "shfl.sync.bfly") {
				t.Errorf("%s, %d warps: exact sums are left to the end (%v)", c.name, warps, err)
			}
		}
	}
}
