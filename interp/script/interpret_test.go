package script

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/host"
)

// cellsOf runs a document in the percent format as `newt run` does.
func cellsOf(t *testing.T, text string) (*Run, *document.Document, []Result) {
	t.Helper()
	doc, list := document.Parse("a.py", text)
	if doc == nil {
		t.Fatal(list)
	}
	r := New(doc, Options{Launcher: &Launcher{Device: cpu.New(cpu.Options{})}, Host: host.Options{Libraries: host.AllLibraries()}})
	var results []Result
	for _, c := range doc.Cells {
		results = append(results, r.Cell(t.Context(), c))
	}
	return r, doc, results
}

// TestInterpretedCalls: with TRITON_INTERPRET=1, the plain functions that a kernel calls run as Python, in program order
// with what it prints, and nothing that only Triton's compiler refuses is reported.
func TestInterpretedCalls(t *testing.T) {
	_, doc, results := cellsOf(t, `# %%
import os
os.environ["TRITON_INTERPRET"] = "1"
import torch, triton
import triton.language as tl

def note(*args, end="."):
    print(*args, end=end + "\n")

class Stop(Exception): pass

def stop_at(pid, limit):
    if str(pid) == f"[{limit}]":
        raise Stop(limit)

@triton.jit
def kernel(x_ptr, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    x = tl.load(x_ptr + i)
    print("x", x)
    note(f"{{{i}}}", x.shape, x.dtype, (1, i), "{}", 2.5, None)
    note(end="!")
    stop_at(tl.program_id(0), 1)

kernel[(3,)](torch.arange(6.), N=2)
# %%
def shapes(x):
    print(x.shape[0], len(x.shape), [d for d in x.shape], x.dtype, x.numel)

@triton.jit
def other(x_ptr):
    shapes(tl.load(x_ptr + tl.arange(0, 4)))

other[(1,)](torch.zeros(4))
`)
	want := "x [0. 1.]\n{[0 1]} ['constexpr[2]'] fp32 ['constexpr[1]', '[0 1]'] {} 2.5 None.\n!\n" +
		"x [2. 3.]\n{[2 3]} ['constexpr[2]'] fp32 ['constexpr[1]', '[2 3]'] {} 2.5 None.\n!\n"
	if got := doc.Cells[0].Outputs; len(got) != 2 || got[0].Text != want || got[1].Exception != "Stop" {
		t.Errorf("got %v, want %q", got, want)
	}
	want = "constexpr[4] 1 [constexpr[4]] fp32 constexpr[4]\n"
	if got := doc.Cells[1].Outputs; len(got) != 1 || got[0].Text != want {
		t.Errorf("got %v, want %q", got, want)
	}
	for i, r := range results {
		for _, d := range r.Diagnostics {
			if !strings.HasPrefix(d.Code, "host-exception") {
				t.Errorf("cell %d says %s", i, d.Code)
			}
		}
	}
}

// TestCPUTensor: a launch on a tensor of the CPU fails as in Triton, but not where the kernel is interpreted or traced.
func TestCPUTensor(t *testing.T) {
	const launch = "add_one[(1,)](torch.ones(2), 2, B=2)\n"
	for text, want := range map[string][]string{
		"# %%\n" + kernel + launch: {"error ValueError"},
		"# %%\n" + kernel + strings.Replace(launch, "(2), 2", "(0), 0", 1) + "None\n":                                   nil,
		"# %%\nimport os\nos.environ['TRITON_INTERPRET'] = '1'\n" + kernel + launch:                                     nil,
		"# %%\nimport triton\ntriton.knobs.runtime.interpret = True\n" + kernel + launch:                                nil,
		"# %%\nimport triton_viz\n" + kernel + "add_one = triton_viz.trace(add_one)\n" + launch:                         nil,
		"# %%\n" + kernel + strings.Replace(launch, "(2)", "(2, device='cuda')", 1) + "None\n":                          nil,
		"# %%\n" + kernel + "add_one[(0,)](torch.ones(2), 2, B=2)\nadd_one.warmup(torch.ones(2), 2, B=2, grid=(1,));\n": nil,
	} {
		_, doc, _ := cellsOf(t, text)
		if got := summary(doc.Cells[0]); !slices.Equal(got, want) {
			t.Errorf("%s outputs %q, want %q", text, got, want)
		}
	}
}

// TestTritonViz checks the names of triton_viz: a traced launch goes on after accesses out of bounds, which launch
// returns, with a hint that says where newt shows it.
func TestTritonViz(t *testing.T) {
	_, doc, results := cellsOf(t, `# %%
import torch, triton_viz
from triton_viz.interpreter import record_builder
from triton_viz.clients import Sanitizer, Profiler, Tracer
from triton_viz.core.trace import launch
`+kernel+`
x = torch.zeros(3, device="cuda")
traced = triton_viz.trace(add_one)
traced[(1,)](x, 3, B=4)
print(x, triton_viz.launch(share=False), traced.__name__, traced.fn is add_one)
# %%
traced[(1,)](x[2:], 4, B=4)
print(x, launch())
# %%
triton_viz.interpreter.record_builder.reset()
print(triton_viz.launch())
for client in ((), ("sanitizer",), (Sanitizer(abort_on_error=True),), (Profiler(),)):
    triton_viz.trace(*client)(add_one)[(1,)](x, 3, B=4)
triton_viz.trace(clients=Tracer())(add_one)[(1,)](x, 3, B=4)
print(x, launch())
triton_viz.clear()
`)
	want := [][]string{
		{"stream stdouttensor([1., 1., 1.], device='cuda:0') None add_one True"},
		{"stream stdouttensor([1., 1., 2.], device='cuda:0') {'`x` is written at index 1, but it has 1 element': True, " +
			"'`x` is read at index 1, but it has 1 element': True}"},
		{"stream stdoutNone\ntensor([6., 6., 7.], device='cuda:0') None"},
	}
	for i, c := range doc.Cells {
		if got := summary(c); !slices.Equal(got, want[i]) {
			t.Errorf("cell %d outputs %q, want %q", i, got, want[i])
		}
	}
	hint := func(r Result) int {
		n := 0
		for _, d := range r.Diagnostics {
			if d.Code == "viz-launch" {
				n++
			}
		}
		return n
	}
	if hint(results[0]) != 1 || hint(results[1]) != 1 || hint(results[2]) != 1 {
		t.Errorf("%d, %d and %d hints", hint(results[0]), hint(results[1]), hint(results[2]))
	}
}

// TestInterpretedTypes: a kernel that is traced or interpreted multiplies factors as they are, where a compiled one rounds
// them to tf32, and a loop may widen a float, which a compiled one refuses.
func TestInterpretedTypes(t *testing.T) {
	const script = `
import torch, triton, triton_viz
import triton.language as tl

@%s
@triton.jit
def product(x_ptr, z_ptr, PRECISION: tl.constexpr):
    i = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    identity = (tl.arange(0, 16)[:, None] == tl.arange(0, 16)[None, :]).to(tl.float32)
    tl.store(z_ptr + i, tl.dot(tl.load(x_ptr + i), identity, input_precision=PRECISION))

@%[1]s
@triton.jit
def total(x_ptr, z_ptr, n, AXIS):
    sums = tl.zeros((16,), dtype=tl.float16)
    for k in range(n):
        rows = tl.load(x_ptr + tl.arange(0, n)[:, None] * 16 + tl.arange(0, 16)[None, :])
        sums += tl.sum(rows, axis=AXIS) * 30000.0
    tl.store(z_ptr + tl.arange(0, 16), sums)

x, z = torch.full((16, 16), 1 + 2**-12, device="cuda"), torch.empty(16, 16, device="cuda")
for precision in (None, "tf32"):
    product[(1,)](x, z, precision)
    print("fp32" if torch.equal(x, z) else "tf32", end=" ")
try:
    total[(1,)](torch.ones(4, 16, device="cuda"), z, 4, 0)
    print(z[0, 0].item())
except triton.CompilationError as e:
    print("refused")
`
	const interpret = "import os\nos.environ['TRITON_INTERPRET'] = '1'\n"
	for _, c := range []struct{ name, before, decorator, want string }{
		{"compiled", "plain = lambda f: f", "plain", "tf32 tf32 refused\n"},
		{"traced", "", "triton_viz.trace", "fp32 fp32 480000.0\n"},
		{"traced for a client", "", "triton_viz.trace(triton_viz.clients.Sanitizer())", "fp32 fp32 480000.0\n"},
		{"interpreted", interpret + "plain = lambda f: f", "plain", "fp32 fp32 480000.0\n"},
	} {
		_, doc, _ := cellsOf(t, "# %%\n"+c.before+fmt.Sprintf(script, c.decorator))
		if got := doc.Cells[0].Outputs; len(got) != 1 || got[0].Text != c.want {
			t.Errorf("%s: %+v, want %q", c.name, got, c.want)
		}
	}
}
