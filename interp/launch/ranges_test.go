package launch_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/launch"
)

// rangeKernels store the numbers of a range and how many there are, from a loop that may be left early and from one
// that is not.
const rangeKernels = `import triton
import triton.language as tl


@triton.jit
def runs(out, lo, hi, step%[1]s):
    c = 0
    for i in range(lo, hi, step):
        tl.store(out + 1 + c, i, mask=c < 15)
        c += 1
    tl.store(out, c)


@triton.jit
def leaves(out, lo, hi, step%[1]s):
    c = 0
    for i in range(lo, hi, step):
        if c == 15:
            break
        tl.store(out + 1 + c, i)
        c += 1
    tl.store(out, c)
`

// pythonRange is what range(lo, hi, step) gives, which has few numbers.
func pythonRange(lo, hi, step int64) []int64 {
	list := []int64{0}
	for n := big.NewInt(lo); n.Cmp(big.NewInt(hi)) == -big.NewInt(step).Sign(); n.Add(n, big.NewInt(step)) {
		list = append(list, n.Int64())
	}
	list[0] = int64(len(list) - 1)
	return list
}

// TestRanges compares loops over ranges whose bounds are near the limits of their type with Python's range.
func TestRanges(t *testing.T) {
	devices := []device.Device{launch.Interpreter, gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{})}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 48 {
		low, high := int64(math.MinInt32), int64(math.MaxInt32)
		if i%2 == 1 {
			low, high = math.MinInt64, math.MaxInt64
		}
		near := func() int64 {
			offset := random.Int64N(1 << random.IntN(20))
			return []int64{low + offset, high - offset, offset, -offset}[random.IntN(4)]
		}
		lo, hi := near(), near()
		distance := new(big.Int).Sub(big.NewInt(hi), big.NewInt(lo))
		parts := new(big.Int).Quo(distance, big.NewInt(1+random.Int64N(12)))
		step, kind := high, ": tl.constexpr"
		if parts.IsInt64() {
			step = parts.Int64()
		}
		if step = max(low+2, min(step, high-1)); step >= 0 {
			step++
		} else {
			step--
		}
		if step > 1 && i%3 == 0 {
			kind = ""
		}
		t.Run(fmt.Sprintf("%d,%d,%d%s", lo, hi, step, kind), func(t *testing.T) {
			file := source.NewFile("k.py", fmt.Sprintf(rangeKernels, kind))
			out := &launch.Tensor{DType: num.Int64, Data: make([]byte, 8*16)}
			args := []launch.Arg{{Tensor: out}, {Value: lo}, {Value: hi}, {Value: step, Constexpr: kind != ""}}
			for _, name := range []string{"runs", "leaves"} {
				k, list := launch.Compile(file, name, args, false)
				if k == nil {
					t.Fatal(list)
				}
				for _, on := range devices {
					clear(out.Data)
					if _, fault := k.Run(context.Background(), launch.Target{Device: on}, args,
						device.Launch{Grid: [3]int{1, 1, 1}}); fault != nil {
						t.Fatal(fault)
					}
					for at, want := range pythonRange(lo, hi, step) {
						if got := int64(binary.LittleEndian.Uint64(out.Data[8*at:])); got != want {
							t.Errorf("%s: out[%d] is %d, want %d, on %s", name, at, got, want, on.Capabilities().Name)
						}
					}
				}
			}
		})
	}
}
