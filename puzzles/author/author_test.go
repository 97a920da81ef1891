package author

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

const imports = "import triton\nimport triton.language as tl\n\n\n"

const add = imports + `@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + i, mask=i < n)
    tl.store(out_ptr + i, x + y, mask=i < n)
`

// unmasked works for whole blocks alone.
const unmasked = imports + `@triton.jit
def double(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, 2 * tl.load(x_ptr + i))
`

// rows sums rows that one block covers; its output comes first.
const rows = imports + `@triton.jit
def row_sum(out_ptr, x_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + i, mask=i < N, other=0.0)
    tl.store(out_ptr + row, tl.sum(x, axis=0))
`

// whole leaves out what is left of K after whole blocks.
const whole = imports + `@triton.jit
def dot(x_ptr, out_ptr, K, BLOCK: tl.constexpr):
    total = 0.0
    for k in range(0, K // BLOCK):
        total += tl.sum(tl.load(x_ptr + k * BLOCK + tl.arange(0, BLOCK)), axis=0)
    tl.store(out_ptr, total)
`

const matmul = imports + `@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        a = tl.load(a_ptr + m[:, None] * stride_a + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        total += tl.dot(a, b)
    tl.store(c_ptr + m[:, None] * N + n[None, :], total, mask=(m[:, None] < M) & (n[None, :] < N))
`

// histogram counts into an output that must begin as zeros, at indices that must be small.
const histogram = imports + `@triton.jit
def histogram(x_ptr, count_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(count_ptr + tl.load(x_ptr + i, mask=i < n), 1, mask=i < n)
`

const inPlace = imports + `@triton.jit
def scale(x_ptr, n, factor, RELU: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n) * factor
    if RELU:
        x = tl.maximum(x, 0.0)
    tl.store(x_ptr + i, x, mask=i < n)
`

const noInputs = imports + `@triton.jit
def ramp(out_ptr, H, W, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + row * W + i, row * 1.0 / H + i, mask=i < W)
`

const logarithm = imports + `@triton.jit
def log(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.log(tl.load(x_ptr + i, mask=i < n, other=1.0)), mask=i < n)
`

func tensor(name string, d num.DType, text, fill string, shape ...int) Arg {
	n := 1
	for _, s := range shape {
		n *= s
	}
	vec := num.MakeVec(num.ClassF64, n)
	for i := range vec.F64 {
		vec.F64[i] = map[bool]float64{true: 0}[fill == "zeros"]
		if fill != "zeros" {
			vec.F64[i] = float64(i%7+1) / 8
		}
		if fill == "randint" {
			vec.F64[i] = float64(i % 100)
		}
	}
	in := num.MakeVec(d.Info().Class, n)
	num.Cast(num.Float64, d, num.RTNE)(in, vec)
	data := make([]byte, n*d.Info().Bytes)
	num.Store(d, data, in)
	return Arg{Arg: launch.Arg{Name: name, Tensor: &launch.Tensor{Name: name, DType: d, Data: data}}, Text: text, Shape: shape, Fill: fill}
}

func float(name, text, fill string, shape ...int) Arg {
	return tensor(name, num.Float32, text, fill, shape...)
}

func value(name string, v any, text ...string) Arg {
	return Arg{Arg: launch.Arg{Name: name, Value: v}, Text: strings.Join(append(text, fmt.Sprint(v))[:1], "")}
}

func constexpr(name string, v any) Arg {
	return Arg{Arg: launch.Arg{Name: name, Value: v, Constexpr: true}, Text: fmt.Sprint(v)}
}

// TestMake: of each kernel comes a puzzle that can be loaded and is sound, with the tests that suit it.
func TestMake(t *testing.T) {
	for _, c := range []struct {
		name  string
		call  Call
		tests string   // names of the tests after the first
		holds []string // what stands in the files
	}{
		{"one size", Call{Source: add, Kernel: "add", Grid: "triton.cdiv(n, BLOCK)", Sizes: [3]int{4, 1, 1}, Args: []Arg{
			float("x_ptr", "1000", "rand", 1000), float("y_ptr", "n", "randn", 1000), float("out_ptr", "n", "zeros", 1000), value("n", int64(1000)), constexpr("BLOCK", int64(256)),
		}}, "values of both signs, odd sizes, small sizes, exactly one block, larger blocks, other values", []string{
			`"free": {"n": {"max": 1000}}`, `"shape": ["n"]`, `"grid": ["cdiv(n, BLOCK)"]`, `"fill": "randn"`, "def reference(x_ptr, y_ptr, n, BLOCK):",
			"    out_ptr = torch.zeros((n,), dtype=torch.float32, device=x_ptr.device)\n    add[(triton.cdiv(n, BLOCK),)](x_ptr, y_ptr, out_ptr, n, BLOCK)\n    return out_ptr\n",
			"def add(\n    x_ptr, y_ptr, out_ptr, n,\n    BLOCK: tl.constexpr,\n):\n", "- `x_ptr`: float32, shape `(n,)`.", "- `n`：整数，第一个测试里是 1000。",
		}},
		{"whole blocks alone", Call{Source: unmasked, Kernel: "double", Grid: "n // BLOCK", Sizes: [3]int{4, 1, 1}, Args: []Arg{
			float("x_ptr", "n", "rand", 64), float("out_ptr", "n", "zeros", 64), value("n", int64(64)), constexpr("BLOCK", int64(16)),
		}}, "values of both signs, larger blocks, other values", []string{"\"grid\": [\"n / BLOCK\"],\n  \"tolerance\"", "double[(n // BLOCK,)]"}},
		{"output first, rows within a block", Call{Source: rows, Kernel: "row_sum", Grid: "12", Sizes: [3]int{12, 1, 1}, Args: []Arg{
			float("out_ptr", "12", "zeros", 12), float("x_ptr", "12, N", "rand", 12, 50), value("N", int64(50)), constexpr("BLOCK", int64(64)),
		}}, "values of both signs, odd sizes, small sizes, larger blocks, other values", []string{`"shape": ["12", "N"]`, "row_sum[(12,)](out_ptr, x_ptr, N, BLOCK)"}},
		{"what is left of K is left out", Call{Source: whole, Kernel: "dot", Grid: "1", Sizes: [3]int{1, 1, 1}, Args: []Arg{
			float("x_ptr", "K", "rand", 64), float("out_ptr", "1", "zeros", 1), value("K", int64(64)), constexpr("BLOCK", int64(16)),
		}}, "values of both signs, larger blocks, other values", nil},
		{"matmul", Call{Source: matmul, Kernel: "matmul", Grid: "(triton.cdiv(M, BM), triton.cdiv(N, BN))", Sizes: [3]int{3, 2, 1}, Args: []Arg{
			float("a_ptr", "M, K", "rand", 40, 48), float("b_ptr", "(K, N)", "rand", 48, 24), float("c_ptr", "M, N", "zeros", 40, 24),
			value("M", int64(40)), value("N", int64(24)), value("K", int64(48)), value("stride_a", int64(48), "K"),
			constexpr("BM", int64(16)), constexpr("BN", int64(16)), constexpr("BK", int64(16)),
		}}, "values of both signs, odd sizes, small sizes, exactly one block, larger blocks, an odd M", []string{
			`"sizes": ["M", "N", "K", "stride_a"]`, `"free": {"K": {"max": 48}, "M": {"max": 40}, "N": {"max": 24}, "stride_a": {"equals": "K"}}`,
			`"tf32": {`, `"sizes": {"K": 47, "M": 39, "N": 23, "stride_a": 47}`,
		}},
		{"an output that is added to", Call{Source: histogram, Kernel: "histogram", Grid: "triton.cdiv(n, BLOCK)", Sizes: [3]int{4, 1, 1}, Args: []Arg{
			tensor("x_ptr", num.Int32, "n", "randint", 200), tensor("count_ptr", num.Int32, "100", "zeros", 100), value("n", int64(200)), constexpr("BLOCK", int64(64)),
		}}, "odd sizes, small sizes, exactly one block, larger blocks, other values", []string{
			`"fill": "zeros"`, `"fill": "randint"`, "def reference(x_ptr, count_ptr, n, BLOCK):\n    histogram[",
		}},
		{"in place, with constants", Call{Source: inPlace, Kernel: "scale", Grid: "triton.cdiv(n, BLOCK)", Sizes: [3]int{4, 1, 1}, Args: []Arg{
			float("x_ptr", "n", "rand", 50), value("n", int64(50)), value("factor", 2.0), constexpr("RELU", true), constexpr("BLOCK", int64(16)),
		}}, "odd sizes, small sizes, exactly one block, larger blocks, other values", []string{
			`"inputs": []`, `"constants": {"RELU": true, "factor": 2.0}`, "- `factor`: always `2.0`.",
		}},
		{"no inputs", Call{Source: noInputs, Kernel: "", Grid: "H", Sizes: [3]int{40, 1, 1}, Args: []Arg{
			float("out_ptr", "40, 64", "zeros", 40, 64), value("H", int64(40)), value("W", int64(64)), constexpr("BLOCK", int64(64)),
		}}, "odd sizes, small sizes, larger blocks, an odd H, an odd W, other values", []string{`"shape": ["H", "W"]`, "torch.zeros((H, W), dtype=torch.float32)"}},
		{"no negative values", Call{Source: logarithm, Kernel: "log", Grid: "triton.cdiv(n, BLOCK)", Sizes: [3]int{4, 1, 1}, Args: []Arg{
			float("x_ptr", "n", "rand", 50), float("out_ptr", "n", "zeros", 50), value("n", int64(50)), constexpr("BLOCK", int64(16)),
		}}, "other values", nil},
		{"names that are taken", Call{Source: strings.ReplaceAll(add, "BLOCK", "reference"), Kernel: "add", Grid: "math.ceil(n / 256)", Sizes: [3]int{4, 1, 1}, Args: []Arg{
			float("x_ptr", "n", "rand", 1000), float("y_ptr", "n", "rand", 1000), float("out_ptr", "n", "zeros", 1000), value("n", int64(1000)), constexpr("reference", int64(256)),
		}}, "values of both signs, odd sizes, small sizes, larger blocks, other values", []string{"def reference_(", `"grid": ["4"]`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.call.Number = 7
			folder, wrong := Make(t.Context(), c.call)
			if wrong != nil {
				t.Fatal(wrong.In(diag.English))
			}
			p := loaded(t, folder)
			var tests []string
			for _, s := range p.Strict {
				tests = append(tests, s.Name.En)
			}
			if got := strings.Join(tests, ", "); got != c.tests {
				t.Errorf("the tests are %q, want %q", got, c.tests)
			}
			for _, flaw := range judge.Validate(t.Context(), p, judge.Options{}) {
				t.Errorf("%s: %s", flaw.File.Name, flaw.In(diag.English).Headline)
			}
			for _, part := range c.holds {
				if !slices.ContainsFunc(folder.Files, func(f File) bool { return strings.Contains(f.Text, part) }) {
					t.Errorf("no file holds %q", part)
				}
			}
			if t.Failed() {
				for _, f := range folder.Files {
					t.Logf("%s\n%s", f.Name, f.Text)
				}
			}
		})
	}
}

func loaded(t *testing.T, folder *Folder) *puzzles.Puzzle {
	t.Helper()
	fsys := fstest.MapFS{}
	for _, f := range folder.Files {
		fsys[folder.Name+"/"+f.Name] = &fstest.MapFile{Data: []byte(f.Text)}
	}
	list, problems := puzzles.Load(fsys, nil)
	if len(list) != 1 || len(problems) != 0 {
		t.Fatalf("%d puzzles, problems %v", len(list), problems)
	}
	return list[0]
}

// TestNoPuzzle: where no puzzle can be made, both languages say why.
func TestNoPuzzle(t *testing.T) {
	x, n, block := float("x_ptr", "n", "rand", 50), value("n", int64(50)), constexpr("BLOCK", int64(16))
	out := float("out_ptr", "n", "zeros", 50)
	call := func(source string, args ...Arg) Call {
		return Call{Source: imports + "@triton.jit\n" + source, Grid: "1", Sizes: [3]int{1, 1, 1}, Args: args}
	}
	for _, c := range []struct {
		call Call
		says string
	}{
		{call("def f(x_ptr, n):\n    tl.load(x_ptr)\n", x, n), "none of its tensors"},
		{call("def f(x_ptr, out_ptr):\n    tl.store(x_ptr, 1.0)\n    tl.store(out_ptr, 1.0)\n", x, out), "`out_ptr`, `x_ptr`"},
		{call("def f(x_ptr, n, BLOCK: tl.constexpr):\n    tl.store(x_ptr + 50, 1.0)\n", x, n, block), "without error"},
		{call("def f(x_ptr):\n    tl.stork(x_ptr, 1.0)\n", x), "stork"},
		{call("def f(x_ptr):\n    tl.store(x_ptr, 1.0)\n", tensor("x_ptr", num.Float8E4M3, "50", "zeros", 50)), "float8"},
	} {
		folder, wrong := Make(t.Context(), c.call)
		if wrong == nil {
			t.Errorf("a puzzle is made of\n%s\n%v", c.call.Source, folder)
		} else if en, zh := wrong.In(diag.English), wrong.In(diag.Chinese); !strings.Contains(en, c.says) || zh == en {
			t.Errorf("says %q and %q, want %q", en, zh, c.says)
		}
	}
}

func TestExpressions(t *testing.T) {
	for _, c := range []struct {
		text   string
		values []int
		want   string
	}{
		{"n", []int{9}, "n"},
		{"4, 200", []int{4, 200}, "4; 200"},
		{"(M, K)", []int{3, 5}, "M; K"},
		{"[M, 2 * (K + 1)]", []int{3, 12}, "M; 2 * (K + 1)"},
		{"(M * K) // 8", []int{6}, "M * K / 8"},
		{"M * (K // 8)", []int{6}, "M * (K / 8)"},
		{"triton.cdiv(n + 1, B) * 2", []int{6}, "cdiv(n + 1, B) * 2"},
		{"n - 1", []int{8}, "8"},
		{"max(n, 3), n", []int{9, 9}, "9; n"},
		{"n if n else 1", []int{9}, "9"},
		{"", []int{1}, "1"},
	} {
		if got := strings.Join(expressionsOf(c.text, c.values), "; "); got != c.want {
			t.Errorf("%q gives %q, want %q", c.text, got, c.want)
		}
	}
}
