package launch_test

import (
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
)

// TestAnyOrder: a launch does the same in every order of its programs unless they race, leave their tensors, read what
// atomic operations return or undefined lanes, give a false hint, or do more than the budget allows.
func TestAnyOrder(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"elements of their own", "tl.store(z + p, tl.load(x + p))", true},
		{"a race", "tl.store(z, p)", false},
		{"a race of equal values", "tl.store(z, 1)", false},
		{"out of bounds", "tl.store(z + p, tl.load(x + p + 15))", false},
		{"a sum whose old values nobody reads", "tl.atomic_add(z, p)", true},
		{"tickets", "tl.store(z + tl.atomic_add(x, 1), p)", false},
		{"a volatile load", "tl.store(z + p, tl.load(x, volatile=True))", false},
		{"an undefined lane as an address", "tl.store(z + tl.load(x + p, mask=p > 0), p)", false},
		{"a hint that holds", "tl.store(z + tl.multiple_of(p * 4, 4), p)", true},
		{"a false hint", "tl.store(z + tl.multiple_of(p, 4), p)", false},
		{"more than the budget", "for i in range(1 << 20):\n        tl.store(z + p, i)", false},
	} {
		text := "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x, z):\n    p = tl.program_id(0)\n    " +
			c.body + "\n"
		tensor := func() *launch.Tensor { return &launch.Tensor{DType: num.Int32, Data: make([]byte, 4*16)} }
		args := []launch.Arg{{Tensor: tensor()}, {Tensor: tensor()}}
		k, list := launch.Compile(source.NewFile("k.py", text), "k", args, false)
		if k == nil {
			t.Fatal(c.name, list)
		}
		if got := k.AnyOrder(t.Context(), args, device.Launch{Grid: [3]int{4, 1, 1}, Budget: 1 << 20}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
