package lower_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
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
		_, list := lowerText(t, string(head)+row.Source, lower.Options{Args: args})
		list = slices.DeleteFunc(list, func(d *diag.Diagnostic) bool { return d.Severity == diag.Hint })
		if (len(list) > 0) != (row.Triton != "") {
			t.Errorf("%s: Triton says %q, newt %q", row.Name, row.Triton, codes(list))
		}
		_, strict := lowerText(t, string(head)+row.Source, lower.Options{Args: args, Strict: true})
		if strict.HasErrors() != (row.Triton != "") {
			t.Errorf("%s, strict: Triton says %q, newt %q", row.Name, row.Triton, codes(strict))
		}
	}
}

// TestInstead: a name that other libraries have is answered with Triton's own.
func TestInstead(t *testing.T) {
	for _, c := range []struct{ call, want string }{
		{"tl.unsqueeze(x, 0)", "tl.expand_dims"},
		{"tl.squeeze(x, 0)", "tl.reshape"},
		{"x.unsqueeze(0)", "expand_dims"},
		{"x.squeeze(0)", "reshape"},
		{"tl.relu(x)", "tl.maximum"},
	} {
		_, list := lowerText(t, "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k():\n"+
			"    x = tl.arange(0, 4)\n    y = "+c.call+"\n", lower.Options{})
		if len(list) != 1 || len(list[0].Fixes) != 1 || list[0].Fixes[0].Edits[0].New != c.want {
			t.Errorf("%s: %v, want the fix %s", c.call, list, c.want)
		}
	}
}
