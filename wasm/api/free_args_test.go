package api

import (
	"strings"
	"testing"
)

const rowsKernel = `import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, z_ptr, H, W, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * W + cols, mask=cols < W)
    tl.store(z_ptr + row * W + cols, x + 1, mask=cols < W)
`

// TestProposedCall: what is proposed for a kernel of two dimensions runs as it is.
func TestProposedCall(t *testing.T) {
	k := ask(t, Request{Kernels: &KernelsRequest{Source: rowsKernel}}).Kernels.Kernels[0]
	if k.Args[0].Shape != "H, W" || k.Grid != "H" {
		t.Errorf("proposes x_ptr of shape %s, grid %s", k.Args[0].Shape, k.Grid)
	}
	free := ask(t, Request{Free: &FreeRequest{Source: rowsKernel, Kernel: k.Name, Args: k.Args, Grid: k.Grid}}).Free
	if !free.OK || len(free.Tensors) != 2 {
		t.Errorf("the proposed call fails: %s %v", free.Message, free.Diagnostics)
	}
}

// TestFieldProblems: fields may use each other's names; what is wrong with one is said of it, in words.
func TestFieldProblems(t *testing.T) {
	for _, c := range []struct {
		shape, w, grid string
		field, text    string // "" where all is well
	}{
		{"H, W", "32", "H", "", ""},
		{"triton.cdiv(H, 2) * 2, W", "H * 4", "(H, 1)", "", ""},
		{"H, Q", "32", "H", "x_ptr", "no argument `Q`; the arguments are: H, W, BLOCK"},
		{"H, W", "W + 1", "H", "W", "depends on itself"},
		{"H, z_ptr", "32", "H", "x_ptr", "no argument `z_ptr`"},
		{"H,, W", "32", "H", "x_ptr", "`H,, W` is not a Python expression"},
		{"H, W", "32", "rows", "grid", "no argument `rows`"},
		{"H, W", "32", "0", "grid", "at least 1"},
	} {
		args := []FreeArg{
			{Name: "x_ptr", Kind: "tensor", DType: "float32", Shape: c.shape, Fill: "rand"},
			{Name: "z_ptr", Kind: "tensor", DType: "float32", Shape: "H, W", Fill: "zeros"},
			{Name: "H", Kind: "int", Value: "8"}, {Name: "W", Kind: "int", Value: c.w},
			{Name: "BLOCK", Kind: "constexpr", Value: "32"},
		}
		field := ask(t, Request{Check: &CheckRequest{Source: rowsKernel, Kernel: "rows", Args: args, Grid: c.grid}}).Check.Field
		if field == nil {
			field = &FieldProblem{}
		}
		if field.Field != c.field || !strings.Contains(field.Text, c.text) || strings.Contains(field.Text, "NameError") {
			t.Errorf("shape %q, W %q, grid %q: %s says %q, want %s with %q", c.shape, c.w, c.grid, field.Field, field.Text, c.field, c.text)
		}
	}
}
