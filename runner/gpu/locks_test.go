package gpu

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"math"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/devicetest"
)

//go:embed testdata/locks.py
var locks string

// TestLocks needs more programs than a GPU has multiprocessors.
func TestLocks(t *testing.T) {
	if !onGPU() {
		t.Skip("the stand-in for the driver executes no PTX")
	}
	d := openDevice(t, testOptions(t))
	t.Cleanup(func() { d.Close() })
	for range 20 {
		devicetest.Locks(t, d, 2000)
	}
}

// float32s are the bytes of numbers.
func float32s(n int, of func(i int) int) []byte {
	var raw []byte
	for i := range n {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(of(i))))
	}
	return raw
}

// TestLayerNormBackward runs tutorial 05's backward pass 1,000 times on integers: whatever the order in which programs
// get the locks, the partial sums are those of a serial loop.
func TestLayerNormBackward(t *testing.T) {
	if !onGPU() {
		t.Skip("the stand-in for the driver executes no PTX")
	}
	const rows, n, groups, runs = 512, 250, 8, 1000
	args, err := compiler.ParseSignature("*fp32:16, *fp32:16, *fp32:16, *fp32:16, *fp32:16, *fp32:16, *fp32:16, *fp32:16, *i32:16, i32, i32, 8, 256")
	if err != nil {
		t.Fatal(err)
	}
	art, list := compiler.Compile(source.NewFile("locks.py", locks), compiler.Options{Kernel: "layer_norm_backward", Args: args})
	if art == nil {
		t.Fatal(list[0])
	}
	d := openDevice(t, testOptions(t))
	t.Cleanup(func() { d.Close() })
	tensor := func(dtype num.DType, raw []byte) device.Pointer {
		m, err := d.Alloc(len(raw))
		if err == nil {
			err = m.Write(0, raw)
		}
		if err != nil {
			t.Fatal(err)
		}
		return device.Pointer{Memory: m, DType: dtype}
	}
	x, dy := func(i int) int { return i*7%16 - 8 }, func(i int) int { return i*5%13 - 6 }
	sum := func(of func(i int) int) []byte {
		return float32s(groups*n, func(at int) (total int) {
			for i := at; i < rows*n; i += groups * n {
				total += of(i)
			}
			return total
		})
	}
	one, zero := func(int) int { return 1 }, func(int) int { return 0 }
	dw, db := tensor(num.Float32, float32s(groups*n, zero)), tensor(num.Float32, float32s(groups*n, zero))
	lock := tensor(num.Int32, make([]byte, 2*4*groups))
	stride := device.Scalar{Scalar: num.FromInt(num.Int32, n)}
	launch := device.Launch{Grid: [3]int{rows, 1, 1}, Args: []device.Arg{
		tensor(num.Float32, float32s(rows*n, zero)), tensor(num.Float32, float32s(rows*n, dy)), dw, db,
		tensor(num.Float32, float32s(rows*n, x)), tensor(num.Float32, float32s(n, one)), tensor(num.Float32, float32s(rows, zero)),
		tensor(num.Float32, float32s(rows, one)), lock, stride, stride}}
	k, err := d.Load(art.Func, device.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[device.Pointer][]byte{dw: sum(func(i int) int { return x(i) * dy(i) }), db: sum(dy)}
	for run := range runs {
		if err := lock.Memory.Write(0, make([]byte, 2*4*groups)); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Launch(t.Context(), launch); err != nil {
			t.Fatal(err)
		}
		for p, w := range want {
			got := make([]byte, len(w))
			if err := p.Memory.Read(0, got); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, w) {
				t.Fatalf("run %d differs from the serial sum", run)
			}
		}
	}
}
