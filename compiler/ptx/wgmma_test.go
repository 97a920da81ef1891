package ptx_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/infra/soak"
)

// TestWgmma: dots become warpgroup MMAs if the tile and the options allow it, and the
// assembler neither spills nor serializes them.
func TestWgmma(t *testing.T) {
	for _, c := range []struct {
		bm, bn, bk, stages, warps, instructions int
		transposed                              bool
	}{
		{128, 256, 64, 3, 8, 4, false}, {128, 128, 64, 4, 4, 8, false}, {128, 128, 64, 3, 8, 4, true}, {64, 64, 32, 3, 4, 2, true},
		{64, 256, 32, 4, 4, 2, false}, {256, 128, 64, 3, 8, 8, false}, {32, 128, 64, 3, 4, 0, false}, {64, 64, 64, 3, 2, 0, false},
	} {
		k := matmulCase{in: num.Float16, acc: num.Float32, out: num.Float16, precision: "tf32", bm: c.bm, bn: c.bn, bk: c.bk,
			m: c.bm, n: c.bn, k: c.bk, warps: c.warps, stages: c.stages, bTransposed: c.transposed, div: 16, proved: true, bounded: true, wgmma: true}
		t.Run(k.name(), func(t *testing.T) {
			m := k.compile(t)
			loop := loopText(m.Text)
			if n := strings.Count(loop, "wgmma.mma_async"); n != c.instructions {
				t.Errorf("%d wgmma instructions, want %d", n, c.instructions)
			}
			if n := strings.Count(loop, "bar.sync"); n != meetings(loop) {
				t.Errorf("threads meet %d times an iteration", n)
			}
			ptxas.Assemble(t, "sm_90a", m.Text)
		})
	}
	m := compileAttention(t, 128, 128, 128, true, ptx.Options{NumWarps: 8, NumStages: 2})
	// Eight of each dot in the loop, eight of the first in the iteration before it, and of the delayed one behind it.
	if in, all := strings.Count(loopText(m.Text), "wgmma.mma_async"), strings.Count(m.Text, "wgmma.mma_async"); in != 16 || all != 32 {
		t.Errorf("attention has %d wgmma instructions in the loop and %d in all, want 16 and 32", in, all)
	}
}

// TestWgmmaPipeline runs warpgroup MMAs in loops, whose last iteration is a part of a tile, with
// loads that run ahead or do not.
func TestWgmmaPipeline(t *testing.T) {
	for _, in := range []num.DType{num.Float16, num.BFloat16} {
		for i, b := range benchConfigs {
			for stages := 1; stages <= 4; stages++ {
				if soak.Skips(i+stages, 6) {
					continue
				}
				c := matmulCase{in: in, acc: num.Float32, out: in, precision: "tf32", bm: b[0], bn: b[1], bk: b[2], m: b[0], n: b[1], k: 2*b[2] + 16, warps: b[4],
					stages: stages, div: 16, wgmma: true, bTransposed: (i+stages)%2 == 0, bounded: stages%2 == 0, proved: i%2 == 0}
				t.Run(c.name(), func(t *testing.T) { c.run(t, c.compileWgmma(t), uint64(i)) })
				c.k = 0 // no iteration
				t.Run(c.name(), func(t *testing.T) { c.run(t, c.compileWgmma(t), uint64(i)) })
			}
		}
	}
}

// kMajorKinds are the operands that wgmma multiplies if both are contiguous along K.
var kMajorKinds = []matmulCase{
	{in: num.Float8E4M3, acc: num.Float32, out: num.Float16, precision: "tf32"},
	{in: num.Float8E5M2, acc: num.Float32, out: num.Float16, precision: "tf32"},
	{in: num.Int8, acc: num.Int32, out: num.Int32, precision: "tf32"},
	{in: num.Float32, acc: num.Float32, out: num.Float32, precision: "tf32"},
}

// TestWgmmaKMajor runs warpgroup MMAs of operands with 8 and 32 bits: pipelined or not, of sizes that no block divides,
// and with rows that are not aligned.
func TestWgmmaKMajor(t *testing.T) {
	for i, c := range kMajorKinds {
		for j, b := range [][5]int{{64, 16, 32, 3, 4}, {128, 64, 64, 4, 4}, {64, 128, 128, 3, 8}, {128, 256, 64, 3, 8}, {64, 32, 256, 2, 4}} {
			for stages := range 4 {
				if soak.Skips(i+j+stages, 6) {
					continue
				}
				c.bm, c.bn, c.bk, c.warps, c.stages = b[0], b[1], b[2], b[4], stages+1
				c.wgmma, c.bTransposed, c.bounded, c.proved = true, true, stages%2 == 0, j%2 == 0
				c.m, c.n, c.k, c.div = b[0], b[1], 2*b[2]+16, 16
				if (i+j+stages)%2 == 0 {
					c.m, c.n, c.k, c.div = b[0]+11, b[1]-3, b[2]+5, 1
				}
				t.Run(c.name(), func(t *testing.T) { c.run(t, c.compileWgmma(t), uint64(i)) })
			}
		}
	}
}

// TestWgmmaTransposes runs warpgroup MMAs of operands with 8 and 32 bits one of which is not contiguous along K, so that
// threads load it as fragments: the right one, or the left one.
func TestWgmmaTransposes(t *testing.T) {
	for i, c := range kMajorKinds {
		for j, b := range [][5]int{
			{16, 64, 32, 3, 4}, {64, 64, 64, 4, 4}, {128, 128, 64, 3, 8}, {128, 256, 32, 3, 8}, {256, 64, 128, 2, 4}, {64, 128, 256, 2, 8},
		} {
			if soak.Skips(i+2*j, 6) {
				continue
			}
			for stages := range 4 {
				c.bm, c.bn, c.bk, c.warps, c.stages = b[0], b[1], b[2], b[4], stages+1
				c.wgmma, c.bounded, c.proved = true, stages%2 == 0, j%2 == 0
				c.m, c.n, c.k, c.div = b[0], b[1], 2*b[2]+16, 16
				c.aTransposed, c.bTransposed = false, false
				if (i+j+stages)%2 == 0 {
					c.m, c.n, c.k, c.div = b[0]+11, b[1]-3, b[2]+5, 1
				}
				if c.bm >= 64 && (j+stages)%3 == 0 {
					c.aTransposed, c.bTransposed = true, true
				}
				t.Run(c.name(), func(t *testing.T) { c.run(t, c.compileWgmma(t), uint64(i)) })
			}
		}
	}
}

// twoDots has a tile that is the left operand of one dot and the right one of another.
const twoDots = `def k(x_ptr, y_ptr, w_ptr, c_ptr, n, INSIDE: tl.constexpr, LEFT_FIRST: tl.constexpr):
    i = tl.arange(0, 64)
    at = i[:, None] * 64 + i[None, :]
    left = tl.zeros((64, 64), dtype=ACC)
    right = tl.zeros((64, 64), dtype=ACC)
    x = tl.load(x_ptr + at)
    for j in range(0, n):
        if INSIDE:
            x = tl.load(x_ptr + j * 4096 + at)
        y = tl.load(y_ptr + j * 4096 + i[None, :] * 64 + i[:, None])
        w = tl.load(w_ptr + j * 4096 + at)
        if LEFT_FIRST:
            left = tl.dot(x, y, left, out_dtype=ACC)
            right = tl.dot(w, x, right, out_dtype=ACC)
        else:
            right = tl.dot(w, x, right, out_dtype=ACC)
            left = tl.dot(x, y, left, out_dtype=ACC)
    tl.store(c_ptr + at, left)
    tl.store(c_ptr + 4096 + at, right)
`

// TestWgmmaTwoDots: a tile that wgmma reads for one dot, contiguous along K, and threads as fragments for another, in
// loops that load it or have it hoisted.
func TestWgmmaTwoDots(t *testing.T) {
	const n, size, tile = 3, 64, 64 * 64
	for i, c := range kMajorKinds {
		for variant := range 4 {
			inside, leftFirst := variant&1, variant>>1
			t.Run(fmt.Sprint(c.in, inside, leftFirst), func(t *testing.T) {
				sig := fmt.Sprintf("*%s:16, *%[1]s:16, *%[1]s:16, *%s:16, i32, %d, %d", c.in, c.acc, inside, leftFirst)
				m := dotModule(t, strings.ReplaceAll(twoDots, "ACC", "tl."+c.acc.Info().Attr), sig, ptx.Options{NumStages: 2})
				if strings.Contains(m.Text, "mma.sync") {
					t.Fatal("a dot is no warpgroup MMA")
				}
				rng := rand.New(rand.NewPCG(6, uint64(4*i+variant)))
				x, y, w := randomMatrix(rng, c.in, n*tile), randomMatrix(rng, c.in, n*tile), randomMatrix(rng, c.in, n*tile)
				want := make([]float64, 2*tile)
				for j := range n {
					at := matrix{c.in, x.values[j*inside*tile:][:tile]}
					columns := matrix{c.in, y.values[j*tile:][:tile]}.transposed(size, size)
					for e, v := range multiply(at.values, columns.values, 1, size, size, size) {
						want[e] += v
					}
					for e, v := range multiply(w.values[j*tile:], at.values, 1, size, size, size) {
						want[tile+e] += v
					}
				}
				got := runDot(t, m, 1, uint64(i), []matrix{x, y, w, {c.acc, make([]int64, 2*tile)}}, []int64{n})
				expect(t, got.out, want, 0)
			})
		}
	}
}

// TestWgmmaNeedsKMajor: where neither operand is contiguous along K, the dot goes through mma.sync.
func TestWgmmaNeedsKMajor(t *testing.T) {
	for _, c := range kMajorKinds {
		c.bm, c.bn, c.bk, c.m, c.n, c.k, c.warps, c.stages, c.wgmma, c.div = 64, 64, 64, 64, 64, 64, 4, 3, true, 16
		c.aTransposed = true
		if m := c.compile(t); strings.Contains(m.Text, "wgmma") {
			t.Errorf("%s: the dot is a warpgroup MMA", c.name())
		}
	}
}

// TestImpreciseSums: the tensor cores' own sums of fp8 products are used unless max_num_imprecise_acc bounds how many of
// them are added so.
func TestImpreciseSums(t *testing.T) {
	for _, c := range []struct {
		argument, instruction string
	}{
		{"", "k32.f32.e4m3.e4m3"}, {", max_num_imprecise_acc=None", "k32.f32.e4m3.e4m3"},
		{", max_num_imprecise_acc=32", "k16.f32.f16.f16"}, {", max_num_imprecise_acc=0", "k16.f32.f16.f16"},
	} {
		text := strings.NewReplacer("ACC", "tl.float32", `"PREC"`, `"tf32"`+c.argument).Replace(matmulKernel)
		for _, strides := range []string{"1, i32:16", "i32:16, 1"} {
			signature := "*fp8e4nv:16, *fp8e4nv:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, 1, " + strides + ", i32:16, 1, 64, 64, 64, 8"
			m := dotModule(t, text, signature, ptx.Options{})
			if !strings.Contains(m.Text, c.instruction) || strings.Count(m.Text, "wgmma.mma_async") != strings.Count(m.Text, c.instruction) {
				t.Errorf("%q, strides %s: the dot is not done by %s", c.argument, strides, c.instruction)
			}
		}
	}
}

// TestWgmmaKMajorMachine: the assembler neither spills nor serializes them.
func TestWgmmaKMajorMachine(t *testing.T) {
	for _, c := range kMajorKinds {
		c.bm, c.bn, c.bk, c.m, c.n, c.k, c.warps, c.stages, c.div = 128, 128, 64, 128, 128, 256, 8, 3, 16
		c.wgmma, c.bTransposed, c.bounded, c.proved = true, true, true, true
		ptxas.Assemble(t, "sm_90a", c.compileWgmma(t).Text)
	}
}

// meetings is how often threads meet in an iteration of a pipelined loop: once, or twice if copies stand behind the
// warpgroup MMA (plan.Pipeline.CopiesLast).
func meetings(loop string) int {
	if at := strings.Index(loop, "wgmma.mma_async"); at >= 0 && strings.Index(loop, "cp.async.c") > at {
		return 2
	}
	return 1
}

// TestWgmmaTransposesMachine: the same for operands that threads load as fragments, in loops where threads meet once an
// iteration, with loads of 32 bits or more. The last loop has no room for a stage buffer more, so its dot does not stay in
// flight; its sums are the loop's variables all the same.
func TestWgmmaTransposesMachine(t *testing.T) {
	for _, c := range kMajorKinds {
		for _, b := range [][5]int{{128, 128, 128, 3, 8}, {256, 128, 128, 3, 8}, {128, 128, 64, 4, 4}, {128, 256, 256, 3, 8}} { // b[2] is in bytes
			bk := b[2] / c.in.Info().Bytes
			c.bm, c.bn, c.bk, c.m, c.n, c.k, c.warps, c.stages, c.div = b[0], b[1], bk, b[0], b[1], 256, b[4], b[3], 16
			c.wgmma, c.bounded, c.proved = true, true, true
			t.Run(c.name(), func(t *testing.T) {
				m := c.compileWgmma(t)
				loop := loopText(m.Text)
				if n := strings.Count(loop, "bar.sync"); n != meetings(loop) {
					t.Errorf("threads meet %d times an iteration", n)
				}
				if n := strings.Count(loop, "ld.shared.u8") + strings.Count(loop, "ld.shared.s8"); n != 0 {
					t.Errorf("%d loads of bytes", n)
				}
				ptxas.Assemble(t, "sm_90a", m.Text)
			})
		}
	}
}

// compileWgmma is compile where dots must become warpgroup MMAs.
func (c matmulCase) compileWgmma(t *testing.T) *ptx.Module {
	m := c.compile(t)
	if !strings.Contains(m.Text, "wgmma.mma_async") {
		t.Fatal("the dot is no warpgroup MMA")
	}
	return m
}

// TestWgmmaDot: single dots, whose operands threads store to shared memory.
func TestWgmmaDot(t *testing.T) {
	for i, s := range [][4]int{{64, 16, 16, 4}, {64, 64, 32, 4}, {128, 32, 64, 4}, {64, 128, 64, 8}, {128, 64, 16, 8}, {256, 256, 16, 8}} {
		for _, in := range []num.DType{num.Float16, num.BFloat16} {
			t.Run(fmt.Sprint(in, s), func(t *testing.T) {
				m, n, k := s[0], s[1], s[2]
				sig := fmt.Sprintf("*%s:16, *%s:16, *fp32:16, %d, %d, %d, \"tf32\"", in, in, m, n, k)
				mod := dotModule(t, strings.ReplaceAll(oneDot, "OUT", "tl.float32"), sig, ptx.Options{NumWarps: s[3]})
				if !strings.Contains(mod.Text, "wgmma.mma_async") {
					t.Fatal("the dot is no warpgroup MMA")
				}
				rng := rand.New(rand.NewPCG(4, uint64(i)))
				a, b := randomMatrix(rng, in, m*k), randomMatrix(rng, in, k*n)
				got := runDot(t, mod, 1, uint64(i), []matrix{a, b, {num.Float32, make([]int64, m*n)}}, nil)
				expect(t, got.out, multiply(a.values, b.values, 1, m, n, k), 0)
			})
		}
	}
}

// TestWgmmaAttention: where the left operand is put into shared memory and the right one runs ahead,
// both must be there before the dot (128 columns of scores by 8 warps on 64 rows; heads of 16).
func TestWgmmaAttention(t *testing.T) {
	for i, c := range []struct {
		d, bm, bn, stages, warps int
		causal                   bool
	}{
		{64, 64, 32, 3, 4, false}, {32, 64, 64, 4, 4, true}, {128, 128, 64, 3, 8, false}, {64, 128, 64, 1, 4, true},
		{128, 64, 128, 2, 8, true}, {128, 128, 128, 2, 8, true}, {16, 64, 16, 2, 4, false},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			const rows, scale = 128, 0.125
			m := compileAttention(t, c.d, c.bm, c.bn, c.causal, ptx.Options{NumWarps: c.warps, NumStages: c.stages})
			if !strings.Contains(m.Text, "wgmma.mma_async") {
				t.Fatal("the dots are no warpgroup MMAs")
			}
			rng := rand.New(rand.NewPCG(5, uint64(i)))
			var x [3]matrix
			for j := range x {
				x[j] = randomMatrix(rng, num.Float16, rows*c.d)
			}
			scalars := []int64{int64(math.Float32bits(scale)), rows}
			got := runDot(t, m, rows/c.bm, uint64(i), []matrix{x[0], x[1], x[2], {num.Float16, make([]int64, rows*c.d)}}, scalars)
			expect(t, got.out, attention(x, rows, c.d, scale, c.causal), 4e-3)
		})
	}
}
