package tensor

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
)

// The float32 normal sampler of torch's x86 builds: blocks of sixteen by Box and Muller's method,
// with the logarithm, sine and cosine of the Cephes library in float32, where the compiler has
// fused multiplications and additions. The order of the operations is what makes the bits.

// polynomial evaluates coefficients, highest power first, by fused steps.
func polynomial(x float32, coefficients ...float32) float32 {
	y := coefficients[0]
	for _, c := range coefficients[1:] {
		y = num.Fma32(y, x, c)
	}
	return y
}

// log32 is Cephes logf on a positive x.
func log32(x float32) float32 {
	const sqrtHalf = 0.707106781186547524
	// x = m·2^e with m in [sqrt(1/2), sqrt(2)), then Cephes' polynomial in m-1.
	bits := math.Float32bits(max(x, 0x1p-126))
	e := float32(int32(bits>>23)-0x7f) + 1
	x = math.Float32frombits(bits&^0x7f800000 | 0x3f000000)
	if x < sqrtHalf {
		e--
		x = (x - 1) + x
	} else {
		x--
	}
	z := float32(x * x)
	y := polynomial(x, 7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
		-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1)
	y = float32(y * x)
	y = num.Fma32(y, z, float32(e*-2.12194440e-4))
	y = num.Fma32(-z, 0.5, y)
	return num.Fma32(e, 0.693359375, x+y)
}

// sincos32 is Cephes sinf and cosf on x in [0, 2π].
func sincos32(x float32) (sin, cos float32) {
	octant := (int32(float32(x*1.27323954473516)) + 1) &^ 1
	y := float32(octant)
	// Cody and Waite: π/4 in three parts, of which the products with small integers are exact.
	x = num.Fma32(y, -0.78515625, x)
	x = num.Fma32(y, -2.4187564849853515625e-4, x)
	x = num.Fma32(y, -3.77489497744594108e-8, x)
	z := float32(x * x)
	c := polynomial(z, 2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
	c = float32(c * z)
	c = num.Fma32(c, z, -float32(z*0.5)) + 1
	s := polynomial(z, -1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
	s = num.Fma32(float32(s*z), x, x)
	if octant&2 != 0 {
		s, c = c, s
	}
	if octant&4 != 0 {
		s = -s
	}
	if (octant-2)&4 == 0 {
		c = -c
	}
	return s, c
}

// normalBlock32 turns sixteen uniform samples into normal ones.
func normalBlock32(d []float32, mean, std float32) {
	const twoPi = float32(2 * math.Pi)
	for j := range 8 {
		radius := float32(math.Sqrt(float64(float32(-2 * log32(1-d[j])))))
		sin, cos := sincos32(float32(twoPi * d[j+8]))
		d[j] = num.Fma32(float32(radius*cos), std, mean)
		d[j+8] = num.Fma32(float32(radius*sin), std, mean)
	}
}

// normalBlock64 is normalBlock32 in float64, which torch computes with libm.
func normalBlock64(d []float64, mean, std float64) {
	for j := range 8 {
		radius := math.Sqrt(-2 * log64(1-d[j]))
		sin, cos := sincos64(2 * math.Pi * d[j+8])
		d[j] = float64(float64(radius*cos)*std) + mean
		d[j+8] = float64(float64(radius*sin)*std) + mean
	}
}

// normalBlockNarrow is normalBlock32 for the narrower floats, which torch rounds to their dtype
// after every step.
func normalBlockNarrow(d []float32, mean, std float32, round func(float64) float32) {
	for j := range 8 {
		u1 := round(1 - float64(d[j]))
		radius := round(math.Sqrt(float64(round(-2 * float64(round(math.Log(float64(u1))))))))
		theta := float64(round(2 * math.Pi * float64(d[j+8])))
		along := func(f func(float64) float64) float32 {
			v := round(float64(radius) * float64(round(f(theta))))
			return round(float64(round(float64(v)*float64(std))) + float64(mean))
		}
		d[j], d[j+8] = along(math.Cos), along(math.Sin)
	}
}

// rounding rounds to a narrow float by way of float32.
func rounding(d num.DType) func(float64) float32 {
	if d == num.Float32 {
		return func(x float64) float32 { return float32(x) }
	}
	cast := num.Cast(num.Float32, d, num.RTNE)
	return func(x float64) float32 {
		v := num.Vec{F32: []float32{float32(x)}} // of each call: several may run at the same time
		cast(v, v)
		return v.F32[0]
	}
}

// normalFill draws at least sixteen samples: all uniform ones first, then block by block. Where
// the last block is not full, sixteen fresh ones take the place of the last sixteen.
func normalFill[F float32 | float64](d []F, uniform func() F, block func(d []F)) {
	for i := range d {
		d[i] = uniform()
	}
	inParallel(len(d)/16, 1, 16*8, func(from, to int) {
		for i := from; i < to; i++ {
			block(d[16*i:][:16])
		}
	})
	// torch does the last sixteen again, with fresh samples, rather than a shorter block.
	if len(d)%16 != 0 {
		tail := d[len(d)-16:]
		for i := range tail {
			tail[i] = uniform()
		}
		block(tail)
	}
}
