package num

import "math"

// Sine and cosine of fp32, computed in fp64 on the same terms as the exponentials.

func sin32(dst, x []float32) { waves(dst, x, false) }

func cos32(dst, x []float32) { waves(dst, x, true) }

// waves computes sines or cosines.
func waves(dst, x []float32, cosines bool) {
	const limit = 1 << 20
	var angles, other [256]float32
	for len(dst) > 0 {
		n := copy(angles[:min(len(dst), len(angles))], x) // which may be dst
		wave, far := dst[:n], math.Sin
		if cosines {
			SinCos32(other[:n], wave, angles[:n])
			far = math.Cos
		} else {
			SinCos32(wave, other[:n], angles[:n])
		}
		for i, v := range angles[:n] {
			if !(v < limit && v > -limit) {
				wave[i] = float32(far(float64(v)))
			}
		}
		dst, x = dst[n:], x[n:]
	}
}

// SinCos32 computes the sines and cosines of x, where |x| < 2^20. It takes the nearest multiple of π/2 off in two
// steps, of which the first is exact (Cody and Waite, "Software Manual for the Elementary Functions", 1980), and sums
// Taylor series, without a branch on the quarter turn: of random angles, no processor predicts it.
func SinCos32(sin, cos, x []float32) {
	const round = 0x1.8p52
	sin, cos = sin[:len(x)], cos[:len(x)]
	n := runOver(loopSinCos, sin, cos, x, []byte(nil))
	sin, cos, x = sin[n:], cos[n:], x[n:]
	for i, f := range x {
		v := float64(f)
		k := float64(v*(2/math.Pi)) + round - round
		r := v - float64(k*halfPiHead) - float64(k*halfPiTail)
		z, n := float64(r*r), uint64(int64(k))
		s := math.Float64bits(r * (1 + float64(z*sineSeries(z))))
		c := math.Float64bits(1 + float64(z*cosineSeries(z)))
		change := (s ^ c) & -(n & 1) // they change places after an odd number of quarter turns
		sin[i] = float32(math.Float64frombits(s ^ change ^ n>>1<<63))
		cos[i] = float32(math.Float64frombits(c ^ change ^ (n+1)>>1<<63))
	}
}

// halfPiHead is π/2 cut to 33 bits, so that its product with an integer of 20 bits is exact, and
// halfPiTail the rest.
const (
	halfPiHead = 0x1.921fb544p0
	halfPiTail = math.Pi/2 - halfPiHead
)

// sineSeries is (sin(r)-r)/r³ as a series in r² = z, cosineSeries (cos(r)-1)/r².
func sineSeries(z float64) float64 {
	return -1.0/6 + float64(z*(1.0/120+float64(z*(-1.0/5040+
		float64(z*(1.0/362880+float64(z*(-1.0/39916800+float64(z*(1.0/6227020800))))))))))
}

func cosineSeries(z float64) float64 {
	return -0.5 + float64(z*(1.0/24+float64(z*(-1.0/720+
		float64(z*(1.0/40320+float64(z*(-1.0/3628800+float64(z*(1.0/479001600))))))))))
}
