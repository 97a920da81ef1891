package tensor

import (
	"math"
	"sync"

	"github.com/newtlab/newt/compiler/num"
)

// The float32 normal sampler of torch's x86 builds: blocks of sixteen by Box and Muller's method,
// with the logarithm, sine and cosine of the Cephes library in float32, where the compiler has
// fused multiplications and additions. The order of the operations is what makes the bits.

// fused is x·y+z rounded once, for results that are 0 or in float32's normal range. The sum in float64 is rounded
// twice, which goes wrong only from the middle between two float32.
func fused(x, y, z float32) float32 {
	s := float64(x)*float64(y) + float64(z)
	if math.Float64bits(s)&(1<<29-1) != 1<<28 {
		return float32(s)
	}
	return num.Fma32(x, y, z)
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
	y := fused(7.0376836292e-2, x, -1.1514610310e-1)
	y = fused(y, x, 1.1676998740e-1)
	y = fused(y, x, -1.2420140846e-1)
	y = fused(y, x, 1.4249322787e-1)
	y = fused(y, x, -1.6668057665e-1)
	y = fused(y, x, 2.0000714765e-1)
	y = fused(y, x, -2.4999993993e-1)
	y = fused(y, x, 3.3333331174e-1)
	y = float32(y * x)
	y = fused(y, z, float32(e*-2.12194440e-4))
	y = fused(-z, 0.5, y)
	return fused(e, 0.693359375, x+y)
}

// sincos32 is Cephes sinf and cosf on x in [0, 2π].
func sincos32(x float32) (sin, cos float32) {
	octant := (int32(float32(x*1.27323954473516)) + 1) &^ 1
	y := float32(octant)
	// Cody and Waite: π/4 in three parts, of which the products with small integers are exact.
	x = fused(y, -0.78515625, x)
	x = fused(y, -2.4187564849853515625e-4, x)
	x = fused(y, -3.77489497744594108e-8, x)
	z := float32(x * x)
	c := fused(fused(2.443315711809948e-5, z, -1.388731625493765e-3), z, 4.166664568298827e-2)
	c = float32(c * z)
	c = fused(c, z, -float32(z*0.5)) + 1
	s := fused(fused(-1.9515295891e-4, z, 8.3321608736e-3), z, -1.6666654611e-1)
	s = fused(float32(s*z), x, x)
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

// narrowNormals are what normalBlock32 computes of a uniform sample of a narrower float, which has so few values that
// each is computed once: the radius, and the cosine and the sine of the angle, rounded after every step as torch does.
type narrowNormals struct{ radius, cos, sin []float32 }

func narrowNormalsOf(d num.DType) *narrowNormals {
	n := 1 << digits[d]
	t := &narrowNormals{make([]float32, n), make([]float32, n), make([]float32, n)}
	angle := make([]float32, n)
	for i := range n {
		t.radius[i], angle[i] = 1-float32(i)/float32(n), float32(2*math.Pi*float64(i)/float64(n))
	}
	step := func(to, from []float32, f func(x float64) float64) {
		for i, x := range from {
			to[i] = float32(f(float64(x)))
		}
		roundTo(d, to)
	}
	roundTo(d, t.radius)
	step(t.radius, t.radius, math.Log)
	step(t.radius, t.radius, func(x float64) float64 { return -2 * x })
	step(t.radius, t.radius, math.Sqrt)
	roundTo(d, angle)
	step(t.cos, angle, math.Cos)
	step(t.sin, angle, math.Sin)
	return t
}

// narrowTables are those of the two dtypes.
var narrowTables = map[num.DType]func() *narrowNormals{
	num.Float16:  sync.OnceValue(func() *narrowNormals { return narrowNormalsOf(num.Float16) }),
	num.BFloat16: sync.OnceValue(func() *narrowNormals { return narrowNormalsOf(num.BFloat16) }),
}

// block is normalBlock32 for the dtype of the tables.
func (t *narrowNormals) block(d []float32, dtype num.DType, mean, std float32) {
	n := float32(len(t.radius))
	for j := range 8 {
		radius, at := t.radius[int(d[j]*n)], int(d[j+8]*n)
		d[j], d[j+8] = radius*t.cos[at], radius*t.sin[at]
	}
	roundTo(dtype, d)
	for i := range d {
		d[i] *= std
	}
	roundTo(dtype, d)
	for i := range d {
		d[i] += mean
	}
	roundTo(dtype, d)
}

// normalFill draws at least sixteen samples: all uniform ones first, then block by block. Where
// the last block is not full, sixteen fresh ones take the place of the last sixteen. It polls now and then.
func normalFill[F float32 | float64](d []F, poll func(), uniform func(d []F), block func(d []F)) {
	chunksOf(0, len(d), func(from, to int) {
		poll()
		uniform(d[from:to])
	})
	inParallel(len(d)/16, 1, 16*8, func(from, to int) {
		chunksOf(from, to, func(from, to int) {
			poll()
			for i := from; i < to; i++ {
				block(d[16*i:][:16])
			}
		})
	})
	// torch does the last sixteen again, with fresh samples, rather than a shorter block.
	if len(d)%16 != 0 {
		tail := d[len(d)-16:]
		uniform(tail)
		block(tail)
	}
}
