package launch_test

import (
	"context"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
)

// TestRaces: the programs store different values to one block, through two tensors that share a
// storage, and the launch that looks for races changes neither.
func TestRaces(t *testing.T) {
	file := source.NewFile("kernel.py", `import triton
import triton.language as tl


@triton.jit
def k(x_ptr, y_ptr, B: tl.constexpr):
    i = tl.arange(0, B)
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(x_ptr + i, i)
    else:
        tl.store(y_ptr + i, i + pid)
`)
	storage := make([]byte, 4*16)
	shared := func() *launch.Tensor { return &launch.Tensor{DType: num.Int32, Data: storage} }
	args := []launch.Arg{{Tensor: shared()}, {Tensor: shared()}, {Name: "B", Value: int64(16)}}
	k, list := launch.Compile(file, "k", args, false)
	if k == nil {
		t.Fatal(list)
	}
	found := k.Races(context.Background(), args, device.Launch{Grid: [3]int{2, 1, 1}})
	if len(found) != 1 || found[0].Code != "race-stores" || found[0].Runtime.Count != 16 {
		t.Errorf("found %v, want one race on 16 elements", found)
	}
	for i, b := range storage {
		if b != 0 {
			t.Fatalf("byte %d of the tensors was changed to %d", i, b)
		}
	}
}

// TestRacesReversedAfterBudget: a race that only the opposite order has is found though the first order ends on its budget.
func TestRacesReversedAfterBudget(t *testing.T) {
	file := source.NewFile("kernel.py", `import triton
import triton.language as tl


@triton.jit
def k(x_ptr, flag_ptr, out_ptr):
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(x_ptr, 1)
        tl.atomic_xchg(flag_ptr, 1, sem="release")
    else:
        ready = tl.atomic_add(flag_ptr, 0, sem="acquire")
        if pid == 1:
            tl.store(out_ptr, tl.load(x_ptr))
        else:
            for i in range(ready * 1000000000):
                tl.store(out_ptr + 1, i)
`)
	zeros := func() *launch.Tensor { return &launch.Tensor{DType: num.Int32, Data: make([]byte, 4*2)} }
	args := []launch.Arg{{Tensor: zeros()}, {Tensor: zeros()}, {Tensor: zeros()}}
	k, list := launch.Compile(file, "k", args, false)
	if k == nil {
		t.Fatal(list)
	}
	codes := map[string]bool{}
	for _, d := range k.Races(context.Background(), args, device.Launch{Grid: [3]int{3, 1, 1}}) {
		codes[d.Code] = true
	}
	if !codes["sanitize-budget"] || len(codes) != 2 {
		t.Errorf("found %v, want the budget and a race", codes)
	}
}
