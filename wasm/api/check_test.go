package api

import (
	"encoding/json"
	"testing"
)

// TestChecksKnowTheForm: a check uses the arguments of the form, and follows when they change.
func TestChecksKnowTheForm(t *testing.T) {
	s := newDocumentServer(testBudget, testLibraries)
	check := func(block string, args ...FreeArg) []Diagnostic {
		t.Helper()
		args = append([]FreeArg{
			{Name: "x_ptr", Kind: "tensor", DType: "float32", Shape: "64", Fill: "zeros"},
			{Name: "n", Kind: "int", Value: "10"},
			{Name: "B", Kind: "constexpr", Value: block},
		}, args...)
		data, err := json.Marshal(Request{Check: &CheckRequest{Source: kernelOf("tl.store(x_ptr + tl.arange(0, B), n)"), Args: args}})
		if err != nil {
			t.Fatal(err)
		}
		return send(t, s, data).Check.Diagnostics
	}
	for _, c := range []struct {
		block string
		code  string
	}{{"16", ""}, {"24", "arange-power-of-two"}, {"24", "arange-power-of-two"}, {"32", ""}, {"1 +", ""}, {"2 ** 21", "tile-too-large"}} {
		list := check(c.block)
		if len(list) > 0 != (c.code != "") || c.code != "" && list[0].Code != c.code {
			t.Errorf("B = %s: %v, want %q", c.block, list, c.code)
		}
	}
	if list := check("16", FreeArg{Name: "zz", Kind: "int", Value: "1"}); len(list) == 0 {
		t.Error("an argument that the kernel lacks is not reported")
	}
}

// TestLarger: the smaller program has no assembler, nor do these tests. What it says of a kernel with inline assembly,
// its own or that of a function of Triton's, is to ask the larger program.
func TestLarger(t *testing.T) {
	s := newServer(testBudget)
	for value, larger := range map[string]bool{
		"tl.inline_asm_elementwise('not.b32 $0, $1;', '=r,r', [x], dtype=tl.int32, is_pure=True, pack=1)": true,
		"tl.extra.cuda.smid()": true,
		"x + 1":                false,
	} {
		data, err := json.Marshal(Request{Check: &CheckRequest{Source: kernelOf("x = tl.arange(0, 4)\ny = " + value)}})
		if err != nil {
			t.Fatal(err)
		}
		if r := send(t, s, data); r.Larger != larger || (r.Check == nil) != larger {
			t.Errorf("%s: %+v", value, r)
		}
	}
}
