package ptx_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/source"
)

var (
	argsLine   = regexp.MustCompile(`(?m)^# args: (.*)\n@triton\.jit\ndef (\w+)`)
	puzzleArgs = [...]string{1: "*fp32,*fp32,i32,32", 2: "*fp32,*fp32,i32,32", 3: "*fp32,*fp32,*fp32,i32,i32,32,32",
		4: "*fp32,*fp32,*fp32,i32,i32,32,32", 5: "*fp32,*fp32,*fp32,i32,i32,32,32", 6: "*fp32,*fp32,*fp32,*fp32,i32,i32,32,32",
		7: "*fp32,*fp32,i32,i32,i32,1,32", 8: "*fp32,*fp32,i32,i32,i32,1,32", 9: "*fp32,*fp32,*fp32,*fp32,i32,i32,64,32",
		10: "*fp32,*fp32,*fp32,i32,i32,i32,4,4,1", 11: "*fp32,*fp32,*fp32,i32,i32,i32,i32,16,16,1,16",
		12: "*fp32,*i32,*i32,*fp32,*fp32,i32,i32,i32,16,16,64"}
)

// sample is a kernel as tile IR.
type sample struct {
	name string
	fn   *ir.Func
}

// samples are the kernels of compiler/testdata and the puzzles' solutions.
func samples(t testing.TB) (out []sample) {
	t.Helper()
	add := func(name, kernel, text, signature string) {
		args, err := compiler.ParseSignature(signature)
		if err != nil {
			t.Fatal(err)
		}
		art, list := compiler.Compile(source.NewFile(name+".py", text), compiler.Options{Kernel: kernel, Args: args, NumWarps: 4})
		if art == nil {
			t.Fatalf("%s: %v", name, list)
		} else {
			out = append(out, sample{name, art.Func})
		}
	}
	text := read(t, "../testdata/kernels.py")
	for _, m := range argsLine.FindAllStringSubmatch(text, -1) {
		add(m[2], m[2], text, m[1])
	}
	paths, _ := filepath.Glob("../../puzzles/*/solution*.py")
	for _, path := range paths {
		var n int
		fmt.Sscanf(filepath.Base(filepath.Dir(path)), "%d", &n)
		name := fmt.Sprintf("puzzle%d%s", n, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "solution"), ".py"))
		add(name, "", read(t, path), puzzleArgs[n])
	}
	return out
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAssembles(t *testing.T) {
	ptxas.Need(t)
	for _, s := range samples(t) {
		for _, target := range ptxas.Targets {
			t.Run(s.name+"/"+target, func(t *testing.T) {
				m, err := ptx.Compile(s.fn, ptx.Options{Target: target, NumWarps: 4, PrintBytes: 1 << 16})
				if err != nil {
					t.Fatal(err)
				}
				t.Log(ptxas.Assemble(t, target, m.Text))
			})
		}
	}
}

// TestRefused: what no GPU can run is refused with a diagnostic.
func TestRefused(t *testing.T) {
	fn := compiled(t, "copy", copyKernel, "*fp32:16, *fp32:16, i32:16, 262144")
	_, err := ptx.Compile(fn, ptx.Options{Target: "sm_90a", NumWarps: 4})
	var refused *ptx.Error
	if !errors.As(err, &refused) || refused.Code != "tile-registers" {
		t.Fatal(err)
	}
	if d := refused.Diagnostic(); d.In(diag.English).Headline == "" || d.Primary.Span.End == 0 {
		t.Error(d)
	}
}

// TestNames: what Python calls a kernel, PTX may not.
func TestNames(t *testing.T) {
	fn := compiled(t, "copy", strings.Replace(copyKernel, "kernel", "加", 1), "*fp32:16, *fp32:16, i32:16, 1024")
	m, err := ptx.Compile(fn, ptx.Options{Target: "sm_90a", NumWarps: 4})
	if err != nil {
		t.Fatal(err)
	}
	ptxas.Assemble(t, "sm_90a", m.Text)
}
