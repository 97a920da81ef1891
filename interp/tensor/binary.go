package tensor

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
)

// domain says what dtypes a binary operation computes in and yields.
type domain uint8

const (
	promoted     domain = iota // the operands' common dtype
	floating                   // integers become float32 first
	comparing                  // computes in the common dtype, yields bool
	integral                   // refuses floats
	logical                    // operands count as true or false, yields bool
	promotedNums               // as promoted, but refuses bool
)

// binaryOp is one elementwise function of two operands.
type binaryOp struct {
	name   string
	domain domain
	ints   func(x, y int64) int64
	typed  func(d num.DType) num.BinaryFn // num's kernel; nil where it has none that computes as torch does
	floats func(x, y float64) float64     // floats without typed
	test   func(x, y float64) bool        // logical, for floats
	// by are num's kernels for floats and these numbers as the second operand.
	by map[float64]func(d num.DType) num.BinaryFn
	// dx and dy are the partial derivatives at (x, y), where z = f(x, y).
	dx, dy func(x, y, z float64) float64
	saves  [2]saves        // what dx and dy are computed from; nothing means that they are constant
	chain  [2]string       // the operation on the gradient and the other operand that is faster than dx and dy
	checks func(y operand) // refuses integer operands that torch refuses
}

func constant(v float64) func(x, y, z float64) float64 {
	return func(_, _, _ float64) float64 { return v }
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) { // Go truncates, Python rounds down
		q--
	}
	return q
}

func floorMod(a, b int64) int64 {
	r := a % b
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

// floorDivFloat is Python's float floor division.
func floorDivFloat(a, b float64) float64 {
	if b == 0 {
		return a / b
	}
	// CPython's float_divmod: the quotient of what the remainder leaves is whole but for its rounding.
	m := math.Mod(a, b)
	d := (a - m) / b
	if m != 0 && (b < 0) != (m < 0) {
		d--
	}
	if d == 0 {
		return math.Copysign(0, a/b)
	}
	f := math.Floor(d)
	if d-f > 0.5 {
		f++
	}
	return f
}

// floorModFloat is Python's float remainder: it has the divisor's sign.
func floorModFloat(a, b float64) float64 {
	m := math.Mod(a, b)
	if m != 0 && (b < 0) != (m < 0) {
		m += b
	}
	return m
}

// intPow is x to the power y; a negative power is 0 but for 1 and -1.
func intPow(x, y int64) int64 {
	if y < 0 {
		switch x {
		case 1, -1:
			y = -y
		default:
			return 0
		}
	}
	r := int64(1)
	// By squaring; products wrap, as they do in torch.
	for ; y > 0; y >>= 1 {
		if y&1 != 0 {
			r *= x
		}
		x *= x
	}
	return r
}

func refuseZero(y operand) {
	for _, v := range y.Ints() {
		if v == 0 {
			runtimeError("ZeroDivisionError")
		}
	}
}

// refuseNegative refuses a negative Python exponent; exponents in tensors give 0 there.
func refuseNegative(y operand) {
	if y.number && y.Ints()[0] < 0 {
		runtimeError("Integers to negative integer powers are not allowed.")
	}
}

// splitTies splits the gradient of maximum and minimum between equal operands, as torch does.
func splitTies(first func(x, y float64) bool) func(x, y, z float64) float64 {
	return func(x, y, _ float64) float64 {
		if x == y {
			return 0.5
		}
		return float64(truth(first(x, y)))
	}
}

func less(x, y float64) bool    { return x < y }
func greater(x, y float64) bool { return x > y }

// powDX and powDY are the derivatives of x**y. Where x is 0 they are torch's, without the NaN of 0*log(0).
func powDX(x, y, _ float64) float64 {
	if y == 0 {
		return 0
	}
	return y * math.Pow(x, y-1)
}

func powDY(x, y, z float64) float64 {
	if x == 0 && y >= 0 {
		return 0
	}
	return z * math.Log(x)
}

func arithmeticKernel(op num.BinaryOp) func(num.DType) num.BinaryFn {
	return func(d num.DType) num.BinaryFn { return num.Binary(op, d) }
}

func comparisonKernel(op num.CompareOp) func(num.DType) num.BinaryFn {
	return func(d num.DType) num.BinaryFn { return num.Compare(op, d) }
}

// kernel is num's for these operands, nil where integers of several dtypes or bools meet.
func (b *binaryOp) kernel(compute num.DType, x, y operand) num.BinaryFn {
	if y.number && compute.Info().Float {
		if typed := b.by[y.Floats()[0]]; typed != nil {
			return typed(compute)
		}
	}
	whole := !compute.Info().Float
	switch {
	case b.typed == nil, b.domain == logical && compute != num.Int1, whole && !(x.isOf(compute) && y.isOf(compute)),
		compute == num.Int1 && (b.domain == promoted || b.domain == promotedNums): // Triton adds bools modulo 2
		return nil
	}
	return b.typed(compute)
}

// isOf reports whether the operand is of an integer dtype, or a number that the dtype holds.
func (o operand) isOf(d num.DType) bool {
	return o.dtype == d || o.number && o.dtype == num.Int64 && num.FromInt(d, o.Ints()[0]).Int() == o.Ints()[0]
}

// powers are the exponents for which torch has an expression of its own (PowKernel.cu, pow_tensor_scalar_kernel_impl).
var powers = map[float64]func(num.DType) num.BinaryFn{
	2: func(d num.DType) num.BinaryFn {
		times := num.Binary(num.Mul, d)
		return func(dst, x, _ num.Vec) { times(dst, x, x) }
	},
	3: func(d num.DType) num.BinaryFn {
		times := num.Binary(num.Mul, d)
		return func(dst, x, _ num.Vec) { times(dst, x, x); times(dst, dst, x) }
	},
	0.5: ofBase(num.Sqrt), -0.5: ofBase(num.Rsqrt),
}

// ofBase is a function of the base alone.
func ofBase(op num.UnaryOp) func(num.DType) num.BinaryFn {
	return func(d num.DType) num.BinaryFn {
		f := num.Unary(op, d)
		return func(dst, x, _ num.Vec) { f(dst, x) }
	}
}

// binaryOps are torch's elementwise functions of two operands, with their derivatives.
var binaryOps = []binaryOp{
	{name: "add", ints: func(x, y int64) int64 { return x + y }, typed: arithmeticKernel(num.Add),
		dx: constant(1), dy: constant(1)},
	{name: "sub", domain: promotedNums, ints: func(x, y int64) int64 { return x - y },
		typed: arithmeticKernel(num.Sub), dx: constant(1), dy: constant(-1)},
	{name: "mul", ints: func(x, y int64) int64 { return x * y }, typed: arithmeticKernel(num.Mul),
		dx: func(_, y, _ float64) float64 { return y }, dy: func(x, _, _ float64) float64 { return x },
		saves: [2]saves{savesOther, savesInput}, chain: [2]string{"mul", "mul"}},
	{name: "div", domain: floating, typed: arithmeticKernel(num.Div),
		dx: func(_, y, _ float64) float64 { return 1 / y }, dy: func(_, y, z float64) float64 { return -z / y },
		saves: [2]saves{savesOther, savesOther | savesOutput}, chain: [2]string{"div"}},
	{name: "floor_divide", ints: floorDiv, floats: floorDivFloat, dx: constant(0), dy: constant(0), checks: refuseZero},
	{name: "remainder", domain: promotedNums, ints: floorMod, floats: floorModFloat, dx: constant(1),
		dy: func(x, y, _ float64) float64 { return -floorDivFloat(x, y) }, checks: refuseZero,
		saves: [2]saves{0, savesInput | savesOther}},
	{name: "fmod", domain: promotedNums, ints: func(x, y int64) int64 { return x % y }, floats: math.Mod,
		dx: constant(1), dy: func(x, y, _ float64) float64 { return -math.Trunc(x / y) }, checks: refuseZero,
		saves: [2]saves{0, savesInput | savesOther}},
	{name: "pow", ints: intPow, floats: math.Pow, by: powers, dx: powDX, dy: powDY, checks: refuseNegative,
		saves: [2]saves{savesInput | savesOther, savesInput | savesOther | savesOutput}},
	{name: "maximum", ints: func(x, y int64) int64 { return max(x, y) }, typed: arithmeticKernel(num.MaxNaN),
		dx: splitTies(greater),
		dy: splitTies(less), saves: [2]saves{savesInput | savesOther, savesInput | savesOther}},
	{name: "minimum", ints: func(x, y int64) int64 { return min(x, y) }, typed: arithmeticKernel(num.MinNaN),
		dx: splitTies(less),
		dy: splitTies(greater), saves: [2]saves{savesInput | savesOther, savesInput | savesOther}},
	{name: "fmax", ints: func(x, y int64) int64 { return max(x, y) },
		floats: func(x, y float64) float64 { return quietOr(math.Max, x, y) }, dx: splitTies(greater),
		dy:    splitTies(less),
		saves: [2]saves{savesInput | savesOther, savesInput | savesOther}},
	{name: "fmin", ints: func(x, y int64) int64 { return min(x, y) },
		floats: func(x, y float64) float64 { return quietOr(math.Min, x, y) }, dx: splitTies(less),
		dy:    splitTies(greater),
		saves: [2]saves{savesInput | savesOther, savesInput | savesOther}},
	{name: "atan2", domain: floating, floats: math.Atan2,
		dx:    func(x, y, _ float64) float64 { return y / (x*x + y*y) },
		dy:    func(x, y, _ float64) float64 { return -x / (x*x + y*y) },
		saves: [2]saves{savesInput | savesOther, savesInput | savesOther}},
	{name: "hypot", domain: promotedNums, floats: math.Hypot, dx: func(x, _, z float64) float64 { return x / z },
		dy:    func(_, y, z float64) float64 { return y / z },
		saves: [2]saves{savesInput | savesOutput, savesOther | savesOutput}},
	{name: "copysign", domain: floating, floats: math.Copysign,
		dx: func(x, _, z float64) float64 { return sign(x) * sign(z) }, dy: constant(0),
		saves: [2]saves{savesInput | savesOutput, 0}},
	{name: "logaddexp", domain: promotedNums,
		floats: func(x, y float64) float64 { return math.Max(x, y) + math.Log1p(math.Exp(-math.Abs(x-y))) },
		dx:     func(x, _, z float64) float64 { return math.Exp(x - z) },
		dy:     func(_, y, z float64) float64 { return math.Exp(y - z) },
		saves:  [2]saves{savesInput | savesOutput, savesOther | savesOutput}},
	{name: "eq", domain: comparing, ints: func(x, y int64) int64 { return truth(x == y) },
		typed: comparisonKernel(num.Eq)},
	{name: "ne", domain: comparing, ints: func(x, y int64) int64 { return truth(x != y) },
		typed: comparisonKernel(num.Ne)},
	{name: "lt", domain: comparing, ints: func(x, y int64) int64 { return truth(x < y) },
		typed: comparisonKernel(num.Lt)},
	{name: "le", domain: comparing, ints: func(x, y int64) int64 { return truth(x <= y) },
		typed: comparisonKernel(num.Le)},
	{name: "gt", domain: comparing, ints: func(x, y int64) int64 { return truth(x > y) },
		typed: comparisonKernel(num.Gt)},
	{name: "ge", domain: comparing, ints: func(x, y int64) int64 { return truth(x >= y) },
		typed: comparisonKernel(num.Ge)},
	{name: "bitwise_and", domain: integral, ints: func(x, y int64) int64 { return x & y },
		typed: arithmeticKernel(num.And)},
	{name: "bitwise_or", domain: integral, ints: func(x, y int64) int64 { return x | y },
		typed: arithmeticKernel(num.Or)},
	{name: "bitwise_xor", domain: integral, ints: func(x, y int64) int64 { return x ^ y },
		typed: arithmeticKernel(num.Xor)},
	{name: "bitwise_left_shift", domain: integral},
	{name: "bitwise_right_shift", domain: integral},
	{name: "gcd", domain: integral, ints: func(x, y int64) int64 {
		for y != 0 {
			x, y = y, x%y
		}
		return max(x, -x)
	}},
	{name: "logical_and", domain: logical, test: func(x, y float64) bool { return x != 0 && y != 0 },
		typed: arithmeticKernel(num.And)},
	{name: "logical_or", domain: logical, test: func(x, y float64) bool { return x != 0 || y != 0 },
		typed: arithmeticKernel(num.Or)},
	{name: "logical_xor", domain: logical, test: func(x, y float64) bool { return (x != 0) != (y != 0) },
		typed: arithmeticKernel(num.Xor)},
}

// quietOr prefers the operand that is a number.
func quietOr(f func(x, y float64) float64, x, y float64) float64 {
	switch {
	case x != x:
		return y
	case y != y:
		return x
	}
	return f(x, y)
}

var binaryNamed = func() map[string]*binaryOp {
	m := map[string]*binaryOp{}
	for _, list := range [][]binaryOp{binaryOps, specialPairs} {
		for i := range list {
			m[list[i].name] = &list[i]
		}
	}
	return m
}()

// scaled lists the operations that take alpha, a factor on the second operand.
var scaled = map[string]bool{"add": true, "sub": true}

func binaryRows() []Op {
	var rows []Op
	for _, name := range sortedKeys(binaryNamed) {
		b := binaryNamed[name]
		op := Op{Name: b.name, Where: everywhere, Signature: "input: Operand, other: Operand",
			run: func(c *Context, a args) any {
				return computeBinary(c, b, a.operand(0), a.operand(1))
			}}
		switch {
		case scaled[b.name]:
			op.Signature += ", *, alpha: Number = 1"
			op.run = func(c *Context, a args) any {
				y := a.operand(1)
				if a[2] != int64(1) {
					y = operand{applyBinary(c, "mul", y, numberOperand(a[2])), y.number}
				}
				return computeBinary(c, b, a.operand(0), y)
			}
		case b.name == "pow":
			op.grad = func(a args) string {
				switch {
				case a.operand(1).number:
					return "PowBackward0"
				case a.operand(0).number:
					return "PowBackward2"
				}
				return "PowBackward1"
			}
		case b.name == "div":
			op.Signature += ", *, rounding_mode: str? = None"
			op.run = func(c *Context, a args) any { return divide(c, a.operand(0), a.operand(1), a.str(2)) }
		}
		rows = append(rows, op)
	}
	return rows
}

func divide(c *Context, x, y operand, rounding string) *Tensor {
	switch rounding {
	case "":
		return applyBinary(c, "div", x, y)
	case "floor":
		return applyBinary(c, "floor_divide", x, y)
	case "trunc":
		if category(resultType(x, y)) < 2 {
			refuseZero(y)
			return computeBinary(c, &binaryOp{name: "div", ints: func(x, y int64) int64 { return x / y }}, x, y)
		}
		return applyUnary(c, "trunc", applyBinary(c, "div", x, y))
	}
	runtimeError("div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '%s'", rounding)
	return nil
}

// applyBinary runs the binary operation of a name.
func applyBinary(c *Context, name string, x, y operand) *Tensor {
	return computeBinary(c, binaryNamed[name], x, y)
}

func add(c *Context, x, y *Tensor) *Tensor {
	return applyBinary(c, "add", operand{x, false}, operand{y, false})
}
func sub(c *Context, x, y *Tensor) *Tensor {
	return applyBinary(c, "sub", operand{x, false}, operand{y, false})
}
func mul(c *Context, x, y *Tensor) *Tensor {
	return applyBinary(c, "mul", operand{x, false}, operand{y, false})
}
func div(c *Context, x, y *Tensor) *Tensor {
	return applyBinary(c, "div", operand{x, false}, operand{y, false})
}

// applyBinaryNumber runs a binary operation with a Python float on the right.
func applyBinaryNumber(c *Context, name string, x *Tensor, y float64) *Tensor {
	return applyBinary(c, name, operand{x, false}, numberOperand(y))
}

// types decides the dtypes of computation and result.
func (b *binaryOp) types(x, y operand) (compute, result num.DType) {
	compute = resultType(x, y)
	arithmetic(b.name, compute)
	isBool := compute == num.Int1
	switch {
	case b.domain == integral && compute.Info().Float:
		name := map[string]string{"bitwise_left_shift": "lshift", "bitwise_right_shift": "rshift"}[b.name]
		if name == "" {
			name = b.name
		}
		raise("NotImplementedError", "\"%s_%s\" not implemented for '%s'", name, x.Device().Type, legacyNames[compute])
	case b.domain == promotedNums && isBool:
		runtimeError("Subtraction, the `-` operator, with two bool tensors is not supported. " +
			"Use the `^` or `logical_xor()` operator instead.")
	case b.ints == nil && (b.domain == floating || b.domain == promotedNums) && !compute.Info().Float: // true division
		compute = num.Float32
	}
	if b.domain == comparing || b.domain == logical {
		return compute, num.Int1
	}
	return compute, compute
}

func computeBinary(c *Context, b *binaryOp, x, y operand) *Tensor {
	if x.IsComplex() || y.IsComplex() {
		return complexBinary(c, b.name, x, y)
	}
	compute, result := b.types(x, y)
	if b.checks != nil && !compute.Info().Float {
		b.checks(y)
	}
	out := c.alloc(result, broadcastShapes(x.shape, y.shape)...)
	inputs := []*Tensor{x.Tensor, y.Tensor}
	kernel := b.kernel(compute, x, y)
	switch {
	case kernel != nil:
		as := registers(compute)
		mapTyped(out, inputs, []num.DType{as, as}, func(dst num.Vec, in []num.Vec) { kernel(dst, in[0], in[1]) })
	case compute.Info().Float || b.domain == logical:
		mapFloats(out, compute, inputs, b.floatKernel())
	case b.ints != nil:
		mapInts(out, inputs, func(dst []int64, in [][]int64) {
			ys := in[1][:len(dst)]
			for i, v := range in[0] {
				dst[i] = b.ints(v, ys[i])
			}
		})
	default:
		mapInts(out, inputs, shiftKernel(b.name, compute))
	}
	out.computed(b.name, inputs...)
	// A value is saved only for a derivative that is wanted: writes to the others stay legal.
	var saved saves
	wanted := [2]bool{x.needsGrad(), y.needsGrad()}
	for i, s := range b.saves {
		if wanted[i] {
			saved |= s
		}
	}
	sx, sy, sout := out.valuesFor(saved, x.Tensor, y.Tensor)
	vx, vy := operand{sx, x.number}, operand{sy, y.number}
	c.record(out, b.name, inputs, func(g *Tensor) []*Tensor {
		grads := make([]*Tensor, 2)
		for i := range grads {
			if wanted[i] {
				grads[i] = b.gradient(c, i, g, vx, vy, sout)
			}
		}
		return grads
	})
	out.saveFor(saved, x.Tensor, y.Tensor)
	return out
}

func (b *binaryOp) floatKernel() func(dst []float64, in [][]float64) {
	if b.test != nil {
		return func(dst []float64, in [][]float64) {
			for i, v := range in[0] {
				dst[i] = float64(truth(b.test(v, in[1][i])))
			}
		}
	}
	return func(dst []float64, in [][]float64) {
		ys := in[1][:len(dst)]
		for i, v := range in[0] {
			dst[i] = b.floats(v, ys[i])
		}
	}
}

// shiftKernel shifts as torch does: counts below zero or past the width give 0, or the sign.
func shiftKernel(name string, d num.DType) func(dst []int64, in [][]int64) {
	width := int64(d.Info().Bits)
	return func(dst []int64, in [][]int64) {
		for i, v := range in[0] {
			n := in[1][i]
			outside := n < 0 || n >= width
			switch {
			case name == "bitwise_left_shift" && outside:
				dst[i] = 0
			case name == "bitwise_left_shift":
				dst[i] = v << n
			case outside:
				dst[i] = v >> 63 // all bits are the sign
			default:
				dst[i] = v >> n
			}
		}
	}
}

// gradient is g times the partial derivative by operand i, elementwise, in the shape of the result z.
func (b *binaryOp) gradient(c *Context, i int, g *Tensor, x, y operand, z *Tensor) *Tensor {
	d, others := [2]func(x, y, z float64) float64{b.dx, b.dy}[i], [2]operand{y, x}
	switch k := d(0, 0, 0); {
	case b.chain[i] != "":
		return applyBinary(c, b.chain[i], operand{g, false}, others[i])
	case b.saves[i] == 0 && k == 1:
		return g
	case b.saves[i] == 0 && k == -1:
		return applyUnary(c, "neg", g)
	}
	out, from := c.alloc(z.dtype, z.shape...), []*Tensor{g, x.Tensor, y.Tensor, z}
	mapFloats(out, z.dtype, from, func(dst []float64, in [][]float64) {
		for i, v := range in[0] {
			dst[i] = v * d(in[1][i], in[2][i], in[3][i])
		}
	})
	out.described(b.name, [2]string{"dx", "dy"}[i], from, places{})
	return out
}
