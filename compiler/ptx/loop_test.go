package ptx_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/interp/tile"
)

const countKernel = `
def count(z_ptr, low, high, STEP: tl.constexpr):
    n = 0
    for i in range(low, high, STEP):
        n += 1
    tl.store(z_ptr, n)
`

// TestTripCounts counts the iterations of loops whose bounds are near the limits of their types.
func TestTripCounts(t *testing.T) {
	type bounds struct {
		low, high int64
		iterates  [3]int64 // with steps of 1, 3 and 64
	}
	tests := map[string]struct {
		d    num.DType
		list []bounds
	}{
		"i32": {num.Int32, []bounds{
			{0, 0, [3]int64{0, 0, 0}}, {5, 4, [3]int64{0, 0, 0}}, {-3, 4, [3]int64{7, 3, 1}}, {0, 64, [3]int64{64, 22, 1}},
			{0, 65, [3]int64{65, 22, 2}}, {math.MaxInt32 - 7, math.MaxInt32, [3]int64{7, 3, 1}},
			{math.MinInt32, math.MinInt32 + 65, [3]int64{65, 22, 2}}, {math.MaxInt32, math.MinInt32, [3]int64{0, 0, 0}},
		}},
		"u32": {num.Uint32, []bounds{{math.MaxUint32 - 7, math.MaxUint32, [3]int64{7, 3, 1}}, {7, 3, [3]int64{0, 0, 0}}}},
		"i64": {num.Int64, []bounds{{math.MaxInt64 - 65, math.MaxInt64, [3]int64{65, 22, 2}},
			{math.MinInt64, math.MinInt64 + 2, [3]int64{2, 1, 1}}}},
		"i8": {num.Int8, []bounds{{-128, 127, [3]int64{255, 85, 4}}, {100, 127, [3]int64{27, 9, 1}}}},
	}
	for name, test := range tests {
		for i, step := range []string{"1", "3", "64"} {
			fn := compiled(t, "count", countKernel, "*i32, "+name+", "+name+", "+step)
			number(fn)
			for _, b := range test.list {
				z := tile.Buffer{DType: num.Int32, Data: make([]byte, 4)}
				args := []tile.Arg{z, tile.Scalar{Scalar: num.FromInt(test.d, b.low)},
					tile.Scalar{Scalar: num.FromInt(test.d, b.high)}}
				got, err := simulated(t, fn, one, args, ptx.Options{Target: "sm_90a", NumWarps: 1}, nil, 1)
				if err != nil {
					t.Fatal(err)
				}
				n := int64(binary.LittleEndian.Uint32(got.buffers[0]))
				if n != b.iterates[i] {
					t.Errorf("%s, from %d to %d by %s: %d iterations, want %d", name, b.low, b.high, step, n, b.iterates[i])
				}
			}
		}
	}
}
