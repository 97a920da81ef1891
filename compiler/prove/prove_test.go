package prove_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/prove"
	"github.com/newtlab/newt/compiler/ptx/bounds"
	"github.com/newtlab/newt/compiler/source"
)

// use is a kernel as it is launched: args are elements that a pointer reaches, or the value.
type use struct {
	signature string
	grid      [3]int
	args      []int64
}

// compile makes the function of a kernel's text, numbered.
func compile(t testing.TB, path, text, kernel, signature string) *ir.Func {
	t.Helper()
	args, err := compiler.ParseSignature(signature)
	if err != nil {
		t.Fatal(err)
	}
	art, list := compiler.Compile(source.NewFile(path, text), compiler.Options{Kernel: kernel, Args: args})
	if art == nil {
		t.Fatalf("%s: %v", path, list)
		return nil
	}
	art.Func.Number()
	return art.Func
}

func (u use) launch(fn *ir.Func) prove.Launch {
	l := prove.Launch{Args: bounds.Args{Grid: u.grid}}
	for i, p := range fn.Params {
		l.Memory = append(l.Memory, i)
		if p.Value.Type.Pointer {
			l.Args.Args = append(l.Args.Args, bounds.Arg{Count: u.args[i]})
		} else {
			l.Args.Args = append(l.Args.Args, bounds.Arg{Value: num.FromInt(p.Value.Type.DType, u.args[i])})
		}
	}
	return l
}

// summary writes a report on one line: the level of each access, and of each tensor that is written, with hypotheses.
func summary(fn *ir.Func, r *prove.Report) string {
	var words, hypotheses []string
	for _, a := range r.Accesses {
		name := "?"
		if a.Param >= 0 {
			name = fn.Params[a.Param].Name
		}
		words = append(words, fmt.Sprint(name, ":", a.InBounds))
		hypotheses = append(hypotheses, a.Hypothesis...)
	}
	words = append(words, "|")
	for _, x := range r.Tensors {
		if x.Written {
			words = append(words, fmt.Sprint(fn.Params[x.Param].Name, ":", x.RaceFree))
			hypotheses = append(hypotheses, x.Hypothesis...)
		}
	}
	slices.Sort(hypotheses)
	if hypotheses = slices.Compact(hypotheses); len(hypotheses) > 0 {
		words = append(words, "if "+strings.Join(hypotheses, ", "))
	}
	return strings.Join(words, " ")
}

// solution is a puzzle's solution as it is launched, and what is proved of it.
type solution struct {
	number string
	use
	want string
}

// text is the solution's own text.
func (s solution) text(t *testing.T) string {
	t.Helper()
	paths, _ := filepath.Glob("../../puzzles/" + s.number + "_*/solution.py")
	text, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var solutions = []solution{
	{"01", use{"*fp32:16, *fp32:16, i32, 32", [3]int{1, 1, 1}, []int64{32, 32, 32}},
		"x_ptr:grid z_ptr:grid | z_ptr:size"},
	{"02", use{"*fp32:16, *fp32:16, i32, 32", [3]int{7, 1, 1}, []int64{200, 200, 200}},
		"x_ptr:size z_ptr:size | z_ptr:size " +
			"if x_ptr.numel() >= N0, z_ptr.numel() >= N0"},
	{"03", use{"*fp32:16, *fp32:16, *fp32:16, i32, i32, 32, 32", [3]int{1, 1, 1}, []int64{32, 32, 1024, 32, 32}},
		"x_ptr:grid y_ptr:grid z_ptr:size | z_ptr:size if z_ptr.numel() >= 31 * N0 + 32"},
	{"04", use{"*fp32:16, *fp32:16, *fp32:16, i32, i32, 32, 32", [3]int{4, 3, 1}, []int64{100, 90, 9000, 100, 90}},
		"x_ptr:size y_ptr:size z_ptr:size | z_ptr:size " +
			"if x_ptr.numel() >= N0, y_ptr.numel() >= N1, z_ptr.numel() >= N0 * N1"},
	{"05", use{"*fp32:16, *fp32:16, *fp32:16, i32, i32, 32, 32", [3]int{4, 3, 1}, []int64{100, 90, 9000, 100, 90}},
		"x_ptr:size y_ptr:size z_ptr:size | z_ptr:size " +
			"if x_ptr.numel() >= N0, y_ptr.numel() >= N1, z_ptr.numel() >= N0 * N1"},
	{"06", use{"*fp32:16, *fp32:16, *fp32:16, *fp32:16, i32, i32, 32, 32", [3]int{4, 3, 1}, []int64{9000, 90, 9000, 9000, 100, 90}},
		"x_ptr:size dz_ptr:size y_ptr:size dx_ptr:size | dx_ptr:size " +
			"if dx_ptr.numel() >= N0 * N1, dz_ptr.numel() >= N0 * N1, x_ptr.numel() >= N0 * N1, y_ptr.numel() >= N1"},
	{"07", use{"*fp32:16, *fp32:16, i32, i32, i32, 1, 32", [3]int{4, 1, 1}, []int64{800, 4, 4, 32, 200}},
		"x_ptr:size z_ptr:size | z_ptr:size " +
			"if x_ptr.numel() >= N0 * T, z_ptr.numel() >= N0"},
	{"08", use{"*fp32:16, *fp32:16, i32, i32, i32, 1, 32", [3]int{4, 1, 1}, []int64{800, 800, 4, 32, 200}},
		"x_ptr:size x_ptr:size x_ptr:size z_ptr:size | z_ptr:size " +
			"if x_ptr.numel() >= N0 * T, z_ptr.numel() >= N0 * T"},
	{"09", use{"*fp32:16, *fp32:16, *fp32:16, *fp32:16, i32, i32, 64, 32", [3]int{4, 1, 1}, []int64{200, 200, 200, 200, 200, 200}},
		"q_ptr:size k_ptr:size v_ptr:size z_ptr:size | z_ptr:size " +
			"if k_ptr.numel() >= T, q_ptr.numel() >= N0, v_ptr.numel() >= T, z_ptr.numel() >= N0"},
	{"10", use{"*fp32:16, *fp32:16, *fp32:16, i32, i32, i32, 4, 4, 1", [3]int{4, 1, 1}, []int64{256, 16, 256, 4, 8, 8}},
		"k_ptr:grid x_ptr:size z_ptr:size | z_ptr:size " +
			"if x_ptr.numel() >= N0 * H * W, z_ptr.numel() >= N0 * H * W"},
	{"11", use{"*fp32:16, *fp32:16, *fp32:16, i32, i32, i32, i32, 16, 16, 1, 16", [3]int{2, 2, 4}, []int64{4096, 4096, 4096, 32, 32, 4, 32}},
		"x_ptr:size y_ptr:size z_ptr:size | z_ptr:size " +
			"if x_ptr.numel() >= N0 * N2 * MID, y_ptr.numel() >= N1 * N2 * MID, z_ptr.numel() >= N0 * N1 * N2"},
	{"12", use{"*fp32:16, *i32:16, *i32:16, *fp32:16, *fp32:16, i32, i32, i32:16, 16, 16, 64", [3]int{2, 2, 1}, []int64{256, 32, 256, 2048, 1024, 32, 32, 64}},
		"offset_ptr:size weight_ptr:size scale_ptr:size activation_ptr:size z_ptr:size | z_ptr:size " +
			"if MID % 16 == 0, activation_ptr.numel() >= N1 * MID, offset_ptr.numel() >= N0, scale_ptr.numel() >= N0 * MID // 8, weight_ptr.numel() >= N0 * MID // 8, z_ptr.numel() >= N0 * N1"},
}

// TestSolutions: what is proved of the puzzles' solutions.
func TestSolutions(t *testing.T) {
	for _, c := range solutions {
		fn := compile(t, c.number, c.text(t), "", c.signature)
		if got := summary(fn, prove.Prove(fn, c.launch(fn))); got != c.want {
			t.Errorf("%s: %s\nwant: %s", c.number, got, c.want)
		}
	}
}

// slips are what people write by mistake: each in place of what is before it.
var slips = [...][2]string{{" < ", " <= "}, {" & ", " | "}, {"N0", "N1"}, {"N1", "N0"}, {"MID", "N0"}, {" + ", " - "},
	{" * ", " + "}, {"[:, None]", "[None, :]"}, {"[None, :]", "[:, None]"}}

// TestSlips counts what is proved of the solutions with one slip each. A change may prove more of them, and none less.
func TestSlips(t *testing.T) {
	inBounds, raceFree, kernels := map[prove.Level]int{}, map[prove.Level]int{}, 0
	for _, c := range solutions {
		lines := strings.SplitAfter(c.text(t), "\n")
		args, err := compiler.ParseSignature(c.signature)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range lines {
			for _, slip := range slips {
				lines[i] = strings.Replace(line, slip[0], slip[1], 1)
				file := source.NewFile(c.number, strings.Join(lines, ""))
				art, _ := compiler.Compile(file, compiler.Options{Args: args})
				if lines[i] == line || art == nil {
					continue
				}
				art.Func.Number()
				r := prove.Prove(art.Func, c.launch(art.Func))
				kernels++
				for _, a := range r.Accesses {
					inBounds[a.InBounds]++
				}
				for _, x := range r.Tensors {
					raceFree[x.RaceFree]++
				}
			}
			lines[i] = line
		}
	}
	const want = "232 kernels: in bounds map[no:129 launch:5 grid:38 size:651], " +
		"race-free map[no:37 launch:3 grid:9 size:708]"
	if got := fmt.Sprint(kernels, " kernels: in bounds ", inBounds, ", race-free ", raceFree); got != want {
		t.Errorf("%s\nwant: %s", got, want)
	}
}

// TestEffort: a question without an answer leaves the others of its kernel enough effort.
func TestEffort(t *testing.T) {
	text, err := os.ReadFile("../../wasm/api/testdata/answers/10_scalars.py")
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(text), "x_ptr + image", "x_ptr - image", 1)
	u := use{"*fp32:16, *fp32:16, *fp32:16, i32, i32, i32, 4, 4, 1", [3]int{4, 1, 1}, []int64{256, 16, 256, 4, 8, 8}}
	fn := compile(t, "conv2d", wrong, "", u.signature)
	const want = "k_ptr:grid x_ptr:no z_ptr:size | z_ptr:size if z_ptr.numel() >= N0 * H * W"
	if got := summary(fn, prove.Prove(fn, u.launch(fn))); got != want {
		t.Errorf("%s\nwant: %s", got, want)
	}
}

// head begins the kernels of TestVariants.
const head = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x, z, N, M, B: tl.constexpr):\n" +
	"    p = tl.program_id(0)\n    q = tl.program_id(1)\n    i = tl.arange(0, B)\n    c = p * B + i\n"

// TestVariants: what is proved of kernels that differ from right ones in one thing, at N = 60, M = 20 and blocks of 16.
func TestVariants(t *testing.T) {
	line, rows := use{"*fp32:16, *fp32:16, i32, i32, 16", [3]int{4, 1, 1}, []int64{60, 60, 60, 20}},
		use{"*fp32:16, *fp32:16, i32, i32, 16", [3]int{4, 2, 1}, []int64{1200, 1200, 60, 20}}
	const tile = "r = (p * B + i)[:, None]\nc = (q * B + i)[None, :]\nm = (r < N) & (c < M)\n"
	for _, c := range []struct {
		name, body string
		use
		want string
	}{
		{"right", "tl.store(z + c, tl.load(x + c, mask=c < N), mask=c < N)", line,
			"x:size z:size | z:size if x.numel() >= N, z.numel() >= N"},
		{"no mask", "tl.store(z + c, tl.load(x + c), mask=c < N)", line, "x:no z:size | z:size if z.numel() >= N"},
		{"<=", "tl.store(z + c, tl.load(x + c, mask=c <= N), mask=c < N)", line, "x:no z:size | z:size if z.numel() >= N"},
		{"off by one", "tl.store(z + c, tl.load(x + c + 1, mask=c < N), mask=c < N)", line,
			"x:no z:size | z:size if z.numel() >= N"},
		{"negative", "tl.store(z + c, tl.load(x + c - 1, mask=c < N), mask=c < N)", line,
			"x:no z:size | z:size if z.numel() >= N"},
		{"halo", "tl.store(z + c, tl.load(x + c - 1, mask=(c < N) & (c >= 1)), mask=c < N)", line,
			"x:size z:size | z:size if x.numel() >= N - 1, z.numel() >= N"},
		{"an offset from memory", "at = tl.load(x + c, mask=c < N).to(tl.int64)\n" +
			"tl.store(z + c, tl.load(x + at, mask=c < N), mask=c < N)", line,
			"x:size x:no z:size | z:size if x.numel() >= N, z.numel() >= N"},
		{"a store at an offset from memory", "at = tl.load(x + c, mask=c < N).to(tl.int64)\n" +
			"tl.store(z + at, 1.0, mask=c < N)", line, "x:size z:no | z:no if x.numel() >= N"},
		{"in place", "tl.store(x + c, tl.load(x + c, mask=c < N) + 1, mask=c < N)", line,
			"x:size x:size | x:size if x.numel() >= N"},
		{"in place, shifted", "tl.store(x + c, tl.load(x + c + 1, mask=c + 1 < N) + 1, mask=c < N)", line,
			"x:size x:size | x:no if x.numel() >= N"},
		{"blocks overlap", "d = p * (B - 1) + i\ntl.store(z + d, tl.load(x + c, mask=c < N), mask=d < N)", line,
			"x:size z:size | z:no if x.numel() >= N, z.numel() >= N"},
		{"blocks of 15", "d = p * 15 + tl.arange(0, 16)\ntl.store(z + d, tl.load(x + c, mask=c < N), mask=i < 15)", line,
			"x:size z:size | z:size if x.numel() >= N, z.numel() >= 15 * grid[0]"},
		{"one program", "if p == 0:\n    tl.store(z + i, 1.0)", line, "z:grid | z:size"},
		{"atomics", "tl.atomic_add(z + i, 1.0)", line, "z:grid | z:size"},
		{"grid-stride loop", "for s in range(p * B, N, tl.num_programs(0) * B):\n    j = s + i\n" +
			"    tl.store(z + j, tl.load(x + j, mask=j < N), mask=j < N)", line,
			"x:size z:size | z:size if x.numel() >= N, z.numel() >= N"},
		{"tile", tile + "tl.store(z + r * M + c, tl.load(x + r * M + c, mask=m), mask=m)", rows,
			"x:size z:size | z:size if x.numel() >= N * M, z.numel() >= N * M"},
		{"wrong stride", tile + "tl.store(z + r * N + c, tl.load(x + r * M + c, mask=m), mask=m)", rows,
			"x:size z:no | z:grid if x.numel() >= N * M"},
		{"columns without a mask", tile + "tl.store(z + r * M + c, tl.load(x + r * M + c, mask=r < N), mask=m)", rows,
			"x:no z:size | z:size if z.numel() >= N * M"},
		{"transposed", tile + "tl.store(z + c * N + r, tl.load(x + r * M + c, mask=m), mask=m)", rows,
			"x:size z:size | z:size if x.numel() >= N * M, z.numel() >= N * M"},
		{"reduction over columns", "for s in range(0, M, B):\n    tl.store(z + p, tl.sum(tl.load(x + p * M + s + i, " +
			"mask=s + i < M, other=0)))", use{line.signature, [3]int{60, 1, 1}, []int64{1200, 60, 60, 20}},
			"x:size z:size | z:size if x.numel() >= grid[0] * M, z.numel() >= grid[0]"},
	} {
		text := head + "    " + strings.ReplaceAll(c.body, "\n", "\n    ") + "\n"
		fn := compile(t, c.name, text, "", c.signature)
		if got := summary(fn, prove.Prove(fn, c.launch(fn))); got != c.want {
			t.Errorf("%s: %s\nwant: %s", c.name, got, c.want)
		}
	}
}

// TestNoWrap: proofs for other launches are about integers as they are. They say while what none wraps, and there are
// none if one may wrap in this launch. Hypotheses are what the code needs, whatever numbers are equal in this launch.
func TestNoWrap(t *testing.T) {
	grid := func(n int, args ...int64) use { return use{"*fp32:16, *fp32:16, i32, i32, 16", [3]int{n, 1, 1}, args} }
	const copied = "tl.store(z + c, tl.load(x + c, mask=c < N), mask=c < N)"
	for _, c := range []struct {
		name, body string
		use
		want string
	}{
		{"blocks", copied, grid(4, 60, 60, 60, 20),
			"x:size z:size | z:size if x.numel() >= N, z.numel() >= N while 16 * grid[0] <= 2**31"},
		{"more elements than needed", copied, grid(4, 600, 250, 60, 20),
			"x:size z:size | z:size if x.numel() >= N, z.numel() >= N while 16 * grid[0] <= 2**31"},
		{"sizes that are equal", "tl.store(z + p * M + i, tl.load(x + p * N + i, mask=i < N), mask=i < M)",
			grid(20, 320, 320, 16, 16), "x:size z:size | z:size if x.numel() >= grid[0] * N, z.numel() >= grid[0] * M " +
				"while grid[0] * M <= 2**31, grid[0] * N <= 2**31"},
		{"rows", "tl.store(z + p * M + i, 1.0, mask=i < N)", grid(4, 60, 260, 16, 64),
			"z:size | z:size if M >= N, z.numel() >= grid[0] * M + 16 - M while grid[0] * M <= 2**31"},
		{"an offset that wraps", "tl.store(z + p * 0 + i, tl.load(x + (p * N + i) % 16))", grid(3, 60, 60, 1<<30, 20),
			"x:no z:grid | z:no"},
		{"an offset that does not yet", "tl.store(z + i, tl.load(x + (p * N + i) % 16))", grid(2, 60, 60, 1<<30, 20),
			"x:grid z:grid | z:no while 1073741824 * grid[0] <= 2**31"},
		{"a mask that wraps", "d = c * N\ntl.store(z + c, 1.0, mask=(d < 64) & (c < 60))", grid(4, 60, 60, 1<<26, 20),
			"z:launch | z:launch"},
		{"64 bits", "d = p.to(tl.int64) * M + i\ntl.store(z + d, tl.load(x + i), mask=i < N)", grid(4, 60, 260, 16, 64),
			"x:grid z:size | z:size if M >= N, z.numel() >= grid[0] * M + 16 - M while grid[0] * M <= 2**62, grid[0] * M + 16 - M <= 2**62"},
	} {
		text := head + "    " + strings.ReplaceAll(c.body, "\n", "\n    ") + "\n"
		fn := compile(t, c.name, text, "", c.signature)
		r := prove.Prove(fn, c.launch(fn))
		got := summary(fn, r)
		if len(r.NoWrap) > 0 {
			got += " while " + strings.Join(r.NoWrap, ", ")
		}
		if got != c.want {
			t.Errorf("%s: %s\nwant: %s", c.name, got, c.want)
		}
	}
}

// TestFixedBugs: kernels of which something wrong was once proved, each in a file: a line on what was wrong, one with the
// signature, one with the grid and the arguments (a tensor's elements, with the least and the largest of its values where
// they are known), one with what is proved.
func TestFixedBugs(t *testing.T) {
	files, err := filepath.Glob("testdata/fixedbugs/*.py")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var u use
		lines := strings.SplitN(strings.ReplaceAll(string(raw), "# ", ""), "\n", 5)
		u.signature = lines[1]
		var values []*prove.Values
		for i, word := range strings.Fields(lines[2]) {
			var n int64
			v := &prove.Values{}
			if found, _ := fmt.Sscanf(word, "%d:%d..%d", &n, &v.Least, &v.Most); found < 3 {
				v = nil
			}
			if i < len(u.grid) {
				u.grid[i] = int(n)
			} else {
				u.args, values = append(u.args, n), append(values, v)
			}
		}
		fn := compile(t, file, string(raw), "", u.signature)
		l := u.launch(fn)
		l.Values = values
		if got := summary(fn, prove.Prove(fn, l)); got != lines[3] {
			t.Errorf("%s: %s\nwant: %s", file, got, lines[3])
		}
	}
}

// BenchmarkProve is what all proofs about a launch cost.
func BenchmarkProve(b *testing.B) {
	text, err := os.ReadFile("../../puzzles/11_matrix_multiplication/solution.py")
	if err != nil {
		b.Fatal(err)
	}
	u := use{"*fp32:16, *fp32:16, *fp32:16, i32, i32, i32, i32, 16, 16, 1, 16", [3]int{2, 2, 4},
		[]int64{4096, 4096, 4096, 32, 32, 4, 32}}
	fn := compile(b, "dot", string(text), "", u.signature)
	for b.Loop() {
		prove.Prove(fn, u.launch(fn))
	}
}

// TestRaceOfOthers: a tensor is not race-free where programs race at its memory by way of another pointer.
func TestRaceOfOthers(t *testing.T) {
	const text = `import triton
import triton.language as tl

@triton.jit
def k(x, z):
    tl.store(z, tl.load(x + 1) + tl.program_id(0))
`
	for _, shared := range []bool{false, true} {
		fn := compile(t, "k.py", text, "k", "*i32:16, *i32:16")
		l := use{grid: [3]int{4, 1, 1}, args: []int64{8, 8}}.launch(fn)
		if shared {
			l.Memory[1] = l.Memory[0]
		}
		if found := prove.Prove(fn, l).Tensors; (found[0].RaceFree == prove.NotProved) != shared {
			t.Errorf("shared %v: %v", shared, found)
		}
	}
}
