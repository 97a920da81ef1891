package lower_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// TestTritonSays holds newt against what Triton 3.6 said of small kernels k(x: *i32, n = 20,
// B = 16): what Triton takes is taken without a word, what it refuses is an error or a warning.
func TestTritonSays(t *testing.T) {
	f, err := os.Open("testdata/triton_says.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	head, err := os.ReadFile("testdata/triton_says.py") // what the kernels were recorded with
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var row struct{ Name, Source, Triton string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		args := []lower.Arg{{Type: types.PointerTo(num.Int32)}, {Type: types.Scalar(num.Int32), Value: 20},
			{Constexpr: true, Value: 16}}
		_, list := lowerText(t, string(head)+row.Source, lower.Options{Args: args, Triton: triton.V36})
		list = slices.DeleteFunc(list, func(d *diag.Diagnostic) bool { // what Triton takes, be it with a warning
			return d.Severity == diag.Hint || d.Severity == diag.Warning && !d.IsRefused()
		})
		if (len(list) > 0) != (row.Triton != "") {
			t.Errorf("%s: Triton says %q, newt %q", row.Name, row.Triton, codes(list))
		}
		_, strict := lowerText(t, string(head)+row.Source, lower.Options{Args: args, Strict: true, Triton: triton.V36})
		if strict.HasErrors() != (row.Triton != "") {
			t.Errorf("%s, strict: Triton says %q, newt %q", row.Name, row.Triton, codes(strict))
		}
	}
}

// TestInstead: a name that other libraries have is answered with Triton's own.
func TestInstead(t *testing.T) {
	for _, c := range []struct{ call, want string }{
		{"x.unsqueeze(0)", "expand_dims"},
		{"x.squeeze(0)", "reshape"},
		{"x.astype(tl.float32)", "to"},
		{"tl.relu(x)", "tl.maximum"},
	} {
		_, list := lowerText(t, "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k():\n"+
			"    x = tl.arange(0, 4)\n    y = "+c.call+"\n", lower.Options{})
		if len(list) != 1 || len(list[0].Fixes) != 1 || list[0].Fixes[0].Edits[0].New != c.want {
			t.Errorf("%s: %v, want the fix %s", c.call, list, c.want)
		}
	}
}

// TestAdvice: what a diagnostic says at its place, and what it advises.
func TestAdvice(t *testing.T) {
	const head = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(p, B: tl.constexpr):\n    i = tl.arange(0, B)\n    "
	args := []lower.Arg{{Type: types.PointerTo(num.Int32)}, {Constexpr: true, Value: 16}}
	for _, c := range []struct{ line, want string }{
		{"tl.store(p + i, i < 5, i + 10)", "exchanged with `i < 5`?"},
		{"tl.store(p + i, mask=i, value=i)", "not boolean"},
		{"tl.store(p + i, -inf)", "did you mean `float(\"inf\")`?"},
		{"tl.store(p, sum(i))", "did you mean `tl.sum`?"},
		{"tl.store(p, tl.sum(i, 1))", "Axes that exist: 0."},
		{"tl.store(p, tl.sum(i[None, :], 2))", "Axes that exist: 0, 1."},
		{"tl.store(p, i)", "reduce the tile to one number"},
	} {
		_, list := lowerText(t, head+c.line+"\n", lower.Options{Args: args})
		if len(list) == 0 {
			t.Errorf("%s: no diagnostic", c.line)
			continue
		}
		r := list[0].In(diag.English)
		if !strings.Contains(r.Label+"\n"+r.Help, c.want) {
			t.Errorf("%s: %q, %q, want %q", c.line, r.Label, r.Help, c.want)
		}
	}
}

// TestFix: what the fix of a line's first diagnostic makes of it; none where nobody can know.
func TestFix(t *testing.T) {
	const head = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(p, n, B: tl.constexpr):\n    i = tl.arange(0, B)\n    "
	args := []lower.Arg{{Type: types.PointerTo(num.Int32)}, {Type: types.Scalar(num.Int32)}, {Constexpr: true, Value: 16}}
	for _, c := range []struct{ line, want string }{
		{"tl.store(p + i, i < 5, i + 10)", "tl.store(p + i, i + 10, i < 5)"},
		{"tl.store(i + 10, p + i)", "tl.store(p + i, i + 10)"},
		{"tl.store(i, i)", ""},
		{"j = tl.arange(B)", "j = tl.arange(0, B)"},
		{"j = tl.maximum(i)", "j = tl.max(i)"},
		{"j = tl.zeros()", ""},
		{"j = i[np.newaxis, :]", "j = i[None, :]"},
		{"p[:] = i", ""},
		{"p[i, 0] = i", ""},
		{"p[i] = i", "tl.store(p + i, i)"},
		{"j = p[i, i]", ""},
		{"j = p[i]", "j = tl.load(p + i)"},
		{"j = i < n & i < B", "j = (i < n) & (i < B)"},
		{"j = i < n | i > 4 & i < B", "j = (i < n) | (i > 4) & (i < B)"},
		{"j = 2 < i & (i + 1) < B", "j = (2 < i) & ((i + 1) < B)"},
		{"j = i < (n) & i < B", "j = (i < (n)) & (i < B)"},
		{"j = (i + 1) < n & i < (B)", "j = ((i + 1) < n) & (i < (B))"},
		{"j = 0 < (i & n) < B", ""},
		{"j = 0 < i < B", ""},
	} {
		_, list := lowerText(t, head+c.line+"\n", lower.Options{Args: args})
		if len(list) == 0 || len(list[0].Fixes) == 0 {
			if len(list) == 0 || c.want != "" {
				t.Errorf("%s: no fix in %q", c.line, codes(list))
			}
			continue
		}
		text, edits := head+c.line, list[0].Fixes[len(list[0].Fixes)-1].Edits
		slices.SortFunc(edits, func(a, b diag.Edit) int { return int(b.Span.Start - a.Span.Start) })
		for _, e := range edits {
			text = text[:e.Span.Start] + e.New + text[e.Span.End:]
		}
		if got := text[len(head):]; got != c.want {
			t.Errorf("%s: the fix gives %s, want %s", c.line, got, c.want)
		}
		if _, list := lowerText(t, text+"\n", lower.Options{Args: args}); list.HasErrors() {
			t.Errorf("%s: the fix leaves %q", c.line, codes(list))
		}
	}
}
