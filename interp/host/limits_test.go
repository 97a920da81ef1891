package host

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/tensor"
)

// TestFailures runs scripts that end badly: the diagnostic's code, its English headline, and the
// text that it points at.
func TestFailures(t *testing.T) {
	small := withLibraries(Options{MaxSteps: 50_000, MaxItems: 100_000, MaxDepth: 100, Tensors: nil})
	for _, c := range []struct{ name, text, code, headline, at string }{
		{"endless loop", "x = 0\nwhile True:\n    x += 1\n", "host-steps", "stopped after 50000 steps, at line 2", "while True:"},
		{"endless inner loop", "for i in range(3):\n    while i < 5: pass\n", "host-steps", "stopped after 50000 steps, at line 2", "while i < 5: pass"},
		{"loop in a function", "def f():\n    for i in range(10**9):\n        pass\nf()", "host-steps", "stopped after 50000 steps, at line 2", "for i in range(10**9):"},
		{"comprehension", "x = sum(i for i in range(10**9))", "host-steps", "stopped after 50000 steps, at line 1", "sum(i for i in range(10**9))"},
		{"recursion", "def f(n):\n    return f(n + 1)\nf(0)", "host-exception", "`RecursionError`: maximum recursion depth exceeded", "f(n + 1)"},
		{"huge list", "x = [0] * 10**9", "newt-limit", "over a limit of newt: the lists, texts and dicts of this run grow past 100000 items, the most that are allowed here", "[0] * 10**9"},
		{"huge tensor", "import torch\nx = torch.zeros(10**5, 10**5)", "newt-limit", "over a limit of newt: a tensor of shape [100000, 100000] has more than 67108864 elements, the most that are allowed here", "torch.zeros(10**5, 10**5)"},
		{"huge expansion", "import torch\nx = torch.zeros(1).expand(10**6, 10**6)", "newt-limit", "over a limit of newt: a tensor of shape [1000000, 1000000] has more than 67108864 elements, the most that are allowed here", "torch.zeros(1).expand(10**6, 10**6)"},
		{"unknown operation", "import torch\nx = torch.zero(3)", "host-exception", "`AttributeError`: module 'torch' has no attribute 'zero'. Did you mean: 'zeros'?", "torch.zero"},
		{"unknown method", "import torch\nx = torch.zeros(3).unsqeeze(0)", "host-exception", "`AttributeError`: 'Tensor' object has no attribute 'unsqeeze'. Did you mean: 'unsqueeze'?", "torch.zeros(3).unsqeeze"},
		{"unknown module", "import torchh", "module-not-found", "there is no module named `torchh`", "torchh"},
		{"unknown name", "total = 1\nprint(totl)", "host-exception", "`NameError`: name 'totl' is not defined. Did you mean: 'total'?", "totl"},
		{"bare assertion", "assert 1 > 2", "host-exception-bare", "`AssertionError`", "assert 1 > 2"},
		{"inside a call", "def f(x):\n    return 1 / x\ny = f(0)", "host-exception", "`ZeroDivisionError`: division by zero", "1 / x"},
		{"unsupported", "async def f(): pass", "host-unsupported", "newt does not support this Python construct", "f"},
		{"eval", "x = 3\neval('x / 0')", "host-exception", "`ZeroDivisionError`: division by zero", "eval('x / 0')"},
		{"endless eval", "eval('[i for i in range(10**9)]')", "host-steps", "stopped after 50000 steps, at line 1", "eval('[i for i in range(10**9)]')"},
		{"no launcher", "import triton\n@triton.jit\ndef k(x): pass\nk[(1,)](3)", "host-no-launcher", "the kernel `k` cannot be launched here", "k[(1,)](3)"},
		{"sweep", sweepToALimit, "sweep-limited", "`zeros`: 2 of 4 points were not measured, since a tensor of shape [1000000000] has more than 67108864 elements, the most that are allowed here", "bench.run(print_data=True)"},
		{"direct call of a kernel", "import triton\n@triton.jit\ndef k(x): pass\nk(3)", "host-exception", "`RuntimeError`: Cannot call @triton.jit'd outside of the scope of a kernel", "k(3)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, diags := run(c.text, small)
			if len(diags) != 1 {
				t.Fatalf("%d diagnostics: %s", len(diags), words(diags))
			}
			d := diags[0]
			at := source.NewFile("", c.text).Slice(d.Primary.Span)
			if d.Code != c.code || words(diags) != c.headline || at != c.at {
				t.Errorf("%s %q at %q\nwant %s %q at %q", d.Code, words(diags), at, c.code, c.headline, c.at)
			}
		})
	}
}

// sweepToALimit measures a point and comes to one that is beyond newt.
const sweepToALimit = `import torch
import triton.testing as testing
@testing.perf_report(testing.Benchmark(['N'], [8, 10**9], 'by', ['a', 'b'], ['A', 'B'], 'zeros', {}))
def bench(N, by): return float(torch.zeros(N).numel())
bench.run(print_data=True)`

// TestTraceback checks that the calls on the way to an exception are labelled.
func TestTraceback(t *testing.T) {
	text := "def f(x):\n    return 1 / x\ndef g():\n    return f(0)\ng()"
	_, diags := run(text, withLibraries(Options{}))
	var calls []string
	for _, l := range diags[0].Related {
		calls = append(calls, source.NewFile("", text).Slice(l.Span))
	}
	if got := strings.Join(calls, " "); got != "f(0) g()" {
		t.Errorf("calls %q", got)
	}
}

// TestStop ends a run from outside.
func TestStop(t *testing.T) {
	asked := 0
	_, diags := run("while True: pass", withLibraries(Options{Stop: func() bool { asked++; return asked > 3 }}))
	if len(diags) != 1 || diags[0].Code != "host-stopped" {
		t.Errorf("%s", words(diags))
	}
}

// TestSignature reads jaxtyping annotations and calls the function.
func TestSignature(t *testing.T) {
	m, diags := Load(source.NewFile("spec.py", `
import torch
from jaxtyping import Float32, Int32
from torch import Tensor

def add_spec(x: Float32[Tensor, "4 200"], n: Int32[Tensor, "N0 MID//8"], k=2) -> Float32[Tensor, "4"]:
    return x.sum(1) * k + n[0, 0]
`), withLibraries(Options{}))
	if diags.HasErrors() {
		t.Fatal(words(diags))
	}
	f, ok := m.Func("add_spec")
	if !ok {
		t.Fatal("no function")
	}
	s, d := m.Signature(f)
	if d != nil {
		t.Fatal(words(diag.List{d}))
	}
	if len(s.Params) != 3 || *s.Params[0].Annotation != (Annotation{num.Float32, "4 200"}) || *s.Params[1].Annotation != (Annotation{num.Int32, "N0 MID//8"}) ||
		s.Params[2].Annotation != nil || *s.Return != (Annotation{num.Float32, "4"}) {
		t.Errorf("signature %+v", s)
	}
	x, _ := m.Tensors().FromFloats(num.Float32, []int{1, 2}, []float64{1.5, 2})
	n, _ := m.Tensors().FromFloats(num.Int32, []int{1, 1}, []float64{10})
	v, d := m.Call(f, FromTensor(x), FromTensor(n))
	if d != nil {
		t.Fatal(words(diag.List{d}))
	}
	if got := Repr(v); got != "tensor([17.])" {
		t.Errorf("result %s", got)
	}
	if _, d = m.Call(f, FromTensor(x)); d == nil || !strings.Contains(words(diag.List{d}), "missing 1 required positional argument: 'n'") {
		t.Errorf("a missing argument gives %v", d)
	}
}

// recorder is a Launcher that writes down what it is asked for.
type recorder struct{ launches []Launch }

func (r *recorder) Launch(l Launch) (Launched, *Failure) {
	r.launches = append(r.launches, l)
	if t, ok := AsTensor(l.Args[1]); ok {
		data, _ := t.Storage().Write()
		copy(data, []byte{0, 0, 128, 63})
	}
	return Launched{}, nil
}

func (r *recorder) Compile(Launch) (Compiled, *Failure) { return nil, nil }

// TestLaunch checks how arguments, grids and options of launches are bound.
func TestLaunch(t *testing.T) {
	r := &recorder{}
	out, diags := run(`
import torch, triton
import triton.language as tl

@triton.jit
def k(x, z, n, B: tl.constexpr, extra=7):
    tl.store(z, n)

x, z = torch.ones(100), torch.zeros(4)
k[(2, 3)](x, z, 100, B=32, num_warps=8)
k[lambda meta: (triton.cdiv(meta["n"], meta["B"]),)](x, z, n=100, B=32)
k[(5,)](x, z, 1, 2, 3)
print(z)
`, withLibraries(Options{Launcher: r}))
	if diags.HasErrors() {
		t.Fatal(words(diags))
	}
	if out != "tensor([1., 0., 0., 0.])\n" {
		t.Errorf("printed %q", out)
	}
	grids := [][3]int{{2, 3, 1}, {4, 1, 1}, {5, 1, 1}}
	for i, l := range r.launches {
		if l.Kernel.Name != "k" || l.Grid != grids[i] || len(l.Args) != 5 {
			t.Errorf("launch %d: %+v", i, l)
		}
	}
	first := r.launches[0]
	if Repr(first.Options["num_warps"]) != "8" || Repr(first.Args[3]) != "32" || Repr(first.Args[4]) != "7" {
		t.Errorf("first launch %+v", first)
	}
}

// TestGradMode checks that a failing with block restores the mode.
func TestGradMode(t *testing.T) {
	c := tensor.New(tensor.Options{})
	_, diags := run("import torch\nwith torch.no_grad():\n    1 / 0", withLibraries(Options{Tensors: c}))
	if !diags.HasErrors() || !c.GradEnabled {
		t.Errorf("gradients stay off after %s", words(diags))
	}
}
