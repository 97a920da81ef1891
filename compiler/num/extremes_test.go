package num

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestExtremes: minima and maxima by comparisons have the bits of those by min and max.
func TestExtremes(t *testing.T) {
	bits := []uint32{0, 1, 0x3f80_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001, 0x7fc0_0000, 0x7fff_ffff}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		bits = append(bits, r.Uint32()>>1)
	}
	var x, y []float32
	for _, a := range bits {
		for _, b := range bits {
			for sign := range uint32(4) {
				x = append(x, math.Float32frombits(a|sign<<31))
				y = append(y, math.Float32frombits(b|sign>>1<<31))
			}
		}
	}
	for _, f := range []struct{ want, got func(dst, x, y []float32) }{
		{minNumber[float32], minNumber32}, {maxNumber[float32], maxNumber32},
	} {
		want, got := make([]float32, len(x)), make([]float32, len(x))
		f.want(want, x, y)
		f.got(got, x, y)
		for i := range x {
			if math.Float32bits(want[i]) != math.Float32bits(got[i]) {
				t.Fatalf("of %x and %x: %x, not %x", math.Float32bits(x[i]), math.Float32bits(y[i]),
					math.Float32bits(got[i]), math.Float32bits(want[i]))
			}
		}
	}
}
