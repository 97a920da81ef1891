package resolve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

func resolveText(t *testing.T, text string, known ...string) (*Info, []string) {
	t.Helper()
	m, bad := syntax.Parse(source.NewFile("t.py", text))
	for _, d := range bad {
		t.Fatalf("syntax: %s %v in\n%s", d.Code, d.Args, text)
	}
	info, list := Resolve(m, known...)
	var out []string
	for _, d := range list {
		out = append(out, fmt.Sprintf("%s %s %v", d.Severity, d.Code, d.Args[0]))
	}
	return info, out
}

const jit = "import triton\n@triton.jit\n"

func TestDiagnostics(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"clean", "import triton.language as tl\ndef f(a):\n    b = a + 1\n    return [b * i for i in range(3)]\n", ""},
		{"undefined", "def f(lenght):\n    return length\n", "error undefined-name length"},
		{"once for each function", "def f():\n    q + q\ndef g():\n    q\n",
			"error undefined-name q; error undefined-name q"},
		{"global below", "def f():\n    return later\nlater = 1\n", ""},
		{"used first", "def f():\n    y = x\n    x = 1\n", "error used-before-assignment x"},
		{"augmented only", "def f(n):\n    for i in range(n):\n        acc += i\n", "error used-before-assignment acc"},
		{"set in the other branch", "def f(n):\n    if n:\n        x = 1\n    else:\n        print(x)\n",
			"error used-before-assignment x"},
		{"set in one branch", "def f(n):\n    if n:\n        x = 1\n    return x\n", ""},
		{"loop, first round", "def f(n):\n    for i in range(n):\n        y = x\n        x = i\n",
			"error used-before-assignment x"},
		{"loop, later round", "def f(n):\n    for i in range(n):\n        if i:\n            y = x\n        x = i\n",
			""},
		{"inner loop", "def f(n):\n    for i in range(n):\n        for j in range(i):\n            y = x\n        x = i\n", ""},
		{"closure", "def f():\n    def g():\n        return x\n    x = 1\n    return g()\n", ""},
		{"lambda later", "def f():\n    g = lambda: x\n    x = 1\n    return g()\n", ""},
		{"comprehension", "def f():\n    return [i + j for i in range(3) for j in range(i)], i\n",
			"error undefined-name i"},
		{"walrus", "def f(a):\n    if (n := len(a)) > 3:\n        return n\n    return [m for k in a if (m := k)] and m\n", ""},
		{"class scope", "class A:\n    x = 1\n    y = x\n    def f(self):\n        return x\n",
			"error undefined-name x"},
		{"other libraries", jit + "def f(x):\n    return np.exp(x) + torch.exp(x)\n",
			"error module-in-kernel np; error module-in-kernel torch"},
		{"the host's libraries", "import triton\ndef f(x):\n    return torch.exp(x)\n", "hint implicit-import torch"},
		{"CUDA", jit + "def f(x):\n    return x + threadIdx.x\n", "error cuda-name threadIdx"},
		{"implicit", "def f(p):\n    return tl.load(p) + tl.load(p)\n", "hint implicit-import tl"},
		{"annotation", "def f(x: Float32[Tensor, 'n']):\n    return x\n",
			"warning undefined-name Float32; warning undefined-name Tensor"},
		{"star import", "from triton.language import *\nload\n", ""},
		{"nonlocal", "def f():\n    def g():\n        nonlocal x\n        x = 1\n    x = 0\n    return g\n", ""},
		{"nonlocal unknown", "def g():\n    nonlocal x\n    x = 1\n", "error nonlocal-unknown x"},
		{"global", "def f():\n    global n\n    n = 1\ndef g():\n    return n\n", ""},
		{"except and with", "def f(c):\n    try:\n        with c as d:\n            d\n    except ValueError as e:\n        return e\n", ""},
	} {
		_, got := resolveText(t, c.text)
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: got %q, want %q", c.name, s, c.want)
		}
	}
}

// TestBindings reads the binding of each use of a name from a comment beside it.
func TestBindings(t *testing.T) {
	const text = `
G = 1
def f(p, q=G):
    v = p
    def g(r):
        return v, p, r, G, len, [v for w in r if w]
    h = lambda z: z + v
    return [v + i for i in p]
`
	info, _ := resolveText(t, text)
	var got []string
	syntax.Walk(info.Module, func(n syntax.Node) bool {
		if name, ok := n.(*syntax.Name); ok {
			got = append(got, name.ID+":"+info.Names[name].Kind.String())
		}
		return true
	})
	want := "G:global G:global v:local p:param v:free p:free r:param G:global len:builtin v:free w:local r:param w:local " +
		"h:local z:param v:free v:local i:local i:local p:param"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

func TestPath(t *testing.T) {
	const imports = "import triton, torch\nimport triton.language as tl\nimport triton.language.math as m\n" +
		"from triton import jit, language as lang\nfrom triton.language import load as ld, exp\nimport os.path\nf = tl.load\n" +
		"a = b\nb = a\ng = 1\n"
	for expr, want := range map[string]string{
		"tl.load": "triton.language.load", "ld": "triton.language.load", "exp": "triton.language.exp",
		"m.exp": "triton.language.math.exp",
		"jit":   "triton.jit", "lang.dot": "triton.language.dot", "torch.nn.functional.pad": "torch.nn.functional.pad",
		"os.path.join": "os.path.join", "f": "triton.language.load", "a": "", "g": "", "tl.load(0)": "", "range": "",
	} {
		info, _ := resolveText(t, imports+expr+"\n")
		last := info.Module.Body[len(info.Module.Body)-1].(*syntax.ExprStmt)
		got, ok := info.Path(last.Value)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%s: got %q, %v; want %q", expr, got, ok, want)
		}
	}
}

// TestSuggestion: in a kernel, a name of Python's that kernels lack is no better than the unknown one.
func TestSuggestion(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"def f(mask):\n    return msak\n", "mask"},
		{"def f(x):\n    return pid\n", "id"},
		{jit + "def f(x):\n    return pid\n", ""},
		{jit + "def f(z_ptr, zs):\n    return z\n", "z_ptr"},
		{jit + "def f(x):\n    return rnage(x)\n", "tl.range"},
		{jit + "def f(x):\n    return stroe(x)\n", "tl.store"},
	} {
		m, _ := syntax.Parse(source.NewFile("t.py", "import triton.language as tl\n"+c.text))
		_, list := Resolve(m)
		got := ""
		for _, fix := range list[0].Fixes {
			got += fix.Edits[0].New
		}
		if got != c.want {
			t.Errorf("%s: got the fix %q, want %q", c.text, got, c.want)
		}
	}
}

func TestImplicitImportFix(t *testing.T) {
	m, _ := syntax.Parse(source.NewFile("t.py",
		"\"\"\"doc\"\"\"\nfrom __future__ import annotations\nx = tl.float32\n"))
	_, list := Resolve(m)
	edit := list[0].Fixes[0].Edits[0]
	if got := m.File.Text[:edit.Span.Start] + edit.New; !strings.HasSuffix(got,
		"annotations\nimport triton.language as tl\n") {
		t.Errorf("inserted at the wrong place: %q", got)
	}
}

func TestKnownNames(t *testing.T) {
	info, list := resolveText(t, "check(puzzle)\n", "check", "puzzle")
	if len(list) > 0 || len(info.ModuleScope().Order) > 0 {
		t.Errorf("got %v", list)
	}
}

// FuzzResolve checks that Resolve ends and knows every name of a tree.
func FuzzResolve(f *testing.F) {
	for _, seed := range []string{
		"def f(a=b):\n    global c\n    c = [d for d in a if (e := d)]\n    return lambda g: g + e",
		"class A(B):\n    x = 1\n    def f(self): nonlocal y",
		"for i in range(3):\n    try: import a.b as c\n    except D as e: pass\n    with f as (g, *h): del i",
		"from a import *\nx = y = x", "tl.load(@", "a = b\nb = a\na.c",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, _ := syntax.Parse(source.NewFile("t.py", text))
		info, list := Resolve(m)
		if len(list) > maxDiagnostics {
			t.Fatalf("%d diagnostics", len(list))
		}
		outside := map[*syntax.Name]bool{} // the names in global and nonlocal statements stand for themselves
		syntax.Walk(m, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Global:
				for _, name := range n.Names {
					outside[name] = true
				}
			case *syntax.Nonlocal:
				for _, name := range n.Names {
					outside[name] = true
				}
			case *syntax.Name:
				if _, ok := info.Names[n]; !ok && !outside[n] {
					t.Fatalf("nothing is known about %s", n.ID)
				}
			case syntax.Expr:
				info.Path(n)
			}
			return true
		})
	})
}
