package ptx_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/source"
)

// TestVectorsByLoop: the accesses of the innermost loops decide how many consecutive elements a thread has; a wider
// dtype outside of them does not make them narrower, and is stored 16 bytes at once all the same.
func TestVectorsByLoop(t *testing.T) {
	const head = `import triton
import triton.language as tl

@triton.jit
def k(x_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
`
	for _, c := range []struct {
		name, body string
		want       []int // elements at once, in the order of the code
	}{
		{"all at one depth", `    tl.store(z_ptr + i, tl.load(x_ptr + i).to(tl.float32))`, []int{4, 4}},
		{"a store behind a loop", `    sum = tl.zeros([B], tl.float32)
    for r in range(n):
        sum += tl.load(x_ptr + r * B + i)
    tl.store(z_ptr + i, sum)`, []int{8, 4}},
		{"a load before a loop", `    w = tl.load(z_ptr + i)
    for r in range(n):
        x = x_ptr + r * B + i
        tl.store(x, tl.load(x) * w)`, []int{4, 8, 8}},
		{"both in the loop", `    for r in range(n):
        tl.store(z_ptr + r * B + i, tl.load(x_ptr + r * B + i).to(tl.float32))`, []int{4, 4}},
	} {
		args, err := compiler.ParseSignature("*fp16:16, *fp32:16, i32, 2048")
		if err != nil {
			t.Fatal(err)
		}
		art, list := compiler.Compile(source.NewFile("k.py", head+c.body+"\n"), compiler.Options{Args: args})
		if art == nil {
			t.Fatal(list)
		}
		plan := ptx.Plan(art.Func, ptx.Options{Target: "sm_90a"})
		var got []int
		plan.Func.Body.Walk(func(in *ir.Instr) {
			if axis.Accesses(in) {
				got = append(got, plan.Accesses[in].Vector)
			}
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v elements at once, want %v", c.name, got, c.want)
		}
	}
}

// TestSmallTileIsConverted: where a row meets two matrices whose layouts differ, the row is converted and not a matrix.
func TestSmallTileIsConverted(t *testing.T) {
	const text = `import triton
import triton.language as tl

@triton.jit
def k(q_ptr, k_ptr, w_ptr, Q: tl.constexpr, K: tl.constexpr, D: tl.constexpr):
    d = tl.arange(0, D)
    w = tl.load(w_ptr + d)
    q = q_ptr + tl.arange(0, Q)[:, None] * D + d[None, :]
    k = k_ptr + tl.arange(0, K)[:, None] * D + d[None, :]
    tl.store(q, tl.load(q) * w[None, :])
    tl.store(k, tl.load(k) * w[None, :])
`
	args, err := compiler.ParseSignature("*fp16:16, *fp16:16, *fp16:16, 32, 8, 64")
	if err != nil {
		t.Fatal(err)
	}
	art, list := compiler.Compile(source.NewFile("k.py", text), compiler.Options{Args: args})
	if art == nil {
		t.Fatal(list)
	}
	plan := ptx.Plan(art.Func, ptx.Options{Target: "sm_90a"})
	matrices := 0
	plan.Func.Body.Walk(func(in *ir.Instr) {
		for _, v := range in.Results {
			if len(v.Type.Shape) == 2 && !plan.Tiles[v.ID].Rematerialized && in.Op != ops.Broadcast {
				matrices++
				if in.Op == ops.ConvertLayout {
					t.Errorf("the result of %s, %s, is converted", in.Operands[0].Def.Op, v.Type)
				}
			}
		}
	})
	if matrices < 4 {
		t.Errorf("only %d matrices have layouts of their own", matrices)
	}
}

// TestRowsOfWideOffsets: elements of a row have one address register, also where offsets are of 64 bits.
func TestRowsOfWideOffsets(t *testing.T) {
	const text = `
def kernel(x, z, M, N, B: tl.constexpr):
    m = tl.program_id(0).to(tl.int64) * 2 + tl.arange(0, 2)
    best = tl.full((2,), float("-inf"), tl.float32)
    for start in range(0, N, B):
        n = start + tl.arange(0, B)
        at = m[:, None] * N + n[None, :] + tl.program_id(1)
        row = tl.load(x + at, mask=(m < M)[:, None] & (n < N)[None, :], other=float("-inf"))
        best = tl.maximum(best, tl.max(row, 1))
    tl.store(z + m, best)
`
	fn := compiled(t, "wide", text, "*fp32:16, *fp32:16, i32:16, i32:16, 1024")
	m, err := ptx.Compile(fn, ptx.Options{Target: "sm_90a", NumWarps: 4, Launch: plan.Launch{Proved: func(*ir.Instr) bool { return true }}})
	if err != nil {
		t.Fatal(err)
	}
	addresses := map[string]bool{}
	loads := regexp.MustCompile(`ld\.global\S* \S+, \[(%d\d+)`).FindAllStringSubmatch(m.Text, -1)
	for _, l := range loads {
		addresses[l[1]] = true
	}
	if len(loads) != 16 || len(addresses) != 2 {
		t.Errorf("%d loads have %d address registers", len(loads), len(addresses))
	}
}

// TestVectorOfMatrixLoop: in a loop each thread loads the elements of a vector that its rows of a matrix meet, in place
// of an element to be exchanged through shared memory.
func TestVectorOfMatrixLoop(t *testing.T) {
	const text = `
def kernel(a, x, y, n, B: tl.constexpr):
    m = tl.arange(0, 8)
    k = tl.arange(0, B)
    sum = tl.zeros((8, B), tl.float32)
    for start in range(0, n, B):
        sum += tl.load(a + m[:, None] * n + start + k[None, :]) * tl.load(x + start + k).to(tl.float32)[None, :]
    tl.store(y + m, tl.sum(sum, 1))
`
	fn := compiled(t, "product", text, "*fp16:16, *fp16:16, *fp32:16, i32:16, 128")
	m, err := ptx.Compile(fn, ptx.Options{Target: "sm_90a", NumWarps: 4, Launch: plan.Launch{Proved: func(*ir.Instr) bool { return true }}})
	if err != nil {
		t.Fatal(err)
	}
	loop := loopText(m.Text)
	if strings.Contains(loop, "bar.sync") || strings.Count(loop, "ld.global.v4") != 2 {
		t.Errorf("the loop is\n%s", loop)
	}
}
