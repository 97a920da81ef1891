package tensor

import (
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// samplerOps are distributions that torch makes of its uniform and normal samples.
func samplerOps() []Op {
	return []Op{
		{Name: "cauchy_", Where: InMethod,
			Signature: "input: Tensor, median: float = 0, sigma: float = 1, *, generator: Generator? = None",
			run: func(c *Context, a args) any {
				if !(a.float(2) > 0) {
					runtimeError("cauchy_ expects sigma > 0.0, but found sigma=%v", a.float(2))
				}
				return redrawInPlace(c, a.tensor(0), func(t *Tensor) {
					fillTransformed(c, t, a[3], func(u float64) float64 {
						angle := math.Pi * (u - 0.5)
						if c.cuda && t.dtype != num.Float64 { // a GPU's threads compute in float32
							angle = float64(float32(math.Pi) * float32(u-0.5))
						}
						return a.float(1) + a.float(2)*math.Tan(angle)
					})
				})
			}},
		{Name: "geometric_", Where: InMethod, Signature: "input: Tensor, p: float, *, generator: Generator? = None",
			run: func(c *Context, a args) any {
				if !(a.float(1) > 0 && a.float(1) < 1) {
					runtimeError("geometric_ expects p to be in (0, 1), but got p=%v", a.float(1))
				}
				return redrawInPlace(c, a.tensor(0), func(t *Tensor) {
					fillTransformed(c, t, a[2], func(u float64) float64 { return math.Ceil(math.Log(u) / math.Log1p(-a.float(1))) })
				})
			}},
		{Name: "log_normal_", Where: InMethod,
			Signature: "input: Tensor, mean: float = 1, std: float = 2, *, generator: Generator? = None",
			run: func(c *Context, a args) any {
				if !(a.float(2) > 0) {
					runtimeError("log_normal_ expects std > 0.0, but found std=%v", a.float(2))
				}
				return redrawInPlace(c, a.tensor(0), func(t *Tensor) { fillLogNormal(c, t, a[3], a.float(1), a.float(2)) })
			}},
		{Name: "dropout2d", Where: InFunctional,
			Signature: "input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False",
			run:       featureDropout(false)},
		{Name: "dropout1d", Where: InFunctional,
			Signature: "input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False",
			run:       featureDropout(true)},
		{Name: "alpha_dropout", Where: InFunctional,
			Signature: "input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False",
			run: func(c *Context, a args) any {
				t, p := a.tensor(0), a.float(1)
				checkDropout(p)
				if !a.bool(2) || p == 0 {
					return t
				}
				// Dropped elements take the value that keeps mean and variance of a self-normalizing network (Klambauer et al.,
				// 2017): −scale·alpha of selu.
				const alpha = seluScale * seluAlpha
				scale := 1 / math.Sqrt((alpha*alpha*p+1)*(1-p))
				kept := c.alloc(t.dtype, t.shape...)
				c.stream(nil).fillChosen(kept, 1-p)
				gone := applyBinaryNumber(c, "sub", kept, 1)
				shift := applyBinaryNumber(c, "add", applyBinaryNumber(c, "mul", gone, alpha*scale), alpha*scale*p)
				out := add(c, mul(c, t, applyBinaryNumber(c, "mul", kept, scale)), shift)
				return inPlaceIf(c, a.bool(3), t, out)
			}},
	}
}

// fillTransformed fills t with f of uniform samples: of 53 bits on the CPU, float32 on a GPU.
func fillTransformed(c *Context, t *Tensor, generator any, f func(u float64) float64) {
	uniform := c.alloc(num.Float64, t.shape...)
	if c.cuda && t.dtype != num.Float64 {
		uniform = c.alloc(num.Float32, t.shape...)
	}
	switch s := c.stream(generator).(type) {
	case *Generator:
		s.fillUniform(uniform, 0, 1)
	case *Philox:
		s.fillOpen(uniform)
	}
	values := uniform.Floats()
	for i, u := range polled(c, values) {
		values[i] = f(u)
	}
	t.setFloats(values)
}

// fillOpen fills t from (0, 1], as curand_uniform gives its samples.
func (p *Philox) fillOpen(t *Tensor) {
	if t.dtype == num.Float64 {
		fillPhilox(p, t.numel(), 2, eachPair(uniform64), intoTensor(t, (*writer).floats))
	} else {
		fillPhilox(p, t.numel(), 4, uniforms32, intoTensor(t, (*writer).singles))
	}
}

// fillLogNormal fills t with the exponentials of normal samples, which the CPU draws one by one in float64.
func fillLogNormal(c *Context, t *Tensor, generator any, mean, std float64) {
	values := make([]float64, t.numel())
	if s, ok := c.stream(generator).(*Generator); ok {
		for i := range polled(c, values) {
			values[i] = math.Exp(float64(s.normal()*std) + mean)
		}
	} else {
		c.stream(generator).fillNormal(t, mean, std)
		for i, v := range polled(c, t.Floats()) {
			values[i] = math.Exp(v)
		}
	}
	t.setFloats(values)
}

// featureDropout drops whole channels. dropout1d alone takes an input without a batch.
func featureDropout(unbatched bool) func(c *Context, a args) any {
	return func(c *Context, a args) any {
		t, p := a.tensor(0), a.float(1)
		checkDropout(p)
		if !a.bool(2) || p == 0 {
			return t
		}
		channels := min(2, len(t.shape)) // batch and channel
		if unbatched && len(t.shape) == 2 {
			channels = 1
		}
		shape := slices.Concat(t.shape[:channels], slices.Repeat([]int{1}, len(t.shape)-channels))
		kept := c.alloc(t.dtype, shape...)
		c.stream(nil).fillChosen(kept, 1-p)
		return inPlaceIf(c, a.bool(3), t, mul(c, t, applyBinaryNumber(c, "div", kept, 1-p)))
	}
}

// checkDropout refuses what is no probability.
func checkDropout(p float64) {
	if !(p >= 0 && p <= 1) {
		valueError("dropout probability has to be between 0 and 1, but got %s", numberText(p))
	}
}

// drawWithReplacement samples k categories from each row of weights by the inverse of their cumulative sums.
func drawWithReplacement(c *Context, t *Tensor, k int, s Stream) *Tensor {
	n := t.size(-1)
	rows := t.numel() / max(n, 1)
	weights := t.Floats()
	draws := make([]float64, rows*k)
	switch s := s.(type) {
	case *Generator:
		for i := range polled(c, draws) {
			draws[i] = s.float64()
		}
	case *Philox: // the first word of a draw of the sample's thread
		first := make([]float32, rows*k)
		s.neighbors(len(first), 1, len(first), s.advance(4), intoSlice(c, first))
		for i, u := range polled(c, first) {
			draws[i] = float64(u)
		}
	}
	out := make([]int64, 0, rows*k)
	for r := range rows {
		row := weights[r*n:][:n]
		sum := float32(0) // torch adds up in the dtype of the weights
		sums := make([]float64, n)
		for j, w := range polled(c, row) {
			sum += float32(w)
			sums[j] = float64(sum)
		}
		if sum == 0 {
			runtimeError("invalid multinomial distribution (sum of probabilities <= 0)")
		}
		for j := range polled(c, sums) {
			sums[j] = float64(float32(sums[j]) / sum)
		}
		for _, u := range polled(c, draws[r*k:][:k]) {
			at, _ := slices.BinarySearch(sums, u)
			out = append(out, int64(min(at, n-1)))
		}
	}
	result := c.alloc(num.Int64, append(slices.Clone(t.shape[:len(t.shape)-1]), k)...)
	result.setInts(out)
	return result
}
