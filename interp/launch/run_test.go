package launch_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/launch"
)

var addFile = source.NewFile("kernel.py", `import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) + 1, mask=i < n)
`)

// elsewhere is a device that does not launch on this process's memory.
type elsewhere struct {
	device.Device
	loads int
}

func (e *elsewhere) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	e.loads++
	return e.Device.Load(fn, o)
}

// TestRunElsewhere: tensors that share a storage share its copy on a device, which has room for no second one; it is
// copied back and freed. The kernel is loaded once for each choice of options.
func TestRunElsewhere(t *testing.T) {
	storage := make([]byte, 4*32)
	d := &elsewhere{Device: cpu.New(cpu.Options{MemoryBytes: len(storage)})}
	args := []launch.Arg{
		{Tensor: &launch.Tensor{DType: num.Int32, Data: storage}}, {Tensor: &launch.Tensor{DType: num.Int32, Data: storage, Offset: 16}},
		{Value: int64(16)}, {Value: int64(16), Constexpr: true},
	}
	binary.LittleEndian.PutUint32(storage[4*3:], 41)
	k, list := launch.Compile(addFile, "add", args, false)
	if k == nil {
		t.Fatal(list)
	}
	for _, warps := range []int{0, 8, 8} {
		on := launch.Target{Device: d, Options: device.Options{NumWarps: warps}}
		if report, fault := k.Run(context.Background(), on, args, device.Launch{Grid: [3]int{1, 1, 1}}); fault != nil || report.Programs != 1 {
			t.Fatal(fault, report)
		}
	}
	if got := binary.LittleEndian.Uint32(storage[4*19:]); got != 42 {
		t.Errorf("y[3] is %d, not 42", got)
	}
	if d.loads != 2 {
		t.Errorf("loaded %d times, not once for each number of warps", d.loads)
	}
}

// TestCache: a function compiles once for arguments that are specialized alike, and another one of the same name compiles
// for itself.
func TestCache(t *testing.T) {
	call := func(n int64) []launch.Arg {
		x := &launch.Tensor{DType: num.Int32, Data: make([]byte, 4*16)}
		return []launch.Arg{{Tensor: x}, {Tensor: x}, {Value: n}, {Value: int64(16), Constexpr: true}}
	}
	f, other := launch.Named(addFile, "add", false), launch.Named(addFile, "add", false)
	first, _ := f.Compile(call(13))
	second, _ := f.Compile(call(14))
	divisible, _ := f.Compile(call(16))
	again, list := f.Compile(call(15))
	own, _ := other.Compile(call(13))
	if first == nil || first != second || first != again || len(list) > 0 {
		t.Error("arguments that are specialized alike were compiled for anew")
	}
	if divisible == first {
		t.Error("a multiple of 16 was given the kernel of another number")
	}
	if own == nil || own == first {
		t.Error("two functions of one name share what was compiled")
	}
}

// TestReturnMissing: who comes to the end of a function that returns a value elsewhere gets 0.
func TestReturnMissing(t *testing.T) {
	file := source.NewFile("k.py", `import triton
import triton.language as tl

@triton.jit
def small(a):
    if a < 50:
        return a + 1

@triton.jit
def k(out, n):
    tl.store(out, small(n))
    tl.store(out + 1, small(n * 10))
`)
	out := floats(2, func(int) float32 { return 7 })
	args := []launch.Arg{{Tensor: out}, {Value: int64(10)}}
	k, list := launch.Compile(file, "k", args, true)
	if k == nil {
		t.Fatal(list)
	}
	simulator := gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{})
	for _, on := range []device.Device{launch.Interpreter, simulator} {
		_, fault := k.Run(context.Background(), launch.Target{Device: on}, args, device.Launch{Grid: [3]int{1, 1, 1}})
		if fault != nil {
			t.Fatal(fault.In(diag.English).Headline)
		}
		if at(out, 0) != 11 || at(out, 1) != 0 {
			t.Errorf("%v, %v on %v", at(out, 0), at(out, 1), on.Capabilities().Name)
		}
	}
}
