package compiler_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
)

// sample is a kernel with the arguments to compile it for.
type sample struct {
	name, kernel string
	file         *source.File
	args         []compiler.Arg
}

var (
	argsLine   = regexp.MustCompile(`(?m)^# args: (.*)\n@triton\.jit\ndef (\w+)`)
	puzzleArgs = map[int]string{1: "*fp32,*fp32,i32,32", 2: "*fp32,*fp32,i32,32", 3: "*fp32,*fp32,*fp32,i32,i32,32,32",
		4: "*fp32,*fp32,*fp32,i32,i32,32,32", 5: "*fp32,*fp32,*fp32,i32,i32,32,32", 6: "*fp32,*fp32,*fp32,*fp32,i32,i32,32,32",
		7: "*fp32,*fp32,i32,i32,i32,1,32", 8: "*fp32,*fp32,i32,i32,i32,1,32", 9: "*fp32,*fp32,*fp32,*fp32,i32,i32,64,32",
		10: "*fp32,*fp32,*fp32,i32,i32,i32,4,4,1", 11: "*fp32,*fp32,*fp32,i32,i32,i32,i32,16,16,1,16",
		12:  "*fp32,*i32,*i32,*fp32,*fp32,i32,i32,i32,16,16,64",
		601: "*fp32,*fp32,i32,32", 701: "*fp32,*fp32,i32,i32,64", 702: "*fp32,*fp32,i32,i32,64", 801: "*fp32,*fp32,i32,i32,32",
		1001: "*fp32,*fp32,*fp32,i32,i32,i32,16,16,16", 1101: "*i32,*i32,i32,32"}
)

// samples are the kernels of testdata/kernels.py and the puzzles' solutions.
func samples(t testing.TB) []sample {
	t.Helper()
	text, err := os.ReadFile("testdata/kernels.py")
	if err != nil {
		t.Fatal(err)
	}
	file := source.NewFile("kernels.py", string(text))
	var out []sample
	add := func(name, kernel string, file *source.File, signature string) {
		args, err := compiler.ParseSignature(signature)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, sample{name, kernel, file, args})
	}
	for _, m := range argsLine.FindAllStringSubmatch(string(text), -1) {
		add(m[2], m[2], file, m[1])
	}
	paths, _ := filepath.Glob("../puzzles/*/solution*.py")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var n int
		fmt.Sscanf(filepath.Base(filepath.Dir(path)), "%d", &n)
		name := fmt.Sprintf("puzzle%d%s", n, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "solution"), ".py"))
		add(name, "", source.NewFile(path, string(text)), puzzleArgs[n])
	}
	return out
}

// TestSamples: each compiles without a word, but of what Triton warns of too, and what comes out passes the verifier.
func TestSamples(t *testing.T) {
	for _, s := range samples(t) {
		art, list := compiler.Compile(s.file, compiler.Options{Kernel: s.kernel, Args: s.args})
		for _, d := range list {
			if d.Code != "name-deprecated" {
				t.Errorf("%s: %s", s.name, d.In(diag.English).Headline)
			}
		}
		if art == nil {
			continue
		}
		if err := ir.Verify(art.Func); err != nil {
			t.Errorf("%s: %v\n%s", s.name, err, ir.Print(art.Func))
		}
	}
}

// BenchmarkCompile is source to optimized IR.
func BenchmarkCompile(b *testing.B) {
	for _, s := range samples(b) {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				compiler.Compile(s.file, compiler.Options{Kernel: s.kernel, Args: s.args})
			}
		})
	}
}
