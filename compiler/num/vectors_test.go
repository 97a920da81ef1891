package num

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/newtlab/newt/infra/soak"
)

// patterns are n elements of a dtype: bits at random, and often those of small numbers, of infinities and NaN, of both
// zeros and of what lies around a format's limits.
func patterns(rng *rand.Rand, d DType, n int) Vec {
	edges := []float64{0, math.Copysign(0, -1), 1, -1, 2, 0.5, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, 65504, 65519,
		65520, 65536, 0x1p-14, 0x1p-24, 0x1p-25, 0x1.8p-25, 0x1p-126, 0x1p-149, 0x1p31, -0x1p31, 0x1p31 - 128, 88.7, 88.8,
		-87.3, -103.9, -104, 127.9, 128, -149, -150, 160, 161, 0x1.fep127, 0x1.ffp127}
	v := MakeVec(d.Info().Class, n)
	for i := range n {
		switch mask := uint64(math.MaxUint64) >> (64 - d.Info().Bits); rng.IntN(4) {
		case 0:
			SetBits(d, v, i, FromFloat(d, edges[rng.IntN(len(edges))]).Bits)
		case 1:
			SetBits(d, v, i, FromFloat(d, rng.NormFloat64()*40).Bits)
		case 2:
			SetBits(d, v, i, FromInt(d, int64(rng.IntN(9))-4).Bits)
		default:
			SetBits(d, v, i, rng.Uint64()&mask)
		}
	}
	return v
}

// sameBits reports whether two vectors are the same, any NaN like any other.
func sameBits(d DType, x, y Vec) bool {
	for i := range x.Len() {
		if ScalarAt(d, x, i) != ScalarAt(d, y, i) {
			return false
		}
	}
	return true
}

// TestVectors: kernels give the same bits with loops on vectors as without, in place, too, and leave alone what is
// behind their elements.
func TestVectors(t *testing.T) {
	if !withVectors {
		t.Skip("no vectors")
	}
	defer func() { withVectors = true }()
	rng := rand.New(rand.NewPCG(1, 2))
	both := func(what string, d DType, n int, first Vec, f func(dst Vec)) {
		t.Helper()
		var got [2]Vec
		for i := range got {
			withVectors = i == 0
			whole := MakeVec(d.Info().Class, n+9)
			SetBits(d, whole, n, 1)
			got[i] = whole.Slice(0, n)
			f(got[i])
			if BitsOf(d, whole, n) != 1 {
				t.Fatalf("%v %s of %d elements writes behind them", d, what, n)
			}
		}
		if !sameBits(d, got[0], got[1]) {
			t.Fatalf("%v %s of %d elements, %v …: %v with vectors, %v without", d, what, n, first, got[0], got[1])
		}
	}
	for _, n := range []int{1, 7, 8, 9, 15, 16, 31, 32, 33, 67, 500} {
		for range soak.Times(10) {
			for d := range NumDTypes {
				x, y, c := patterns(rng, d, n), patterns(rng, d, n), patterns(rng, Int1, n)
				for op := range NumBinaryOps {
					if f := Binary(op, d); f != nil {
						both(op.String(), d, n, x, func(dst Vec) { f(dst, x, y) })
						both(op.String()+" in place", d, n, x, func(dst Vec) {
							Cast(d, d, RTNE)(dst, x)
							f(dst, dst, y)
						})
					}
				}
				for op := range NumCompareOps {
					both(op.String(), Int1, n, x, func(dst Vec) { Compare(op, d)(dst, x, y) })
				}
				for op := range NumUnaryOps {
					if f := Unary(op, d); f != nil {
						both(op.String(), d, n, x, func(dst Vec) { f(dst, x) })
					}
				}
				both("select", d, n, x, func(dst Vec) { Select(d.Info().Class)(dst, c, x, y) })
				for to := range NumDTypes {
					both("from "+d.String(), to, n, x, func(dst Vec) { Cast(d, to, RTNE)(dst, x) })
				}
				var raw [2][]byte
				for i := range raw {
					withVectors = i == 0
					raw[i] = make([]byte, (n+9)*d.Info().Bytes)
					Store(d, raw[i], x)
				}
				if !bytes.Equal(raw[0], raw[1]) {
					t.Fatalf("%v stored: %v with vectors, %v without", d, raw[0], raw[1])
				}
				both("load", d, n, x, func(dst Vec) { Load(d, dst, raw[0]) })
			}
		}
	}
}
