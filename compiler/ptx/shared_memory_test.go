package ptx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/source"
)

// loopsText are kernels whose pipelined loops leave shared memory to something else.
const loopsText = `
import triton
import triton.language as tl


# stores what it has summed in each iteration, in another layout
@triton.jit
def prefix(a_ptr, b_ptr, c_ptr, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.arange(0, BM)
    n = tl.arange(0, BN)
    ks = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a_ptr + m[:, None] * sa + (k + ks)[None, :])
        y = tl.load(b_ptr + (k + ks)[:, None] * sb + n[None, :])
        acc += tl.dot(x, y)
        tl.store(c_ptr + m[:, None] * sc + n[None, :], acc.to(tl.float16))


# keeps its queries in shared memory all the time
@triton.jit
def attention(q_ptr, k_ptr, v_ptr, o_ptr, L, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    m = tl.arange(0, BM)
    n = tl.arange(0, BN)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + m[:, None] * D + d[None, :])
    most = tl.full((BM,), float("-inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for j in range(0, L, BN):
        k = tl.load(k_ptr + (j + n)[None, :] * D + d[:, None])
        x = tl.dot(q, k)
        new = tl.maximum(most, tl.max(x, 1))
        p = tl.exp2(x - new[:, None])
        alpha = tl.exp2(most - new)
        total = total * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + (j + n)[:, None] * D + d[None, :])
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None])
        most = new
    tl.store(o_ptr + m[:, None] * D + d[None, :], (acc / total[:, None]).to(tl.float16))
`

// TestFewerStages: where stage buffers and the rest of a program do not fit in shared memory together, the loop has
// fewer stages.
func TestFewerStages(t *testing.T) {
	const prefix, attention = "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, 128, 256, 64",
		"*%[1]s:16, *%[1]s:16, *%[1]s:16, *fp16:16, i32:16, %[2]s"
	for _, c := range []struct {
		kernel, signature string
		stages            int // that are asked for
		buffers           int // 0: no loop is pipelined
	}{
		{"prefix", prefix, 2, 2}, {"prefix", prefix, 3, 3}, {"prefix", prefix, 4, 3}, {"prefix", prefix, 5, 3},
		{"attention", fmt.Sprintf(attention, "fp16", "128, 64, 256"), 3, 2},
		{"attention", fmt.Sprintf(attention, "fp16", "128, 64, 128"), 3, 3},
		{"attention", fmt.Sprintf(attention, "fp8e5", "128, 256, 128"), 3, 3},
		{"attention", fmt.Sprintf(attention, "fp32", "128, 64, 128"), 3, 2},
		{"attention", fmt.Sprintf(attention, "fp32", "128, 128, 128"), 3, 0},
		{"attention", fmt.Sprintf(attention, "fp32", "128, 128, 256"), 3, 0},
		{"attention", fmt.Sprintf(attention, "fp16", "128, 128, 512"), 3, 0},
	} {
		t.Run(fmt.Sprintf("%s %s %d", c.kernel, c.signature, c.stages), func(t *testing.T) {
			t.Parallel()
			args := parsed(t, c.signature)
			art, list := compiler.Compile(source.NewFile("k.py", loopsText), compiler.Options{Kernel: c.kernel, Args: args, NumWarps: 8, NumStages: c.stages})
			if art == nil {
				t.Fatal(list[0])
			}
			o := ptx.Options{Target: "sm_90a", NumWarps: 8, NumStages: c.stages}
			m, err := ptx.Compile(art.Func, o)
			if err != nil {
				t.Fatal(err)
			}
			p := ptx.Plan(art.Func, o)
			buffers := 0
			for _, r := range p.Pipelines {
				buffers = r.Buffers
			}
			if buffers != c.buffers {
				t.Errorf("%d stage buffers, want %d", buffers, c.buffers)
			}
			sizedAsPlanned(t, p, m)
		})
	}
}

// sizedAsPlanned: a module takes the shared memory that its plan says, but for alignment, barriers and broadcasts.
func sizedAsPlanned(t *testing.T, p *plan.Plan, m *ptx.Module) {
	t.Helper()
	if m.Shared != p.SharedBytes {
		t.Errorf("%d bytes of shared memory, planned %d", m.Shared, p.SharedBytes)
	}
}

// TestPlannedMatrices: the plan says how many stmatrix the code has.
func TestPlannedMatrices(t *testing.T) {
	signature := "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, 1, i32:16, 1, i32:16, 1, 128, 256, 64, 8, tl.float32, 'tf32'"
	file := source.NewFile("kernels.py", read(t, "../testdata/kernels.py"))
	art, list := compiler.Compile(file, compiler.Options{Kernel: "matmul", Args: parsed(t, signature), NumWarps: 8, NumStages: 4})
	if art == nil {
		t.Fatal(list[0])
	}
	o := ptx.Options{Target: "sm_90a", NumWarps: 8, NumStages: 4}
	m, err := ptx.Compile(art.Func, o)
	if err != nil {
		t.Fatal(err)
	}
	n := strings.Count(m.Text, "stmatrix.")
	if text, want := ptx.Plan(art.Func, o).Text(file), fmt.Sprintf("stored by %d stmatrix.x4\n", n); n == 0 || !strings.Contains(text, want[:len(want)-1]) {
		t.Errorf("the code has %d stmatrix; the plan:\n%s", n, text)
	}
}
