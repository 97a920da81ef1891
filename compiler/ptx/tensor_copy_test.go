package ptx_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/interp/tile"
)

const tensorCopyOp = "cp.async.bulk.tensor"

// TestTensorCopies: matmuls whose tiles are boxes of their matrices, in which K leaves any part of a tile over, panels of
// the swizzle that are past the end among them.
func TestTensorCopies(t *testing.T) {
	base := matmulCase{in: num.Float16, acc: num.Float32, out: num.Float16, precision: "tf32", bm: 64, bn: 64, bk: 64,
		m: 128, n: 64, k: 128, warps: 4, stages: 3, div: 16, proved: true, bounded: true, wgmma: true, boxes: true}
	var cases []matmulCase
	for _, k := range []int{48, 64, 144, 256, 400} {
		for _, bk := range []int{32, 64, 128} {
			c := base
			if c.k, c.bk = k, bk; k >= bk {
				cases = append(cases, c)
			}
		}
	}
	for _, f := range []func(c *matmulCase){
		func(c *matmulCase) { c.bTransposed = true }, func(c *matmulCase) { c.aTransposed = true },
		func(c *matmulCase) { c.stages = 2 }, func(c *matmulCase) { c.stages = 4; c.k = 80 },
		func(c *matmulCase) { c.bm, c.bn, c.n, c.warps = 128, 128, 256, 8 }, func(c *matmulCase) { c.bn, c.n = 256, 256 },
		func(c *matmulCase) { c.bn = 16 }, func(c *matmulCase) { c.in, c.bTransposed = num.BFloat16, true },
		func(c *matmulCase) { c.wgmma = false }, func(c *matmulCase) { c.wgmma, c.bk, c.k = false, 32, 80 },
		func(c *matmulCase) { c.in, c.acc, c.out, c.bTransposed = num.Int8, num.Int32, num.Int32, true },
		func(c *matmulCase) { c.in, c.acc, c.out = num.Int8, num.Int32, num.Int32 }, // b by cp.async
		func(c *matmulCase) { c.in, c.out, c.bTransposed, c.bk, c.k = num.Float32, num.Float32, true, 32, 112 },
		func(c *matmulCase) { c.in, c.out, c.bk, c.k = num.Float32, num.Float32, 32, 112 },
		func(c *matmulCase) {
			c.in, c.out, c.bn, c.n, c.bk, c.k, c.warps = num.Float32, num.Float32, 256, 256, 32, 80, 8
		},
		func(c *matmulCase) {
			c.in, c.out, c.aTransposed, c.bTransposed, c.bk, c.k = num.Float32, num.Float32, true, true, 64, 144
		},
	} {
		c := base
		c.k = 208
		f(&c)
		cases = append(cases, c)
	}
	for _, c := range cases {
		t.Run(c.name(), func(t *testing.T) {
			m := c.compile(t)
			if !strings.Contains(m.Text, tensorCopyOp) {
				t.Fatal("no tensor copies")
			}
			if got, want := strings.Contains(m.Text, "cp.async.cg"), c.in == num.Int8 && !c.bTransposed; got != want {
				t.Errorf("tiles by cp.async: %v", got)
			}
			ptxas.Accept(t, m.Target, m.Text)
			for seed := range soak.Times(1) {
				if bad := conflictsOf(m, c.run(t, m, seed)); len(bad) > 0 {
					t.Errorf("bank conflicts: %v", bad)
				}
			}
		})
	}
}

// TestTensorCopiesOfAttention: two loads of one loop, whose products are delayed, behind a loop around. Several
// warpgroups take turns (turns).
func TestTensorCopiesOfAttention(t *testing.T) {
	for i, c := range []struct {
		d, bm, bn, stages, warps int
		causal                   bool
	}{{64, 64, 32, 3, 4, false}, {64, 64, 64, 2, 4, true}, {128, 128, 64, 3, 8, false}, {64, 128, 128, 2, 8, true},
		{32, 64, 64, 4, 4, true}, {32, 256, 32, 2, 16, true}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			const scale = 0.125
			rows := max(128, 2*c.bm)
			yes := func(*ir.Instr) bool { return true }
			m := compileAttention(t, c.d, c.bm, c.bn, c.causal, ptx.Options{NumWarps: c.warps, NumStages: c.stages,
				Launch: plan.Launch{Proved: yes, Bounded: yes, Boxes: yes}, EveryBox: true})
			if n := strings.Count(m.Text, tensorCopyOp); n == 0 {
				t.Fatal("no tensor copies")
			}
			if turns := strings.Contains(loopText(m.Text), "bar.arrive"); turns != (c.warps > 4) {
				t.Errorf("turns: %v", turns)
			}
			rng := rand.New(rand.NewPCG(5, uint64(i)))
			var x [3]matrix
			for j := range x {
				x[j] = randomMatrix(rng, num.Float16, rows*c.d)
			}
			scalars, pitch := []int64{int64(math.Float32bits(scale)), int64(rows)}, int64(c.d)
			got := runWithPitches(t, m, rows/c.bm, 9, []matrix{x[0], x[1], x[2], {num.Float16, make([]int64, rows*c.d)}},
				scalars, []int64{pitch, pitch, pitch})
			expect(t, got.out, attention(x, rows, c.d, scale, c.causal), 4e-3)
		})
	}
}

// TestTurnsWithoutBarriers: what may have the whole program wait before the first dot leaves no turns, in which one warpgroup
// would wait there for another that waits for its own.
func TestTurnsWithoutBarriers(t *testing.T) {
	const dot = "        s = tl.dot(q, k) * qk_scale"
	for name, before := range map[string]string{
		"an assumption": "        tl.assume(start_n >= 0)\n",
		"a branch":      "        if tl.load(o_ptr + start_n) != 0:\n            qk_scale = qk_scale * 1.0\n",
		"a reduction":   "        q = (q * tl.sum(d, 0)).to(tl.float16)\n",
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(attentionKernel, dot, before+dot, 1)
			if text == attentionKernel {
				t.Fatal("no dot")
			}
			yes := func(*ir.Instr) bool { return true }
			m := dotModule(t, text, "*fp16:16, *fp16:16, *fp16:16, *fp16:16, fp32, i32:16, 64, 128, 64, False",
				ptx.Options{NumWarps: 8, NumStages: 3, Launch: plan.Launch{Proved: yes, Bounded: yes, Boxes: yes}, EveryBox: true})
			if strings.Contains(m.Text, "bar.arrive") {
				t.Error("warpgroups take turns")
			}
		})
	}
}

// boxProduct multiplies matrices of 64 × 256 and 256 × 64, behind STORE.
const boxProduct = `
def kernel(a, b, c):
    r = tl.arange(0, 64)
    s = tl.arange(0, 256)
STORE    acc = tl.zeros((64, 64), dtype=tl.float32)
    for k in range(0, 256, 64):
        x = tl.load(a + r[:, None] * 256 + (k + r)[None, :])
        y = tl.load(b + (k + r)[:, None] * 64 + r[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + r[:, None] * 64 + r[None, :], acc)
`

// TestTensorCopiesBehindStores: what the program has stored reaches tensor copies by a fence of both proxies.
func TestTensorCopiesBehindStores(t *testing.T) {
	yes := func(*ir.Instr) bool { return true }
	for store, want := range map[string]string{"": "fence.mbarrier_init.release.cluster;",
		"    tl.store(a + r[:, None] * 256 + s[None, :], 1.0)\n": "fence.proxy.async;"} {
		m := dotModule(t, strings.Replace(boxProduct, "STORE", store, 1), "*fp16:16, *fp16:16, *fp32:16",
			ptx.Options{NumWarps: 4, NumStages: 3, Launch: plan.Launch{Proved: yes, Bounded: yes, Boxes: yes}, EveryBox: true})
		before, _, found := strings.Cut(m.Text, tensorCopyOp)
		if !found || !strings.Contains(before, want) {
			t.Errorf("with %q: no %s before tensor copies (%t)", store, want, found)
		}
	}
}

// TestMbarrierFence: tensor copies use mbarriers that a fence has made visible to the async proxy; without it the
// simulator stops.
func TestMbarrierFence(t *testing.T) {
	const fence, depth = "\tfence.mbarrier_init.release.cluster;\n", 256
	yes := func(*ir.Instr) bool { return true }
	m := dotModule(t, strings.Replace(boxProduct, "STORE", "", 1), "*fp16:16, *fp16:16, *fp32:16",
		ptx.Options{NumWarps: 4, NumStages: 3, Launch: plan.Launch{Proved: yes, Bounded: yes, Boxes: yes}, EveryBox: true})
	without := *m
	without.Text = strings.Replace(m.Text, fence, "", 1)
	if without.Text == m.Text {
		t.Fatal("no fence")
	}
	zeros := func(d num.DType) matrix { return matrix{d, make([]int64, 64*depth)} }
	for module, want := range map[*ptx.Module]string{m: "", &without: "fence.mbarrier_init"} {
		_, err := launchDot(t, module, 1, 1, []matrix{zeros(num.Float16), zeros(num.Float16), zeros(num.Float32)}, nil,
			[]int64{depth, 64})
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}

// TestTensorCopiesBehindCopies: the copies by cp.async of the loop before may be outstanding as it ends. They have to be
// waited for where all warps are, not where warp 0 alone issues tensor copies to the same memory.
func TestTensorCopiesBehindCopies(t *testing.T) {
	const size = 128
	loop := strings.ReplaceAll(`
    for k in range(0, SIZE, 64):
        x = tl.load(a_ptr + r[:, None] * SIZE + (k + s)[None, :])
        y = tl.load(b_ptr + (k + s)[:, None] * SIZE + r[None, :])
        acc = tl.dot(x, y, acc)`, "SIZE", fmt.Sprint(size))
	text := strings.ReplaceAll(`def two_loops(a_ptr, b_ptr, c_ptr):
    r = tl.arange(0, SIZE)
    s = tl.arange(0, 64)
    acc = tl.zeros((SIZE, SIZE), dtype=tl.float32)`+loop+loop+`
    tl.store(c_ptr + r[:, None] * SIZE + r[None, :], acc)
`, "SIZE", fmt.Sprint(size))
	yes := func(*ir.Instr) bool { return true }
	second := func(load *ir.Instr) bool { return int(load.Span.Start) > strings.LastIndex(dotHead+text, "for k") }
	m := dotModule(t, text, "*fp16:16, *fp16:16, *fp32:16", ptx.Options{NumWarps: 4, NumStages: 3, Launch: plan.Launch{Proved: yes, Bounded: yes, Boxes: second}, EveryBox: true})
	if !strings.Contains(m.Text, tensorCopyOp) || !strings.Contains(m.Text, "cp.async.cg") {
		t.Fatal("not both ways to copy")
	}
	rng := rand.New(rand.NewPCG(6, 0))
	a, b := randomMatrix(rng, num.Float16, size*size), randomMatrix(rng, num.Float16, size*size)
	got := runWithPitches(t, m, 1, 9, []matrix{a, b, {num.Float32, make([]int64, size*size)}}, nil, []int64{size, size})
	want := make([]float64, size*size)
	for i := range want {
		for k := range size {
			want[i] += 2 * float64(a.values[i/size*size+k]*b.values[k*size+i%size])
		}
	}
	expect(t, got.out, want, 0)
}

// TestTensorsPay: tensor copies are for rows of 128 bytes while a dot is in flight or where warpgroups can take turns,
// and for loops whose products take longer than issuing the copies.
func TestTensorsPay(t *testing.T) {
	yes := func(*ir.Instr) bool { return true }
	for _, c := range []struct {
		bm, bn, bk, warps int
		want              bool
	}{{128, 256, 64, 8, true}, {64, 64, 64, 4, true}, {128, 256, 32, 8, true}, {128, 128, 32, 8, false}, {64, 64, 32, 4, false}} {
		signature := fmt.Sprintf("*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, 1, i32:16, 1, i32:16, 1, %d, %d, %d, 8",
			c.bm, c.bn, c.bk)
		text := strings.ReplaceAll(strings.ReplaceAll(matmulKernel, "ACC", "tl.float32"), "PREC", "tf32")
		m := dotModule(t, text, signature, ptx.Options{NumWarps: c.warps, Launch: plan.Launch{Proved: yes, Bounded: yes, Boxes: yes}})
		if got := strings.Contains(m.Text, tensorCopyOp); got != c.want {
			t.Errorf("%+v: tensor copies: %v", c, got)
		}
	}
	for warps, want := range map[int]bool{4: false, 8: true} {
		m := compileAttention(t, 64, 16*warps, 64, false, ptx.Options{NumWarps: warps, NumStages: 3, Launch: plan.Launch{Proved: yes, Bounded: yes, Boxes: yes}})
		if got := strings.Contains(m.Text, tensorCopyOp); got != want {
			t.Errorf("attention of %d warps: tensor copies: %v", warps, got)
		}
	}
}

// TestExchangesForAddresses: where threads have to exchange values to find the addresses of copies, one warp alone does
// not issue them, neither for the next program nor by tensor copies: the barrier would wait for the others for ever.
func TestExchangesForAddresses(t *testing.T) {
	const matmul = `
def kernel(x_ptr, y_ptr, z_ptr, table, n):
    pid = tl.program_id(0)
    i = tl.arange(0, 64)
    j = tl.arange(0, 32)
    trips = tl.minimum(n, 3)
    s = tl.zeros((64, 32), tl.float32)
    for k in range(trips):
        x = tl.load(x_ptr + pid * 64 + i[:, None] * 64 + k * 32 + j[None, :])
        y = tl.load(y_ptr + (k * 32 + j)[:, None] * 32 + j[None, :])
        s = tl.dot(x, y, s)
    tl.store(z_ptr + pid * 2048 + i[:, None] * 32 + j[None, :], s)
`
	const attention = `
def kernel(x_ptr, y_ptr, z_ptr, table, n):
    i = tl.arange(0, 128)
    j = tl.arange(0, 32)
    q = tl.load(x_ptr + i[:, None] * 32 + j[None, :])
    s = tl.zeros((128, 32), tl.float32)
    total = 0
    for k in range(n):
        page = tl.load(table + k) & 3
        b = tl.load(x_ptr + k * 1024 + j[:, None] * 32 + j[None, :])
        p = tl.dot(q, tl.trans(b))
        p = (p.to(tl.int32) & 3).to(tl.float16)
        s = tl.dot(p, tl.load(y_ptr + page * 1024 + j[:, None] * 32 + j[None, :]), s)
        if page > 1:
            total += 1
    tl.store(z_ptr + i[:, None] * 32 + j[None, :], s + total)
`
	plain := strings.NewReplacer("        if page > 1:\n            total += 1\n", "")
	reduced := strings.NewReplacer("tl.minimum(n, 3)", "tl.minimum(tl.sum((i < n).to(tl.int32)), 3)")
	for _, c := range []struct {
		name, text          string
		warps               int
		persistent, tensors bool
	}{
		{"a scalar", matmul, 4, true, true},
		{"a reduction", reduced.Replace(matmul), 4, false, true},
		{"a page", plain.Replace(attention), 8, false, true},
		{"a page that decides a branch", attention, 8, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn := compiled(t, "exchanges", c.text, "*fp16:16, *fp16:16, *fp32:16, *i32:16, i32")
			grid := [3]int{3, 1, 1}
			args := func() (args []tile.Arg) {
				for i, d := range []num.DType{num.Float16, num.Float16, num.Float32, num.Int32} {
					raw := make([]byte, 8192*d.Info().Bytes)
					for k := range 8192 {
						if d != num.Float32 {
							num.StoreAt(d, raw, k, num.FromInt(d, int64((k*7+i)%11)-5).Vec(), 0)
						}
					}
					args = append(args, tile.Buffer{DType: d, Data: raw})
				}
				return append(args, tile.Scalar{Scalar: num.FromInt(num.Int32, 5)})
			}
			opt := ptx.Options{Target: "sm_90a", NumWarps: c.warps, NumStages: 2}
			pitch := prove(fn, args(), grid, &opt)
			m, err := ptx.Compile(fn, opt)
			if err != nil {
				t.Fatal(err)
			}
			if tensors := strings.Contains(m.Text, tensorCopyOp); m.Persistent != c.persistent || tensors != c.tensors {
				t.Errorf("persistent %v, tensor copies %v", m.Persistent, tensors)
			}
			got, err := simulated(t, fn, grid, args(), opt, pitch, 1)
			if err != nil {
				t.Fatal(err)
			}
			if want := interpreted(t, fn, grid, args()); !slices.Equal(got.buffers[2], want.buffers[2]) {
				t.Error("the engines differ")
			}
		})
	}
}
