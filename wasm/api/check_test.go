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

// TestLarger: the smaller program has no assembler, nor do these tests. Whatever it is asked about a kernel with inline
// assembly, its own or that of a function of Triton's, its answer is to ask the larger program.
func TestLarger(t *testing.T) {
	for value, larger := range map[string]bool{
		"tl.inline_asm_elementwise('not.b32 $0, $1;', '=r,r', [i], dtype=tl.int32, is_pure=True, pack=1)": true,
		"tl.extra.cuda.smid()": true,
		"i + 1":                false,
	} {
		body := "    i = tl.arange(0, 32)\n    y = " + value + "\n"
		text := kernelHead + "@triton.jit\ndef k(x_ptr, n, B: tl.constexpr):\n" + body
		puzzle := PuzzleRequest{Puzzle: 1, Source: kernelHead + "@triton.jit\n" +
			"def add_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):\n" + body + "    tl.store(z_ptr + i, tl.load(x_ptr + i) + 10.0)\n"}
		for _, r := range []Request{
			{Check: &CheckRequest{Source: text}}, {Free: freeOf(text)}, {Puzzle: &puzzle},
			{Inspect: &InspectRequest{Free: freeOf(text)}}, {Inspect: &InspectRequest{Puzzle: &puzzle}},
		} {
			data, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if reply := send(t, newServer(testBudget), data); reply.Larger != larger {
				t.Errorf("%s: %+v", data, reply)
			}
		}
	}
}
