package ptx_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
)

// maskedSums adds up products, masked by a comparison of rows with the columns of the tile, which move with the loop.
const maskedSums = `def masked(a_ptr, b_ptr, c_ptr, first, step):
    rm = first + tl.arange(0, 64)
    rk = tl.arange(0, 32)
    rn = tl.arange(0, 64)
    a = tl.load(a_ptr + tl.arange(0, 64)[:, None] * 32 + rk[None, :])
    acc = tl.zeros((64, 64), dtype=tl.float32)
    for i in range(4):
        b = tl.load(b_ptr + i * 2048 + rk[:, None] * 64 + rn[None, :])
        s = tl.dot(a, b)
        acc += tl.where(COMPARISON, s, 0.5)
    tl.store(c_ptr + tl.arange(0, 64)[:, None] * 64 + rn[None, :], acc)
`

// TestMaskSkip: a warp branches around a masked select only where the mask is true for all its elements, also where what
// is compared wraps around.
func TestMaskSkip(t *testing.T) {
	for i, c := range []struct {
		comparison string
		holds      func(row, column int32) bool
	}{
		{"rm[:, None] >= (i * step + rn)[None, :]", func(r, c int32) bool { return r >= c }},
		{"rm[:, None] > (i * step + rn)[None, :]", func(r, c int32) bool { return r > c }},
		{"rm[:, None] <= (i * step + rn)[None, :]", func(r, c int32) bool { return r <= c }},
		{"(i * step + rn)[None, :] < rm[:, None]", func(r, c int32) bool { return c < r }},
		{"rm[:, None] - (i * step + rn)[None, :] < 100", func(r, c int32) bool { return r-c < 100 }},
		{"100 - 2 * rm[:, None] >= (i * step + rn)[None, :]", func(r, c int32) bool { return 100-2*r >= c }},
	} {
		text := strings.Replace(maskedSums, "COMPARISON", c.comparison, 1)
		for _, target := range []string{"sm_80", "sm_90a"} {
			m := dotModule(t, text, "*fp16:16, *fp16:16, *fp32:16, i32, i32", ptx.Options{NumWarps: 4, Target: target})
			if !strings.Contains(loopText(m.Text), "vote.sync.all") {
				t.Errorf("%s for %s: no branch", c.comparison, target)
			}
			rng := rand.New(rand.NewPCG(8, uint64(i)))
			a, b := randomMatrix(rng, num.Float16, 64*32), randomMatrix(rng, num.Float16, 4*32*64)
			var products [4][]float64
			for i := range products {
				products[i] = multiply(a.values, b.values[32*64*i:], 1, 64, 64, 32)
			}
			for _, x := range [][2]int32{{64, 32}, {0, 64}, {200, 64}, {-200, 64}, {64, -32}, {1<<31 - 30, 64}, {0, 1 << 30},
				{1<<31 - 64, 1<<30 - 9}, {-1 << 31, 1 << 29}} {
				got := runDot(t, m, 1, 4, []matrix{a, b, {num.Float32, make([]int64, 64*64)}},
					[]int64{int64(x[0]), int64(x[1])})
				want := make([]float64, 64*64)
				for at := range want {
					for i := range int32(4) {
						if c.holds(x[0]+int32(at/64), i*x[1]+int32(at%64)) {
							want[at] += products[i][at]
						} else {
							want[at] += 0.5
						}
					}
				}
				t.Run(fmt.Sprint(c.comparison, target, x), func(t *testing.T) { expect(t, got.out, want, 1e-6) })
			}
		}
	}
}

// TestMaskBeforeLoop: a mask that is compared before the loop, and used after it too, is what it is.
func TestMaskBeforeLoop(t *testing.T) {
	text := strings.NewReplacer("    acc =", "    mask = rm[:, None] >= (step + rn)[None, :]\n    acc =", "COMPARISON", "mask",
		"    tl.store(c_ptr", "    acc = tl.where(mask, acc, acc + 1)\n    tl.store(c_ptr").Replace(maskedSums)
	m := dotModule(t, text, "*fp16:16, *fp16:16, *fp32:16, i32, i32", ptx.Options{NumWarps: 4})
	rng := rand.New(rand.NewPCG(9, 9))
	a, b := randomMatrix(rng, num.Float16, 64*32), randomMatrix(rng, num.Float16, 4*32*64)
	got := runDot(t, m, 1, 4, []matrix{a, b, {num.Float32, make([]int64, 64*64)}}, []int64{20, 3})
	want := make([]float64, 64*64)
	for i := range 4 {
		for at, x := range multiply(a.values, b.values[32*64*i:], 1, 64, 64, 32) {
			if 20+at/64 < 3+at%64 {
				x = 0.5 + float64((i+1)/4)
			}
			want[at] += x
		}
	}
	expect(t, got.out, want, 1e-6)
}
