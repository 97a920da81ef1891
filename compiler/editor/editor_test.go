package editor_test

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/editor"
	"github.com/newtlab/newt/compiler/source"
)

func init() {
	compiler.Trace = func(_ any, stack []byte) { panic(string(stack)) }
}

const head = "import triton\nimport triton.language as tl\n\n\n"

// TestCheck: without arguments, what is wrong for every guess is reported and nothing else.
func TestCheck(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"fine", "offs = tl.arange(0, BLOCK)\ntl.store(z_ptr + offs, tl.load(x_ptr + offs, mask=offs < n), mask=offs < n)", ""},
		{"name", "tl.store(z_ptr, tl.lod(x_ptr))", "unknown-name"},
		{"keyword", "tl.store(z_ptr, tl.load(x_ptr, maks=n > 0))", "unknown-keyword"},
		{"undefined", "tl.store(z_ptr, y)", "undefined-name"},
		{"shape", "tl.store(z_ptr, tl.arange(0, 8) + tl.arange(0, 16))", "shape-mismatch"},
		{"depends on the pointer's dtype", "tl.store(z_ptr, tl.load(x_ptr) & 1)", ""},
		{"depends on the constexpr", "tl.static_assert(BLOCK == 32)\ntl.store(z_ptr, n)", ""},
		{"in a branch that one guess takes", "if IS_LAST:\n    tl.store(z_ptr, tl.lod(x_ptr))", "unknown-name"},
	} {
		text := head + "@triton.jit\ndef kernel(x_ptr, z_ptr, n, BLOCK: tl.constexpr, IS_LAST: tl.constexpr):\n    " + strings.ReplaceAll(c.body, "\n", "\n    ") + "\n"
		var got []string
		for _, d := range editor.Check(t.Context(), source.NewFile("k.py", text), editor.Options{}) {
			got = append(got, d.Code)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %q", c.name, got, c.want)
		}
	}
}

// TestAssist: types of variables on hover, keyword arguments in a call.
func TestAssist(t *testing.T) {
	text := head + "@triton.jit\ndef kernel(x_ptr, n, BLOCK: tl.constexpr):\n    offs = tl.arange(0, BLOCK)\n    x = tl.load(x_ptr + offs, mask=offs < n)\n"
	file := source.NewFile("k.py", text)
	for at, want := range map[string]string{"x_ptr + offs": "x_ptr: pointer<fp32>", "offs = ": "offs: int32[32]", "x = tl": "x: fp32[32]", "load(": "tl.load(", "BLOCK:": "BLOCK: constexpr = 32"} {
		h := editor.Hover(file, strings.Index(text, at), compiler.Options{})
		if h == nil {
			t.Errorf("at %q: nothing, want %q", at, want)
		} else if !strings.HasPrefix(h.Signature, want) {
			t.Errorf("at %q: %q, want %q", at, h.Signature, want)
		}
	}
	for at, want := range map[string]string{"tl.load(x_ptr + offs, mas": "mask=", "tl.ara": "arange", "    x = tl.load(x_p": "x_ptr"} {
		_, items := editor.Complete(file, strings.Index(text, at)+len(at), nil)
		if len(items) == 0 || items[0].Label != want {
			t.Errorf("after %q: %v, want %q first", at, items, want)
		}
	}
}
