package propose_test

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/propose"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/usage"
)

// kernels are what people paste; want holds "name=…" of each argument and the grid.
var kernels = []struct {
	name, source string
	want         []string
}{
	{"vector add", `
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)
`, []string{"x_ptr=rand[n]", "y_ptr=rand[n]", "out_ptr=zeros[n]", "n=1000", "BLOCK=128", "grid=triton.cdiv(n, BLOCK)"}},

	{"matmul with sizes", `
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        a = tl.load(a_ptr + rm[:, None] * K + (k + rk)[None, :])
        b = tl.load(b_ptr + (k + rk)[:, None] * N + rn[None, :])
        acc += tl.dot(a, b)
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc)
`, []string{"a_ptr=rand[M, K]", "b_ptr=rand[K, N]", "c_ptr=zeros[M, N]", "M=48", "K=32", "N=64", "BM=16", "BN=16", "BK=16",
		"grid=(triton.cdiv(M, BM), triton.cdiv(N, BN))"}},

	{"matmul of tutorial 03", `
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
        BLOCK_SIZE_M: tl.constexpr, BLOCK_SIZE_N: tl.constexpr, BLOCK_SIZE_K: tl.constexpr, GROUP_SIZE_M: tl.constexpr):
    pid = tl.program_id(axis=0)
    num_pid_m = tl.cdiv(M, BLOCK_SIZE_M)
    num_pid_n = tl.cdiv(N, BLOCK_SIZE_N)
    num_pid_in_group = GROUP_SIZE_M * num_pid_n
    group_id = pid // num_pid_in_group
    first_pid_m = group_id * GROUP_SIZE_M
    group_size_m = min(num_pid_m - first_pid_m, GROUP_SIZE_M)
    pid_m = first_pid_m + ((pid % num_pid_in_group) % group_size_m)
    pid_n = (pid % num_pid_in_group) // group_size_m
    offs_am = (pid_m * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)) % M
    offs_bn = (pid_n * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)) % N
    offs_k = tl.arange(0, BLOCK_SIZE_K)
    a_ptrs = a_ptr + (offs_am[:, None] * stride_am + offs_k[None, :] * stride_ak)
    b_ptrs = b_ptr + (offs_k[:, None] * stride_bk + offs_bn[None, :] * stride_bn)
    accumulator = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_SIZE_K)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BLOCK_SIZE_K, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BLOCK_SIZE_K, other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_ptrs += BLOCK_SIZE_K * stride_ak
        b_ptrs += BLOCK_SIZE_K * stride_bk
    offs_cm = pid_m * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)
    offs_cn = pid_n * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)
    c_ptrs = c_ptr + stride_cm * offs_cm[:, None] + stride_cn * offs_cn[None, :]
    c_mask = (offs_cm[:, None] < M) & (offs_cn[None, :] < N)
    tl.store(c_ptrs, accumulator, mask=c_mask)
`, []string{"a_ptr=rand[M, K]", "b_ptr=rand[K, N]", "c_ptr=zeros[M, N]", "stride_am=K", "stride_ak=1", "stride_bk=N", "stride_cm=N",
		"stride_cn=1", "BLOCK_SIZE_K=16", "GROUP_SIZE_M=2",
		"grid=triton.cdiv(M, BLOCK_SIZE_M) * triton.cdiv(N, BLOCK_SIZE_N)"}},

	{"one row a program", `
def softmax(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + cols, mask=cols < n, other=-float("inf"))
    tl.store(out_ptr + row * n + cols, x, mask=cols < n)
`, []string{"x_ptr=rand[12, n]", "out_ptr=zeros[12, n]", "n=50", "BLOCK=64", "grid=12"}},

	{"a picture", `
def ripple(out_ptr, H, W, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    tl.store(out_ptr + row * W + cols, cols / H, mask=cols < W)
`, []string{"out_ptr=zeros[H, W]", "H=24", "W=50", "grid=H"}},

	{"persistent rows with strides", `
def softmax(output_ptr, input_ptr, input_row_stride, output_row_stride, n_rows, n_cols, BLOCK_SIZE: tl.constexpr):
    for row_idx in tl.range(tl.program_id(0), n_rows, tl.num_programs(0)):
        row_start_ptr = input_ptr + row_idx * input_row_stride
        col_offsets = tl.arange(0, BLOCK_SIZE)
        mask = col_offsets < n_cols
        row = tl.load(row_start_ptr + col_offsets, mask=mask, other=-float('inf'))
        tl.store(output_ptr + row_idx * output_row_stride + col_offsets, row, mask=mask)
`, []string{"input_ptr=rand[n_rows, n_cols]", "output_ptr=zeros[n_rows, n_cols]", "input_row_stride=n_cols", "grid=1"}},

	{"images", `
def flip(x_ptr, z_ptr, N, H, W, BH: tl.constexpr, BW: tl.constexpr):
    i = tl.program_id(2)
    h = tl.program_id(0) * BH + tl.arange(0, BH)
    w = tl.program_id(1) * BW + tl.arange(0, BW)
    inside = (h[:, None] < H) & (w[None, :] < W)
    at = i * H * W + h[:, None] * W + w[None, :]
    tl.store(z_ptr + at, tl.load(x_ptr + at, mask=inside), mask=inside)
`, []string{"x_ptr=rand[N, H, W]", "z_ptr=zeros[N, H, W]", "N=24", "H=40", "W=24",
		"grid=(triton.cdiv(H, BH), triton.cdiv(W, BW), N)"}},

	{"gather", `
def gather(index_ptr, x_ptr, out_ptr, n, C: tl.constexpr):
    i = tl.program_id(0)
    row = tl.load(index_ptr + i)
    c = tl.arange(0, C)
    tl.store(out_ptr + i * C + c, tl.load(x_ptr + row * C + c))
`, []string{"index_ptr=arange[n]", "x_ptr=rand[n, C]", "out_ptr=zeros[n, C]", "C=64", "grid=n"}},

	{"a sum in one number", `
def total(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out_ptr, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0)))
`, []string{"x_ptr=rand[n]", "out_ptr=zeros[1]", "grid=triton.cdiv(n, BLOCK)"}},

	{"block pointers", `
def copy(x_ptr, z_ptr, M, N, stride_m, BLOCK: tl.constexpr):
    x = tl.make_block_ptr(x_ptr, shape=(M, N), strides=(stride_m, 1), offsets=(0, 0), block_shape=(BLOCK, BLOCK), order=(1, 0))
    z = tl.make_block_ptr(z_ptr, (M, N), (stride_m, 1), (0, 0), (BLOCK, BLOCK), (1, 0))
    tl.store(z, tl.load(x))
`, []string{"x_ptr=rand[M, N]", "z_ptr=zeros[M, N]", "stride_m=N"}},

	{"a pointer by another name, in a helper", `
def outer(values, n, BLOCK: tl.constexpr):
    inner(values, n, BLOCK)

@triton.jit
def inner(x, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i, mask=i < n), mask=i < n)
`, []string{"values=rand[1024]"}},

	{"numbers by their names", `
def norm(x_ptr, n, eps, scale, BLOCK: tl.constexpr, IS_CAUSAL: tl.constexpr, num_stages: tl.constexpr = 3):
    pass
`, []string{"eps=1e-5", "scale=1.0", "IS_CAUSAL=False", "num_stages=3", "x_ptr=rand[1024]"}},
}

func infer(m *syntax.Module) *usage.Uses {
	info, _ := resolve.Resolve(m)
	return usage.Infer(info, nil)
}

func TestFor(t *testing.T) {
	for _, k := range kernels {
		m, list := syntax.Parse(source.NewFile("k.py",
			"import triton\nimport triton.language as tl\n\n@triton.jit"+k.source))
		if list.HasErrors() {
			t.Fatalf("%s: %v", k.name, list)
		}
		launch := propose.For(lower.Kernels(m)[0], infer(m))
		got := map[string]string{"grid": launch.Grid}
		for _, a := range launch.Args {
			got[a.Name] = a.Value
			if a.Kind == "tensor" {
				got[a.Name] = a.Fill + "[" + a.Shape + "]"
			}
		}
		for _, want := range k.want {
			name, value, _ := strings.Cut(want, "=")
			if got[name] != value {
				t.Errorf("%s: %s is %q, want %q", k.name, name, got[name], value)
			}
		}
	}
}

// TestHostile: what doubles with every line ends soon all the same.
func TestHostile(t *testing.T) {
	for _, line := range []string{"x = x + x", "x = x * x", "x = tl.cdiv(x, x)", "x = x // x",
		"x = (x + n) * (x + n)", "n += x; x += n"} {
		text := "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(p, x, n):\n" +
			strings.Repeat("    "+line+"\n", 200) + "    tl.store(p + x, tl.load(p + x) + tl.arange(0, 8))\n"
		m, _ := syntax.Parse(source.NewFile("k.py", text))
		if launch := propose.For(lower.Kernels(m)[0], infer(m)); len(launch.Args) != 3 || len(launch.Grid) > 1000 {
			t.Errorf("%s: %v", line, launch)
		}
	}
}
