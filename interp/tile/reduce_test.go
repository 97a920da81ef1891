package tile

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

// gpuSum adds as a warp's threads do it, 16, 8, 4, 2 and 1 apart, and then the warps' sums.
func gpuSum(x []float32) float32 {
	var warps []float32
	for w := 0; w < len(x); w += warp {
		v := append([]float32(nil), x[w:w+warp]...)
		for d := warp / 2; d >= 1; d /= 2 {
			for i := range d {
				v[i] += v[i+d]
			}
		}
		warps = append(warps, v[0])
	}
	for d := len(warps) / 2; d >= 1; d /= 2 {
		for i := range d {
			warps[i] += warps[i+d]
		}
	}
	return warps[0]
}

const vectorSum = `func @sum(%x: *fp32 {div=16}, %z: *fp32 {div=16}) {
  %r = arange {start=0, end=N} : i32[N]
  %xs = splat %x {shape=[N]} : *fp32[N]
  %xp = addptr %xs, %r : *fp32[N]
  %xv = load %xp : fp32[N]
  %s = reduce %xv {axis=0} : fp32 combine (%p: fp32, %q: fp32) {
    %t = add %p, %q : fp32
    yield %t
  }
  store %z, %s
  return
}
`

// TestSumsInTheGPUsOrder: sums of up to 128 elements have the bits of a GPU with one element a
// thread.
func TestSumsInTheGPUsOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{32, 64, 128} {
		k := plan(t, strings.ReplaceAll(vectorSum, "N", strconv.Itoa(n)))
		for range 50 {
			x := make([]float32, n)
			for i := range x {
				x[i] = float32(rng.NormFloat64() * 1e3)
			}
			z := zeros(num.Float32, 1)
			launch(t, k, 1, f32(x...), z)
			expect(t, z, float64(gpuSum(x)))
		}
	}
}

const capturing = `func @capturing(%z: *i32 {div=16}, %n: i32) {
  %x = const {value=i32(1), shape=[8]} : i32[8]
  %s = reduce %x {axis=0} : i32 combine (%p: i32, %q: i32) {
    %two = const {value=i32(2)} : i32
    %t = mul %p, %two : i32
    %u = sub %t, %p : i32
    %v = add %u, %n : i32
    %w = add %v, %q : i32
    yield %w
  }
  store %z, %s
  return
}
`

// TestRegionsCapture: a value from outside a region is not lost to what the region computes before it
// looks at the value.
func TestRegionsCapture(t *testing.T) {
	z := zeros(num.Int32, 1)
	launch(t, plan(t, capturing), 1, z, Scalar{num.FromInt(num.Int32, 5)})
	expect(t, z, 8+7*5)
}
