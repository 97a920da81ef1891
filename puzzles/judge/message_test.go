package judge

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/puzzles"
)

// defaultPrecision is a puzzle's solution with tl.dot left at its default precision, as published.
func defaultPrecision(t *testing.T, p *puzzles.Puzzle) *source.File {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", p.Slug, "solution.py"))
	if err != nil {
		t.Fatal(err)
	}
	published := strings.ReplaceAll(string(text), `, input_precision="ieee"`, "")
	if published == string(text) {
		t.Fatalf("%s: the solution names no precision", p.Slug)
	}
	return source.NewFile("published.py", published)
}

func TestDefaultPrecisionPasses(t *testing.T) {
	for _, number := range []int{11, 12} {
		p, _ := puzzles.Get(number)
		file := defaultPrecision(t, p)
		here := New(p).Check(context.Background(), file, Options{})
		there := New(p).Check(context.Background(), file, Options{Device: cpu.New(cpu.Options{})})
		for where, v := range map[string]*Verdict{"the CPU": here, "a device": there} {
			if !v.Pass() {
				explain(t, v)
				t.Errorf("puzzle %d, on %s: fails with the default input_precision", number, where)
			}
			for _, c := range v.Strict.Cases {
				if c.MaxError < 1e-4 {
					t.Errorf("puzzle %d, on %s, %s: error %g: the factors were not rounded", number, where, c.Name.En, c.MaxError)
				}
			}
		}
		if e := here.Classic.Cases[0].MaxError; e > 1e-4 {
			t.Errorf("puzzle %d: error %g in the first test: the factors were rounded", number, e)
		}
	}
}

// TestExactProductsAreHeldToFP32: the tolerance for tf32 is only for kernels that round to it.
func TestExactProductsAreHeldToFP32(t *testing.T) {
	p, _ := puzzles.Get(12)
	_, v := check(t, p, "solution.py")
	for _, c := range v.Strict.Cases {
		if c.Tolerance != p.Tolerance.Strict {
			t.Errorf("%s: tolerance %v, want %v", c.Name.En, c.Tolerance, p.Tolerance.Strict)
		}
	}
}

func TestProblems(t *testing.T) {
	const head = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
	const block = head + "def add_mask2_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):\n    i = tl.program_id(0) * B0 + tl.arange(0, B0)\n"
	const outer = head + "def add_vec_block_kernel(x_ptr, y_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):\n" +
		"    i = tl.program_id(0) * B0 + tl.arange(0, B0)\n    j = tl.program_id(1) * B1 + tl.arange(0, B1)\n" +
		"    x = tl.load(x_ptr + i, mask=i < N0)[None, :]\n    y = tl.load(y_ptr + j, mask=j < N1)[:, None]\n" +
		"    m = (j < N1)[:, None] & (i < N0)[None, :]\n"
	const z = "i[None, :] + N0 * j[:, None]"
	for _, c := range []struct {
		name   string
		puzzle int
		source string
		key    string // of the first test's problem
		args   []any
	}{
		{"no store", 2, block + "    x = tl.load(x_ptr + i, mask=i < N0)\n", "judge.writes-nothing", []any{200, 200, "z"}},
		{"all programs do the same", 2, strings.Replace(block, "tl.program_id(0) * B0 + ", "", 1) +
			"    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < N0) + 10.0, mask=i < N0)\n",
			"judge.same-programs", []any{168, 200, 7, 0}},
		{"one axis of the grid is unused", 4, strings.Replace(outer, "tl.program_id(1) * B1 + ", "", 1) +
			"    tl.store(z_ptr + " + z + ", x + y, m)\n", "judge.same-programs", []any{5789, 9000, 3, 1}},
		{"half of the columns", 4, outer + "    tl.store(z_ptr + " + z + ", x + y, m & (i < 50)[None, :])\n",
			"judge.unwritten-range", []any{4500, 9000, 4500, "z[0:90, 50:100]"}},
		{"every other element", 2, block +
			"    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < N0) + 10.0, mask=(i < N0) & (i % 2 == 0))\n",
			"judge.unwritten", []any{100, 200, 100}},
		{"transposed", 4, outer + "    tl.store(z_ptr + i[None, :] * N1 + j[:, None], x + y, m)\n",
			"judge.transposed", []any{8985, 9000, "z"}},
		{"transposed, but not right either", 4, outer + "    tl.store(z_ptr + i[None, :] * N1 + j[:, None], x + y + (i == 0)[None, :], m)\n",
			"judge.wrong", []any{8986, 9000}},
		{"all zeros", 2, block + "    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < N0) * 0.0, mask=i < N0)\n",
			"judge.constant", []any{200, 200, "0"}},
		{"one value", 2, block + "    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < N0) * 0.0 + 0.5, mask=i < N0)\n",
			"judge.constant", []any{200, 200, "0.5"}},
		{"the offsets, and not what is loaded", 2, block +
			"    x = tl.load(x_ptr + i, mask=i < N0)\n    tl.store(z_ptr + i, i + 10, mask=i < N0)\n",
			"judge.unused", []any{200, 200, "x", "z"}},
		{"one input of two", 4, outer + "    tl.store(z_ptr + " + z + ", x + x, m)\n", "judge.unused", []any{9000, 9000, "y", "z"}},
		{"half of an input", 2, block +
			"    x = tl.load(x_ptr + i, mask=i < 100, other=0.0)\n    tl.store(z_ptr + i, x + 10.0, mask=i < N0)\n",
			"judge.unread-range", []any{100, 200, 100, "x[100:200]", 200}},
		{"half of an input, and more that is wrong", 2, block +
			"    x = tl.load(x_ptr + i, mask=i < 100, other=0.0)\n    tl.store(z_ptr + i, x + 11.0, mask=i < N0)\n",
			"judge.wrong", []any{200, 200}},
		{"NaN", 2, block + "    x = tl.load(x_ptr + i, mask=i < N0) + 10.0\n    tl.store(z_ptr + i, tl.where(i < 3, (x - x) / (x - x), x), mask=i < N0)\n",
			"judge.nan", []any{3, 200}},
		{"off by one", 2, block + "    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < N0) + 11.0, mask=i < N0)\n",
			"judge.off-by", []any{200, 200, "+1"}},
		{"one store of many is missing", 2, block +
			"    x = tl.load(x_ptr + i, mask=i < N0)\n    tl.store(z_ptr + i, x + 10.0, mask=(i < N0) & (i < 5))\n",
			"judge.unwritten-range", []any{195, 200, 195, "z[5:200]"}},
		{"only the store has no mask", 2, block +
			"    x = tl.load(x_ptr + i, mask=i < N0)\n    tl.store(z_ptr + i, x + 10.0)\n",
			"judge.right-but-out-of-bounds", []any{1}},
		{"wrong and out of bounds", 2, block +
			"    x = tl.load(x_ptr + i)\n    tl.store(z_ptr + i, x + 11.0)\n",
			"judge.out-of-bounds", []any{2}},
		{"truncated to integers", 2, block +
			"    x = tl.load(x_ptr + i, mask=i < N0)\n    tl.store(z_ptr + i, (x + 10.0).to(tl.int32), mask=i < N0)\n",
			"judge.truncated", []any{198, 200}},
		{"plainly wrong", 2, block +
			"    x = tl.load(x_ptr + i, mask=i < N0)\n    tl.store(z_ptr + i, x * 9.5, mask=i < N0)\n",
			"judge.wrong", []any{200, 200}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, _ := puzzles.Get(c.puzzle)
			v := New(p).Check(context.Background(), source.NewFile("kernel.py", c.source), Options{})
			if len(v.Classic.Cases) == 0 {
				explain(t, v)
				t.Fatal("nothing ran")
			}
			got := v.Classic.Cases[0].Problem
			if want := (diag.Text{Key: c.key, Args: c.args}); got == nil || got.In(diag.English) != want.In(diag.English) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

// TestRoundingIsNamed: where a puzzle makes no allowance for tf32, what rounding alone gets wrong is
// told as such, and what is wrong besides is not.
func TestRoundingIsNamed(t *testing.T) {
	puzzle, _ := puzzles.Get(11)
	p := *puzzle
	p.Tolerance.TF32 = nil
	published := defaultPrecision(t, &p)
	wrong := source.NewFile("wrong.py", strings.Replace(published.Text, "tl.store(z_ptr", "acc += 0.125\n    tl.store(z_ptr", 1))
	for _, c := range []struct {
		file *source.File
		want string
	}{{published, "judge.tf32"}, {wrong, "judge.wrong"}} {
		v := New(&p).Check(context.Background(), c.file, Options{})
		for _, k := range v.Strict.Cases {
			if k.Problem == nil || k.Problem.Key != c.want {
				t.Errorf("%s, %s: %v, want %s", c.file.Name, k.Name.En, k.Problem, c.want)
			}
		}
		if !v.Strict.Ran() {
			explain(t, v)
			t.Errorf("%s: the strict tests did not run", c.file.Name)
		}
	}
}

// TestRacesAreReported: every program of the first launch stores to the first block.
func TestRacesAreReported(t *testing.T) {
	p, _ := puzzles.Get(2)
	file := source.NewFile("kernel.py", `import triton
import triton.language as tl


@triton.jit
def add_mask2_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    x = tl.load(x_ptr + i, mask=i < N0)
    tl.store(z_ptr + tl.arange(0, B0), x + 10.0, mask=i < N0)
`)
	v := New(p).Check(context.Background(), file, Options{})
	for _, d := range v.Diagnostics {
		if d.Code == "race-stores" && d.Runtime.Program == [3]int{1, 0, 0} {
			return
		}
	}
	explain(t, v)
	t.Error("no race between the programs that store to the same elements")
}

// TestMasksAreOffered: an access without a mask names the program and its lanes, and the mask to add.
func TestMasksAreOffered(t *testing.T) {
	p, _ := puzzles.Get(2)
	file := source.NewFile("kernel.py", `import triton
import triton.language as tl


@triton.jit
def add_mask2_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    x = tl.load(x_ptr + i)
    tl.store(z_ptr + i, x + 10.0)
`)
	v := New(p).Check(context.Background(), file, Options{})
	fixed, labels := file.Text, ""
	for _, d := range slices.Backward(v.Diagnostics) {
		r := d.In(diag.English)
		labels += r.Label + "\n"
		for _, e := range r.Fixes[0].Edits {
			fixed = fixed[:e.Span.Start] + e.New + fixed[e.Span.End:]
		}
	}
	if want := "outside `x`: program (6, 0, 0), lanes 8 to 31 of 32; 24 such elements"; !strings.Contains(labels, want) {
		t.Errorf("%s\nlacks: %s", labels, want)
	}
	if v := New(p).Check(context.Background(), source.NewFile("fixed.py", fixed), Options{}); !v.Pass() {
		explain(t, v)
		t.Errorf("with the fixes applied:\n%s", fixed)
	}
}

// TestRefusedByTriton: an answer that passes its tests and that Triton's compiler refuses is not just solved, and what newt
// says of it names the block.
func TestRefusedByTriton(t *testing.T) {
	p, _ := puzzles.Get(2)
	file := slipOf(t, p, "i = pid * B0 + tl.arange(0, B0)", "i = tl.arange(pid * B0, pid * B0 + B0)")
	v := New(p).Check(t.Context(), file, Options{})
	if !v.Pass() || v.Message().Key != "judge.pass-refused" || len(v.Diagnostics) != 1 {
		t.Fatalf("%s %v", v.Message().In(diag.English), v.Diagnostics)
	}
	if help := v.Diagnostics[0].In(diag.English).Help; help != "Write `pid * B0 + tl.arange(0, B0)`." {
		t.Errorf("the help is %q", help)
	}
}

// TestDiagnosticsNameTheirTest: what the launch of a test has names the first test that has it.
func TestDiagnosticsNameTheirTest(t *testing.T) {
	for _, c := range []struct {
		puzzle   int
		old, new string
	}{
		{2, "mask = i < N0", "mask = i < tl.maximum(N0, 64)"},
		{3, "[:, None]", "[None, :]"}, // compiles where the matrix is square
	} {
		p, _ := puzzles.Get(c.puzzle)
		v := New(p).Check(t.Context(), slipOf(t, p, c.old, c.new), Options{})
		if v.Pass() || len(v.Diagnostics) == 0 {
			t.Fatal(v.Message().In(diag.English))
		}
		for _, d := range v.Diagnostics {
			if number := v.Tests[d]; d.Severity == diag.Error && (number == 0 || v.Strict.Cases[number-1].Problem == nil) {
				t.Errorf("%s: test %d", d.In(diag.English).Headline, number)
			}
		}
	}
}
