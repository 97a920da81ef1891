package host

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/newtlab/newt/compiler/source"
)

// cells runs cells in one session and gives what each printed and how it ended.
func cells(o Options, texts ...string) (s *Session, printed []string, outcomes []Outcome) {
	var out bytes.Buffer
	o.Stdout = &out
	s = New(o)
	for _, text := range texts {
		out.Reset()
		outcomes = append(outcomes, s.Run(source.NewFile("cell.py", text)))
		printed = append(printed, out.String())
	}
	return s, printed, outcomes
}

// TestCells checks that cells share their globals, that functions see what later cells bind, and that a
// failing cell leaves the session usable.
func TestCells(t *testing.T) {
	s, printed, outcomes := cells(withLibraries(Options{}),
		"scale = 2\ndef f(x):\n    return g(x) * scale\n",
		"def g(x): return x + 1\nprint(f(1))",
		"scale = 10\nleft = 1\n1 / 0\nleft = 2",
		"print(f(1), left)\nimport math as m",
		"print(m.sqrt(4), [n for n in globals() if n[0] != '_'])",
	)
	for i, want := range []string{"4\n", "20 1\n", "2.0 ['scale', 'f', 'g', 'left', 'm']\n"} {
		if got := printed[[]int{1, 3, 4}[i]]; got != want {
			t.Errorf("prints %q, want %q", got, want)
		}
	}
	failed := outcomes[2]
	if want := "Traceback (most recent call last):\n  File \"cell.py\", line 3, in <module>\n    1 / 0\n    ~~^~~\n" +
		"ZeroDivisionError: division by zero\n"; failed.Traceback != want {
		t.Errorf("traceback\n%s\nwant\n%s", failed.Traceback, want)
	}
	at := failed.Diagnostics[0].Primary.Span
	if file := s.Sources().File(at); file.Slice(at) != "1 / 0" || file.Position(at.Start).Line != 3 {
		t.Errorf("points at %q in %q", file.Slice(at), file.Text)
	}
}

// TestLastValue checks which values a notebook displays.
func TestLastValue(t *testing.T) {
	for text, want := range map[string]string{"1 + 1": "2", "x = 3": "", "1; 2": "2", "3;": "", "3 ; # quiet": "", "None": "",
		"'a'  # loud": "'a'", "if True:\n    3": "", "print()": ""} {
		_, _, outcomes := cells(withLibraries(Options{}), text)
		got := ""
		if v := outcomes[0].Value; v != nil {
			got = Repr(v)
		}
		if got != want {
			t.Errorf("%q shows %q, want %q", text, got, want)
		}
	}
}

// TestShow checks that the classes of a document say how their objects are shown, and may fail at it.
func TestShow(t *testing.T) {
	var shown []Display
	s, _, outcomes := cells(withLibraries(Options{Display: func(d Display) { shown = append(shown, d) }}),
		"class A:\n    def __repr__(self): return 'an A'\n    def _repr_html_(self): return '<b>A</b>'\nA()",
		"class B:\n    def __repr__(self): return 1 / 0\nB()")
	if out := s.Show(outcomes[0].Value); out.Diagnostics.HasErrors() || len(shown) != 1 || shown[0].Text != "an A" ||
		shown[0].HTML != "<b>A</b>" {
		t.Errorf("shown %+v, %s", shown, words(out.Diagnostics))
	}
	if out := s.Show(outcomes[1].Value); !strings.Contains(out.Traceback, "in __repr__") || len(shown) != 1 {
		t.Errorf("a failing __repr__ gives %q", out.Traceback)
	}
}

// TestKernelAcrossCells checks that a kernel finds helpers and constants of other cells, as they are when it is
// launched, and that a redefinition is another kernel.
func TestKernelAcrossCells(t *testing.T) {
	r := &recorder{}
	s, _, outcomes := cells(withLibraries(Options{Launcher: r}),
		"import torch, triton\nimport triton.language as tl\nB = 4",
		"@triton.jit\ndef k(x, z):\n    tl.store(z, helper(x))",
		"@triton.jit\ndef helper(x):\n    return tl.load(x) + B",
		"x, z = torch.ones(4), torch.zeros(4)\nk[(1,)](x, z)",
		"@triton.jit\ndef k(x, z): pass\nk[(1,)](x, z)\nB = 5")
	for _, o := range outcomes {
		if o.Diagnostics.HasErrors() {
			t.Fatal(o.Traceback, words(o.Diagnostics))
		}
	}
	first, second := r.launches[0].Kernel, r.launches[1].Kernel
	if first == second || first.Function == second.Function {
		t.Error("the redefinition is the same kernel")
	}
	if b, ok := first.Function.Scope.Lookup("B"); !ok || b.Value != int64(5) {
		t.Errorf("the kernel sees B = %v", b.Value)
	}
	if h, ok := first.Function.Scope.Lookup("helper"); !ok || s.Sources().File(h.Span).Slice(h.Span) != "helper" {
		t.Errorf("the helper is at %v", h.Span)
	}
}

// files are those beside the documents of TestImports.
var files = fstest.MapFS{
	"helpers.py":      {Data: []byte("print('run', __name__, __file__)\nN = 3\ndef f(x):\n    return x / N\ndef bad():\n    return f(None)\n")},
	"pkg/__init__.py": {Data: []byte("from .low import depth\nfrom . import low as lower\n")},
	"pkg/low.py":      {Data: []byte("from ..helpers import N\n")},
	"pkg2/deep/a.py":  {Data: []byte("from . import b\nfrom ..top import T\nprint(__package__, b.B, T)\n")},
	"pkg2/deep/b.py":  {Data: []byte("B = 'b'\n")},
	"pkg2/top.py":     {Data: []byte("T = 't'\n")},
	"ring1.py":        {Data: []byte("import ring2\nX = 1\n")},
	"ring2.py":        {Data: []byte("import ring1\nprint(hasattr(ring1, 'X'))\n")},
	"ring3.py":        {Data: []byte("from ring4 import Y\nX = 1\n")},
	"ring4.py":        {Data: []byte("from ring3 import X\n")},
	"broken.py":       {Data: []byte("x = = 1\n")},
	"tabulate.py":     {Data: []byte("tabulate = 'own'\n")},
	"einops/data.txt": {Data: []byte("a folder without __init__.py comes last\n")},
	"stars.py":        {Data: []byte("__all__ = ['a', '_b']\na, _b, c = 1, 2, 3\n")},
}

// TestImports checks the modules beside a document: each runs once, in a namespace of its own.
func TestImports(t *testing.T) {
	for _, c := range []struct{ text, out, failure string }{
		{"import helpers\nimport helpers as h\nfrom helpers import f\nN = 5\nprint(f(6), h is helpers, __name__)",
			"run helpers /document/helpers.py\n2.0 True __main__\n", ""},
		{"from stars import *\nprint(a, _b, 'c' in globals())", "1 2 False\n", ""},
		{"import pdb\nfrom IPython.core.debugger import set_trace\nprint('here')", "here\n", ""},
		{"from tabulate import tabulate\nfrom einops import pack\nprint(tabulate, pack.__name__)", "own pack\n", ""},
		{"import pkg2.deep.a\nprint(pkg2.top.T)", "pkg2.deep b t\nt\n", ""},
		{"import ring1\nprint(ring1.X)", "False\n1\n", ""},
		{"import ring3", "", "ImportError: cannot import name 'X' from partially initialized module 'ring3' (most likely due to a circular import) (/document/ring3.py)"},
		{"import pkg", "", "ImportError: attempted relative import beyond top-level package"},
		{"import broken", "", "SyntaxError: "},
		{"from helpers import nn", "run helpers /document/helpers.py\n", "ImportError: cannot import name 'nn' from 'helpers' (/document/helpers.py)"},
		{"try:\n    import nothing\nexcept ImportError as e:\n    print(type(e).__name__)", "ModuleNotFoundError\n", ""},
	} {
		_, printed, outcomes := cells(withLibraries(Options{Files: files}), c.text)
		last := strings.TrimSuffix(outcomes[0].Traceback, "\n")
		last = last[strings.LastIndexByte(last, '\n')+1:]
		if printed[0] != c.out || !strings.HasPrefix(last, c.failure) || c.failure == "" && last != "" {
			t.Errorf("%s\nprints %q and fails with %q\nwant %q and %q", c.text, printed[0], last, c.out, c.failure)
		}
	}
}

// TestTracebackOfModules checks that a traceback names each frame's own file.
func TestTracebackOfModules(t *testing.T) {
	_, _, outcomes := cells(withLibraries(Options{Files: files}), "import helpers\n\nhelpers.bad()")
	want := `Traceback (most recent call last):
  File "cell.py", line 3, in <module>
    helpers.bad()
  File "helpers.py", line 6, in bad
    return f(None)
           ^^^^^^^
  File "helpers.py", line 4, in f
    return x / N
           ~~^~~
TypeError: unsupported operand type(s) for /: 'NoneType' and 'int'
`
	if got := outcomes[0].Traceback; got != want {
		t.Errorf("traceback\n%s\nwant\n%s", got, want)
	}
}
