package script

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/tensor"
)

// kernel adds 1 to n elements.
const kernel = `import torch, triton
import triton.language as tl

@triton.jit
def add_one(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)
`

// start makes a run of a document in the percent format.
func start(t *testing.T, text string, o Options) (*Run, *document.Document) {
	t.Helper()
	doc, list := document.Parse("a.py", text)
	if doc == nil {
		t.Fatal(list[0].Code)
	}
	o.Launcher = &Launcher{Device: cpu.New(cpu.Options{})}
	return New(doc, o), doc
}

// summary is what a cell has output, one item each.
func summary(c *document.Cell) (list []string) {
	for _, o := range c.Outputs {
		text := o.Text
		if plain, ok := o.Form("text/plain"); ok {
			text = plain
		}
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s%s%s", o.Kind, o.Name, text, o.Exception)))
	}
	return list
}

func TestCells(t *testing.T) {
	r, doc := start(t, "# %%\nx = 1\nprint('a')\nprint('b')\nx\n# %%\nprint('c')\n1 / 0\n# %% [markdown]\n# text\n# %%\n%time x + 1\n# %%\nx;\n",
		Options{})
	if status := r.All(t.Context()); status != 1 {
		t.Errorf("status %d", status)
	}
	want := [][]string{{"stream stdouta\nb", "execute_result 1"}, {"stream stdoutc", "error ZeroDivisionError"}, nil, {"execute_result 2"}, nil}
	for i, c := range doc.Cells {
		if got := summary(c); !slices.Equal(got, want[i]) {
			t.Errorf("cell %d outputs %q, want %q", i+1, got, want[i])
		}
	}
	if counts := []int{doc.Cells[0].Count, doc.Cells[2].Count, doc.Cells[4].Count}; !slices.Equal(counts, []int{1, 0, 4}) {
		t.Errorf("execution counts %v", counts)
	}
	failed := doc.Cells[1].Outputs[1]
	if want := "  File \"a.py\", line 8, in <module>"; failed.Message != "division by zero" || failed.Traceback[1] != want {
		t.Errorf("%v", failed)
	}
	// A cell that runs again has new outputs and a new number.
	doc.Cells[1].Source = "x * 10"
	if result := r.Cell(t.Context(), doc.Cells[1]); result.Status != 0 || !slices.Equal(summary(doc.Cells[1]), []string{"execute_result 10"}) || doc.Cells[1].Count != 5 {
		t.Errorf("again: %+v, %q", result, summary(doc.Cells[1]))
	}
}

// TestScript: a script shows no values and ends at its first failure, with Python's status.
func TestScript(t *testing.T) {
	for text, want := range map[string]int{"1\n2": 0, "1 / 0": 1, "import sys\nsys.exit(3)": 3, "import sys\nsys.exit()": 0, "x = = 1": 1} {
		r, doc := start(t, text, Options{Script: true})
		if status := r.All(t.Context()); status != want || slices.ContainsFunc(summary(doc.Cells[0]), func(s string) bool { return strings.HasPrefix(s, "execute") }) {
			t.Errorf("%q: status %d, %q", text, status, summary(doc.Cells[0]))
		}
	}
}

// TestCompilationError: the exception carries the first error, whatever warnings and errors come after it.
func TestCompilationError(t *testing.T) {
	const kernel = "import torch, triton\nimport triton.language as tl\n@triton.jit\ndef k(p):\n    x = tl.arange(0, 3)\n" +
		"    y = tl.arange(0, 5)\n    for i in range(4):\n        if i == 2:\n            break\n        tl.store(p + i, i)\n" +
		"try:\n    k[(1,)](torch.zeros(8, device='cuda'))\n" +
		"except triton.CompilationError as e:\n    print(e)\n    raise"
	r, doc := start(t, kernel, Options{})
	result := r.Cell(t.Context(), doc.Cells[0])
	want := "stream stdoutthe length of tl.arange(0, 3) is not a power of two"
	if got := summary(doc.Cells[0]); len(got) < 1 || got[0] != want {
		t.Errorf("output %q, want %q", got, want)
	}
	list := result.Diagnostics
	if n := len(list); n != 3 || list[0].Severity == diag.Error || list[n-1].Severity != diag.Error {
		t.Errorf("the errors are not the last diagnostics: %v", list)
	}
}

func TestEvents(t *testing.T) {
	var got []string
	r, _ := start(t, "# %%\nprint('a')\nprint('b', end='')\n3\n# %%\n1 / 0\n", Options{Emit: func(e Event) {
		got = append(got, fmt.Sprint(e.Kind, " ", e.Output.Text, e.Output.Exception))
	}})
	r.All(t.Context())
	if want := []string{"0 ", "1 a\n", "1 b", "2 ", "8 ", "0 ", "3 ZeroDivisionError", "8 "}; !slices.Equal(got, want) {
		t.Errorf("events %q, want %q", got, want)
	}
}

func TestOutputLimit(t *testing.T) {
	r, doc := start(t, "for i in range(100):\n    print('0123456789')\nx = i", Options{MaxOutput: 100})
	if r.All(t.Context()) != 0 {
		t.Error("too much output ends the cell")
	}
	got := doc.Cells[0].Outputs
	if len(got) != 2 || len(got[0].Text) > 100 || !strings.Contains(got[1].Text, "left out") {
		t.Errorf("%v", got)
	}
	if x, _ := r.session.Global("x"); host.Repr(x) != "99" {
		t.Errorf("x is %v", x)
	}
}

func TestWriteFile(t *testing.T) {
	r, doc := start(t, "# %%\n%%writefile helper.py\nN = 4\n# %%\n%%writefile -a ./helper.py\nM = 5\n# %%\nimport helper, other\n(helper.N, helper.M, other.K)\n",
		Options{Host: host.Options{Files: fstest.MapFS{"other.py": {Data: []byte("K = 6")}}}})
	r.All(t.Context())
	var got []string
	for _, c := range doc.Cells {
		got = append(got, summary(c)...)
	}
	if want := []string{"stream stdoutWriting helper.py", "stream stdoutAppending to ./helper.py", "execute_result (4, 5, 6)"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if list, err := r.files.ReadDir("."); err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
}

// TestStop: a run that is stopped ends its document, and the session goes on.
func TestStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, doc := start(t, "# %%\nx = 7\nwhile True:\n    print('on')\n# %%\nx\n", Options{MaxOutput: 1 << 10, Emit: func(e Event) {
		if e.Kind == Printed {
			cancel()
		}
	}})
	if status := r.All(ctx); status != 1 || doc.Cells[1].Count != 0 {
		t.Errorf("status %d, the second cell has run %d times", status, doc.Cells[1].Count)
	}
	if r.Cell(t.Context(), doc.Cells[1]); !slices.Equal(summary(doc.Cells[1]), []string{"execute_result 7"}) {
		t.Errorf("%q", summary(doc.Cells[1]))
	}
}

func TestLaunches(t *testing.T) {
	text := "# %%\n" + kernel + "# %%\nx = torch.zeros(8, device='cuda')\nfor i in range(6):\n    add_one[(1, 1)](x[2:], 3, B=4, num_warps=2)\n# %%\nadd_one[(1,)](x, n=9, B=16)\n"
	r, doc := start(t, text, Options{Keep: Keep{Launches: 10, Bytes: 100, Alike: 3}})
	r.All(t.Context())
	list, more := r.Launches()
	if len(list) != 7 || more != 0 {
		t.Fatalf("%d launches and %d more", len(list), more)
	}
	var states []State
	for _, l := range list {
		states = append(states, l.State)
	}
	if want := []State{Dropped, Kept, Kept, Repeated, Repeated, Repeated}; !slices.Equal(states[:6], want) {
		t.Errorf("states %q, want %q", states, want)
	}
	second := list[1]
	if got := fmt.Sprint(second.Number, second.Kernel, second.Grid, second.Args, second.Options); got !=
		"2add_one[1 1 1] [{x float32 [6] [1] } {n  [] [] 3} {B  [] [] 4}] map[num_warps:2]" {
		t.Error(got)
	}
	if at := r.Sources().File(second.Span); at.Slice(second.Span) != "add_one[(1, 1)](x[2:], 3, B=4, num_warps=2)" {
		t.Errorf("the call is %q", at.Slice(second.Span))
	}
	if failed := list[6].Failure; failed == nil || failed.Code != "out-of-bounds-store" && failed.Code != "out-of-bounds-load" {
		t.Errorf("the last launch: %+v", list[6])
	}
	// The second launch finds what the first has left, however often it is opened.
	for range 2 {
		k, args, _, ok := r.Open(second)
		if !ok || k.Func.Name != "add_one" || args[0].Tensor.Data[8:12][3] != 0x3f {
			t.Fatalf("opened: %v, %v", ok, args)
		}
		clear(args[0].Tensor.Data)
	}
	if _, _, _, ok := r.Open(list[0]); ok {
		t.Error("a forgotten launch can be opened")
	}
	// A cell that runs again has its new launches alone.
	r.Cell(t.Context(), doc.Cells[1])
	if list, _ = r.Launches(); len(list) != 7 || list[0].Cell != doc.Cells[2] {
		t.Errorf("after a second run %d launches", len(list))
	}
	for i, l := range list {
		if slices.ContainsFunc(list[:i], func(other *Launch) bool { return other.Number == l.Number }) {
			t.Errorf("two launches have the number %d", l.Number)
		}
	}
}

// TestLaunchesGiveTensorsUp: the list of launches holds none of the tensors that a document has given up.
func TestLaunchesGiveTensorsUp(t *testing.T) {
	text := kernel + "def once(n):\n    x = torch.zeros(n, device='cuda')\n    add_one[(1,)](x, 8, B=8)\n" +
		"for i in range(40):\n    once(1 << 18)\n"
	r, doc := start(t, text, Options{Host: host.Options{Tensors: tensor.New(tensor.Options{MaxBytes: 8 << 20})}, Keep: DefaultKeep})
	if status := r.All(t.Context()); status != 0 {
		t.Errorf("40 launches, each on a tensor of 1 MiB of its own, in 8 MiB: %q", summary(doc.Cells[0]))
	}
}
