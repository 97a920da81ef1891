package ptx_test

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/internal/snapshot"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/tl"
)

// goldenKernel is a kernel with the arguments that it is compiled for.
type goldenKernel struct {
	name, text, kernel, signature string
	args                          []compiler.Arg // where the signature does not say all
	configs                       [][2]int       // warps and stages
	whole                         []string       // the variants of which testdata/goldens holds the whole text
	modes                         []string       // further options to compile it with, by name in optionModes
	plans                         []string       // further variants of which testdata/plans holds the plan
	few                           bool           // two of the four variants are enough
}

// variant is one way to compile a kernel.
type variant struct {
	target        string
	proved        bool // the launch has proved every access and bounded every loop
	warps, stages int
	mode          string
}

// optionModes are options that comparisons and tests use.
var optionModes = map[string]func(*ptx.Options){
	"mmasync": func(o *ptx.Options) { o.MmaSync = true },
	"exact":   func(o *ptx.Options) { o.Exact = true },
	"signed":  func(o *ptx.Options) { o.Signed = true },
	"boxes":   func(o *ptx.Options) { o.Boxes = o.Proved },
	// of more programs than multiprocessors
	"many": func(o *ptx.Options) { o.Boxes, o.Persistent = o.Proved, true },
}

func (v variant) facts() string {
	if v.proved {
		return "proved"
	}
	return "checked"
}

func (v variant) name() string {
	return strings.TrimSuffix(fmt.Sprintf("%s.%s.w%d.s%d.%s", v.target, v.facts(), v.warps, v.stages, v.mode), ".")
}

func (v variant) options(fn *ir.Func) ptx.Options {
	o := ptx.Options{Target: v.target, NumWarps: v.warps, NumStages: v.stages, PrintBytes: 1 << 16}
	if v.proved {
		o.Proved = func(*ir.Instr) bool { return true }
		o.Bounded = o.Proved
		for range fn.Params {
			o.FirstZero = append(o.FirstZero, true)
		}
	}
	if set := optionModes[v.mode]; set != nil {
		set(&o)
	}
	return o
}

func (k goldenKernel) variants() (out []variant) {
	for _, c := range k.configs {
		for _, target := range []string{"sm_80", "sm_90a"} {
			for _, proved := range []bool{false, true} {
				if !k.few || proved == (target == "sm_80") {
					out = append(out, variant{target, proved, c[0], c[1], ""})
				}
			}
		}
		for _, mode := range k.modes {
			out = append(out, variant{"sm_90a", true, c[0], c[1], mode})
		}
	}
	return out
}

// What testdata/goldens holds whole.
var (
	quick  = [][2]int{{4, 3}}
	proved = "sm_90a.proved.w4.s3"
	both   = []string{"sm_90a.checked.w4.s3", proved}
)

// goldenKernels are those whose code is kept.
func goldenKernels(t testing.TB) (all []goldenKernel) {
	head := "import triton\nimport triton.language as tl\n\n@triton.jit"
	for _, k := range []goldenKernel{
		{name: "copy", text: head + copyKernel, signature: "*fp16:16, *fp16:16, i32:16, 2048", whole: both},
		{name: "rows", text: head + rowsKernel, signature: "*fp32:16, *fp32:16, i32, i32:16, 4, 512", whole: []string{proved}},
		{name: "transpose", text: head + transposeKernel, signature: "*i32:16, *i32:16, 64, 32", whole: []string{proved}},
		{name: "scan", text: head + scanKernel, signature: "*fp32:16, *fp32:16, i32:16, 2048", plans: []string{proved}},
	} {
		k.configs = quick
		all = append(all, k)
	}
	all = append(all, puzzleKernels(t)...)
	all = append(all, benchKernels(t)...)
	return append(all, languageKernels(t)...)
}

// puzzleKernels are the puzzles' solutions, for sizes that are multiples of 16 and for others.
func puzzleKernels(t testing.TB) (all []goldenKernel) {
	paths, err := filepath.Glob("../../puzzles/*/solution*.py")
	if err != nil || len(paths) < 12 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		var n int
		fmt.Sscanf(filepath.Base(filepath.Dir(path)), "%d", &n)
		name := filepath.Base(filepath.Dir(path)) + strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "solution"), ".py")
		signature := strings.NewReplacer("*fp32", "*fp32:16", "*i32", "*i32:16").Replace(puzzleArgs[n])
		aligned := strings.ReplaceAll(signature, ",i32", ",i32:16")
		whole := []string{proved}
		if filepath.Base(path) != "solution.py" {
			whole = nil // the first answer to a puzzle is enough to read
		}
		all = append(all,
			goldenKernel{name: name, text: read(t, path), signature: signature, configs: quick},
			goldenKernel{name: name + ".aligned", text: read(t, path), signature: aligned, configs: quick, whole: whole})
	}
	return all
}

// matmulKinds are the dtypes of operands, result and accumulator, with the precision of products.
var matmulKinds = []struct{ name, in, out, acc, precision string }{
	{"fp16", "fp16", "fp16", "float32", "tf32"},
	{"bf16", "bf16", "bf16", "float32", "tf32"},
	{"tf32", "fp32", "fp32", "float32", "tf32"},
	{"fp32", "fp32", "fp32", "float32", "ieee"},
	{"int8", "i8", "i32", "int32", "tf32"},
	{"fp8", "fp8e4nv", "fp16", "float32", "tf32"},
}

// benchKernels are those that runner/gpu/bench times, with most of its configurations.
func benchKernels(t testing.TB) (all []goldenKernel) {
	text := read(t, "../testdata/kernels.py")
	add := func(name, kernel, signature string, configs [][2]int, whole ...string) {
		all = append(all, goldenKernel{name: name, text: text, kernel: kernel, signature: signature, configs: configs, whole: whole})
	}
	modes := func(names ...string) { all[len(all)-1].modes = names }
	add("vector_add", "vector_add", "*fp32:16, *fp32:16, *fp32:16, i32:16, 1024", [][2]int{{4, 3}, {8, 3}}, both...)
	add("vector_add.odd", "vector_add", "*fp32:16, *fp32:16, *fp32:16, i32, 1024", quick)
	for _, block := range []int{1024, 4096, 32768} {
		configs := [][2]int{{4, 3}, {8, 3}, {16, 3}}
		whole := []string(nil)
		if block == 1024 {
			whole = []string{proved}
		}
		for _, dtype := range []string{"fp32", "fp16"} {
			at := fmt.Sprintf("_%s_%d", dtype, block)
			p := "*" + dtype + ":16, "
			add("row_softmax"+at, "row_softmax", fmt.Sprint(p, p, "i32:16, ", block), configs, whole...)
			add("layer_norm"+at, "layer_norm", fmt.Sprint(p, p, p, p, "i32:16, fp32, ", block), configs, whole...)
			modes("exact", "signed")
			configs, whole = quick, nil
		}
	}
	add("row_softmax_fp32_1024.odd", "row_softmax", "*fp32:16, *fp32:16, i32, 1024", quick)
	for _, kind := range matmulKinds {
		for i, c := range benchConfigs {
			if (kind.precision == "ieee" || kind.name == "fp8") && c[2] > 64 {
				continue // a second each, and nothing that the rest lacks
			}
			for _, stride := range []string{"i32:16", "i32"} {
				if stride == "i32" && i > 0 {
					continue
				}
				name := fmt.Sprintf("matmul_%s_%dx%dx%d%s", kind.name, c[0], c[1], c[2], map[string]string{"i32": ".odd"}[stride])
				signature := fmt.Sprintf("*%s:16, *%s:16, *%s:16, %[4]s, %[4]s, %[4]s, %[4]s, 1, %[4]s, 1, %[4]s, 1, %d, %d, %d, 8, tl.%s, '%s'",
					kind.in, kind.in, kind.out, stride, c[0], c[1], c[2], kind.acc, kind.precision)
				whole := map[string][]string{
					"matmul_fp16_64x64x64":  {"sm_80.proved.w4.s3", "sm_90a.checked.w4.s3", proved},
					"matmul_fp32_128x64x32": {"sm_90a.proved.w4.s4"},
				}[name]
				add(name, "matmul", signature, [][2]int{{c[4], c[3]}}, whole...)
				if name == "matmul_fp16_128x256x64" || name == "matmul_fp8_128x64x32" || name == "matmul_tf32_128x128x32" ||
					name == "matmul_int8_128x256x64" {
					all[len(all)-1].plans = []string{fmt.Sprintf("sm_90a.proved.w%d.s%d", c[4], c[3])}
				}
				if name == "matmul_fp16_128x256x64" || name == "matmul_tf32_128x128x32" {
					modes("boxes", "many")
					plans := &all[len(all)-1].plans
					*plans = append(*plans, (*plans)[0]+".boxes")
					if name == "matmul_fp16_128x256x64" {
						*plans = append(*plans, (*plans)[0]+".many")
					}
				}
				if c[0]*c[1] <= 64*128 {
					modes("mmasync", "exact", "signed")
				}
			}
		}
	}
	for _, kind := range []string{"fp8e4nv", "i8", "fp32"} { // with a right operand that is contiguous along K
		out, acc := map[string]string{"fp8e4nv": "fp16", "i8": "i32", "fp32": "fp32"}[kind], "float32"
		if kind == "i8" {
			acc = "int32"
		}
		signature := fmt.Sprintf("*%s:16, *%[1]s:16, *%s:16, i32:16, i32:16, i32:16, i32:16, 1, 1, i32:16, i32:16, 1, 128, 128, 64, 8, tl.%s, 'tf32'", kind, out, acc)
		add("matmul_kmajor_"+kind, "matmul", signature, [][2]int{{8, 3}})
		all[len(all)-1].plans = []string{"sm_90a.proved.w8.s3"}
	}
	for _, d := range []int{64, 128} {
		for _, causal := range []string{"True", "False"} {
			for _, c := range [][4]int{{128, 64, 3, 4}, {128, 64, 3, 8}, {128, 128, 2, 8}, {64, 64, 3, 4}} {
				name := fmt.Sprintf("attention_%d_%dx%d_causal%s", d, c[0], c[1], causal)
				if c[3] == 8 {
					name += "_w8"
				}
				whole := []string(nil)
				if name == "attention_64_64x64_causalTrue" {
					whole = []string{"sm_80.proved.w4.s3", proved}
				}
				add(name, "attention", fmt.Sprintf("*fp16:16, *fp16:16, *fp16:16, *fp16:16, fp32, i32:16, %d, %d, %d, %s", d, c[0], c[1], causal),
					[][2]int{{c[3], c[2]}}, whole...)
				if d == 128 && c[0]*c[1] == 128*128 {
					modes("boxes")
				}
			}
		}
	}
	return all
}

// languageKernels show what the language does at run time, and the example of each name.
func languageKernels(t testing.TB) (all []goldenKernel) {
	const folder = "../../interp/launch/testdata/"
	head := read(t, folder+"helpers.py") + "@triton.jit\ndef k(x, out, n, B: tl.constexpr):\n"
	for i, chunk := range strings.Split(read(t, folder+"language.py"), "\n---\n") {
		args := parsed(t, "*fp32:16, *fp32:16, i32, 8")
		args[2].Value = int64(10) // some kernels have it compiled in
		all = append(all, goldenKernel{name: fmt.Sprint("language", i), text: languageText(head, chunk), kernel: "k", args: args, configs: quick, few: true})
	}
	for _, row := range tl.Rows() {
		args := parsed(t, "*fp32:16, *i32:16, *fp32:16, i32")
		all = append(all, goldenKernel{name: row.Path(), text: row.ExampleKernel(), kernel: "example", args: args, configs: quick, few: true})
	}
	return all
}

var tritonLine = regexp.MustCompile(`(?m)^# triton: .*\n`)

// languageText is the text of a kernel of language.py. The line with the version of Triton that it is for stands first,
// where it counts.
func languageText(head, chunk string) string {
	return tritonLine.FindString(chunk) + head + indented(chunk)
}

var dump = flag.String("dump", "", "write what TestGolden compiles to this folder")

// TestGolden: the tile IR, the layouts and the PTX of kernels are what they were. testdata/goldens.txt has a paragraph
// for each kernel; for some of them testdata/goldens has the whole text. With -dump it writes all texts, those of two
// compilers for diff -r to compare.
func TestGolden(t *testing.T) {
	kernels := goldenKernels(t)
	rows := make([]string, len(kernels))
	files := make([][]string, len(kernels))
	t.Run("kernels", func(t *testing.T) {
		for i, k := range kernels {
			t.Run(k.name, func(t *testing.T) {
				t.Parallel()
				rows[i], files[i] = k.compile(t)
			})
		}
	})
	head := "# The kernels of golden_test.go, each with hashes of what all ways to compile it give, the first 16 digits of a\n" +
		"# SHA-256: ir of the tile IR, ptx of the PTX, rest of what comes with it (layouts, spans of lines, parameters, sites,\n" +
		"# warnings). Below, each way with its size. go test ./compiler/ptx -run TestGolden -dump FOLDER writes the texts.\n"
	snapshot.Compare(t, "testdata/goldens.txt", head+strings.Join(rows, ""))
	var paths []string
	for _, f := range files {
		paths = append(paths, f...)
	}
	snapshot.Only(t, "testdata/goldens/*", paths)
	snapshot.Only(t, "testdata/plans/*", paths)
}

// scanKernel has running sums of each row, a maximum, and a store that the next load reads.
const scanKernel = `
def scan(x, y, n, B: tl.constexpr):
    i = tl.arange(0, B)
    row = tl.program_id(0) * n
    sums = tl.cumsum(tl.load(x + row + i, mask=i < n, other=0.0), 0)
    tl.store(y + row + i, sums, mask=i < n)
    last = tl.load(y + row + n - 1)
    tl.store(y + row + i, sums / last, mask=i < n)
`

func (k goldenKernel) file() *source.File { return source.NewFile(k.name+".py", k.text) }

// lowered is the kernel's tile IR for one way to compile it.
func (k goldenKernel) lowered(t *testing.T, v variant) *ir.Func {
	t.Helper()
	args := k.args
	if args == nil {
		args = parsed(t, k.signature)
	}
	o := compiler.Options{Kernel: k.kernel, Args: args, NumWarps: v.warps, NumStages: v.stages}
	art, list := compiler.Compile(k.file(), o)
	if art == nil {
		t.Fatal(list[0])
	}
	return art.Func
}

// compile gives k's paragraph of the table, and the files that hold its text.
func (k goldenKernel) compile(t *testing.T) (rows string, files []string) {
	keep := func(name, text string) {
		files = append(files, filepath.Join("testdata/goldens", name))
		snapshot.Compare(t, files[len(files)-1], text)
	}
	var irs, texts, rests strings.Builder
	for i, v := range k.variants() {
		fn := k.lowered(t, v)
		p := ptx.Plan(fn, v.options(fn))
		if errs := ir.VerifyPlaced(p.Func); len(errs) > 0 {
			t.Errorf("%s: as planned: %v", v.name(), errs[0])
		}
		irs.WriteString(ir.Print(fn))
		m, err := ptx.Compile(fn, v.options(fn))
		if err != nil {
			rows += fmt.Sprintf("    %-22s refused: %v\n", v.name(), err)
			continue
		}
		sizedAsPlanned(t, p, m)
		if lines := strings.Count(m.Text, "\n"); lines != len(m.Lines) {
			t.Errorf("%s: %d lines, %d spans", v.name(), lines, len(m.Lines))
		}
		rows += fmt.Sprintf("    %-22s %5d instructions %6d bytes shared\n", v.name(), instructions(m.Text), m.Shared)
		texts.WriteString(m.Text)
		rests.WriteString(rest(m))
		if *dump != "" {
			path := filepath.Join(*dump, k.name+"."+v.name())
			if err := errors.Join(os.WriteFile(path+".ptx", []byte(m.Text), 0o644), os.WriteFile(path+".rest", []byte(rest(m)), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		if i == 0 && k.whole != nil {
			keep(k.name+".ir", fn.String())
		}
		for _, name := range k.whole {
			if name == v.name() {
				keep(k.name+"."+name+".ptx", layouts(m)+m.Text)
			}
		}
		if slices.Contains(slices.Concat(k.whole, k.plans), v.name()) {
			files = append(files, filepath.Join("testdata/plans", k.name+"."+v.name()+".txt"))
			snapshot.Compare(t, files[len(files)-1], p.Text(k.file()))
			text := ir.Print(p.Func)
			if read, err := ir.Parse(text); err != nil || ir.Print(read) != text {
				t.Errorf("%s: read back as another function: %v", v.name(), err)
			}
		}
	}
	head := fmt.Sprintf("%-38s ir %s ptx %s rest %s\n", k.name, hash(irs.String()), hash(texts.String()), hash(rests.String()))
	return head + rows, files
}

func parsed(t testing.TB, signature string) []compiler.Arg {
	t.Helper()
	args, err := compiler.ParseSignature(signature)
	if err != nil {
		t.Fatal(err)
	}
	return args
}

// rest is what a launch and the page read of a module, its text aside.
func rest(m *ptx.Module) string {
	var sb strings.Builder
	sb.WriteString(layouts(m))
	type param struct {
		kind ptx.ParamKind
		arg  int
	}
	var params []param
	for _, p := range m.Params {
		params = append(params, param{p.Kind, p.Arg})
	}
	fmt.Fprintln(&sb, m.Entry, m.Threads, m.Shared, m.Target, params, m.Lines)
	for _, s := range m.Sites {
		fmt.Fprintln(&sb, "site", s.Kind, s.Span)
	}
	for _, p := range m.PrintSites {
		fmt.Fprintln(&sb, "print", p.In.Span)
	}
	for _, w := range m.Warnings {
		fmt.Fprintln(&sb, "warning", w.Code, w.Primary.Span)
	}
	return sb.String()
}

func layouts(m *ptx.Module) string {
	var sb strings.Builder
	for _, l := range m.Layouts {
		sb.WriteString("// " + l.Text() + "\n")
	}
	return sb.String()
}

func hash(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16] }

// instructions counts the statements of a body: what ends in a semicolon and is no declaration.
func instructions(text string) (n int) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasSuffix(line, ";") && !strings.HasPrefix(line, ".") {
			n++
		}
	}
	return n
}
