package api

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/newtlab/newt/wasm/rpc"
)

// TestScript: the form's call as Python beneath its kernel, which runs and does what the form does.
func TestScript(t *testing.T) {
	tensor := func(name, shape, fill, dtype string) FreeArg {
		return FreeArg{Name: name, Kind: "tensor", DType: dtype, Shape: shape, Fill: fill}
	}
	args := []FreeArg{
		tensor("x_ptr", "(H, W)", "randn", "float16"), tensor("z_ptr", "H, W", "zeros", "float32"),
		{Name: "H", Kind: "int", Value: "8"}, {Name: "W", Kind: "int", Value: "H * 4"},
		{Name: "BLOCK", Kind: "constexpr", Value: "32"},
	}
	for grid, call := range map[string]string{"H": "rows[(H,)]", "(H, 1)": "rows[(H, 1)]", "H, 1": "rows[(H, 1)]", "max(H, 1)": "rows[(max(H, 1),)]"} {
		got := ask(t, Request{Script: &ScriptRequest{Of: FreeRequest{Source: rowsKernel, Kernel: "rows", Args: args, Grid: grid, Seed: 7}}}).Script
		want := strings.TrimRight(rowsKernel, "\n") + "\n\n\n# %%\n" + `import torch
torch.manual_seed(7)
H = 8
W = H * 4
BLOCK = 32
x_ptr = torch.randn(H, W, device="cuda").to(torch.float16)
z_ptr = torch.zeros(H, W, device="cuda")
` + call + `(x_ptr, z_ptr, H, W, BLOCK=BLOCK)
z_ptr
`
		if got.Source != want || got.Problem != "" {
			t.Errorf("grid %s: %s\n%s\nnot\n%s", grid, got.Problem, got.Source, want)
		}
	}
}

// TestScriptFills: tensors of every filling and several outputs; the document runs.
func TestScriptFills(t *testing.T) {
	var params []string
	var args []FreeArg
	for fill := range fillCalls {
		for _, dtype := range []string{"float32", "int64", "bfloat16"} {
			if fill == "nan" && dtype == "int64" {
				continue
			}
			name := fill + "_" + dtype
			params, args = append(params, name), append(args, FreeArg{Name: name, Kind: "tensor", DType: dtype, Shape: "2, 3", Fill: fill})
		}
	}
	args = append(args, FreeArg{Name: "eps", Kind: "float", Value: "2"}, FreeArg{Name: "flag", Kind: "bool", Value: "True"})
	source := "import triton\n\n@triton.jit\ndef k(" + strings.Join(params, ", ") + ", eps, flag):\n    pass\n"
	got := ask(t, Request{Script: &ScriptRequest{Of: FreeRequest{Source: source, Kernel: "k", Args: args, Grid: "1"}}}).Script
	if got.Problem != "" || !strings.Contains(got.Source, "eps = float(2)") || !strings.Contains(got.Source, "import math") {
		t.Fatalf("%s\n%s", got.Problem, got.Source)
	}
	n := &notebook{T: t, server: newDocumentServer(testBudget, testLibraries), text: got.Source}
	if out := n.run("one"); len(out.ended) != 2 || !out.ended[0] || !out.ended[1] {
		t.Errorf("the document fails:\n%s\n%s", strings.Join(out.outputs, "\n"), got.Source)
	}
}

// TestScriptProblem: a form with a field that is no expression is no script.
func TestScriptProblem(t *testing.T) {
	for _, r := range []FreeRequest{
		{Source: rowsKernel, Kernel: "rows", Grid: "1\nimport os"},
		{Source: rowsKernel, Kernel: "rows", Grid: "1", Args: []FreeArg{{Name: "a b", Kind: "int", Value: "1"}}},
		{Source: rowsKernel, Kernel: "rows", Grid: "1", Args: []FreeArg{{Name: "x", Kind: "tensor", Shape: "4", Fill: "os"}}},
		{Source: rowsKernel, Kernel: "rows); print(1", Grid: "1"},
		{Source: rowsKernel, Kernel: "rows", Grid: "1", Args: []FreeArg{{Name: "x", Kind: "tensor", Shape: "4", Fill: "ones", DType: "float32; x"}}},
	} {
		text, _ := json.Marshal(Request{Lang: "en", Script: &ScriptRequest{r}})
		serve(t, newDocumentServer(testBudget, testLibraries), rpc.Message{Text: text}, func(reply *Reply, _ [][]byte) {
			if reply.Script == nil || reply.Script.Problem == "" || reply.Script.Source != "" {
				t.Errorf("%+v makes %+v", r, reply)
			}
		})
	}
}
