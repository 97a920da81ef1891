package launch_test

import (
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/launch"
)

// TestFits: a kernel serves every launch for which Triton would compile the same.
func TestFits(t *testing.T) {
	file := source.NewFile("k.py", helpers(t)+`@triton.jit
def k(x, n, m, B: tl.constexpr):
    offs = tl.arange(0, m)
    tl.store(x + offs, offs, mask=offs < n)
`)
	call := func(d num.DType, offset int, n, m, block any) []launch.Arg {
		return []launch.Arg{{Tensor: &launch.Tensor{DType: d, Data: make([]byte, 1024), Offset: offset}},
			{Value: n}, {Name: "m", Value: m}, {Name: "B", Value: block}}
	}
	k, list := launch.Compile(file, "k", call(num.Float32, 0, int64(20), int64(8), int64(8)), false)
	if k == nil {
		t.Fatal(list[0].Code)
	}
	for _, c := range []struct {
		name string
		args []launch.Arg
		want bool
	}{
		{"the same", call(num.Float32, 0, int64(20), int64(8), int64(8)), true},
		{"another number", call(num.Float32, 0, int64(21), int64(8), int64(8)), true},
		{"a multiple of 16", call(num.Float32, 0, int64(32), int64(8), int64(8)), false},
		{"a number that is 1", call(num.Float32, 0, int64(1), int64(8), int64(8)), false},
		{"a long number", call(num.Float32, 0, int64(1<<40+1), int64(8), int64(8)), false},
		{"a float", call(num.Float32, 0, 20.0, int64(8), int64(8)), false},
		{"a number that was compiled in", call(num.Float32, 0, int64(20), int64(4), int64(8)), false},
		{"another constexpr", call(num.Float32, 0, int64(20), int64(8), int64(4)), false},
		{"another dtype", call(num.Int32, 0, int64(20), int64(8), int64(8)), false},
		{"an address that is not aligned", call(num.Float32, 1, int64(20), int64(8), int64(8)), false},
		{"an aligned address", call(num.Float32, 4, int64(20), int64(8), int64(8)), true},
		{"fewer arguments", call(num.Float32, 0, int64(20), int64(8), int64(8))[:3], false},
	} {
		if got := k.Fits(c.args); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
