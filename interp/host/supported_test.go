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

const supportedFile = "SUPPORTED.md"

// TestSupported holds SUPPORTED.md to what there is.
func TestSupported(t *testing.T) {
	got := Supported()
	for _, part := range []string{"\n## `torch`\n", "`arange`", "\n## Methods of a tensor\n", "`jit`", "\n## `sys`\n", "`argv`"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in the list", part)
		}
	}
	if *writeSupported {
		if err := os.WriteFile(supportedFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text, err := os.ReadFile(supportedFile); err != nil || string(text) != got {
		t.Errorf("%s is out of date: run make generate (%v)", supportedFile, err)
	}
}

// TestLacks checks what is reported of a text that does not run, and what is left to try, hasattr and the compiler.
func TestLacks(t *testing.T) {
	text := `import torch, tritan
import torch.nn.functional as F
from triton import jitt
try:
    import polars
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
	const lacking = "tritan, error triton.jitt, error torch.arnge, error torch.nn.functional.sofmax, hint nothing, " +
		"hint pickle.dumps, hint pickle.loads, hint threading.Thread, hint subprocess.run"
	const optional = `
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import checked_only
if False:
    import dead
def f():
    try:
        import first
    except ImportError:
        import second
    import third.of.them
    return torch.onnx
`
	launch := "def run(k):\n    k[(1,)](torch.fx)\nimport fourth, third.more\n"
	for name, c := range map[string]struct{ text, want string }{
		"a library":              {text, "hint " + lacking},
		"what need not be there": {"import torch\nfrom torch.autograd import Function" + optional, "hint third, hint torch.onnx"},
		"names of torch":         {"import torch\ntorch.vitals_enabled(torch.int4, torch.mlu, torch.index_put_)", "hint torch.vitals_enabled, hint torch.int4, hint torch.mlu, hint torch.index_put_"},
		"launches":               {"import torch\n" + launch + "run(3)", "hint torch.fx, error fourth, error third"},
		"launches in a function": {"import torch\n" + launch, "hint torch.fx, hint fourth, hint third"},
		"launches as a script":   {launch + "if __name__ == '__main__':\n    run(3)", "hint fourth, hint third"},
	} {
		var got []string
		tree, _ := syntax.Parse(source.NewFile("a.py", c.text))
		for _, d := range Lacks(tree, Options{Files: files}) {
			got = append(got, d.Severity.String()+" "+d.Args[0].(string))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: lacks %q, want %q", name, strings.Join(got, ", "), c.want)
		}
	}
}
