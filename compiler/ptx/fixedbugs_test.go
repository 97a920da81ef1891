package ptx_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/sim"
	"github.com/newtlab/newt/compiler/source"
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

// TestEntryNames: kernels that are named as what the text has for something else were refused by ptxas.
func TestEntryNames(t *testing.T) {
	for _, name := range []string{"smem", "spill", "_", "WARP_SZ", "add", "核"} {
		art, list := compiler.Compile(source.NewFile("k.py", "import triton\nimport triton.language as tl\n\n@triton.jit\ndef "+name+
			"(x, B: tl.constexpr):\n    i = tl.arange(0, B)\n    tl.store(x + i, tl.load(x + i) / tl.sum(tl.load(x + i)))\n"),
			compiler.Options{Kernel: name, Args: parsed(t, "*fp32:16, 1024"), NumWarps: 4})
		if art == nil {
			t.Fatal(name, list)
		}
		m, err := ptx.Compile(art.Func, ptx.Options{Target: "sm_80", NumWarps: 4})
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err := sim.Load(m.Text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		ptxas.Assemble(t, "sm_80", m.Text)
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
