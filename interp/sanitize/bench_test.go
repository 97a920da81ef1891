package sanitize_test

import (
	"context"
	"testing"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/sanitize"
	"github.com/newtlab/newt/interp/trace"
)

const benchKernels = corpusHead + `@triton.jit
def add(x, z, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    mask = offs < n
    tl.store(z + offs, tl.load(x + offs, mask=mask) + 1, mask=mask)


@triton.jit
def softmax(x, z, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + offs, mask=offs < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(z + offs, e / tl.sum(e, 0), mask=offs < n)


@triton.jit
def matmul(x, z, n, B: tl.constexpr):
    r = tl.arange(0, 32)
    at = r[:, None] * 32 + r[None, :]
    acc = tl.zeros((32, 32), tl.float32)
    for k in range(4):
        acc += tl.dot(tl.load(x + k * 1024 + at), tl.load(x + at))
    tl.store(z + tl.program_id(0) * 1024 + at, acc)
`

// BenchmarkOverhead launches without an observer, under sanitizers that are observers for themselves, and under all.
// With -cpu 1 the plain launch has one worker, as the others have.
func BenchmarkOverhead(b *testing.B) {
	for _, name := range []string{"add", "softmax", "matmul"} {
		const n = 1 << 16
		args := []launch.Arg{{Tensor: floats("x", n, zero)}, {Tensor: floats("z", n, zero)}, {Value: int64(n - 100)},
			{Value: int64(1024), Constexpr: true}}
		args[1].Tensor.Undefined = true
		k, list := launch.Compile(source.NewFile("kernels.py", benchKernels), name, args, false)
		if k == nil {
			b.Fatal(list)
		}
		grid := [3]int{n / 1024, 1, 1}
		for _, c := range []struct {
			name string
			o    trace.Observer
		}{{"plain", nil}, {"races", &sanitize.Races{}}, {"unwritten", &sanitize.Unwritten{}}} {
			b.Run(name+"/"+c.name, func(b *testing.B) {
				for b.Loop() {
					l := device.Launch{Grid: grid, Observer: c.o}
					if _, fault := k.Run(context.Background(), launch.Target{Device: launch.Interpreter}, args, l); fault != nil {
						b.Fatal(fault.Code)
					}
				}
			})
		}
		b.Run(name+"/all", func(b *testing.B) {
			for b.Loop() {
				if list := k.Sanitize(context.Background(), args, device.Launch{Grid: grid}); len(list) > 0 {
					b.Fatal(list[0].Code)
				}
			}
		})
	}
}
