package ptx

import (
	"errors"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
)

// TestThreads: a block has at most 1024 threads.
func TestThreads(t *testing.T) {
	fn, err := ir.Parse("func @k(%p: *fp64) {\n  return\n}")
	if err != nil {
		t.Fatal(err)
	}
	for warps, want := range map[int]string{32: "", 64: "too-many-threads"} {
		_, err := Compile(fn, Options{Target: "sm_90a", NumWarps: warps})
		code := ""
		if own, ok := errors.AsType[*Error](err); ok {
			code = own.Code
		}
		if code != want {
			t.Errorf("%d warps: %v", warps, err)
		}
	}
}
