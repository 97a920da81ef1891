package tensor

import (
	"math"
	"sync"

	"github.com/newtlab/newt/compiler/num"
)

// blockNormals32 turns uniform samples into normal ones, in blocks of sixteen: those in the first half of a block are
// for the radius.
func blockNormals32(d []float32, mean, std float32) {
	var u, v, cosines, sines [chunk / 2]float32
	for i := 0; i < len(d); i += 16 {
		copy(u[i/2:], d[i:i+8])
		copy(v[i/2:], d[i+8:i+16])
	}
	n := len(d) / 2
	num.BoxMuller(cosines[:n], sines[:n], u[:n], v[:n])
	for i := 0; i < len(d); i += 16 {
		copy(d[i:i+8], cosines[i/2:])
		copy(d[i+8:i+16], sines[i/2:])
	}
	scale32(d, std, mean)
}

// blockNormals64 is blockNormals32 in float64, which torch computes with libm.
func blockNormals64(d []float64, mean, std float64) {
	for ; len(d) > 0; d = d[16:] {
		for j := range 8 {
			radius := math.Sqrt(-2 * log64(1-d[j]))
			sin, cos := sincos64(2 * math.Pi * d[j+8])
			d[j] = float64(float64(radius*cos)*std) + mean
			d[j+8] = float64(float64(radius*sin)*std) + mean
		}
	}
}

// narrowNormals are what blockNormals32 computes of a uniform sample of a narrower float, which has so few values that
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

// normals is blockNormals32 for the dtype of the tables.
func (t *narrowNormals) normals(d []float32, dtype num.DType, mean, std float32) {
	n := float32(len(t.radius))
	for i := 0; i < len(d); i += 16 {
		block := d[i : i+16]
		for j := range 8 {
			radius, at := t.radius[int(block[j]*n)], int(block[j+8]*n)
			block[j], block[j+8] = radius*t.cos[at], radius*t.sin[at]
		}
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

// normalFill draws at least sixteen samples: all uniform ones first, then normal ones of them in blocks. Where the last
// block is not full, sixteen fresh ones take the place of the last sixteen.
func normalFill[F float32 | float64](c *Context, d []F, uniform, normal func(d []F)) {
	c.chunksOf(0, len(d), func(from, to int) { uniform(d[from:to]) })
	inParallel(len(d)/16, 1, 16*8, func(from, to int) {
		c.chunksOf(16*from, 16*to, func(from, to int) { normal(d[from:to]) })
	})
	// torch does the last sixteen again, with fresh samples, rather than a shorter block.
	if len(d)%16 != 0 {
		tail := d[len(d)-16:]
		uniform(tail)
		normal(tail)
	}
}
