package refactor_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/internal/snapshot"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/refactor"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/launch"
)

// rewritten is a file without its block pointers, and what is said of those that are left.
func rewritten(t *testing.T, text string, o refactor.Options) (*source.File, diag.List) {
	t.Helper()
	file := source.NewFile("kernels.py", text)
	m, list := syntax.Parse(file)
	if list.HasErrors() {
		t.Fatalf("%s\n%s", list[0].In(diag.English).Headline, text)
	}
	r := refactor.BlockPointers(m, o)
	return source.NewFile("kernels.py", diag.Apply(file, r.Edits)), r.Kept
}

// What takes the place of block pointers.
var (
	masks       = refactor.Options{}
	descriptors = refactor.Options{Descriptors: true}
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestGolden: the kernels of testdata, rewritten, and the reasons for what is left as it is.
func TestGolden(t *testing.T) {
	file, list := rewritten(t, read(t, "kernels.py"), masks)
	if len(list) > 0 {
		t.Error(list[0].In(diag.English).Headline)
	}
	snapshot.Compare(t, "testdata/golden/kernels.py", file.Text)
	file, _ = rewritten(t, read(t, "kernels.py"), descriptors)
	snapshot.Compare(t, "testdata/golden/descriptors.py", file.Text)

	text := read(t, "kept.py")
	file, list = rewritten(t, text, masks)
	if file.Text != text {
		t.Error("what is kept is not left as it is:", snapshot.Diff(text, file.Text))
	}
	var said strings.Builder
	for _, d := range list {
		fmt.Fprintf(&said, "%d: %s\n", file.Position(d.Primary.Span.Start).Line, d.In(diag.English).Headline)
	}
	snapshot.Compare(t, "testdata/golden/kept.txt", said.String())
}

// TestTwice: what has been rewritten has nothing left to rewrite.
func TestTwice(t *testing.T) {
	once, _ := rewritten(t, read(t, "kernels.py"), masks)
	if twice, _ := rewritten(t, once.Text, masks); twice.Text != once.Text {
		t.Error(snapshot.Diff(once.Text, twice.Text))
	}
}

// TestAround: the functions that share block pointers are rewritten together, and others are left alone.
func TestAround(t *testing.T) {
	file := source.NewFile("kernels.py", read(t, "kernels.py"))
	m, _ := syntax.Parse(file)
	all, _ := rewritten(t, file.Text, masks)
	r := refactor.BlockPointers(m, masks)
	for name, together := range map[string][]string{"matmul": {"matmul"}, "inner": {"inner", "handed_over"},
		"returned": {"rows_of", "returned"}} {
		text := file.Text
		for _, fn := range lower.Kernels(m) {
			if fn.Name == name {
				text = diag.Apply(file, r.Around(fn.NameSpan))
			}
		}
		for _, fn := range lower.Kernels(m) {
			want := file.Text
			if slices.Contains(together, fn.Name) {
				want = all.Text
			}
			if function(text, fn.Name) != function(want, fn.Name) {
				t.Errorf("around %s: %s is\n%s", name, fn.Name, function(text, fn.Name))
			}
		}
	}

	file = source.NewFile("kept.py", read(t, "kept.py"))
	m, _ = syntax.Parse(file)
	r = refactor.BlockPointers(m, masks)
	for _, d := range r.Kept {
		if edits := r.Around(d.Primary.Span); len(edits) > 0 {
			t.Errorf("around what is kept: %v", edits)
		}
	}
}

// function is the text of a function.
func function(text, name string) string {
	_, text, _ = strings.Cut(text, "def "+name+"(")
	text, _, _ = strings.Cut(text, "\n@triton.jit")
	return text
}

// launches are how often each kernel is launched.
const launches = 30

// TestSameResults launches each kernel of testdata before and after, with sizes that are no multiples of blocks,
// strides and offsets of either sign, and compares every byte of memory.
func TestSameResults(t *testing.T) {
	text := read(t, "kernels.py")
	after, _ := rewritten(t, text, masks)
	sameResults(t, source.NewFile("kernels.py", text), after, 1)
}

// TestSameResultsOfDescriptors is TestSameResults for sizes and strides that descriptors take.
func TestSameResultsOfDescriptors(t *testing.T) {
	text := read(t, "kernels.py")
	after, _ := rewritten(t, text, descriptors)
	sameResults(t, source.NewFile("kernels.py", text), after, 4)
}

// sameResults compares the kernels of two files; sizes and strides are multiples of unit.
func sameResults(t *testing.T, before, after *source.File, unit int) {
	t.Helper()
	m, _ := syntax.Parse(before)
	for _, fn := range lower.Kernels(m) {
		if !strings.HasSuffix(fn.Params.List[0].Name, "_ptr") || fn.Name == "rows_of" {
			continue // a function for kernels to call
		}
		for seed := range launches {
			args := generate(rand.New(rand.NewPCG(uint64(seed), 1)), fn, unit)
			want, said := run(t, before, fn.Name, args)
			got, now := run(t, after, fn.Name, args)
			if said != now {
				t.Errorf("%s, launch %d: %s, and before %s", fn.Name, seed, now, said)
			}
			for i := range want {
				if !bytes.Equal(got[i], want[i]) {
					t.Fatalf("%s, launch %d: other results in argument %d\n%s", fn.Name, seed, i, after.Text)
				}
			}
		}
	}
}

const elements = 1 << 14

// generate makes arguments by the names of the parameters: pointers into the middle of a tensor of random numbers.
func generate(r *rand.Rand, fn *syntax.FunctionDef, unit int) (args []launch.Arg) {
	for _, p := range fn.Params.List {
		a := launch.Arg{Constexpr: p.Annotation != nil}
		switch {
		case strings.HasSuffix(p.Name, "_ptr"):
			data := make([]byte, 4*elements)
			for i := range elements {
				binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(float32(r.IntN(64)-32)/16))
			}
			a.Tensor = &launch.Tensor{DType: num.Float32, Data: data, Offset: elements / 2}
		case p.Name == "FLAG":
			a.Value = r.IntN(2) == 0
		case p.Name == "D", strings.HasPrefix(p.Name, "B"):
			a.Value = int64(16)
		case strings.HasPrefix(p.Name, "i"):
			a.Value = int64(r.IntN(40) - 10)
		case strings.HasPrefix(p.Name, "s"):
			a.Value = int64(unit * (r.IntN(50/unit) - 5/unit))
		default:
			a.Value = int64(unit * r.IntN(45/unit))
		}
		args = append(args, a)
	}
	return args
}

// run launches a kernel, one program after the other, and returns the memory behind it and the codes of what is said.
func run(t *testing.T, file *source.File, name string, args []launch.Arg) (memory [][]byte, said string) {
	t.Helper()
	k, list := launch.Compile(file, name, args, false)
	if k == nil {
		line := file.Position(list[0].Primary.Span.Start).Line
		t.Fatalf("%s, line %d: %s\n%s", name, line, list[0].In(diag.English).Headline, file.Text)
	}
	for i, a := range args {
		if a.Tensor != nil {
			tensor := *a.Tensor
			tensor.Data = bytes.Clone(tensor.Data)
			args[i].Tensor = &tensor
			defer func() { args[i].Tensor = a.Tensor }()
			memory = append(memory, tensor.Data)
		}
	}
	report, fault := k.Run(context.Background(), launch.Target{Device: cpu.New(cpu.Options{Workers: 1})}, args,
		device.Launch{Grid: [3]int{2, 2, 1}})
	for _, d := range report.Diagnostics {
		said += d.Code + " "
	}
	if fault != nil {
		said += fault.Code
	}
	return memory, said
}

// TestCompiler: what Compile says of a kernel is the same before and after, but for hints, which name other arguments.
func TestCompiler(t *testing.T) {
	for _, o := range []refactor.Options{masks, descriptors} {
		file, _ := rewritten(t, read(t, "kernels.py"), o)
		compiles(t, file)
	}
}

func compiles(t *testing.T, file *source.File) {
	t.Helper()
	for _, name := range compiler.Kernels(file) {
		m, _ := syntax.Parse(file)
		for _, fn := range lower.Kernels(m) {
			if fn.Name != name || !strings.HasSuffix(fn.Params.List[0].Name, "_ptr") {
				continue
			}
			_, list := launch.Compile(file, name, generate(rand.New(rand.NewPCG(1, 1)), fn, 4), true)
			for _, d := range list {
				if d.Severity != diag.Hint && d.Code != "kernel-returns" {
					t.Errorf("%s: %s", name, d.In(diag.English).Headline)
				}
			}
		}
	}
}
