package ptx_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/source"
)

// tritonRow is what Triton 3.6 on an H200 said of a kernel of testdata/triton_shared.py.
type tritonRow struct {
	Kernel           string
	Kind             string
	TransB           bool `json:"trans_b"`
	BM, BN, BK, D    int
	B, R, M, N       int
	PREC             string
	NumStages        int `json:"num_stages"`
	NumWarps         int `json:"num_warps"`
	Shared, Required int
	OK               bool
}

// signature is the kernel's arguments in triton_shared.py.
func (r tritonRow) signature() string {
	element := map[string][2]string{"": {"fp16", "fp16"}, "fp16": {"fp16", "fp16"}, "fp8": {"fp8e4nv", "fp16"}, "tf32": {"fp32", "fp32"}, "ieee": {"fp32", "fp32"}}[r.Kind]
	pointers := fmt.Sprintf("*%[1]s:16, *%[1]s:16, *%[2]s:16, ", element[0], element[1])
	switch r.Kernel {
	case "matmul":
		strides := "i32:16, 1, "
		if r.TransB {
			strides = "1, i32:16, "
		}
		return pointers + "i32:16, i32:16, i32:16, i32:16, 1, " + strides + fmt.Sprintf("i32:16, 1, %d, %d, %d, 8, '%s'", r.BM, r.BN, r.BK, r.PREC)
	case "matmul_epilogue":
		return pointers + fmt.Sprintf("i32:16, i32:16, i32:16, i32:16, %d, %d, %d", r.BM, r.BN, r.BK)
	case "attention":
		return pointers + fmt.Sprintf("*fp16:16, i32:16, fp32, %d, %d, %d", r.BM, r.BN, r.D)
	case "softmax":
		return fmt.Sprintf("*fp32:16, *fp32:16, i32:16, %d", r.B)
	case "rowsum_loop":
		return fmt.Sprintf("*fp32:16, *fp32:16, i32:16, %d, %d", r.R, r.B)
	case "add":
		return fmt.Sprintf("*fp32:16, *fp32:16, *fp32:16, i32:16, %d", r.B)
	}
	return fmt.Sprintf("*%[1]s:16, *%[1]s:16, %d, %d", map[string]string{"": "fp32"}[r.Kind]+r.Kind, r.M, r.N)
}

// TestTritonShared: the model asks for no more than Triton allocates, and for as much where Triton refuses.
func TestTritonShared(t *testing.T) {
	file := source.NewFile("triton_shared.py", read(t, "testdata/triton_shared.py"))
	rows := json.NewDecoder(bytes.NewReader([]byte(read(t, "testdata/triton_shared.jsonl"))))
	exact, refused := 0, 0
	for {
		var r tritonRow
		if err := rows.Decode(&r); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if r.Kernel == "" { // versions
			continue
		}
		art, list := compiler.Compile(file, compiler.Options{Kernel: r.Kernel, Args: parsed(t, r.signature()), NumWarps: r.NumWarps, NumStages: r.NumStages})
		if art == nil {
			t.Fatal(r, list[0].Code)
		}
		required, limit := ptx.TritonShared(art.Func, ptx.Options{Target: "sm_90a", NumWarps: r.NumWarps, NumStages: r.NumStages})
		if r.OK && required > r.Shared || !r.OK && (required > r.Required || required <= limit) {
			t.Errorf("%+v: %d bytes at least", r, required)
		}
		if required == max(r.Shared, r.Required) {
			exact++
		}
		if !r.OK {
			refused++
		}
	}
	if exact < 46 || refused < 13 {
		t.Errorf("right to the byte in %d rows, want 46; %d refused, want 13", exact, refused)
	}
}
