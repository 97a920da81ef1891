package ptx_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/interp/tile"
)

// TestFixedBugs runs kernels on which the engines once differed, each in a file with a line on what was
// wrong and the kernel in the IR's text form, and has ptxas assemble them. Pointers get 1021 small numbers, scalars 5.
func TestFixedBugs(t *testing.T) {
	files, err := filepath.Glob("testdata/fixedbugs/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	modules := map[string]*module{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(string(raw), "\n")
		fn, err := ir.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		number(fn)
		for _, target := range ptxas.Targets {
			if modules[target] == nil {
				modules[target] = &module{}
			}
			for warps := 1; warps <= 8; warps *= 2 {
				name := fmt.Sprintf("%s/%s/%d", strings.TrimSuffix(filepath.Base(file), ".txt"), target, warps)
				compare(t, name, fn, one, func() []tile.Arg { return plain(fn) }, ptx.Options{Target: target, NumWarps: warps}, 1)
				modules[target].addKernel(t, fn, ptx.Options{Target: target, NumWarps: warps})
			}
		}
	}
	for target, m := range modules {
		ptxas.Assemble(t, target, m.String())
	}
}

// plain makes arguments for fn's parameters.
func plain(fn *ir.Func) (args []tile.Arg) {
	for i, p := range fn.Params {
		d := p.Value.Type.DType
		if !p.Value.Type.Pointer {
			args = append(args, tile.Scalar{Scalar: num.FromInt(d, 5)})
			continue
		}
		raw := make([]byte, 1021*d.Info().Bytes)
		for k := range 1021 {
			num.StoreAt(d, raw, k, num.FromInt(d, int64((k*7+i)%11)-5).Vec(), 0)
		}
		args = append(args, tile.Buffer{DType: d, Data: raw})
	}
	return args
}
