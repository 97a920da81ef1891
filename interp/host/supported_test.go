package host

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

//go:generate go test -run ^TestSupported$ -supported

var writeSupported = flag.Bool("supported", false, "write SUPPORTED.md")

// TestSupported writes SUPPORTED.md for go generate; CI fails where it is out of date, as with all generated files.
func TestSupported(t *testing.T) {
	got := Supported()
	for _, part := range []string{"\n## `torch`\n", "`arange`", "\n## Methods of a tensor\n", "`jit`", "\n## `sys`\n", "`argv`"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in the list", part)
		}
	}
	if *writeSupported {
		if err := os.WriteFile("SUPPORTED.md", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLacks checks what is reported of a text that does not run, and what is left to try, hasattr and the compiler.
func TestLacks(t *testing.T) {
	text := `import torch, tritan
import torch.nn.functional as F
from triton import jitt
try:
    import pandas
except ImportError:
    torch.arnge
F.sofmax(torch.nn.functional.softmax)
if hasattr(torch, "dance"):
    torch.dance()
torch.mine = 1
torch.mine
@triton.jit
def k(x):
    torch.in_a_kernel(x)
import helpers, pkg2.deep.a, nothing.at.all
def f(math):
    return math
math = 3
math.anything
import subprocess, socket
from pickle import dumps as pickled, loads
from threading import Thread, Lock
subprocess.run(["ls"])
subprocess.run(["ls"])
pickled(3)
with Lock():
    pass
class T(Thread):
    pass
`
	var got []string
	tree, _ := syntax.Parse(source.NewFile("a.py", text))
	for _, d := range Lacks(tree, files) {
		got = append(got, d.Args[0].(string))
	}
	want := "tritan triton.jitt torch.arnge torch.nn.functional.sofmax nothing.at.all " +
		"pickle.dumps pickle.loads threading.Thread threading.Lock subprocess.run"
	if strings.Join(got, " ") != want {
		t.Errorf("lacks %q, want %q", got, want)
	}
}
