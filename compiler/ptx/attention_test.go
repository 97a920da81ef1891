package ptx_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/seeds"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/interp/tile"
)

// attentionKernel is flash attention's forward pass.
const attentionKernel = `def attention(q_ptr, k_ptr, v_ptr, o_ptr, scale, T,
              D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    start_m = tl.program_id(0)
    head = tl.program_id(1).to(tl.int64) * T * D
    rm = start_m * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    q = tl.load(q_ptr + head + rm[:, None] * D + rd[None, :])
    m = tl.full((BM,), -float("inf"), tl.float32)
    d = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    qk_scale = scale * 1.44269504
    hi = T
    if CAUSAL:
        hi = (start_m + 1) * BM
    for start_n in range(0, hi, BN):
        k = tl.load(k_ptr + head + (start_n + rn)[None, :] * D + rd[:, None])
        s = tl.dot(q, k) * qk_scale
        if CAUSAL:
            s = tl.where(rm[:, None] >= (start_n + rn)[None, :], s, -float("inf"))
        m_new = tl.maximum(m, tl.max(s, 1))
        p = tl.exp2(s - m_new[:, None])
        alpha = tl.exp2(m - m_new)
        d = d * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = tl.load(v_ptr + head + (start_n + rn)[:, None] * D + rd[None, :])
        acc = tl.dot(p.to(v.dtype), v, acc)
        m = m_new
    acc = acc / d[:, None]
    tl.store(o_ptr + head + rm[:, None] * D + rd[None, :], acc.to(o_ptr.dtype.element_ty))
`

func compileAttention(t testing.TB, d, bm, bn int, causal bool, opt ptx.Options) *ptx.Module {
	text := map[bool]string{true: "True", false: "False"}[causal]
	return dotModule(t, attentionKernel, fmt.Sprintf("*fp16:16, *fp16:16, *fp16:16, *fp16:16, fp32, i32:16, %d, %d, %d, %s", d, bm, bn, text), opt)
}

// TestAttention: two products in one loop, both of whose right operands run ahead.
func TestAttention(t *testing.T) {
	for i, c := range []struct {
		d, bm, bn, stages, warps int
		causal                   bool
		groups                   int // of copies: in the prologue, in the peeled iteration and in the loop
	}{
		// With warpgroup MMA the second dot is delayed, which takes a stage where there are more than two.
		{64, 64, 32, 3, 4, false, 3}, {64, 64, 128, 3, 4, false, 3}, {64, 64, 32, 2, 4, true, 3}, {32, 64, 64, 4, 4, true, 4},
		{128, 128, 64, 3, 8, false, 3}, {64, 128, 64, 3, 4, false, 3}, {64, 64, 32, 2, 2, true, 2}, {16, 32, 16, 1, 2, false, 0},
		{512, 128, 128, 3, 8, true, 0}, // operands go to registers part by part, for want of shared memory
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			const rows, scale = 128, 0.125
			m := compileAttention(t, c.d, c.bm, c.bn, c.causal, ptx.Options{NumWarps: c.warps, NumStages: c.stages})
			rng := rand.New(rand.NewPCG(5, uint64(i)))
			var x [3]matrix
			for j := range x {
				x[j] = randomMatrix(rng, num.Float16, rows*c.d)
			}
			scalars := []int64{int64(math.Float32bits(scale)), rows}
			got := runDot(t, m, rows/c.bm, 9, []matrix{x[0], x[1], x[2], {num.Float16, make([]int64, rows*c.d)}}, scalars)
			expect(t, got.out, attention(x, rows, c.d, scale, c.causal), 4e-3)
			if n := strings.Count(m.Text, "cp.async.commit_group"); n != c.groups {
				t.Errorf("%d groups of copies, want %d", n, c.groups)
			}
		})
	}
}

func attention(x [3]matrix, rows, d int, scale float64, causal bool) []float64 {
	out := make([]float64, rows*d)
	for i := range rows {
		end := rows
		if causal {
			end = i + 1
		}
		weights, most := make([]float64, end), math.Inf(-1)
		for j := range weights {
			for k := range d {
				weights[j] += scale * float64(x[0].values[i*d+k]*x[1].values[j*d+k])
			}
			most = math.Max(most, weights[j])
		}
		var sum float64
		for j := range weights {
			weights[j] = math.Exp(weights[j] - most)
			sum += weights[j]
		}
		for j, w := range weights {
			for k := range d {
				out[i*d+k] += w / sum * float64(x[2].values[j*d+k])
			}
		}
	}
	return out
}

// TestPlacedAttention: placed on threads, with a delayed dot and partial sums, and with warpgroups that take turns, it has
// no hazards.
func TestPlacedAttention(t *testing.T) {
	const d, bn, scale = 64, 32, 0.125
	yes := func(*ir.Instr) bool { return true }
	for _, c := range []struct{ bm, warps int }{{64, 4}, {128, 8}} {
		signature := fmt.Sprintf("*fp16:16, *fp16:16, *fp16:16, *fp16:16, fp32, i32:16, %d, %d, %d, False", d, c.bm, bn)
		fn := compiled(t, "k", "\n"+attentionKernel, signature)
		opt := ptx.Options{NumWarps: c.warps, Launch: plan.Launch{Proved: yes, Bounded: yes, Boxes: yes}, EveryBox: true}
		text := ptx.Plan(fn, opt).Func.String()
		if turns := strings.Contains(text, "named_barrier_wait"); turns != (c.warps > 4) || strings.Count(text, "wgmma ") != 4 {
			t.Fatalf("%d warps: turns %t, %d products", c.warps, turns, strings.Count(text, "wgmma "))
		}
		var x [3]matrix
		var args []tile.Arg
		rng := rand.New(rand.NewPCG(5, uint64(c.warps)))
		for j := range x {
			x[j] = randomMatrix(rng, num.Float16, 128*d)
			args = append(args, tile.Buffer{DType: num.Float16, Data: x[j].bytes()})
		}
		out := matrix{num.Float16, make([]int64, 128*d)}
		args = append(args, tile.Buffer{DType: num.Float16, Data: out.bytes()},
			tile.Scalar{Scalar: num.FromFloat(num.Float32, scale)}, tile.Scalar{Scalar: num.FromInt(num.Int32, 128)})
		for seed := range seeds.Upto(2) {
			got := threaded(t, fn, [3]int{128 / c.bm, 1, 1}, args, opt, seed)
			if got.hazards != "" {
				t.Fatalf("%d warps, seed %d: %s", c.warps, seed, got.hazards)
			}
			expect(t, out.read(got.buffers[3]), attention(x, 128, d, scale, false), 4e-3)
		}
	}
}

// TestDelayedDot: the second dot of a loop is issued one iteration late only if nothing reads its result before.
func TestDelayedDot(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		rows           int
		delayed        bool
	}{
		{"as it is", "", "", 64, true},
		{"two instructions along M", "", "", 128, true},
		{"accumulator read as the iteration begins", "        k = tl.load", "        acc = acc * 0.5\n        k = tl.load", 64, false},
		{"result read in the iteration", "        m = m_new", "        m = m_new + tl.sum(acc, 1)", 64, false},
	} {
		text := strings.Replace(attentionKernel, c.old, c.new, 1)
		signature := fmt.Sprintf("*fp16:16, *fp16:16, *fp16:16, *fp16:16, fp32, i32:16, 64, %d, 64, False", c.rows)
		m := dotModule(t, text, signature, ptx.Options{NumWarps: 4})
		_, behind, _ := strings.Cut(m.Text, loopText(m.Text))
		if got := strings.Contains(behind, "wgmma.mma_async"); got != c.delayed {
			t.Errorf("%s: delayed: %v, want %v", c.name, got, c.delayed)
		}
	}
}
