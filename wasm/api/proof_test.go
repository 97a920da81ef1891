package api

import (
	"strings"
	"testing"
)

// TestProof: an access that is proved for any size says so; one that leaves its tensor at other sizes than the launch's
// has the smallest of them, with the request that shows it, for a puzzle and for the free page's form.
func TestProof(t *testing.T) {
	slip := strings.Replace(answerTo(2), "    tl.store(", "    if pid == 1:\n        x = tl.load(x_ptr + i)\n    tl.store(", 1)
	free := &FreeRequest{
		Source: slip, Kernel: "add_mask2_kernel", Grid: "triton.cdiv(N0, 32)",
		Args: []FreeArg{
			{Name: "x_ptr", Kind: "tensor", DType: "float32", Shape: "N0", Fill: "arange"},
			{Name: "z_ptr", Kind: "tensor", DType: "float32", Shape: "200", Fill: "zeros"},
			{Name: "N0", Kind: "int", Value: "200"}, {Name: "B0", Kind: "constexpr", Value: "32"},
		},
	}
	for name, of := range map[string]InspectRequest{
		"puzzle": {Puzzle: &PuzzleRequest{Puzzle: 2, Source: slip}}, "free": {Free: free},
	} {
		r := findingsRequest(t, "en", &FindingsRequest{Of: of})
		if r.Total > 0 || r.Proof == nil || len(r.Proof.Accesses) != 3 || len(r.Proof.Tensors) != 1 {
			t.Fatalf("%s: %+v", name, r)
		}
		a, again, z := r.Proof.Accesses[0], r.Proof.Accesses[1], r.Proof.Tensors[0]
		if a.Level != "size" || a.Tensor != 0 || !strings.HasPrefix(a.Text, "line 11: load `x_ptr` in bounds: proved for any size") {
			t.Errorf("%s: %+v", name, a)
		}
		if z.Level != "size" || z.Tensor != 1 || !strings.Contains(z.Text, "free of races") {
			t.Errorf("%s: %+v", name, z)
		}
		x := again.Counterexample
		if again.Level != "grid" || x == nil || x.Sizes != "N0 = 33" || x.Program[0] != 1 || x.Launch == nil {
			t.Fatalf("%s: %+v", name, again)
		}
		shown, _ := inspectRequest(t, newServer(testBudget), "en", x.Launch)
		if shown.Program[0] != 1 || shown.Tensors[0].Shape[0] != 33 || shown.Tensors[1].Shape[0] != 33 || shown.Grid[0] != 2 {
			t.Errorf("%s: %s; program %v of %v, %v", name, shown.Message, shown.Program, shown.Grid, shown.Tensors)
		}
	}
}
