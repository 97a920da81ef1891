package num

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestVectorPowers: vectors and the loop in Go give the same bits.
func TestVectorPowers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 88.7, 88.8, -87.3, -103.9, -104, 127.9, 128, -149, -150, 160, 161,
		math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}
	for range 100_000 {
		x = append(x, math.Float32frombits(rng.Uint32()), float32(rng.NormFloat64()*40))
	}
	for _, f := range []struct {
		fast  func(dst, x []float32)
		steps float64
	}{{exp32, exp2Steps * math.Log2E}, {exp2of32, exp2Steps}} {
		for _, n := range []int{0, 1, 3, 4, 7, len(x)} {
			got, want := make([]float32, n), make([]float32, n)
			f.fast(got, x[:n])
			powers(want, x[:n], f.steps)
			for i := range n {
				if math.Float32bits(got[i]) != math.Float32bits(want[i]) && !(got[i] != got[i] && want[i] != want[i]) {
					t.Fatalf("power of %v: got %v, want %v", x[i], got[i], want[i])
				}
			}
		}
	}
}
