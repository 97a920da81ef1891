package ptx_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
)

// flowKernels multiply a [32, 96] by b [96, 32] in loops of different forms, from tensors in row-major order
// but for bt, which is b's transpose. groups is how often copies are sent for in the text.
var flowKernels = []struct {
	name, body string
	groups     int
}{
	{"tiles of offsets are carried", `
    ka = rk
    by = 0
    for k in range(0, K, 32):
        x = tl.load(a_ptr + rm[:, None] * 96 + ka[None, :])
        y = tl.load(b_ptr + (ka[:, None] + by) * 32 + rn[None, :])
        acc = tl.dot(x, y, acc)
        ka += 32
        by = by * 2`, 3},
	{"what starts as nothing moves later", `
    move = 0
    at = 0
    for k in range(0, K, 32):
        x = tl.load(a_ptr + rm[:, None] * 96 + (at + rk)[None, :])
        y = tl.load(b_ptr + (at + rk)[:, None] * 32 + rn[None, :])
        acc = tl.dot(x, y, acc)
        at += 32 + move
        move = move * 0`, 3},
	{"carried values change places", `
    p = 0
    q = 32
    for k in range(0, K, 32):
        x = tl.load(a_ptr + rm[:, None] * 96 + (p + rk)[None, :])
        y = tl.load(b_ptr + (p + rk)[:, None] * 32 + rn[None, :])
        acc = tl.dot(x, y, acc)
        p, q = q, p + 64`, 3},
	{"a loop in a loop", `
    for i in range(0, 3):
        for k in range(i * 32, i * 32 + 32, 32):
            x = tl.load(a_ptr + rm[:, None] * 96 + (k + rk)[None, :])
            y = tl.load(b_ptr + (k + rk)[:, None] * 32 + rn[None, :])
            acc = tl.dot(x, y, acc)`, 3},
	{"a loop in a branch", `
    if K > 0:
        for k in range(0, K, 32):
            x = tl.load(a_ptr + rm[:, None] * 96 + (k + rk)[None, :])
            y = tl.load(b_ptr + (k + rk)[:, None] * 32 + rn[None, :])
            acc = tl.dot(x, y, acc)`, 3},
	{"operands are computed from what is loaded, some with a dimension less", `
    for k in range(0, K, 32):
        nothing = tl.load(a_ptr + k + rk) * 0
        x = -tl.load(a_ptr + rm[:, None] * 96 + (k + rk)[None, :])
        y = tl.load(b_ptr + (k + rk)[:, None] * 32 + rn[None, :]).to(tl.float32)
        acc = tl.dot(x, (nothing[:, None] - y).to(x.dtype), acc)`, 3},
	{"no more stages than iterations", `
    for k in range(0, 64, 64):
        for j in range(0, 96, 48):
            half = tl.arange(0, 64)
            x = tl.load(a_ptr + rm[:, None] * 96 + (j + half)[None, :], mask=half[None, :] < 48)
            y = tl.load(b_ptr + (j + half)[:, None] * 32 + rn[None, :], mask=half[:, None] < 48)
            acc = tl.dot(x, y, acc)`, 2},
	{"a transpose", `
    for k in range(0, K, 32):
        x = tl.load(a_ptr + rm[:, None] * 96 + (k + rk)[None, :])
        y = tl.load(bt_ptr + rn[:, None] * 96 + (k + rk)[None, :])
        acc = tl.dot(x, tl.trans(y), acc)`, 3},
	{"the loop's own number of stages", `
    for k in tl.range(0, K, 32, num_stages=2):
        x = tl.load(a_ptr + rm[:, None] * 96 + (k + rk)[None, :])
        y = tl.load(b_ptr + (k + rk)[:, None] * 32 + rn[None, :])
        acc = tl.dot(x, y, acc)`, 2},
	{"one operand from before the loop", `
    x = tl.load(a_ptr + rm[:, None] * 96 + rk[None, :])
    for k in range(0, K, 96):
        y = tl.load(b_ptr + (k + rk)[:, None] * 32 + rn[None, :])
        acc = tl.dot(x, y, acc)
    for k in range(32, K, 32):
        x = tl.load(a_ptr + rm[:, None] * 96 + (k + rk)[None, :])
        y = tl.load(b_ptr + (k + rk)[:, None] * 32 + rn[None, :])
        acc = tl.dot(x, y, acc)`, 6},
	{"a while loop", `
    k = 0
    while k < K:
        x = tl.load(a_ptr + rm[:, None] * 96 + (k + rk)[None, :])
        y = tl.load(b_ptr + (k + rk)[:, None] * 32 + rn[None, :])
        acc = tl.dot(x, y, acc)
        k += 32`, 0},
	{"a store to another argument in the loop", `
    for k in range(0, K, 32):
        x = tl.load(a_ptr + rm[:, None] * 96 + (k + rk)[None, :])
        y = tl.load(b_ptr + (k + rk)[:, None] * 32 + rn[None, :])
        acc = tl.dot(x, y, acc)
        tl.store(c_ptr + rm[:, None] * 32 + rn[None, :], acc)`, 3},
	{"stores to what the loop loads from", `
    for k in range(0, K, 32):
        x = tl.load(a_ptr + rm[:, None] * 96 + (k + rk)[None, :]) * 0.5
        y = tl.load(b_ptr + (k + rk)[:, None] * 32 + rn[None, :])
        acc = tl.dot(x.to(tl.float16) * 2, y, acc)
        tl.store(a_ptr + rm[:, None] * 96 + ((k + 32) % 96 + rk)[None, :], tl.load(a_ptr + rm[:, None] * 96 + ((k + 32) % 96 + rk)[None, :]))
        tl.store(b_ptr + (k + rk)[:, None] * 32 + rn[None, :], y)`, 0},
	{"a tile that others use too", `
    for k in range(0, K, 32):
        x = tl.load(a_ptr + rm[:, None] * 96 + (k + rk)[None, :])
        y = tl.load(b_ptr + (k + rk)[:, None] * 32 + rn[None, :])
        acc = tl.dot(x, y, acc) + x - x`, 3},
}

// TestPipelineFlow: loads are pipelined if that is allowed, and values are right in every case.
func TestPipelineFlow(t *testing.T) {
	const m, n, k = 32, 32, 96
	for i, c := range flowKernels {
		for _, target := range []string{"sm_80", "sm_90a"} {
			t.Run(c.name+"/"+target, func(t *testing.T) {
				text := fmt.Sprintf(`def flow(a_ptr, b_ptr, bt_ptr, c_ptr, K):
    rm = tl.arange(0, %d)
    rn = tl.arange(0, %d)
    rk = tl.arange(0, 32)
    acc = tl.zeros((%d, %d), dtype=tl.float32)%s
    tl.store(c_ptr + rm[:, None] * 32 + rn[None, :], acc)
`, m, n, m, n, c.body)
				mod := dotModule(t, text, "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16", ptx.Options{NumWarps: 2, NumStages: 3, Target: target})
				rng := rand.New(rand.NewPCG(3, uint64(i)))
				a, b := randomMatrix(rng, num.Float16, m*k), randomMatrix(rng, num.Float16, k*n)
				bt := matrix{num.Float16, make([]int64, k*n)}
				for r := range k {
					for s := range n {
						bt.values[s*k+r] = b.values[r*n+s]
					}
				}
				for seed := range uint64(3) {
					got := runDot(t, mod, 1, seed, []matrix{a, b, bt, {num.Float32, make([]int64, m*n)}}, []int64{k})
					expect(t, got.out, multiply(a.values, b.values, 1, m, n, k), 0)
				}
				if n := strings.Count(mod.Text, "cp.async.commit_group"); n != c.groups {
					t.Errorf("%d groups of copies, want %d", n, c.groups)
				}
			})
		}
	}
}
