package tensor

import "math"

// The constants of the self-normalising unit (Klambauer et al., 2017).
const (
	seluAlpha = 1.6732632423543772848170429916717
	seluScale = 1.0507009873554804934193349852946
)

// activationOps are torch.nn.functional's elementwise functions with parameters.
func activationOps() []Op {
	return []Op{
		activation("leaky_relu", ", negative_slope: float = 0.01", func(a args) (f, slope func(x float64) float64) {
			k := a.float(1)
			return func(x float64) float64 { return choose(x > 0, x, x*k) },
				func(x float64) float64 { return choose(x > 0, 1, k) }
		}),
		activation("elu", ", alpha: float = 1.0", func(a args) (f, slope func(x float64) float64) {
			k := a.float(1)
			return func(x float64) float64 { return choose(x > 0, x, k*math.Expm1(x)) },
				func(x float64) float64 { return choose(x > 0, 1, k*math.Exp(x)) }
		}),
		activation("selu", "", func(args) (f, slope func(x float64) float64) {
			return func(x float64) float64 {
					return seluScale * choose(x > 0, x, seluAlpha*math.Expm1(x))
				}, func(x float64) float64 {
					return seluScale * choose(x > 0, 1, seluAlpha*math.Exp(x))
				}
		}),
		activation("celu", ", alpha: float = 1.0", func(a args) (f, slope func(x float64) float64) {
			k := a.float(1)
			return func(x float64) float64 { return math.Max(x, 0) + math.Min(0, k*math.Expm1(x/k)) },
				func(x float64) float64 { return choose(x > 0, 1, math.Exp(x/k)) }
		}),
		activation("hardtanh", ", min_val: float = -1.0, max_val: float = 1.0", func(a args) (f, slope func(x float64) float64) {
			low, high := a.float(1), a.float(2)
			return func(x float64) float64 { return math.Min(math.Max(x, low), high) },
				func(x float64) float64 { return choose(x > low && x < high, 1, 0) }
		}),
		activation("hardsigmoid", "", func(args) (f, slope func(x float64) float64) {
			return func(x float64) float64 { return math.Min(math.Max(x+3, 0), 6) / 6 },
				func(x float64) float64 { return choose(x > -3 && x < 3, 1./6, 0) }
		}),
		activation("hardswish", "", func(args) (f, slope func(x float64) float64) {
			return func(x float64) float64 { return x * math.Min(math.Max(x+3, 0), 6) / 6 },
				func(x float64) float64 { return choose(x <= -3, 0, choose(x < 3, x/3+0.5, 1)) }
		}),
		activation("mish", "", func(args) (f, slope func(x float64) float64) {
			return func(x float64) float64 { return x * math.Tanh(softplus(x)) }, func(x float64) float64 {
				t := math.Tanh(softplus(x))
				return t + x*sigmoid(x)*(1-t*t)
			}
		}),
		activation("softsign", "", func(args) (f, slope func(x float64) float64) {
			return func(x float64) float64 { return x / (1 + math.Abs(x)) },
				func(x float64) float64 { return 1 / ((1 + math.Abs(x)) * (1 + math.Abs(x))) }
		}),
		activation("tanhshrink", "", func(args) (f, slope func(x float64) float64) {
			return func(x float64) float64 { return x - math.Tanh(x) },
				func(x float64) float64 { return math.Tanh(x) * math.Tanh(x) }
		}),
		activation("hardshrink", ", lambd: float = 0.5", func(a args) (f, slope func(x float64) float64) {
			k := a.float(1)
			return func(x float64) float64 { return choose(math.Abs(x) > k, x, 0) },
				func(x float64) float64 { return choose(math.Abs(x) > k, 1, 0) }
		}),
		activation("softshrink", ", lambd: float = 0.5", func(a args) (f, slope func(x float64) float64) {
			k := a.float(1)
			return func(x float64) float64 { return choose(math.Abs(x) > k, x-math.Copysign(k, x), 0) },
				func(x float64) float64 { return choose(math.Abs(x) > k, 1, 0) }
		}),
		activation("threshold", ", threshold: float, value: float", func(a args) (f, slope func(x float64) float64) {
			limit, value := a.float(1), a.float(2)
			return func(x float64) float64 { return choose(x > limit, x, value) },
				func(x float64) float64 { return choose(x > limit, 1, 0) }
		}),
		activation("softplus", ", beta: float = 1.0, threshold: float = 20.0", func(a args) (f, slope func(x float64) float64) {
			beta, limit := a.float(1), a.float(2)
			return func(x float64) float64 { return choose(x*beta > limit, x, softplus(x*beta)/beta) },
				func(x float64) float64 { return choose(x*beta > limit, 1, sigmoid(x*beta)) }
		}),
		{Name: "glu", Where: InFunctional, grad: gradNamed("GluBackward0"), Signature: "input: Tensor, dim: int = -1",
			run: func(c *Context, a args) any {
				d := axis(a.int(1), len(a.tensor(0).shape))
				if n := a.tensor(0).size(d); n%2 != 0 {
					runtimeError("Halving dimension must be even, but dimension %d is size %d", d, n)
				}
				half := split(c, a.tensor(0), int64(a.tensor(0).shape[d]/2), d)
				return mul(c, half[0], applyUnary(c, "sigmoid", half[1]))
			}},
		{Name: "prelu", Where: everywhere | InFunctional, grad: gradNamed("PreluKernelBackward0"),
			Signature: "input: Tensor, weight: Tensor",
			run: func(c *Context, a args) any {
				t, w := a.tensor(0), a.tensor(1)
				if w.numel() > 1 && len(t.shape) > 1 { // one weight a channel
					shape := make([]int, len(t.shape))
					for i := range shape {
						shape[i] = 1
					}
					shape[1] = w.numel()
					w = reshape(c, w, shape)
				}
				positive := applyBinary(c, "gt", operand{t, false}, numberOperand(0.0))
				return where(c, positive, operand{t, false}, operand{mul(c, t, w), false})
			}},
		{Name: "softmin", Where: InFunctional, Signature: "input: Tensor, dim: int",
			run: func(c *Context, a args) any { return softmax(c, applyUnary(c, "neg", a.tensor(0)), a.int(1)) }},
		{Name: "gumbel_softmax", Where: InFunctional,
			Signature: "logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1",
			run: func(c *Context, a args) any {
				noise := c.alloc(a.tensor(0).dtype, a.tensor(0).shape...)
				c.stream(nil).fillExponential(noise, 1)
				sum := sub(c, a.tensor(0), applyUnary(c, "log", noise))
				soft := softmax(c, applyBinaryNumber(c, "div", sum, a.float(1)), a.int(4))
				if !a.bool(2) {
					return soft
				}
				d := axis(a.int(4), len(soft.shape))
				where := argExtremum(c, soft.detach(), d, true, true)
				hard := putAt(c, c.alloc(soft.dtype, soft.shape...), along(c, soft.shape, d, where),
					full(c, where.shape, 1.0, soft.dtype), false)
				return add(c, sub(c, hard, soft.detach()), soft)
			}},
	}
}

// activation is a row for an elementwise function that is differentiable by its input.
func activation(name, parameters string, make func(a args) (f, slope func(x float64) float64)) Op {
	return Op{
		Name: name, Where: InFunctional, Signature: "input: Tensor" + parameters + ", inplace: bool = False",
		run: func(c *Context, a args) any {
			needFloat(name, a.tensor(0))
			f, slope := make(a)
			var numbers []float64
			for i := range a[1 : len(a)-1] {
				numbers = append(numbers, a.float(1+i))
			}
			out := computeUnary(c, &unaryOp{name: name, saves: savesInput, floats: f, numbers: numbers,
				slope: func(x, _ float64) float64 { return slope(x) }}, a.tensor(0))
			return inPlaceIf(c, a.bool(len(a)-1), a.tensor(0), out) // inplace, the last parameter of these rows
		},
	}
}

// inPlaceIf writes a result over the tensor that it was computed from, if it is to be in place.
func inPlaceIf(c *Context, inPlace bool, t, result *Tensor) *Tensor {
	if !inPlace {
		return result
	}
	c.checkInPlace(t)
	return c.writeInPlace(t, result)
}

func choose(first bool, x, y float64) float64 {
	if first {
		return x
	}
	return y
}

func softplus(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// digamma is the derivative of the logarithm of the gamma function: its recurrence up to 6 and the asymptotic series
// from there (Abramowitz and Stegun 6.3.18).
func digamma(x float64) float64 {
	if x <= 0 && x == math.Floor(x) {
		return math.NaN()
	}
	// The reflection formula (Abramowitz and Stegun 6.3.7).
	if x < 0 {
		return digamma(1-x) - math.Pi/math.Tan(math.Pi*x)
	}
	sum := 0.0
	// ψ(x) = ψ(x+1) − 1/x (6.3.5), up to where five terms of the series have an error of 1e-11.
	for ; x < 6; x++ {
		sum -= 1 / x
	}
	y := 1 / (x * x)
	return sum + math.Log(x) - 1/(2*x) - y*(1./12-y*(1./120-y*(1./252-y*(1./240-y*(1./132)))))
}

// sinc is sin(πx)/(πx).
func sinc(x float64) float64 { return choose(x == 0, 1, math.Sin(math.Pi*x)/(math.Pi*x)) }

// specialOps are elementwise functions beyond the elementary ones.
var specialOps = []unaryOp{
	{name: "asinh", floats: math.Asinh,
		slope: func(x, _ float64) float64 { return 1 / math.Sqrt(x*x+1) }, saves: savesInput},
	{name: "acosh", floats: math.Acosh,
		slope: func(x, _ float64) float64 { return 1 / math.Sqrt(x*x-1) }, saves: savesInput},
	{name: "atanh", floats: math.Atanh, slope: func(x, _ float64) float64 { return 1 / (1 - x*x) }, saves: savesInput},
	{name: "erfinv", floats: math.Erfinv,
		slope: func(_, y float64) float64 { return math.Sqrt(math.Pi) / 2 * math.Exp(y*y) }, saves: savesOutput},
	{name: "lgamma", floats: func(x float64) float64 { v, _ := math.Lgamma(x); return v },
		slope: func(x, _ float64) float64 { return digamma(x) }, saves: savesInput},
	{name: "sinc", floats: sinc,
		slope: func(x, y float64) float64 { return choose(x == 0, 0, (math.Cos(math.Pi*x)-y)/x) },
		saves: savesInput | savesOutput},
	{name: "digamma", floats: digamma},
	{name: "deg2rad", floats: func(x float64) float64 { return x * (math.Pi / 180) },
		slope: func(_, _ float64) float64 { return math.Pi / 180 }},
	{name: "rad2deg", floats: func(x float64) float64 { return x * (180 / math.Pi) },
		slope: func(_, _ float64) float64 { return 180 / math.Pi }},
	{name: "logit", floats: func(x float64) float64 { return math.Log(x / (1 - x)) },
		slope: func(x, _ float64) float64 { return 1 / (x * (1 - x)) }, saves: savesInput},
}

// specialPairs are their like with two operands.
var specialPairs = []binaryOp{
	{name: "xlogy", domain: floating,
		floats: func(x, y float64) float64 { return choose(x == 0 && y == y, 0, x*math.Log(y)) },
		dx:     func(x, y, _ float64) float64 { return choose(x == 0 && y <= 0, 0, math.Log(y)) },
		dy:     func(x, y, _ float64) float64 { return x / y },
		saves:  [2]saves{savesInput | savesOther, savesInput | savesOther}},
	{name: "logaddexp2", domain: promotedNums,
		floats: func(x, y float64) float64 { return math.Max(x, y) + math.Log1p(math.Exp2(-math.Abs(x-y)))/math.Ln2 },
		dx:     func(x, _, z float64) float64 { return math.Exp2(x - z) },
		dy:     func(_, y, z float64) float64 { return math.Exp2(y - z) },
		saves:  [2]saves{savesInput | savesOutput, savesOther | savesOutput}},
	{name: "heaviside", ints: func(x, y int64) int64 { return truth(x > 0) + y*truth(x == 0) },
		floats: func(x, y float64) float64 { return choose(x == 0, y, choose(x > 0, 1, 0)) },
		dx:     constant(0), dy: func(x, _, _ float64) float64 { return choose(x == 0, 1, 0) }, saves: [2]saves{0, savesInput}},
	{name: "ldexp", domain: floating, floats: func(x, y float64) float64 { return x * math.Exp2(y) },
		dx: func(_, y, _ float64) float64 { return math.Exp2(y) }, dy: func(_, _, z float64) float64 { return z * math.Ln2 },
		saves: [2]saves{savesOther, savesOutput}},
	{name: "lcm", domain: integral, ints: func(x, y int64) int64 {
		if x == 0 || y == 0 {
			return 0
		}
		g, r := x, y
		for r != 0 {
			g, r = r, g%r
		}
		return max(x/g*y, -(x / g * y))
	}},
}
