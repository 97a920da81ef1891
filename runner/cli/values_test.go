package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/lsp"
)

const valuesScript = `import torch
import triton
import triton.language as tl
from twice import twice

@triton.jit
def add(x_ptr, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    x = twice(tl.load(x_ptr + offs, mask=offs < n)) - 1
    for i in range(3):
        x += i + 1
    tl.store(x_ptr + offs, x, mask=offs < n)

x = torch.arange(8.0, device="cuda")
add[(2,)](x, 7, B=4)
add[(1,)](x, 8, B=8)
`

// TestValues: a line has the values of the first launch, a loop's those of its first iteration. Modules are read from
// the texts that are open first, and then from the disk.
func TestValues(t *testing.T) {
	folder := t.TempDir()
	module := "import triton\n\n@triton.jit\ndef twice(x):\n    y = x * 2\n    return y\n"
	if err := os.WriteFile(filepath.Join(folder, "twice.py"), []byte(module), 0o600); err != nil {
		t.Fatal(err)
	}
	values := func(text string, open map[string]string) (lines []string) {
		t.Helper()
		o := checkOptions{}
		for _, v := range o.valuesOf(t.Context(), System(), filepath.Join(folder, "add.py"), text, open, diag.English) {
			lines = append(lines, strings.Split(text, "\n")[v.Line-1]+"  "+v.Text)
		}
		return lines
	}
	want := []string{
		"add[(2,)](x, 7, B=4)  add, program 0 of a grid of 2",
		"    offs = tl.program_id(0) * B + tl.arange(0, B)  offs = 0 1 2 3",
		"    x = twice(tl.load(x_ptr + offs, mask=offs < n)) - 1  x = -1 1 3 5",
		"    for i in range(3):  i = 0",
		"        x += i + 1  x = 0 2 4 6",
	}
	if lines := values(valuesScript, nil); !slices.Equal(lines, want) {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
	unsaved := map[string]string{filepath.Join(folder, "twice.py"): strings.Replace(module, "* 2", "* 3", 1)}
	want[2], want[4] = strings.Replace(want[2], "-1 1 3 5", "-1 2 5 8", 1), strings.Replace(want[4], "0 2 4 6", "0 3 6 9", 1)
	if lines := values(valuesScript, unsaved); !slices.Equal(lines, want) {
		t.Errorf("with an open module: %s", strings.Join(lines, "\n"))
	}
	misspelt := strings.Replace(valuesScript, "import torch", "import toch", 1)
	for _, text := range []string{"x = 1\n", valuesScript + "(", misspelt} {
		if lines := values(text, nil); lines != nil {
			t.Errorf("%q", lines)
		}
	}
	// What has been launched before a script fails is known.
	if lines := values(valuesScript+"1 / 0\n", nil); len(lines) != len(want) {
		t.Errorf("%q", lines)
	}
}

// TestValuesEnd: a run that does not end does once its text has changed.
func TestValuesEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan []lsp.Value)
	go func() {
		o := checkOptions{}
		text := "import triton\n@triton.jit\ndef f(x): pass\nwhile True: pass\n"
		ended <- o.valuesOf(ctx, System(), filepath.Join(t.TempDir(), "add.py"), text, nil, diag.English)
	}()
	cancel()
	select {
	case <-ended:
	case <-time.After(valuesTime / 2):
		t.Error("it goes on")
	}
}
