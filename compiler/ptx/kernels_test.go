package ptx_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/tile"
)

// kernelCase is a kernel with what it is launched on: a number is a scalar, "dtype×n" a buffer of n
// elements, "dtype×n+k" one whose pointer points k elements behind its start.
type kernelCase struct {
	name, signature, source string
	grid                    int
	args                    []any
}

const copyKernel = `
def kernel(x, z, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(z + i, tl.load(x + i, mask=i < n), mask=i < n)
`

// bareCopyKernel has no masks: what is outside is cut off in the middle of vectors.
const bareCopyKernel = `
def kernel(x, z, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(z + i, tl.load(x + i))
`

const transposeKernel = `
def kernel(x, z, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    t = tl.load(x + m[:, None] * N + n[None, :])
    tl.store(z + n[:, None] * M + m[None, :], tl.trans(t) + 1)
    tl.store(z + M * N + n[None, :] * M + m[:, None], t * 2)
`

const reverseKernel = `
def kernel(x, z, n, B: tl.constexpr):
    i = tl.arange(0, B)
    for start in range(0, n, B):
        at = start + i
        tl.store(z + (n - 1 - at), tl.load(x + at, mask=at < n, other=0), mask=at < n)
`

const carriedKernel = `
def kernel(x, z, n, B: tl.constexpr):
    i = tl.arange(0, B)
    p = x + i
    q = z + i
    a = tl.zeros((B,), dtype=tl.int32)
    b = a + 1
    for k in range(0, n):
        v = tl.load(p)
        a, b = b, a + v
        tl.store(q, a - b)
        p += B
        q += B
        i += 3
    tl.store(z + n * B + tl.arange(0, B), i)
`

// windowKernel is large enough that its outer loop is a loop again, with the inner one unrolled.
const windowKernel = `
def kernel(x, z, W: tl.constexpr, B: tl.constexpr):
    rows = tl.arange(0, B)[:, None]
    cols = tl.arange(0, B)[None, :]
    total = tl.zeros((B, B), tl.int32)
    best = total - 1000
    for r in tl.static_range(W):
        for c in tl.static_range(W):
            at = (rows - r) * B + cols - c
            inside = (rows >= r) & (cols >= c) & (at % 3 != r)
            v = tl.load(x + at, mask=inside, other=-r)
            best = tl.where(v > total + c, v, best)
            total += v * c
    tl.store(z + rows * B + cols, total ^ best)
`

const chaseKernel = `
def kernel(x, z, n):
    at = tl.load(x)
    count = 0
    while (at > 0) & (count < n):
        tl.store(z + count, at)
        at = tl.load(x + at)
        count += 1
    if count == n:
        tl.store(z + n, 77)
    else:
        tl.store(z + n, count)
`

const mixedKernel = `
def kernel(x, y, z, n, B: tl.constexpr):
    i = tl.arange(0, B)
    p = tl.where(i % 3 == 0, x + i, y + 2 * i)
    v = tl.load(p, mask=i < n, other=5)
    q = x
    if n > 10:
        q = y + 1
    w = tl.load(q + i)
    tl.store(z + i, v * 3 + w)
`

const rowsKernel = `
def kernel(x, z, n, S, M: tl.constexpr, N: tl.constexpr):
    r = tl.program_id(0) * M + tl.arange(0, M)
    c = tl.arange(0, N)
    t = tl.load(x + r[:, None] * S + c[None, :], mask=(r[:, None] < n) & (c[None, :] < S), other=0)
    tl.store(z + r, tl.sum(t, axis=1), mask=r < n)
    tl.store(z + n + tl.program_id(0) * N + c, tl.max(t, axis=0), mask=c < S)
    tl.store(z + n + 2 * N + r[:, None] * N + c[None, :], t - tl.max(t, axis=1)[:, None])
`

const wrapKernel = `
def kernel(x, z, n, B: tl.constexpr):
    i = n + tl.arange(0, B)
    tl.store(z + tl.arange(0, B), tl.load(x + i, mask=i < 0, other=9))
`

// wideKernel: sums of 32 bits that wrap, then of 64 bits that do not.
const wideKernel = `
def kernel(x, z, n, B: tl.constexpr):
    row = tl.arange(0, 2).to(tl.int64)[:, None]
    i = (n + tl.arange(0, B)).to(tl.int64)[None, :]
    at = row * B + (i + (1 << 31)) % B
    tl.store(z + at, tl.load(x + row + i, mask=(i >= 0) & (i < B), other=9) + (i < 0))
`

// throughKernel: one thread stores what another loads, and the other way round.
const throughKernel = `
def kernel(z, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(z + i)
    tl.store(z + (i + 1) % B, v)
    w = tl.load(z + B - 1 - i)
    for k in range(n):
        u = tl.load(z + (i + k) % B)
        tl.store(z + (i * 3) % B, u + w)
    tl.store(z + B, 5)
    if n > 0:
        tl.store(z + B + 1, tl.load(z + B) + tl.load(z + B - 1))
    tl.store(z + B + 2 + i, tl.load(z + B + 1) + tl.load(z + B))
`

// picksKernel: of equal elements the first is picked, and the last, along registers, lanes and warps.
const picksKernel = `
@triton.jit
def last(a, i, b, j):
    first = (a > b) | ((a == b) & (i > j))
    return tl.where(first, a, b), tl.where(first, i, j)

@triton.jit
def kernel(x, z, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    t = tl.load(x + m[:, None] * N + n[None, :])
    tl.store(z + m, tl.argmax(t, 1))
    tl.store(z + M + n, tl.argmin(t, 0))
    _, at = tl.reduce((t, tl.broadcast_to(n[None, :], (M, N))), 1, last)
    tl.store(z + M + N + m, at)
    _, at = tl.reduce((t, tl.broadcast_to((M - m)[:, None], (M, N))), 0, last)
    tl.store(z + 2 * M + N + n, at)
`

// differenceKernel: a run of int32 that passes 2^31 is none in 64 bits, and the difference of two is not constant there.
const differenceKernel = `
def kernel(w, n, B: tl.constexpr):
    i = tl.arange(0, B)
    d = (n + i).to(tl.int64) - i.to(tl.int64)
    tl.store(w + i, i + 1000, mask=d >= n)
`

func kernelCases() (list []kernelCase) {
	for _, d := range []string{"i1", "i8", "u8", "i16", "fp16", "bf16", "i32", "fp32", "i64", "fp64"} {
		list = append(list,
			kernelCase{"copy_" + d, fmt.Sprintf("*%s:16, *%s:16, i32, 512", d, d), copyKernel, 3, []any{d + "×1500", d + "×1500", 1333}},
			kernelCase{"aligned_" + d, fmt.Sprintf("*%s:16, *%s:16, i32:16, 512", d, d), copyKernel, 3, []any{d + "×1500", d + "×1500", 1328}},
			kernelCase{"bare_" + d, fmt.Sprintf("*%s:16, *%s:16, 1024", d, d), bareCopyKernel, 2, []any{d + "×1501", d + "×1723"}},
			kernelCase{"behind_" + d, fmt.Sprintf("*%s, *%s, 1024", d, d), bareCopyKernel, 1, []any{d + "×701+3", d + "×900+2"}})
	}
	return append(list,
		kernelCase{"transpose", "*i32:16, *i32:16, 64, 32", transposeKernel, 1, []any{"i32×2048", "i32×4096"}},
		kernelCase{"transpose_fp16", "*fp16:16, *fp16:16, 16, 128", transposeKernel, 1, []any{"fp16×2048", "fp16×4096"}},
		kernelCase{"reverse", "*i32:16, *i32:16, i32, 256", reverseKernel, 1, []any{"i32×1000", "i32×1000", 999}},
		kernelCase{"window", "*i32:16, *i32:16, 12, 16", windowKernel, 1, []any{"i32×256", "i32×256"}},
		kernelCase{"carried", "*i32:16, *i32:16, i32, 256", carriedKernel, 1, []any{"i32×1024", "i32×1300", 4}},
		kernelCase{"carried_none", "*i32:16, *i32:16, i32, 32", carriedKernel, 1, []any{"i32×1024", "i32×1300", 0}},
		kernelCase{"chase", "*i32, *i32, i32", chaseKernel, 1, []any{"i32×200", "i32×60", 50}},
		kernelCase{"mixed", "*i32:16, *i32:16, *i32:16, i32, 64", mixedKernel, 1, []any{"i32×64", "i32×130", "i32×64", 50}},
		kernelCase{"mixed_few", "*i32:16, *i32:16, *i32:16, i32, 64", mixedKernel, 1, []any{"i32×50+2", "i32×70", "i32×64", 9}},
		kernelCase{"rows", "*i32:16, *i32:16, i32, i32, 16, 64", rowsKernel, 2, []any{"i32×1500", "i32×2200", 29, 51}},
		kernelCase{"rows_wide", "*fp32:16, *fp32:16, i32, i32:16, 4, 512", rowsKernel, 2, []any{"fp32×4096", "fp32×6000", 7, 512}},
		kernelCase{"picks", "*i32:16, *i32:16, 4, 1024", picksKernel, 1, []any{"i32×4096", "i32×2056"}},
		kernelCase{"picks_tall", "*fp32:16, *i32:16, 256, 8", picksKernel, 1, []any{"fp32×2048", "i32×528"}},
		kernelCase{"through", "*i32:16, i32, 256", throughKernel, 1, []any{"i32×514", 9}},
		kernelCase{"through_none", "*i32:16, i32, 128", throughKernel, 1, []any{"i32×258", 0}},
		kernelCase{"wrap", "*i32:16, *i32:16, i32, 1024", wrapKernel, 1, []any{"i32×100", "i32×1024", 1<<31 - 500}},
		kernelCase{"wide", "*i32:16, *i32:16, i32:16, 512", wideKernel, 1, []any{"i32×513", "i32×1024", 0}},
		kernelCase{"wide_wrap", "*i32:16, *i32:16, i32:16, 1024", wideKernel, 1, []any{"i32×9", "i32×2048", 1<<31 - 512}},
		kernelCase{"difference", "*i32:16, i32, 1024", differenceKernel, 1, []any{"i32×501", 1<<31 - 501}},
		kernelCase{"wide_odd", "*i32:16, *i32:16, i32, 1024", wideKernel, 1, []any{"i32×9", "i32×2048", 1<<31 - 501}},
	)
}

// values makes the arguments of a case, the same each time.
func (c kernelCase) values(t testing.TB) []tile.Arg {
	r := rand.New(rand.NewPCG(7, 7))
	args := make([]tile.Arg, len(c.args))
	for i, a := range c.args {
		if n, ok := a.(int); ok {
			args[i] = tile.Scalar{Scalar: num.FromInt(num.Int32, int64(n))}
			continue
		}
		name, rest, _ := strings.Cut(a.(string), "×")
		d, ok := num.Parse(name)
		if !ok {
			t.Fatal(a)
		}
		var n, offset int
		fmt.Sscanf(strings.ReplaceAll(rest, "+", " "), "%d %d", &n, &offset)
		raw := make([]byte, n*d.Info().Bytes)
		for k := range n {
			num.StoreAt(d, raw, k, num.FromInt(d, int64(r.IntN(100))).Vec(), 0)
		}
		args[i] = tile.Buffer{DType: d, Data: raw, Offset: offset}
	}
	return args
}

func compiled(t testing.TB, name, text, signature string) *ir.Func {
	t.Helper()
	args, err := compiler.ParseSignature(signature)
	if err != nil {
		t.Fatal(err)
	}
	file := source.NewFile(name+".py", "import triton\nimport triton.language as tl\n\n@triton.jit"+text)
	art, list := compiler.Compile(file, compiler.Options{Args: args})
	if art == nil {
		t.Fatalf("%s: %v", name, list[0])
		return nil
	}
	return art.Func
}

// TestKernels: kernels that move vectors, cut them off, carry tiles and pointers through loops, and
// branch on what they load, against the interpreter, with one and with four warps.
func TestKernels(t *testing.T) {
	for _, c := range kernelCases() {
		fn := compiled(t, c.name, c.source, c.signature)
		for _, warps := range []int{1, 4} {
			opt := ptx.Options{Target: "sm_80", NumWarps: warps, Exact: true}
			compare(t, fmt.Sprint(c.name, "/", warps), fn, [3]int{c.grid, 1, 1}, func() []tile.Arg { return c.values(t) }, opt, 3)
		}
	}
}
