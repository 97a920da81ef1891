package api

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

const blockPointers = `import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, y_ptr, n, B: tl.constexpr):
    x = tl.make_block_ptr(x_ptr, (n,), (1,), (tl.program_id(0) * B,), (B,), (0,))
    y = tl.make_block_ptr(y_ptr, (n,), (1,), (tl.program_id(0) * B,), (B,), (0,))
    tl.store(y, tl.load(x, boundary_check=(0,)), boundary_check=(0,))
`

// TestVersions: block pointers are accepted, warned of and refused; the rewritten text is accepted by every version, and
// the line that asks for a version is written where it belongs.
func TestVersions(t *testing.T) {
	s := newDocumentServer(testBudget, testLibraries)
	ask := func(text string) *VersionsReply {
		t.Helper()
		data, err := json.Marshal(Request{Versions: &CheckRequest{Source: text, Document: true}})
		if err != nil {
			t.Fatal(err)
		}
		r := send(t, s, data).Versions
		if r == nil || len(r.Versions) != 4 {
			t.Fatalf("the reply is %+v", r)
		}
		return r
	}
	verdicts := func(r *VersionsReply) (words []string, chosen string) {
		for _, v := range r.Versions {
			words = append(words, v.Triton+" "+v.Verdict)
			if v.Chosen {
				chosen = v.Triton
			}
		}
		return words, chosen
	}
	r := ask(blockPointers)
	words, chosen := verdicts(r)
	if got, want := strings.Join(words, ", "), "3.6 accepts, 3.7 warns, 3.8 warns, 3.9 refuses"; got != want || chosen != "3.8" {
		t.Errorf("the versions are %s, with %s in use", got, chosen)
	}
	if r.Rewrite == nil || len(r.Kept) > 0 {
		t.Fatalf("no block pointer is rewritten: %+v", r.Kept)
	}
	rewritten := applied(blockPointers, r.Rewrite.Edits)
	if words, _ = verdicts(ask(rewritten)); strings.Contains(strings.Join(words, " "), "refuses") ||
		strings.Contains(strings.Join(words, " "), "warns") {
		t.Errorf("rewritten, the versions are %v:\n%s", words, rewritten)
	}
	for _, test := range []struct{ text, want string }{
		{"x = 1\n", "# triton: 3.9\nx = 1\n"},
		{"x = 1\n# triton: 3.6\ny = 2\n", "x = 1\n# triton: 3.9\ny = 2\n"},
		{"# triton: none\n", "# triton: 3.9\n"},
		{"# %% [markdown]\n# Title\n# %%\nx = 1\n", "# %% [markdown]\n# Title\n# %%\n# triton: 3.9\nx = 1\n"},
		{"", "# triton: 3.9\n"},
	} {
		r := ask(test.text)
		if got := applied(test.text, r.Versions[3].Choose.Edits); got != test.want {
			t.Errorf("%q becomes %q", test.text, got)
		}
	}
}

// applied is a text with edits made; its characters are ASCII.
func applied(text string, edits []Edit) string {
	for _, e := range slices.Backward(edits) {
		text = text[:e.From] + e.Insert + text[e.To:]
	}
	return text
}
