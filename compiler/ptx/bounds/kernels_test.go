package bounds_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/bounds"
	"github.com/newtlab/newt/compiler/source"
)

// use is a kernel as it is launched: args are elements that a pointer reaches, or the value.
type use struct {
	name, path, kernel, signature string
	grid                          [3]int
	args                          []int64
	vectors                       []int // of its accesses, in order
	trips                         []int64
}

const (
	samples = "../../testdata/kernels.py"
	product = "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, i32:1, i32:16, i32:1, i32:16, i32:1, 128, 128, 64, 8, tl.float32, 'tf32'"
	ragged  = "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i32, i32:1, i32, i32:1, i32, i32:1, 128, 128, 64, 8, tl.float32, 'tf32'"
	layers  = "*fp16:16, *fp16:16, *fp16:16, *fp16:16, i32:16, fp32, 1024"
	heads   = "*fp16:16, *fp16:16, *fp16:16, *fp16:16, fp32, i32:16, 64, 128, 64, "
)

// uses are launches whose accesses are all in range, and are found to be.
var uses = []use{
	{"vector_add", samples, "vector_add", "*fp32:16, *fp32:16, *fp32:16, i32:16, 1024", [3]int{98, 1, 1}, []int64{100_000, 100_000, 100_000, 100_000}, []int{4, 4, 4}, nil},
	{"row_softmax", samples, "row_softmax", "*fp16:16, *fp16:16, i32:16, 1024", [3]int{50, 1, 1}, []int64{40_000, 40_000, 800}, []int{8, 8}, nil},
	{"layer_norm", samples, "layer_norm", layers, [3]int{50, 1, 1}, []int64{40_000, 800, 800, 40_000, 800, 0}, []int{8, 8, 8, 8}, nil},
	{"matmul", samples, "matmul", product, [3]int{16, 1, 1}, []int64{512 * 256, 256 * 512, 512 * 512, 512, 512, 256, 256, 512, 512}, []int{8, 8, 8}, []int64{4}},
	{"matmul, large", samples, "matmul", product, [3]int{4096, 1, 1}, []int64{1 << 26, 1 << 26, 1 << 26, 8192, 8192, 8192, 8192, 8192, 8192}, []int{8, 8, 8}, []int64{128}},
	{"matmul, ragged", samples, "matmul", ragged, [3]int{9, 1, 1}, []int64{300 * 100, 100 * 301, 300 * 301, 300, 301, 100, 100, 301, 301}, []int{1, 1, 1}, []int64{2}},
	{"matmul, a last group of two", samples, "matmul", product, [3]int{40, 1, 1}, []int64{1280 * 256, 256 * 512, 1280 * 512, 1280, 512, 256, 256, 512, 512}, []int{8, 8, 8}, []int64{4}},
	{"matmul, ragged, a last group of two", samples, "matmul", ragged, [3]int{40, 1, 1}, []int64{1270 * 100, 100 * 501, 1270 * 501, 1270, 501, 100, 100, 501, 501}, []int{1, 1, 1}, []int64{2}},
	{"attention", samples, "attention", heads + "False", [3]int{8, 4, 1}, []int64{1 << 18, 1 << 18, 1 << 18, 1 << 18, 0, 1024}, []int{8, 8, 8, 8}, []int64{16}},
	{"attention, causal", samples, "attention", heads + "True", [3]int{8, 4, 1}, []int64{1 << 18, 1 << 18, 1 << 18, 1 << 18, 0, 1024}, []int{8, 8, 8, 8}, []int64{16}},
	puzzle("01", "", "*fp32:16, *fp32:16, i32, 32", [3]int{1, 1, 1}, 32, 32, 32),
	puzzle("02", "", "*fp32:16, *fp32:16, i32, 32", [3]int{7, 1, 1}, 200, 200, 200),
	puzzle("03", "", "*fp32:16, *fp32:16, *fp32:16, i32, i32, 32, 32", [3]int{1, 1, 1}, 32, 32, 1024, 32, 32),
	puzzle("04", "", "*fp32:16, *fp32:16, *fp32:16, i32, i32, 32, 32", [3]int{4, 3, 1}, 100, 90, 9000, 100, 90),
	puzzle("05", "", "*fp32:16, *fp32:16, *fp32:16, i32, i32, 32, 32", [3]int{4, 3, 1}, 100, 90, 9000, 100, 90),
	puzzle("06", "", "*fp32:16, *fp32:16, *fp32:16, *fp32:16, i32, i32, 32, 32", [3]int{4, 3, 1}, 9000, 90, 9000, 9000, 100, 90),
	puzzle("07", "", "*fp32:16, *fp32:16, i32, i32, i32, 1, 32", [3]int{4, 1, 1}, 800, 4, 4, 32, 200),
	puzzle("08", "", "*fp32:16, *fp32:16, i32, i32, i32, 1, 32", [3]int{4, 1, 1}, 800, 800, 4, 32, 200),
	puzzle("08", "_two_loops", "*fp32:16, *fp32:16, i32, i32, i32, 1, 32", [3]int{4, 1, 1}, 800, 800, 4, 32, 200),
	puzzle("09", "", "*fp32:16, *fp32:16, *fp32:16, *fp32:16, i32, i32, 64, 32", [3]int{4, 1, 1}, 200, 200, 200, 200, 200, 200),
	puzzle("10", "", "*fp32:16, *fp32:16, *fp32:16, i32, i32, i32, 4, 4, 1", [3]int{4, 1, 1}, 256, 16, 256, 4, 8, 8),
	puzzle("11", "", "*fp32:16, *fp32:16, *fp32:16, i32, i32, i32, i32, 16, 16, 1, 16", [3]int{2, 2, 4}, 4096, 4096, 4096, 32, 32, 4, 32),
	puzzle("12", "", "*fp32:16, *i32:16, *i32:16, *fp32:16, *fp32:16, i32, i32, i32, 16, 16, 64", [3]int{2, 2, 1}, 256, 32, 256, 2048, 1024, 32, 32, 64),
	puzzle("601", "", "*fp32:16, *fp32:16, i32, 32", [3]int{1, 1, 1}, 20, 1, 20),
	puzzle("701", "", "*fp32:16, *fp32:16, i32, i32, 64", [3]int{4, 1, 1}, 200, 4, 4, 50),
	puzzle("702", "", "*fp32:16, *fp32:16, i32, i32, 64", [3]int{4, 1, 1}, 200, 200, 4, 50),
	puzzle("801", "", "*fp32:16, *fp32:16, i32, i32, 32", [3]int{4, 1, 1}, 800, 4, 4, 200),
	puzzle("1001", "", "*fp32:16, *fp32:16, *fp32:16, i32, i32, i32, 16, 16, 16", [3]int{1, 1, 1}, 55, 77, 35, 5, 7, 11),
	puzzle("1001", "_broadcast", "*fp32:16, *fp32:16, *fp32:16, i32, i32, i32, 16, 16, 16", [3]int{1, 1, 1}, 55, 77, 35, 5, 7, 11),
	puzzle("1101", "_words", "*i32:16, *i32:16, i32, 32", [3]int{7, 1, 1}, 25, 200, 200),
}

func puzzle(number, variant, signature string, grid [3]int, args ...int64) use {
	paths, _ := filepath.Glob("../../../puzzles/" + number + "_*/solution" + variant + ".py")
	return use{name: "puzzle " + number + variant, path: paths[0], signature: signature, grid: grid, args: args}
}

// compile makes the use's function, numbered.
func (u *use) compile(t testing.TB) *ir.Func {
	t.Helper()
	text, err := os.ReadFile(u.path)
	if err != nil {
		t.Fatal(err)
	}
	args, err := compiler.ParseSignature(u.signature)
	if err != nil {
		t.Fatal(err)
	}
	art, list := compiler.Compile(source.NewFile(u.path, string(text)), compiler.Options{Kernel: u.kernel, Args: args})
	if art == nil {
		t.Fatalf("%s: %v", u.name, list)
		return nil
	}
	art.Func.Number()
	return art.Func
}

// launch is the use's launch, with one element less at the end of argument less.
func (u *use) launch(fn *ir.Func, less int) bounds.Args {
	args := bounds.Args{Grid: u.grid}
	for i, p := range fn.Params {
		n := u.args[i]
		if i == less {
			n--
		}
		if p.Value.Type.Pointer {
			args.Args = append(args.Args, bounds.Arg{Count: n})
		} else {
			args.Args = append(args.Args, bounds.Arg{Value: num.FromInt(p.Value.Type.DType, n)})
		}
	}
	return args
}

// TestKernels: every access of usual kernels is found in range, as many elements at once as they
// should be; none of an argument that is one element short is, unless it cannot be reached.
func TestKernels(t *testing.T) {
	for _, u := range uses {
		fn := u.compile(t)
		facts := axis.Analyze(fn)
		prover := bounds.New(fn, facts)
		proof := prover.Prove(u.launch(fn, -1))
		var vectors []int
		var trips []int64
		fn.Body.Walk(func(in *ir.Instr) {
			if in.Op == ops.For {
				n, ok := proof.Bounded(in)
				if trips = append(trips, n); !ok {
					t.Errorf("%s: a loop without a bound", u.name)
				}
			}
			if !axis.Accesses(in) {
				return
			}
			vectors = append(vectors, facts.Vector(in))
			if !proof.InRange(in) {
				t.Errorf("%s: %s at %v is not found in range", u.name, in.Op, in.Span)
			}
			arg := facts.Argument(in.Operands[0])
			if prover.Prove(u.launch(fn, arg)).InRange(in) {
				t.Errorf("%s: %s at %v is found in range of %d elements", u.name, in.Op, in.Span, u.args[arg]-1)
			}
		})
		if u.vectors != nil && !slices.Equal(vectors, u.vectors) {
			t.Errorf("%s: vectors of %v elements, want %v", u.name, vectors, u.vectors)
		}
		if u.trips != nil && !slices.Equal(trips, u.trips) {
			t.Errorf("%s: loops of %v iterations, want %v", u.name, trips, u.trips)
		}
	}
}

// BenchmarkProve is what a launch costs.
func BenchmarkProve(b *testing.B) {
	for _, u := range uses {
		fn := u.compile(b)
		prover := bounds.New(fn, axis.Analyze(fn))
		args := u.launch(fn, -1)
		b.Run(u.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				prover.Prove(args)
			}
		})
	}
}

// BenchmarkAnalyze is what finding the facts costs a compilation.
func BenchmarkAnalyze(b *testing.B) {
	for _, u := range uses {
		fn := u.compile(b)
		b.Run(u.name, func(b *testing.B) {
			for b.Loop() {
				axis.Analyze(fn)
			}
		})
	}
}
