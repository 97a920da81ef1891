package tensor

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
)

// fillUniform fills t from [from, to). A narrow float takes as many low bits of a word as it has
// digits.
func (g *Generator) fillUniform(t *Tensor, from, to float64) {
	needFloat("check_uniform_bounds", t)
	if t.dtype == num.Float64 {
		values := make([]float64, t.numel())
		for i := range polled(t.storage.of, values) {
			values[i] = math.FMA(g.float64(), to-from, from)
		}
		t.setFloats(values)
		return
	}
	write := intoTensor(t, (*writer).singles)()
	run := make([]float32, min(chunk, t.numel()))
	t.storage.of.chunksOf(0, t.numel(), func(at, end int) {
		run = run[:end-at]
		g.singles(run, digits[t.dtype])
		scale32(run, float32(to)-float32(from), float32(from))
		write(at, run)
	})
}

// digits is the precision of the floats below float64, in bits.
var digits = map[num.DType]int{num.Float16: 11, num.BFloat16: 8, num.Float32: 24}

// fillNormal fills t from the normal distribution. Up to fifteen samples come one by one in float64.
func (g *Generator) fillNormal(t *Tensor, mean, std float64) {
	needFloat("normal_kernel_cpu", t)
	if t.dtype == num.Float64 || t.numel() < 16 {
		values := make([]float64, t.numel())
		if t.numel() >= 16 {
			normalFill(t.storage.of, values, g.doubles, func(d []float64) { blockNormals64(d, mean, std) })
		} else { // the vectorized sampler begins at sixteen samples
			for i := range values { // the conversion keeps Go from fusing the two operations
				values[i] = float64(g.normal()*std) + mean
			}
		}
		t.setFloats(values)
		return
	}
	normal := func(d []float32) { blockNormals32(d, float32(mean), float32(std)) }
	if narrow := narrowTables[t.dtype]; narrow != nil {
		normal = func(d []float32) { narrow().normals(d, t.dtype, float32(mean), float32(std)) }
	}
	values := make([]float32, t.numel())
	normalFill(t.storage.of, values, func(d []float32) { g.singles(d, digits[t.dtype]) }, normal)
	setAll(t, values, (*writer).singles)
}

// fillIntegers fills t from [low, high).
func (g *Generator) fillIntegers(t *Tensor, low, high int) {
	arithmetic("random_", t.dtype)
	if low >= high {
		runtimeError("random_ expects 'from' to be less than 'to', but got from=%d >= to=%d", low, high)
	}
	values := make([]int64, t.numel())
	for i := range polled(t.storage.of, values) {
		values[i] = g.integer(int64(low), uint64(high)-uint64(low))
	}
	t.setInts(values)
}

func (g *Generator) fillPermutation(t *Tensor) {
	out := counting(t.numel())
	for i := range polled(t.storage.of, out[:max(len(out), 1)-1]) {
		// Fisher and Yates from the front, with torch's slight bias.
		j := i + int(g.uint32()%uint32(len(out)-i))
		out[i], out[j] = out[j], out[i]
	}
	t.setInts(out)
}

// counting is 0 … n−1.
func counting(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i)
	}
	return out
}

// fillExponential fills t from the exponential distribution of rate lambda.
func (g *Generator) fillExponential(t *Tensor, lambda float64) {
	needFloat("exponential_cpu", t)
	values := make([]float64, t.numel())
	for i := range polled(t.storage.of, values) {
		// The inverse of the distribution function.
		values[i] = -1 / lambda * math.Log1p(-g.float64())
	}
	t.setFloats(values)
}

// needInteger refuses the dtypes that a kernel of torch's for integers lacks.
func needInteger(name string, t *Tensor) {
	if t.isFloat() || t.dtype == num.Int1 {
		raise("NotImplementedError", "\"%s\" not implemented for '%s'", name, legacyNames[t.dtype])
	}
}

// needFloat refuses the dtypes that a kernel of torch's for floats lacks.
func needFloat(name string, t *Tensor) {
	if !t.isFloat() || t.dtype.IsFP8() {
		raise("NotImplementedError", "\"%s\" not implemented for '%s'", name, legacyNames[t.dtype])
	}
}
