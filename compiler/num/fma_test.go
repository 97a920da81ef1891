package num

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestFma32 compares with exact arithmetic, near the middle between two fp32 and among subnormals in particular.
func TestFma32(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	exact := func(x, y, z float32) float32 {
		wide := func(v float32) *big.Float { return new(big.Float).SetPrec(700).SetFloat64(float64(v)) }
		sum := wide(x)
		sum.Add(sum.Mul(sum, wide(y)), wide(z))
		f, _ := sum.Float32()
		return f
	}
	draw := func() float32 {
		for {
			v := math.Float32frombits(r.Uint32())
			switch r.IntN(4) {
			case 0: // few bits, so that sums are ties
				v = float32(math.Ldexp(float64(r.IntN(1<<12)-1<<11), r.IntN(40)-20))
			case 1:
				v = float32(math.Ldexp(float64(v), -100))
			}
			if v-v == 0 {
				return v
			}
		}
	}
	for range 300_000 {
		x, y := draw(), draw()
		// A sum of the size of the product, or of a half of its last bit.
		z := float32(math.Ldexp(float64(x)*float64(y), r.IntN(60)-30))
		if r.IntN(2) == 0 || z-z != 0 {
			z = draw()
		}
		if got, want := Fma32(x, y, z), exact(x, y, z); got != want {
			t.Fatalf("%x*%x%+x = %x, want %x", x, y, z, got, want)
		}
	}
}
