package usage_test

import (
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/usage"
)

// infer returns the use of a parameter of the last function of a file.
func infer(t *testing.T, functions, param string) usage.Use {
	t.Helper()
	m, list := syntax.Parse(source.NewFile("k.py", "import triton\nimport triton.language as tl\n"+functions))
	if list.HasErrors() {
		t.Fatal(list[0].Code, functions)
	}
	info, _ := resolve.Resolve(m)
	var last *syntax.FunctionDef
	for _, s := range m.Body {
		if fn, ok := s.(*syntax.FunctionDef); ok {
			last = fn
		}
	}
	return usage.Infer(info, nil).Param(last, param)
}

const (
	pointer = usage.Pointer
	number  = usage.Number
	count   = usage.Number | usage.Integer
	extent  = count | usage.Extent
)

// TestKinds: each fact, and the ways that it takes from where it is found to the parameter.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		name, functions, param string
		want                   usage.Kind
	}{
		{"unused", "def k(v): pass", "v", 0},
		{"address", "def k(p, n): tl.load(p)", "p", pointer},
		{"value stored", "def k(p, v): tl.store(p, v)", "v", 0},
		{"offset", "def k(p, n): tl.load(p + n * 2)", "n", number},
		{"quotient", "def k(v): v // 2", "v", count},
		{"remainder", "def k(v): v % 2", "v", number},
		{"bound of arange", "def k(B): tl.arange(0, B)", "B", extent},
		{"extent in a shape", "def k(B): tl.zeros((2, B), tl.float32)", "B", extent},
		{"size of a block pointer", "def k(p, n): tl.make_block_ptr(p, (n,), (1,), (0,), (16,), (0,))", "n", count},
		{"extent of its block", "def k(p, B): tl.make_block_ptr(p, (1,), (1,), (0,), block_shape=(B,), order=(0,))", "B", extent},
		{"stride of a descriptor", "def k(p, s): tl.make_tensor_descriptor(p, [4, 4], [s, 1], [4, 4])", "s", count},
		{"dtype by keyword", "def k(D): tl.zeros([2], dtype=D)", "D", usage.DType},
		{"dtype compared", "def k(D): D == tl.float16", "D", usage.DType},
		{"unrolled loop", "def k(N):\n  for i in tl.static_range(N): pass", "N", count | usage.Trips},
		{"condition", "def k(F):\n  if not F: pass", "F", usage.Flag},
		{"tuple", "def k(s):\n  a, b = s[0], s[1]", "s", usage.Object},

		{"assignment", "def k(p):\n  q = p\n  tl.load(q)", "p", pointer},
		{"use before assignment", "def k(p, q):\n  tl.load(q)\n  q = p", "p", pointer},
		{"tuple assignment", "def k(p, n):\n  q, m = p, n\n  tl.load(q + m * 2)", "p", pointer},
		{"augmented assignment", "def k(p, n):\n  p += n * 2\n  tl.load(p)", "p", pointer},
		{"argument", "def f(q): tl.load(q)\ndef k(p): f(p)", "p", pointer},
		{"keyword argument", "def f(a, q): tl.load(q)\ndef k(p): f(a=1, q=p)", "p", pointer},
		{"result", "def f(q): return q\ndef k(p): tl.load(f(p))", "p", pointer},
		{"passed through", "def k(p): tl.load(tl.multiple_of(p, 16))", "p", pointer},
		{"one of two", "def k(p, F):\n  q = p if F else p\n  tl.load(q)", "p", pointer},
		{"recursion", "def f(q, n):\n  f(q, n)\n  tl.load(q)\ndef k(p): f(p, 1)", "p", pointer},

		{"pointer on the right", "def k(p, n): tl.load(n + p) + n // 2", "p", pointer},
		{"left of two unknown", "def k(a, b): tl.load(a + b)", "a", pointer},
		{"right of two unknown", "def k(a, b): tl.load(a + b)", "b", 0},
	} {
		if got := infer(t, c.functions, c.param).Kind; got != c.want {
			t.Errorf("%s: %s is %#x, want %#x:\n%s", c.name, c.param, got, c.want, c.functions)
		}
	}
}

// TestValues: literals that a parameter is compared with, each once, in the order found.
func TestValues(t *testing.T) {
	use := infer(t, `def f(a):
  if a in ("relu", "gelu"): pass
def k(act):
  f(act)
  if act == "relu" or "none" != act: pass
  if act == 1.5: pass
`, "act")
	var texts []string
	for _, v := range use.Values {
		texts = append(texts, v.Text)
	}
	if want := []string{"relu", "gelu", "none"}; !slices.Equal(texts, want) {
		t.Errorf("compared with %q, want %q", texts, want)
	}
}
