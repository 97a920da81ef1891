package lower_test

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/triton"
)

// TestLifetimes: what a version of Triton lacks is an error at its place, what it warns of a warning with its words, that
// Strict leaves one.
func TestLifetimes(t *testing.T) {
	const head = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):\n    "
	const make = "p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))\n    "
	for _, c := range []struct{ body, want string }{ // want: a word for each version
		{"tl.to_tensor(3)", "name-since - - -"},
		{"tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))", "- name-deprecated name-deprecated name-removed"},
		{make + "p = p.advance((BLOCK,))", "- name-deprecated name-deprecated name-removed"},
		{"tl.load(x_ptr, padding_option='')", "- - - parameter-removed"},
		{"tl.load(x_ptr, None, None, ())", "- - - parameter-removed"},
		{"tl.store(x_ptr, 1.0, None, boundary_check=())", "- - - parameter-removed"},
		{"tl.cat(tl.arange(0, 4), tl.arange(0, 4), True, dim=0)", "parameter-since - - -"},
		{"tl.softmax(tl.load(x_ptr + tl.arange(0, 4)), 0, True)", "- - - parameter-by-name"},
		{"tl.softmax(tl.load(x_ptr + tl.arange(0, 4)), 0)", "- - - -"},
	} {
		var got []string
		for _, v := range triton.All() {
			_, list := lowerText(t, head+c.body+"\n", lower.Options{Args: exampleArgs, Triton: v, Strict: true})
			code := "-"
			if len(list) > 0 {
				d, r := list[0], list[0].In(diag.English)
				code = d.Code
				if (d.Severity == diag.Warning) != (code == "name-deprecated") || r.Triton == "" {
					t.Errorf("%s: %v %s, Triton says %q", c.body, d.Severity, r.Headline, r.Triton)
				}
			}
			got = append(got, code)
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.body, got, c.want)
		}
	}
}
