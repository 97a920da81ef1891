package tensor

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
)

// random is the tail of the signatures of the functions that make random tensors.
const random = factory + ", generator: Generator? = None"

// randomOps draw from the stream of the result's device, or from a generator.
var randomOps = []Op{
	{Name: "rand", Where: InTorch, Signature: "*size: ints" + random,
		run: drawInto(0, func(s Stream, t *Tensor) { s.fillUniform(t, 0, 1) })},
	{Name: "randn", Where: InTorch, Signature: "*size: ints" + random,
		run: drawInto(0, func(s Stream, t *Tensor) { s.fillNormal(t, 0, 1) })},
	{Name: "rand_like", Where: InTorch, Signature: "input: Tensor" + random,
		run: drawLike(func(s Stream, t *Tensor) { s.fillUniform(t, 0, 1) })},
	{Name: "randn_like", Where: InTorch, Signature: "input: Tensor" + random,
		run: drawLike(func(s Stream, t *Tensor) { s.fillNormal(t, 0, 1) })},
	{Name: "randint", Where: InTorch, Signature: "low: int, high: any = None, size: any = None" + random,
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
			checkRange(t.dtype, low, bound.(int))
			c.stream(a[6]).fillIntegers(t, low, bound.(int))
			return c.withRequiresGrad(t, a.bool(4))
		}},
	{Name: "randint_like", Where: InTorch,
		Signature: "input: Tensor, low: int, high: int? = None, *, generator: Generator? = None" + random,
		run: func(c *Context, a args) any {
			low, high := a.int(1), a.int(2)
			if !a.has(2) {
				low, high = 0, low
			}
			t := c.alloc(a.dtype(3, a.tensor(0).dtype), a.tensor(0).shape...)
			c.stream(a[6]).fillIntegers(t, low, high)
			return t
		}},
	{Name: "randperm", Where: InTorch, Signature: "n: int" + random, run: func(c *Context, a args) any {
		t := c.alloc(a.dtype(1, num.Int64), a.int(0))
		c.stream(a[4]).fillPermutation(t)
		return t
	}},
	{Name: "bernoulli", Where: everywhere,
		Signature: "input: Tensor, p: float? = None, *, generator: Generator? = None",
		run: func(c *Context, a args) any {
			t := a.tensor(0)
			out := c.alloc(t.dtype, t.shape...)
			if a.has(1) {
				checkProbability(a.float(1))
				c.stream(a[2]).fillChosen(out, a.float(1))
				return out
			}
			needFloat("bernoulli_tensor_cpu_p_", t)
			for _, p := range polled(c, t.Floats()) {
				checkProbability(p)
			}
			c.stream(a[2]).fillBernoulli(out, t)
			return out
		}},
	{Name: "bernoulli_", Where: InMethod, Signature: "input: Tensor, p: any = 0.5, *, generator: Generator? = None",
		run: func(c *Context, a args) any {
			return redrawInPlace(c, a.tensor(0), func(t *Tensor) {
				if p := a.tensor(1); p != nil {
					t.checkHolds(p.shape)
					c.stream(a[2]).fillBernoulli(t, p.asStrided(p.expandTo(t.shape)))
					return
				}
				checkProbability(a.float(1))
				c.stream(a[2]).fillChosen(t, a.float(1))
			})
		}},
	{Name: "uniform_", Where: InMethod,
		Signature: "input: Tensor, a: float = 0, b: float = 1, *, generator: Generator? = None",
		run: func(c *Context, a args) any {
			if a.float(1) > a.float(2) {
				runtimeError("uniform_ expects to return a [from, to) range, but found from=%v > to=%v", a.float(1),
					a.float(2))
			}
			return redrawInPlace(c, a.tensor(0), func(t *Tensor) { c.stream(a[3]).fillUniform(t, a.float(1), a.float(2)) })
		}},
	{Name: "normal_", Where: InMethod,
		Signature: "input: Tensor, mean: float = 0, std: float = 1, *, generator: Generator? = None",
		run: func(c *Context, a args) any {
			if a.float(2) < 0 {
				runtimeError("normal expects std >= 0.0, but found std %v", a.float(2))
			}
			return redrawInPlace(c, a.tensor(0), func(t *Tensor) { c.stream(a[3]).fillNormal(t, a.float(1), a.float(2)) })
		}},
	{Name: "exponential_", Where: InMethod,
		Signature: "input: Tensor, lambd: float = 1, *, generator: Generator? = None",
		run: func(c *Context, a args) any {
			if !(a.float(1) > 0) {
				runtimeError("exponential_ expects lambda > 0.0, but found lambda=%v", a.float(1))
			}
			return redrawInPlace(c, a.tensor(0), func(t *Tensor) { c.stream(a[2]).fillExponential(t, a.float(1)) })
		}},
	{Name: "random_", Where: InMethod,
		Signature: "input: Tensor, low: int? = None, high: int? = None, *, generator: Generator? = None",
		run: func(c *Context, a args) any {
			low, high := a.int(1), a.int(2)
			if !a.has(1) {
				return redrawInPlace(c, a.tensor(0), c.stream(a[3]).fillWhole)
			}
			if !a.has(2) {
				low, high = 0, low
			}
			return redrawInPlace(c, a.tensor(0), func(t *Tensor) { c.stream(a[3]).fillIntegers(t, low, high) })
		}},
	{Name: "normal", Where: InTorch, Signature: "mean: any, std: any = 1.0, size: ints? = None" + random,
		run: func(c *Context, a args) any {
			if !a.has(2) {
				return normalOf(c, mustOperand("normal", a[0]), mustOperand("normal", a[1]), c.stream(a[6]))
			}
			if a.float(1) < 0 {
				runtimeError("normal expects std >= 0.0, but found std %v", a.float(1))
			}
			t := c.alloc(a.dtype(3, num.Float32), a.ints(2)...)
			c.stream(a[6]).fillNormal(t, a.float(0), a.float(1))
			return c.withRequiresGrad(t, a.bool(4))
		}},
	{Name: "xavier_uniform_", Where: InInit,
		Signature: "input: Tensor, gain: float = 1, *, generator: Generator? = None",
		run: func(c *Context, a args) any {
			in, out := fans(a.tensor(0))
			// A uniform distribution on [-b, b] has the standard deviation b/√3.
			bound := math.Sqrt(3) * (a.float(1) * math.Sqrt(2/float64(in+out)))
			return initInPlace(c, a.tensor(0), func(t *Tensor) { c.stream(a[2]).fillUniform(t, -bound, bound) })
		}},
	{Name: "uniform_", Where: InInit,
		Signature: "input: Tensor, a: float = 0, b: float = 1, *, generator: Generator? = None",
		run: func(c *Context, a args) any {
			return initInPlace(c, a.tensor(0), func(t *Tensor) { c.stream(a[3]).fillUniform(t, a.float(1), a.float(2)) })
		}},
	{Name: "normal_", Where: InInit,
		Signature: "input: Tensor, mean: float = 0, std: float = 1, *, generator: Generator? = None",
		run: func(c *Context, a args) any {
			return initInPlace(c, a.tensor(0), func(t *Tensor) { c.stream(a[3]).fillNormal(t, a.float(1), a.float(2)) })
		}},
}

// checkRange refuses bounds of random integers that a dtype does not hold.
func checkRange(d num.DType, low, high int) {
	info := d.Info()
	// An int holds every 64-bit bound, and torch checks neither floats nor bool.
	if info.Float || info.Bits == 64 || d == num.Int1 {
		return
	}
	least, most := 0, 1<<info.Bits-1
	if info.Signed {
		least, most = -1<<(info.Bits-1), 1<<(info.Bits-1)-1
	}
	switch {
	case low < least || low > most:
		runtimeError("from is out of bounds for %s", cTypes[d])
	case high-1 < least || high-1 > most:
		runtimeError("to - 1 is out of bounds for %s", cTypes[d])
	}
}

// fans counts a weight's inputs and outputs, as torch.nn.init does.
func fans(t *Tensor) (in, out int) {
	if len(t.shape) < 2 {
		valueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
	}
	// Each place of a convolution's kernel is an input of its own.
	field := 1
	for _, d := range t.shape[2:] {
		field *= d
	}
	return t.shape[1] * field, t.shape[0] * field
}

func drawInto(at int, draw func(s Stream, t *Tensor)) func(c *Context, a args) any {
	return func(c *Context, a args) any {
		t := c.alloc(a.dtype(at+1, num.Float32), a.ints(at)...)
		draw(c.stream(a[at+4]), t)
		return c.withRequiresGrad(t, a.bool(at+2))
	}
}

func drawLike(draw func(s Stream, t *Tensor)) func(c *Context, a args) any {
	return func(c *Context, a args) any {
		t := c.alloc(a.dtype(1, a.tensor(0).dtype), a.tensor(0).shape...)
		draw(c.stream(a[4]), t)
		return c.withRequiresGrad(t, a.bool(2))
	}
}

// initInPlace is redrawInPlace under no_grad, as torch.nn.init draws.
func initInPlace(c *Context, t *Tensor, draw func(t *Tensor)) *Tensor {
	enabled := c.GradEnabled
	c.GradEnabled = false
	defer func() { c.GradEnabled = enabled }()
	return redrawInPlace(c, t, draw)
}

// redrawInPlace overwrites t with a draw of its shape.
func redrawInPlace(c *Context, t *Tensor, draw func(t *Tensor)) *Tensor {
	c.checkInPlace(t)
	enabled := c.GradEnabled
	c.GradEnabled = false
	defer func() { c.GradEnabled = enabled }()
	into := t
	if t.storage.cuda { // a GPU's threads take the elements in the order in which they lie
		into = t.asStrided(t.inMemoryOrder())
	}
	fresh := c.alloc(t.dtype, into.shape...)
	draw(fresh)
	into.copyFrom(fresh)
	t.storage.writes++
	return t
}

// normalOf draws a standard normal sample for each element of mean and std, and scales and moves it.
func normalOf(c *Context, mean, std operand, s Stream) *Tensor {
	out := c.alloc(num.Float32, broadcastShapes(mean.shape, std.shape)...)
	if !mean.number {
		out = c.alloc(mean.dtype, out.shape...)
	} else if !std.number {
		out = c.alloc(std.dtype, out.shape...)
	}
	s.fillNormal(out, 0, 1)
	return add(c, mul(c, out, std.Tensor.detach()), mean.Tensor.detach())
}

func checkProbability(p float64) {
	if !(p >= 0 && p <= 1) {
		runtimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false. " +
			" (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)")
	}
}
