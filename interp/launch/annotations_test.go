package launch_test

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
)

// TestAnnotatedArguments: what a launch passes reaches the kernel in the dtype of the annotation.
func TestAnnotatedArguments(t *testing.T) {
	for _, c := range []struct {
		annotation string
		value      any
		want       float64
	}{
		{"tl.float64", 0.1, 0.1}, // not fp32's nearest number
		{"tl.float64", int64(1), 1},
		{"tl.float64", int64(1<<53 - 1), 1<<53 - 1},
		{"tl.float16", 0.1, 0.0999755859375},
		{"tl.int32", true, 1},
		{"tl.float64", true, 1},
		{"tl.int1", int64(20), 1},
	} {
		out := &launch.Tensor{DType: num.Float64, Data: make([]byte, 8)}
		args := []launch.Arg{{Tensor: out}, {Value: c.value}}
		file := source.NewFile("k.py", "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(out, v: "+c.annotation+"):\n    tl.store(out, v)\n")
		k, list := launch.Compile(file, "k", args, true)
		if k == nil {
			t.Fatalf("%s of %v: %v", c.annotation, c.value, list)
		}
		if _, fault := k.Run(context.Background(), launch.Target{Device: launch.Interpreter}, args, device.Launch{Grid: [3]int{1, 1, 1}}); fault != nil {
			t.Fatal(fault)
		}
		if got := math.Float64frombits(binary.LittleEndian.Uint64(out.Data)); got != c.want {
			t.Errorf("%s of %v arrives as %v, want %v", c.annotation, c.value, got, c.want)
		}
	}
}
