package ptx_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
)

var update = flag.Bool("update", false, "write the golden files")

// TestText: the layouts and the text of kernels that show what the compiler cares for: 16 bytes at a
// time, one address for neighbours, rows that stay in registers, and a transpose through shared memory.
func TestText(t *testing.T) {
	always := func(*ir.Instr) bool { return true }
	for _, k := range []struct{ name, source, signature string }{
		{"copy", copyKernel, "*fp16:16, *fp16:16, i32:16, 2048"},
		{"rows", rowsKernel, "*fp32:16, *fp32:16, i32, i32:16, 4, 512"},
		{"transpose", transposeKernel, "*i32:16, *i32:16, 64, 32"},
	} {
		fn := compiled(t, k.name, k.source, k.signature)
		m, err := ptx.Compile(fn, ptx.Options{Target: "sm_90a", NumWarps: 4, Proved: always, Bounded: always, FirstZero: []bool{true, true}})
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(m.Text, "\n"); lines != len(m.Lines) {
			t.Errorf("%s: %d lines, %d spans", k.name, lines, len(m.Lines))
		}
		var got strings.Builder
		for _, l := range m.Layouts {
			got.WriteString("// " + l.Text() + "\n")
		}
		got.WriteString(m.Text)
		path := filepath.Join("testdata", k.name+".ptx")
		if *update {
			if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want := read(t, path); got.String() != want {
			t.Errorf("%s is not what testdata has; -update writes it\n%s", k.name, got.String())
		}
	}
}
