package tensor

import (
	"cmp"
	"math"
	"sync"

	"github.com/newtlab/newt/compiler/num"
)

// unaryOp is one elementwise function of one tensor.
type unaryOp struct {
	name  string
	where Where // everywhere, if it does not say
	// ints computes integers as integers; without it they become float32 first.
	ints   func(x int64) int64
	typed  func(d num.DType) num.UnaryFn // num's kernel
	floats func(x float64) float64       // floats without typed
	single func(dst, x []float64)        // floats that are rounded to float32 or less in the end, if they are faster so
	test   func(x float64) bool          // instead of floats: the result is bool
	slope  func(x, y float64) float64    // dy/dx at x, where y = f(x); nil: gradient zero
	saves  saves                         // what slope is computed from
	// numbers are what floats was made with, and traced what a Trace calls it where that is not name.
	numbers []float64
	traced  string
	noBool  bool // torch refuses bool
}

const everywhere = InTorch | InMethod

func identity(x int64) int64 { return x }

func unaryKernel(op num.UnaryOp) func(num.DType) num.UnaryFn {
	return func(d num.DType) num.UnaryFn { return num.Unary(op, d) }
}

// zeros are registers of 0.
var zeros = map[num.Class]num.Vec{
	num.ClassF32: num.MakeVec(num.ClassF32, chunk), num.ClassF64: num.MakeVec(num.ClassF64, chunk),
}

func reluKernel(d num.DType) num.UnaryFn {
	larger, zero := num.Binary(num.MaxNaN, d), zeros[d.Info().Class]
	return func(dst, x num.Vec) { larger(dst, x, zero) }
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// singleSigmoid and singleSilu take torch's steps (UnarySpecialOpsKernel.cu), each rounded to float32: all values of
// which 1 + exp(-x) is 1 have one sigmoid.
func singleSigmoid(dst, x []float64) {
	onePlusExpOfMinus(dst, x)
	for i, v := range dst {
		dst[i] = 1 / v
	}
}

func singleSilu(dst, x []float64) {
	var sums [chunk]float64
	onePlusExpOfMinus(sums[:len(x)], x)
	for i, v := range x {
		dst[i] = v / sums[i]
	}
}

func onePlusExpOfMinus(dst, x []float64) {
	for i, v := range x {
		dst[i] = -v
	}
	num.ExpForFloat32(dst, dst)
	for i, v := range dst {
		dst[i] = float64(1 + float32(v))
	}
}

// erfSteps are the places of a table of erf in an interval of 1, and erfLimit is where erf is 1 in float32.
const erfSteps, erfLimit = 64, 4

// erfs are erf and its derivative at multiples of 1/erfSteps.
var erfs = sync.OnceValue(func() *[erfSteps*erfLimit + 1][2]float64 {
	var table [erfSteps*erfLimit + 1][2]float64
	for i := range table {
		x := float64(i) / erfSteps
		table[i] = [2]float64{math.Erf(x), 2 / math.Sqrt(math.Pi) * math.Exp(-x*x)}
	}
	return &table
})

// singleGelu takes torch's steps (ActivationGeluKernel.cu), each rounded to float32. Its erf is the Taylor series about
// the nearest place of the table, whose coefficients are Hermite polynomials (Abramowitz and Stegun 7.2.10), to 12
// digits.
func singleGelu(dst, x []float64) {
	table := erfs()
	for i, v := range x {
		u := float64(float32(v) * (1 / math.Sqrt2))
		at, erf := math.Abs(u), 1.0
		if at < erfLimit {
			k := int(at*erfSteps + 0.5)
			p := float64(k) / erfSteps
			d, pp := at-p, p*p
			h3, h4, h5 := (2*pp-1)*(1./3), (2*pp-3)*p*(1./6), ((4*pp-12)*pp+3)*(1./30)
			erf = table[k][0] + table[k][1]*d*(1-d*(p-d*(h3-d*(h4-d*h5))))
		}
		if at != at {
			erf = at
		}
		dst[i] = float64(float32(v*0.5)) * float64(1+float32(math.Copysign(erf, u)))
	}
}

// singleTanh is tanh to 12 digits.
func singleTanh(dst, x []float64) {
	for i, v := range x {
		dst[i] = 2 * v
	}
	num.ExpForFloat32(dst, dst)
	for i, v := range x {
		// Near 0 the difference has few digits, and the series (Abramowitz and Stegun 4.5.64) needs two terms.
		if square := v * v; square < 0x1p-16 {
			dst[i] = v - v*square*(1./3-square*(2./15))
		} else {
			dst[i] = 1 - 2/(dst[i]+1)
		}
	}
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x * 0
}

func step(x, _ float64) float64 {
	if x > 0 {
		return 1
	}
	return 0
}

func one(_, _ float64) float64 { return 1 }

// unaryOps are torch's elementwise functions of one tensor, with their derivatives.
var unaryOps = []unaryOp{
	{name: "neg", ints: func(x int64) int64 { return -x },
		typed: unaryKernel(num.Neg), slope: func(_, _ float64) float64 { return -1 }, noBool: true},
	{name: "positive", ints: identity, floats: func(x float64) float64 { return x }, slope: one, noBool: true},
	{name: "abs", ints: func(x int64) int64 { return max(x, -x) }, typed: unaryKernel(num.Abs),
		slope: func(x, _ float64) float64 { return sign(x) }, saves: savesInput},
	{name: "sign", ints: func(x int64) int64 { return truth(x > 0) - truth(x < 0) },
		floats: func(x float64) float64 {
			if x != x {
				return 0
			}
			return sign(x)
		}},
	{name: "exp", typed: unaryKernel(num.Exp), slope: func(_, y float64) float64 { return y }, saves: savesOutput},
	{name: "exp2", typed: unaryKernel(num.Exp2),
		slope: func(_, y float64) float64 { return y * math.Ln2 }, saves: savesOutput},
	{name: "expm1", floats: math.Expm1, slope: func(_, y float64) float64 { return y + 1 }, saves: savesOutput},
	{name: "log", typed: unaryKernel(num.Log), slope: func(x, _ float64) float64 { return 1 / x }, saves: savesInput},
	{name: "log2", typed: unaryKernel(num.Log2),
		slope: func(x, _ float64) float64 { return 1 / (x * math.Ln2) }, saves: savesInput},
	{name: "log10", floats: math.Log10,
		slope: func(x, _ float64) float64 { return 1 / (x * math.Ln10) }, saves: savesInput},
	{name: "log1p", floats: math.Log1p, slope: func(x, _ float64) float64 { return 1 / (x + 1) }, saves: savesInput},
	{name: "sqrt", typed: unaryKernel(num.Sqrt),
		slope: func(_, y float64) float64 { return 1 / (2 * y) }, saves: savesOutput},
	{name: "rsqrt", typed: unaryKernel(num.Rsqrt),
		slope: func(_, y float64) float64 { return -0.5 * y * y * y }, saves: savesOutput},
	{name: "reciprocal", floats: func(x float64) float64 { return 1 / x },
		slope: func(_, y float64) float64 { return -y * y }, saves: savesOutput},
	{name: "square", ints: func(x int64) int64 { return x * x },
		floats: func(x float64) float64 { return x * x }, slope: func(x, _ float64) float64 { return 2 * x },
		saves: savesInput},
	{name: "sin", typed: unaryKernel(num.Sin),
		slope: func(x, _ float64) float64 { return math.Cos(x) }, saves: savesInput},
	{name: "cos", typed: unaryKernel(num.Cos),
		slope: func(x, _ float64) float64 { return -math.Sin(x) }, saves: savesInput},
	{name: "tan", floats: math.Tan, slope: func(_, y float64) float64 { return 1 + y*y }, saves: savesOutput},
	{name: "asin", floats: math.Asin,
		slope: func(x, _ float64) float64 { return 1 / math.Sqrt(1-x*x) }, saves: savesInput},
	{name: "acos", floats: math.Acos,
		slope: func(x, _ float64) float64 { return -1 / math.Sqrt(1-x*x) }, saves: savesInput},
	{name: "atan", floats: math.Atan, slope: func(x, _ float64) float64 { return 1 / (1 + x*x) }, saves: savesInput},
	{name: "sinh", floats: math.Sinh, slope: func(x, _ float64) float64 { return math.Cosh(x) }, saves: savesInput},
	{name: "cosh", floats: math.Cosh, slope: func(x, _ float64) float64 { return math.Sinh(x) }, saves: savesInput},
	{name: "tanh", where: everywhere | InFunctional, floats: math.Tanh, single: singleTanh,
		slope: func(_, y float64) float64 { return 1 - y*y }, saves: savesOutput},
	{name: "erf", typed: unaryKernel(num.Erf),
		slope: func(x, _ float64) float64 { return 2 / math.Sqrt(math.Pi) * math.Exp(-x*x) }, saves: savesInput},
	{name: "erfc", floats: math.Erfc,
		slope: func(x, _ float64) float64 { return -2 / math.Sqrt(math.Pi) * math.Exp(-x*x) }, saves: savesInput},
	{name: "sigmoid", where: everywhere | InFunctional, floats: sigmoid, single: singleSigmoid,
		slope: func(_, y float64) float64 { return y * (1 - y) }, saves: savesOutput},
	{name: "logsigmoid", where: InFunctional,
		floats: func(x float64) float64 { return math.Min(x, 0) - math.Log1p(math.Exp(-math.Abs(x))) },
		slope:  func(x, _ float64) float64 { return sigmoid(-x) }, saves: savesInput},
	{name: "relu", where: everywhere | InFunctional, ints: func(x int64) int64 { return max(x, 0) },
		typed: reluKernel,
		slope: func(_, y float64) float64 { return step(y, 0) }, noBool: true, saves: savesOutput},
	{name: "relu6", where: InFunctional, ints: func(x int64) int64 { return min(max(x, 0), 6) },
		floats: func(x float64) float64 { return math.Min(math.Max(x, 0), 6) },
		slope:  func(x, _ float64) float64 { return float64(truth(x > 0 && x < 6)) }, noBool: true, saves: savesInput},
	{name: "silu", where: InFunctional, floats: func(x float64) float64 { return x * sigmoid(x) }, single: singleSilu,
		slope: func(x, y float64) float64 { s := sigmoid(x); return s + y*(1-s) }, saves: savesInput | savesOutput},
	{name: "floor", ints: identity, typed: unaryKernel(num.Floor)},
	{name: "ceil", ints: identity, typed: unaryKernel(num.Ceil)},
	{name: "trunc", ints: identity, floats: math.Trunc},
	{name: "frac", floats: func(x float64) float64 { return x - math.Trunc(x) }, slope: one},
	{name: "isnan", test: func(x float64) bool { return x != x }},
	{name: "isinf", test: func(x float64) bool { return math.IsInf(x, 0) }},
	{name: "isfinite", test: func(x float64) bool { return x-x == 0 }},
	{name: "isposinf", test: func(x float64) bool { return math.IsInf(x, 1) }},
	{name: "isneginf", test: func(x float64) bool { return math.IsInf(x, -1) }},
	{name: "signbit", test: math.Signbit},
	{name: "logical_not", test: func(x float64) bool { return x == 0 }},
}

var unaryNamed = func() map[string]*unaryOp {
	m := map[string]*unaryOp{}
	for _, list := range [][]unaryOp{unaryOps, specialOps} {
		for i := range list {
			m[list[i].name] = &list[i]
		}
	}
	return m
}()

func unaryRows() []Op {
	var rows []Op
	for _, name := range sortedKeys(unaryNamed) {
		u := unaryNamed[name]
		signature := "input: Tensor"
		if u.where&InFunctional != 0 {
			signature += ", inplace: bool = False"
		}
		run := func(c *Context, a args) any {
			return inPlaceIf(c, len(a) > 1 && a.bool(1), a.tensor(0), computeUnary(c, u, a.tensor(0)))
		}
		rows = append(rows, Op{Name: u.name, Where: cmp.Or(u.where, everywhere), Signature: signature, run: run})
	}
	return rows
}

// applyUnary runs the unary operation of a name.
func applyUnary(c *Context, name string, x *Tensor) *Tensor {
	return computeUnary(c, unaryNamed[name], x)
}

func computeUnary(c *Context, u *unaryOp, x *Tensor) *Tensor {
	if x.IsComplex() {
		return complexUnary(c, u.name, x)
	}
	arithmetic(u.name, x.dtype)
	if u.noBool && x.dtype == num.Int1 {
		if u.name == "neg" {
			runtimeError("Negation, the `-` operator, on a bool tensor is not supported. " +
				"If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.")
		}
		runtimeError("%s of a bool tensor is not supported: use `~` or logical_not()", u.name)
	}
	if u.test != nil {
		out := c.alloc(num.Int1, x.shape...)
		mapFloats(out, x.dtype, []*Tensor{x}, func(dst []float64, in [][]float64) {
			for i, v := range in[0] {
				dst[i] = float64(truth(u.test(v)))
			}
		})
		out.computed(u.name, x)
		return out
	}
	if !x.isFloat() && u.ints != nil {
		out := c.alloc(x.dtype, x.shape...)
		mapInts(out, []*Tensor{x}, func(dst []int64, in [][]int64) {
			for i, v := range in[0] {
				dst[i] = u.ints(v)
			}
		})
		out.computed(u.name, x)
		return out
	}
	d := x.dtype
	if !x.isFloat() {
		d = num.Float32 // torch's default dtype
	}
	out := c.alloc(d, x.shape...)
	switch {
	case u.typed != nil:
		kernel := u.typed(d)
		mapTyped(out, []*Tensor{x}, []num.DType{registers(d)}, func(dst num.Vec, in []num.Vec) { kernel(dst, in[0]) })
	case u.single != nil && registers(d) == num.Float32:
		mapFloats(out, d, []*Tensor{x}, func(dst []float64, in [][]float64) { u.single(dst, in[0]) })
	default:
		mapFloats(out, d, []*Tensor{x}, func(dst []float64, in [][]float64) {
			for i, v := range in[0] {
				dst[i] = u.floats(v)
			}
		})
	}
	out.computedWith(cmp.Or(u.traced, u.name), u.numbers, x)
	vx, _, result := out.valuesFor(u.saves, x, nil)
	c.record(out, u.name, []*Tensor{x}, func(g *Tensor) []*Tensor {
		// The gradient of a step such as floor is zero, not none.
		if u.slope == nil {
			return []*Tensor{c.alloc(d, vx.shape...)}
		}
		gx := c.alloc(d, vx.shape...)
		mapFloats(gx, d, []*Tensor{g, vx, result}, func(dst []float64, in [][]float64) {
			for i, v := range in[0] {
				dst[i] = v * u.slope(in[1][i], in[2][i])
			}
		})
		gx.described(u.name, "dx", []*Tensor{g, vx, result}, places{})
		return []*Tensor{gx}
	})
	if u.slope == nil {
		return out
	}
	out.saveFor(u.saves, x, nil)
	return out
}
