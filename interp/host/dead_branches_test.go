package host

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// TestEliminateDeadBranches: of a module's top level the statements are left that a run executes, and branches whose
// condition cannot be evaluated here.
func TestEliminateDeadBranches(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a constant":      {"NEW = True\nif NEW:\n    a = 1\nelse:\n    b = 2", "NEW a"},
		"the other":       {"NEW = False\nif NEW:\n    a = 1\nelif not NEW:\n    b = 2", "NEW b"},
		"a version":       {"import triton\nif triton.__version__ >= '3.0':\n    a = 1\nelse:\n    b = 2", "triton a"},
		"hasattr":         {"import triton.language as tl\nif hasattr(tl, 'lode'):\n    a = 1", "tl"},
		"type checking":   {"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import missing", "TYPE_CHECKING"},
		"a function":      {"def hip():\n    return False\nif hip():\n    a = 1\nelse:\n    b = 2", "hip b"},
		"inside":          {"if True:\n    x = 3\n    if x > 2:\n        a = 1\n    else:\n        b = 2", "x a"},
		"an import":       {"try:\n    import math\nexcept ImportError:\n    math = None\nelse:\n    a = 1", "math a"},
		"a failed import": {"try:\n    z = 1\n    import missing\n    y = 2\nexcept ImportError:\n    a = None", "z a"},
		"part of Triton":  {"try:\n    from triton.experimental import gluon\nexcept ImportError:\n    gluon = None", "try"},
		"no handler":      {"try:\n    import missing\nexcept ValueError:\n    a = None", "try"},
		"calls":           {"try:\n    print(1)\nexcept ImportError:\n    a = None", "try"},
		"unknown":         {"import missing\nif missing.flag:\n    a = 1\nelse:\n    b = 2", "missing if"},
		"endless":         {"def f():\n    while True:\n        pass\nif f():\n    a = 1\nelse:\n    b = 2", "f if"},
		"a script":        {"if __name__ == '__main__':\n    a = 1", "if"},
	} {
		tree, _ := syntax.Parse(source.NewFile("t.py", c.text))
		var got []string
		for _, s := range EliminateDeadBranches(tree, Options{Libraries: AllLibraries()}).Body {
			switch s := s.(type) {
			case *syntax.Assign:
				got = append(got, syntax.LastName(s.Targets[0]))
			case *syntax.Import:
				got = append(got, s.Names[0].As)
				if s.Names[0].As == "" {
					got[len(got)-1] = s.Names[0].Name
				}
			case *syntax.ImportFrom:
				got = append(got, s.Names[0].Name)
			case *syntax.FunctionDef:
				got = append(got, s.Name)
			case *syntax.If:
				got = append(got, "if")
			case *syntax.Try:
				got = append(got, "try")
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q is left, want %q", name, got, c.want)
		}
	}
}

// TestBranchOfModule compiles a kernel whose helper and whose language a branch of the module defines.
func TestBranchOfModule(t *testing.T) {
	file := source.NewFile("k.py", `import triton
HAVE_TRITON = hasattr(triton, "jit")
if HAVE_TRITON:
    import triton.language as tl
else:
    tl = object()
if triton.__version__ < "2.0":
    @triton.jit
    def f(x):
        return x + 2
else:
    @triton.jit
    def f(x):
        return x + 1
if not HAVE_TRITON:
    @triton.jit
    def f(x):
        return x + 3
@triton.jit
def k(p):
    tl.store(p, f(tl.load(p)))
`)
	args, err := compiler.ParseSignature("*fp32")
	if err != nil {
		t.Fatal(err)
	}
	live := func(m *syntax.Module) *syntax.Module {
		return EliminateDeadBranches(m, Options{Libraries: AllLibraries()})
	}
	a, list := compiler.Compile(file, compiler.Options{Kernel: "k", Args: args, Live: live})
	if a == nil || !strings.Contains(a.Func.String(), "fp32(1)") {
		t.Errorf("compiled %v\n%v", a, list)
	}
	second := strings.Index(file.Text, "f(x):\n        return x + 1")
	if f, list := Define(file, "f", Options{Libraries: AllLibraries()}); f == nil || int(f.Def.NameSpan.Start) != second {
		t.Errorf("f is %v, %v", f, list)
	}
}
