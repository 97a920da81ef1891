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
