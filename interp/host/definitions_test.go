package host

import (
	"bytes"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/source"
)

// computedGlobals has constants that only Python knows, around code that must not run.
const computedGlobals = `import math
import torch
import triton
import triton.language as tl
from triton.runtime.jit import constexpr_function

print("a script")

def lengths(n):
    return [2**i for i in range(n)]

BLOCK = tl.constexpr(max(lengths(6)))
SMALLEST = tl.constexpr(torch.finfo(torch.float16).min)
FP8 = tl.float8e4b8 if torch.version.hip else tl.float8e4nv
unused = undefined_name

@constexpr_function
def scale():
    return math.sqrt(2)

@triton.jit
def scaled(x):
    LARGEST: tl.constexpr = torch.finfo(torch.float32).max
    if tl.constexpr(torch.version.hip is not None):
        x = -x
    return tl.minimum(x * scale() + SMALLEST, LARGEST)

@triton.autotune(configs=undefined_name, key=[])
@triton.jit
def kernel(x):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, scaled(tl.load(x + i)).to(FP8).to(tl.float32))

@triton.jit
def failing(x):
    tl.store(x, unused)

kernel[(1,)](torch.zeros(32))
`

func TestDefine(t *testing.T) {
	file := source.NewFile("kernels.py", computedGlobals)
	var printed bytes.Buffer
	f, list := Define(file, "kernel", Options{Libraries: AllLibraries(), Stdout: &printed})
	if f == nil || list.HasErrors() {
		t.Fatal(list)
	}
	args, err := compiler.ParseSignature("*fp32")
	if err != nil {
		t.Fatal(err)
	}
	a, list := compiler.Compile(file, compiler.Options{Function: f, Args: args})
	if a == nil {
		t.Fatal(list)
	}
	if ir := a.Func.String(); !strings.Contains(ir, "end=32") || !strings.Contains(ir, "-65504") ||
		!strings.Contains(ir, "3.40282") || strings.Contains(ir, "neg") {
		t.Errorf("the constants are not in\n%s", ir)
	}
	if printed.Len() > 0 {
		t.Errorf("the script around the kernel printed %q", printed.String())
	}
	if f, list := Define(file, "failing", Options{Libraries: AllLibraries()}); f != nil || !list.HasErrors() {
		t.Errorf("a global whose statement fails gives %v, %v", f, list)
	}
	if f, _ := Define(file, "BLOCK", Options{Libraries: AllLibraries()}); f != nil {
		t.Error("a number is a kernel")
	}
}
