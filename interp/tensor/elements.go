package tensor

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
)

// elementOps are the elementwise operations that fit neither of the tables of one and two operands.
var elementOps = []Op{
	{Name: "where", Where: everywhere, Signature: "condition: Tensor, input: any = None, other: any = None",
		run: func(c *Context, a args) any {
			if !a.has(1) && !a.has(2) {
				return nonzeroAlong(c, a.tensor(0))
			}
			return where(c, a.tensor(0), mustOperand("where", a[1]), mustOperand("where", a[2]))
		}},
	{Name: "masked_fill", grad: gradNamed("MaskedFillBackward0"), Where: everywhere,
		Signature: "input: Tensor, mask: Tensor, value: Number",
		run: func(c *Context, a args) any {
			t, mask := a.tensor(0), a.tensor(1)
			if mask.dtype != num.Int1 {
				runtimeError("masked_fill only supports boolean masks, but got dtype %s", legacyNames[mask.dtype])
			}
			refuseOverflow(a[2], t.dtype, nativeNames[t.dtype])
			return where(c, mask, operand{full(c, nil, a[2], t.dtype), false}, operand{t, false})
		}},
	{Name: "clamp", grad: gradOfClamp, Where: everywhere, Signature: "input: Tensor, min: any = None, max: any = None",
		run: func(c *Context, a args) any { return clamp(c, a.tensor(0), a[1], a[2]) }},
	{Name: "clamp_min", Where: everywhere, Signature: "input: Tensor, min: any",
		run: func(c *Context, a args) any { return clamp(c, a.tensor(0), a[1], nil) }},
	{Name: "clamp_max", Where: everywhere, Signature: "input: Tensor, max: any",
		run: func(c *Context, a args) any { return clamp(c, a.tensor(0), nil, a[1]) }},
	{Name: "round", Where: everywhere, Signature: "input: Tensor, *, decimals: int = 0",
		run: func(c *Context, a args) any { return round(c, a.tensor(0), a.int(1)) }},
	{Name: "bitwise_not", Where: everywhere, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return bitwiseNot(c, a.tensor(0)) }},
	{Name: "lerp", grad: gradNamed("LerpBackward0"), Where: everywhere,
		Signature: "input: Tensor, end: Tensor, weight: Operand",
		run: func(c *Context, a args) any {
			x, y := a.tensor(0), a.tensor(1)
			broadcastShapes(x.shape, y.shape, a.operand(2).shape) // refused in torch's order
			return add(c, x, applyBinary(c, "mul", a.operand(2), operand{sub(c, y, x), false}))
		}},
	{Name: "addcmul", grad: gradNamed("AddcmulBackward0"), Where: everywhere,
		Signature: "input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1",
		run: func(c *Context, a args) any {
			return add(c, a.tensor(0),
				applyBinary(c, "mul", operand{mul(c, a.tensor(1), a.tensor(2)), false}, numberOperand(a[3])))
		}},
	{Name: "addcdiv", grad: gradNamed("AddcdivBackward0"), Where: everywhere,
		Signature: "input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1",
		run: func(c *Context, a args) any {
			return add(c, a.tensor(0),
				applyBinary(c, "mul", operand{div(c, a.tensor(1), a.tensor(2)), false}, numberOperand(a[3])))
		}},
	{Name: "frexp", Where: everywhere, Signature: "input: Tensor", run: func(c *Context, a args) any {
		t := a.tensor(0)
		mantissa, exponent := c.alloc(t.dtype, t.shape...), c.alloc(num.Int32, t.shape...)
		values := t.Floats()
		powers := make([]int64, len(values))
		for i, v := range polled(c, values) {
			m, e := math.Frexp(v)
			values[i], powers[i] = m, int64(e)
		}
		mantissa.setFloats(values)
		exponent.setInts(powers)
		return Named{"frexp", []string{"mantissa", "exponent"}, []*Tensor{mantissa, exponent}}
	}},
	{Name: "float_power", Where: everywhere, Signature: "input: Operand, exponent: Operand",
		run: func(c *Context, a args) any {
			wide := func(o operand) operand { return operand{toDType(c, o.Tensor, num.Float64), false} }
			return applyBinary(c, "pow", wide(a.operand(0)), wide(a.operand(1)))
		}},
	{Name: "dist", Where: everywhere, Signature: "input: Tensor, other: Tensor, p: float = 2.0",
		run: func(c *Context, a args) any {
			return norm(c, sub(c, a.tensor(0), a.tensor(1)), a.float(2), nil, false)
		}},
	{Name: "nan_to_num", Where: everywhere,
		Signature: "input: Tensor, nan: float? = None, posinf: float? = None, neginf: float? = None",
		run:       func(c *Context, a args) any { return nanToNum(c, a) }},
}

func mustOperand(name string, v any) operand {
	o, ok := takeOperand(v)
	if !ok {
		typeError("%s(): expected a Tensor or a Number, not %s", name, pythonType(v))
	}
	return o.(operand)
}

// where is x where the condition holds and y elsewhere.
func where(c *Context, condition *Tensor, x, y operand) *Tensor {
	if condition.dtype != num.Int1 {
		runtimeError("where expected condition to be a boolean tensor, but got a tensor with dtype %s",
			legacyNames[condition.dtype])
	}
	d := resultType(x, y)
	out := c.alloc(d, broadcastShapes(condition.shape, x.shape, y.shape)...)
	inputs := []*Tensor{condition, x.Tensor, y.Tensor}
	as, choose := registers(d), num.Select(d.Info().Class)
	mapTyped(out, inputs, []num.DType{num.Int1, as, as}, func(dst num.Vec, in []num.Vec) {
		choose(dst, in[0], in[1], in[2])
		roundTo(d, dst.F32)
	})
	out.computed("where", inputs...)
	c.record(out, "where", []*Tensor{x.Tensor, y.Tensor}, func(g *Tensor) []*Tensor {
		// Each element's gradient goes to the operand that it came from.
		zero := operand{c.alloc(g.dtype), false}
		return []*Tensor{where(c, condition, operand{g, false}, zero), where(c, condition, zero, operand{g, false})}
	})
	out.save(condition)
	return out
}

// clamp bounds t from below and above; nil bounds are absent. The gradient passes where t lies
// within the bounds.
func clamp(c *Context, t *Tensor, low, high any) *Tensor {
	if low == nil && high == nil {
		runtimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
	}
	_, lowTensor := low.(*Tensor)
	_, highTensor := high.(*Tensor)
	if low != nil && high != nil && lowTensor != highTensor {
		typeError("clamp() received an invalid combination of arguments - got (Tensor, %s, %s)", pythonType(low),
			pythonType(high))
	}
	bounds := [2]operand{numberOperand(math.Inf(-1)), numberOperand(math.Inf(1))}
	operands := []operand{{t, false}}
	for i, b := range []any{low, high} {
		if b != nil {
			bounds[i] = mustOperand("clamp", b)
			operands = append(operands, bounds[i])
		}
	}
	d := resultType(operands...)
	arithmetic("clamp", d)
	if !d.Info().Float {
		return clampInts(c, t, d, low, high)
	}
	out := c.alloc(d, broadcastShapes(t.shape, bounds[0].shape, bounds[1].shape)...)
	inputs := []*Tensor{t, bounds[0].Tensor, bounds[1].Tensor}
	as, larger, less := registers(d), num.Binary(num.MaxNaN, d), num.Binary(num.MinNaN, d)
	mapTyped(out, inputs, []num.DType{as, as, as}, func(dst num.Vec, in []num.Vec) {
		larger(dst, in[0], in[1])
		less(dst, dst, in[2])
	})
	out.computed("clamp", inputs...)
	c.record(out, "clamp", inputs, func(g *Tensor) []*Tensor { return clampGradients(c, g, inputs) })
	out.save(inputs...)
	return out
}

// gradOfClamp is the graph's name for clamp: 0 between tensors, 1 between numbers.
func gradOfClamp(a args) string {
	if a.tensor(1) != nil || a.tensor(2) != nil {
		return "ClampBackward0"
	}
	return "ClampBackward1"
}

// clampGradients hands g to t, to the lower or to the upper bound, whichever the result came from.
func clampGradients(c *Context, g *Tensor, inputs []*Tensor) []*Tensor {
	pass := func(chosen func(v, low, high float64) bool) *Tensor {
		out := c.alloc(g.dtype, g.shape...)
		mapFloats(out, g.dtype, append([]*Tensor{g}, inputs...), func(dst []float64, in [][]float64) {
			for i, v := range in[0] {
				if dst[i] = 0; chosen(in[1][i], in[2][i], in[3][i]) {
					dst[i] = v
				}
			}
		})
		return out
	}
	return []*Tensor{
		// Where low exceeds high, the result is high: torch's rule, of which these three are the cases.
		pass(func(v, low, high float64) bool { return v >= low && v <= high }),
		pass(func(v, low, high float64) bool { return v < low && low < high }),
		pass(func(v, low, high float64) bool { return v > high || low >= high }),
	}
}

func clampInts(c *Context, t *Tensor, d num.DType, low, high any) *Tensor {
	x := operand{t, false}
	if low != nil {
		x = operand{applyBinary(c, "maximum", x, mustOperand("clamp", low)), false}
	}
	if high != nil {
		x = operand{applyBinary(c, "minimum", x, mustOperand("clamp", high)), false}
	}
	return toDType(c, x.Tensor, d)
}

// round goes to the nearest integer, ties to even, at a decimal place.
func round(c *Context, t *Tensor, decimals int) *Tensor {
	scale := math.Pow(10, float64(decimals))
	return computeUnary(c, &unaryOp{name: "round", ints: identity, floats: func(x float64) float64 {
		if decimals == 0 {
			return math.RoundToEven(x)
		}
		return math.RoundToEven(x*scale) / scale
	}}, t)
}

func bitwiseNot(c *Context, t *Tensor) *Tensor {
	if t.isFloat() {
		typeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
	}
	out, kernel := c.alloc(t.dtype, t.shape...), num.Unary(num.Not, t.dtype)
	mapTyped(out, []*Tensor{t}, []num.DType{t.dtype}, func(dst num.Vec, in []num.Vec) { kernel(dst, in[0]) })
	out.computed("bitwise_not", t)
	return out
}

func nanToNum(c *Context, a args) *Tensor {
	t := a.tensor(0)
	// By default infinities become the dtype's largest finite values.
	top := MaxFinite[t.dtype]
	values := [3]float64{0, top, -top}
	for i := range values {
		if a.has(i + 1) {
			values[i] = a.float(i + 1)
		}
	}
	replaced := func(x float64) float64 {
		switch {
		case x != x:
			return values[0]
		case math.IsInf(x, 1):
			return values[1]
		case math.IsInf(x, -1):
			return values[2]
		}
		return x
	}
	return computeUnary(c, &unaryOp{
		name:   "nan_to_num",
		ints:   identity,
		floats: replaced,
		saves:  savesInput,
		slope:  func(x, _ float64) float64 { return float64(truth(x-x == 0)) }, // x−x is 0 for finite x alone
	}, t)
}

// indexOps pick and place elements by index tensors.
var indexOps = []Op{
	{Name: "index_select", grad: gradNamed("IndexSelectBackward0"), Where: everywhere,
		Signature: "input: Tensor, dim: int, index: Tensor",
		run: func(c *Context, a args) any {
			return indexSelect(c, a.tensor(0), axis(a.int(1), len(a.tensor(0).shape)), a.tensor(2))
		}},
	{Name: "gather", Where: everywhere, Signature: "input: Tensor, dim: int, index: Tensor",
		run: func(c *Context, a args) any {
			return gatherAlong(c, a.tensor(0), axis(a.int(1), len(a.tensor(0).shape)), a.tensor(2))
		}},
	{Name: "take_along_dim", Where: everywhere, Signature: "input: Tensor, indices: Tensor, dim: int",
		run: func(c *Context, a args) any {
			return gatherAlong(c, a.tensor(0), axis(a.int(2), len(a.tensor(0).shape)), a.tensor(1))
		}},
	{Name: "scatter", Where: everywhere, Signature: "input: Tensor, dim: int, index: Tensor, src: any",
		run: func(c *Context, a args) any { return scatter(c, a.tensor(0), a.int(1), a.tensor(2), a[3], false) }},
	{Name: "scatter_add", Where: everywhere, Signature: "input: Tensor, dim: int, index: Tensor, src: Tensor",
		run: func(c *Context, a args) any { return scatter(c, a.tensor(0), a.int(1), a.tensor(2), a[3], true) }},
	{Name: "index_add", Where: everywhere, Signature: "input: Tensor, dim: int, index: Tensor, source: Tensor",
		run: func(c *Context, a args) any {
			t, d, src := a.tensor(0), axis(a.int(1), len(a.tensor(0).shape)), a.tensor(3)
			return scatter(c, t, d, alongIndex(c, a.tensor(2), d, src.shape), src, true)
		}},
	{Name: "take", Where: everywhere, Signature: "input: Tensor, index: Tensor", run: func(c *Context, a args) any {
		return getItem(c, reshape(c, a.tensor(0), []int{-1}), []any{a.tensor(1)})
	}},
	{Name: "masked_select", Where: everywhere, Signature: "input: Tensor, mask: Tensor",
		run: func(c *Context, a args) any {
			if a.tensor(1).dtype != num.Int1 {
				runtimeError("masked_select: expected BoolTensor for mask")
			}
			shape := broadcastShapes(a.tensor(0).shape, a.tensor(1).shape)
			return getItem(c, expand(c, a.tensor(0), shape), []any{expand(c, a.tensor(1), shape)})
		}},
	{Name: "nonzero", Where: everywhere, Signature: "input: Tensor, *, as_tuple: bool = False",
		run: func(c *Context, a args) any {
			columns := nonzeroAlong(c, a.tensor(0))
			if a.bool(1) {
				return columns
			}
			if len(columns) == 0 {
				return c.alloc(num.Int64, int(truth(a.tensor(0).Floats()[0] != 0)), 0)
			}
			for i, t := range columns {
				columns[i] = unsqueeze(c, t, 1)
			}
			if columns[0].numel() == 0 {
				return c.alloc(num.Int64, 0, len(columns))
			}
			return cat(c, columns, 1)
		}},
}

func indexSelect(c *Context, t *Tensor, d int, index *Tensor) *Tensor {
	if len(index.shape) > 1 {
		runtimeError("Index is supposed to be an empty tensor or a vector")
	}
	// t[:, …, :, index]
	items := make([]any, d+1)
	for i := range d {
		items[i] = Slice{}
	}
	items[d] = reshape(c, index, []int{-1})
	return getItem(c, t, items)
}

// along lists, for each element of index, its place in a tensor of shape: its own index, but with
// the element's value along dimension d.
func along(c *Context, shape []int, d int, index *Tensor) places {
	if index.isFloat() || index.dtype == num.Int1 {
		runtimeError("gather(): Expected dtype int32/int64 for index")
	}
	if len(index.shape) != len(shape) {
		runtimeError("Index tensor must have the same number of dimensions as input tensor")
	}
	for e, n := range index.shape {
		if e != d && n > shape[e] && index.numel() > 0 {
			runtimeError("Size does not match at dimension %d expected index %s to be no larger than self "+
				"%s apart from dimension %d",
				e, shapeText(index.shape), shapeText(shape), d)
		}
	}
	at := places{make([]int, index.numel()), 1}
	if len(shape) == 0 {
		return at
	}
	strides, walked, row := contiguous(shape).strides, make([]int, len(shape)), 0
	for i, v := range polled(c, index.Ints()) {
		if v < 0 || v >= int64(shape[d]) {
			runtimeError("index %d is out of bounds for dimension %d with size %d", v, d, shape[d])
		}
		at.starts[i] = row + int(v)*strides[d]
		// The next index in row-major order; row is its place but for dimension d.
		for e := len(walked) - 1; e >= 0; e-- {
			step := strides[e]
			if e == d {
				step = 0
			}
			row += step
			if walked[e]++; walked[e] < index.shape[e] {
				break
			}
			row -= step * walked[e]
			walked[e] = 0
		}
	}
	return at
}

func gatherAlong(c *Context, t *Tensor, d int, index *Tensor) *Tensor {
	return takeAt(c, t, along(c, t.shape, d, index), index.shape, "gather")
}

func scatter(c *Context, t *Tensor, d int, index *Tensor, src any, accumulate bool) *Tensor {
	d = axis(d, len(t.shape))
	if len(index.shape) != len(t.shape) {
		runtimeError("Index tensor must have the same number of dimensions as self tensor")
	}
	v := tensorValue(c, src, t.dtype)
	if len(v.shape) == 0 {
		v = expand(c, v, index.shape)
	}
	if len(v.shape) != len(index.shape) {
		runtimeError("Index tensor must have the same number of dimensions as src tensor")
	}
	for i, n := range index.shape {
		if n > v.shape[i] {
			runtimeError("Expected index %s to be no larger than src %s", shapeText(index.shape), shapeText(v.shape))
		}
		v = narrow(c, v, i, 0, n, 1) // what index does not reach of src is not used
	}
	return putAt(c, t, along(c, t.shape, d, index), v, accumulate)
}
