package editor_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/editor"
	"github.com/newtlab/newt/compiler/source"
)

// labels are the first n completions at "|" in a text.
func labels(t *testing.T, text string, n int, needed ...string) []string {
	t.Helper()
	before, after, found := strings.Cut(text, "|")
	if !found {
		t.Fatalf("no cursor in %q", text)
	}
	_, items := editor.Complete(source.NewFile("k.py", before+after), len(before), needed)
	var out []string
	for _, it := range items[:min(n, len(items))] {
		out = append(out, it.Label)
	}
	return out
}

// TestCompletionsByUse: what kernels use most comes first, and what the puzzle needs before that.
func TestCompletionsByUse(t *testing.T) {
	kernel := head + "@triton.jit\ndef kernel(x_ptr, n, BLOCK: tl.constexpr):\n    offs = tl.arange(0, BLOCK)\n    "
	for _, c := range []struct {
		line   string
		needed []string
		want   []string
	}{
		{"tl.|", nil, []string{"constexpr", "arange", "load", "store", "program_id"}},
		{"tl.st|", nil, []string{"store", "static_assert", "static_range"}},
		{"tl.m|", nil, []string{"max", "maximum", "minimum"}},
		{"tl.|", []string{"sum", "range"}, []string{"sum", "range", "constexpr"}},
		{"tl.s|", []string{"softmax"}, []string{"softmax", "store"}},
		{"offs.|", nil, []string{"to", "dtype"}},
		{"tl.load(x_ptr, m|", nil, []string{"mask=", "min"}},
		{"f = \"(\"; x = tl.load(o|", nil, []string{"other=", "offs"}},
		{"triton.|", nil, []string{"jit", "cdiv", "next_power_of_2"}},
	} {
		got := labels(t, kernel+c.line+"\n", len(c.want), c.needed...)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.line, got, c.want)
		}
	}
}

// TestCompletionsByVersion: what the version of Triton that a file is for lacks is not proposed, and parameters are its own.
func TestCompletionsByVersion(t *testing.T) {
	kernel := head + "@triton.jit\ndef kernel(x_ptr):\n    x = tl.load(x_ptr)\n    "
	for _, c := range []struct {
		version, line, label string
		offered              bool
	}{
		{"3.6", "tl.squ|", "squeeze", false},
		{"3.7", "tl.squ|", "squeeze", true},
		{"3.8", "x.atomic_p|", "atomic_poll", false},
		{"3.9", "x.atomic_p|", "atomic_poll", true},
		{"3.8", "tl.adv|", "advance", true},
		{"3.9", "tl.adv|", "advance", false},
		{"3.8", "tl.load(x_ptr, bound|", "boundary_check=", true},
		{"3.9", "tl.load(x_ptr, bound|", "boundary_check=", false},
		{"3.7", "tl.topk(x, 1, desc|", "descending=", false},
	} {
		got := labels(t, "# triton: "+c.version+"\n"+kernel+c.line+"\n", 99)
		if slices.Contains(got, c.label) != c.offered {
			t.Errorf("%s at %s: %v", c.line, c.version, got)
		}
	}
}

func TestSignatureAt(t *testing.T) {
	text := head + `@triton.jit
def helper(x, scale: tl.constexpr = 2, *rest):
    return x * scale

@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    CURSOR
    return

kernel[(1,)](None, 4, BLOCK=8)
`
	for _, c := range []struct {
		line   string // with the cursor at "|"
		name   string
		active string // the parameter's text
		doc    string
	}{
		{"tl.load(|", "tl.load", "pointer", "Reads"},
		{"tl.load(x_ptr + offs, |", "tl.load", "mask=None", "Reads"},
		{"tl.load(x_ptr + offs, other=0|, mask=offs < n)", "tl.load", "other=None", ""},
		{"tl.load(x_ptr + offs, mask=offs[:, |None] < n)", "tl.load", "mask=None", ""},
		{"tl.load(x_ptr, mask=(offs < n) & |(offs > 0))", "tl.load", "mask=None", ""},
		{"tl.store(x_ptr, tl.where(offs < n, |", "tl.where", "x", ""},
		{"tl.store(x_ptr, tl.where(offs < n, 1, 2), |", "tl.store", "mask=None", ""},
		{"tl.static_assert(n > 0, \"a, (b, \" |)", "tl.static_assert", "msg=''", ""},
		{"tl.load(  # (a, b,\n        x_ptr, |", "tl.load", "mask=None", ""},
		{"offs.to(|", "tensor.to", "dtype", ""},
		{"offs.sum(|", "offs.sum", "axis=None", ""},
		{"tl.load(x_ptr).sum(|", ".sum", "axis=None", ""},
		{"helper(|", "helper", "x", ""},
		{"helper(offs, |", "helper", "scale: tl.constexpr=2", ""},
		{"helper(offs, 1, 2, 3, |", "helper", "*rest", ""},
		{"tl.arange(0, 8, |", "tl.arange", "", ""},
		{"tl.arange(0, nothing=|", "tl.arange", "", ""},
		{"kernel[(1,)](x_ptr, |", "kernel", "n", ""},
		{"tl.load(x_ptr)|", "", "", ""},
		{"nothing(|", "", "", ""},
		{"(|", "", "", ""},
		{"x = tl.load(x_ptr +\n    return |", "", "", ""},
	} {
		before, after, _ := strings.Cut(strings.Replace(text, "CURSOR", c.line, 1), "|")
		help := editor.SignatureAt(source.NewFile("k.py", before+after), len(before))
		if help == nil {
			if c.name != "" {
				t.Errorf("%s: no help", c.line)
			}
			continue
		}
		active := ""
		if help.Active >= 0 {
			active = help.Params[help.Active]
		}
		if help.Name != c.name || active != c.active || before[help.Open] != '(' {
			t.Errorf("%s: %s with %q active at %d of %q, want %s with %q", c.line, help.Name, active, help.Active, help.Params, c.name, c.active)
		}
		if !strings.HasPrefix(help.Doc.En, c.doc) || strings.Count(help.Doc.En, ". ") > 0 {
			t.Errorf("%s: documented by %q", c.line, help.Doc.En)
		}
	}
}
