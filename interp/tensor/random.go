package tensor

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
)

// randomOps draw from the context's generator, in row-major order of the result.
var randomOps = []Op{
	{
		Name: "rand", Where: InTorch, Signature: "*size: ints" + factory,
		run: drawInto(0, func(c *Context, t *Tensor) { c.Generator.fillUniform(t, 0, 1) }),
	},
	{
		Name: "randn", Where: InTorch, Signature: "*size: ints" + factory,
		run: drawInto(0, func(c *Context, t *Tensor) { c.Generator.fillNormal(t, 0, 1) }),
	},
	{
		Name: "rand_like", Where: InTorch, Signature: "input: Tensor" + factory,
		run: drawLike(func(c *Context, t *Tensor) { c.Generator.fillUniform(t, 0, 1) }),
	},
	{
		Name: "randn_like", Where: InTorch, Signature: "input: Tensor" + factory,
		run: drawLike(func(c *Context, t *Tensor) { c.Generator.fillNormal(t, 0, 1) }),
	},
	{
		Name: "randint", Where: InTorch, Signature: "low: int, high: any = None, size: any = None" + factory,
		run: func(c *Context, a args) any {
			low, high, size := a.int(0), a[1], a[2]
			if size == nil {
				low, high, size = 0, int64(a.int(0)), a[1]
			}
			shape, ok := takeInts(size)
			bound, isInt := takeInt(high)
			if !ok || !isInt || size == nil {
				typeError("randint() received an invalid combination of arguments; it takes (low, high, size) or (high, size)")
			}
			t := c.alloc(a.dtype(3, num.Int64), shape.([]int)...)
			c.Generator.fillIntegers(t, low, bound.(int))
			return c.withRequiresGrad(t, a.bool(4))
		},
	},
	{
		Name: "randint_like", Where: InTorch, Signature: "input: Tensor, low: int, high: int? = None" + factory,
		run: func(c *Context, a args) any {
			low, high := a.int(1), a.int(2)
			if !a.has(2) {
				low, high = 0, low
			}
			t := c.alloc(a.dtype(3, a.tensor(0).dtype), a.tensor(0).shape...)
			c.Generator.fillIntegers(t, low, high)
			return t
		},
	},
	{Name: "randperm", Where: InTorch, Signature: "n: int" + factory, run: func(c *Context, a args) any {
		t := c.alloc(a.dtype(1, num.Int64), a.int(0))
		t.setInts(c.Generator.permutation(a.int(0)))
		return t
	}},
	{
		Name: "bernoulli", Where: everywhere, Signature: "input: Tensor, p: float? = None",
		run: func(c *Context, a args) any {
			p := a.tensor(0)
			if a.has(1) {
				p = c.full(p.shape, a.float(1), p.dtype)
			}
			return c.bernoulli(p)
		},
	},
	{
		Name: "uniform_", Where: InMethod, Signature: "input: Tensor, a: float = 0, b: float = 1",
		run: func(c *Context, a args) any {
			if a.float(1) > a.float(2) {
				runtimeError("uniform_ expects to return a [from, to) range, but found from=%v > to=%v", a.float(1),
					a.float(2))
			}
			return c.redrawInPlace(a.tensor(0), func(t *Tensor) { c.Generator.fillUniform(t, a.float(1), a.float(2)) })
		},
	},
	{
		Name: "normal_", Where: InMethod, Signature: "input: Tensor, mean: float = 0, std: float = 1",
		run: func(c *Context, a args) any {
			if a.float(2) < 0 {
				runtimeError("normal expects std >= 0.0, but found std %v", a.float(2))
			}
			return c.redrawInPlace(a.tensor(0), func(t *Tensor) { c.Generator.fillNormal(t, a.float(1), a.float(2)) })
		},
	},
	{
		Name: "exponential_", Where: InMethod, Signature: "input: Tensor, lambd: float = 1",
		run: func(c *Context, a args) any {
			if !(a.float(1) > 0) {
				runtimeError("exponential_ expects lambda > 0.0, but found lambda=%v", a.float(1))
			}
			return c.redrawInPlace(a.tensor(0), func(t *Tensor) { c.Generator.fillExponential(t, a.float(1)) })
		},
	},
	{
		Name: "random_", Where: InMethod, Signature: "input: Tensor, low: int, high: int? = None",
		run: func(c *Context, a args) any {
			low, high := a.int(1), a.int(2)
			if !a.has(2) {
				low, high = 0, low
			}
			return c.redrawInPlace(a.tensor(0), func(t *Tensor) { c.Generator.fillIntegers(t, low, high) })
		},
	},
	{
		Name: "normal", Where: InTorch, Signature: "mean: float, std: float, size: ints" + factory,
		run: func(c *Context, a args) any {
			t := c.alloc(a.dtype(3, num.Float32), a.ints(2)...)
			c.Generator.fillNormal(t, a.float(0), a.float(1))
			return c.withRequiresGrad(t, a.bool(4))
		},
	},
	{
		Name: "xavier_uniform_", Signature: "input: Tensor, gain: float = 1", Where: InInit,
		run: func(c *Context, a args) any {
			in, out := fans(a.tensor(0))
			bound := math.Sqrt(3) * (a.float(1) * math.Sqrt(2/float64(in+out)))
			return c.redrawInPlace(a.tensor(0), func(t *Tensor) { c.Generator.fillUniform(t, -bound, bound) })
		},
	},
	{
		Name: "uniform_", Signature: "input: Tensor, a: float = 0, b: float = 1", Where: InInit,
		run: func(c *Context, a args) any {
			return c.redrawInPlace(a.tensor(0), func(t *Tensor) { c.Generator.fillUniform(t, a.float(1), a.float(2)) })
		},
	},
	{
		Name: "normal_", Signature: "input: Tensor, mean: float = 0, std: float = 1", Where: InInit,
		run: func(c *Context, a args) any {
			return c.redrawInPlace(a.tensor(0), func(t *Tensor) { c.Generator.fillNormal(t, a.float(1), a.float(2)) })
		},
	},
}

// fans counts a weight's inputs and outputs, as torch.nn.init does.
func fans(t *Tensor) (in, out int) {
	if len(t.shape) < 2 {
		valueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
	}
	field := 1
	for _, d := range t.shape[2:] {
		field *= d
	}
	return t.shape[1] * field, t.shape[0] * field
}

func drawInto(at int, draw func(c *Context, t *Tensor)) func(c *Context, a args) any {
	return func(c *Context, a args) any {
		t := c.alloc(a.dtype(at+1, num.Float32), a.ints(at)...)
		draw(c, t)
		return c.withRequiresGrad(t, a.bool(at+2))
	}
}

func drawLike(draw func(c *Context, t *Tensor)) func(c *Context, a args) any {
	return func(c *Context, a args) any {
		t := c.alloc(a.dtype(1, a.tensor(0).dtype), a.tensor(0).shape...)
		draw(c, t)
		return c.withRequiresGrad(t, a.bool(2))
	}
}

// redrawInPlace overwrites t with a draw of its shape.
func (c *Context) redrawInPlace(t *Tensor, draw func(t *Tensor)) *Tensor {
	enabled := c.GradEnabled
	if !t.isLeaf() || t.base != nil {
		c.checkInPlace(t)
	}
	c.GradEnabled = false
	defer func() { c.GradEnabled = enabled }()
	fresh := c.alloc(t.dtype, t.shape...)
	draw(fresh)
	t.copyFrom(fresh)
	t.storage.writes++
	return t
}

// bernoulli is 1 with the probability that p holds, elementwise.
func (c *Context) bernoulli(p *Tensor) *Tensor {
	needFloat("bernoulli_tensor_cpu_p_", p)
	values := p.Floats()
	for i, v := range values {
		if !(v >= 0 && v <= 1) {
			runtimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
		}
		values[i] = float64(truth(float64(c.Generator.float(24)) < v))
	}
	out := c.alloc(p.dtype, p.shape...)
	out.setFloats(values)
	return out
}
