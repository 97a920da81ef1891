package tensor

// reduceOps are the operations that fold dimensions away.
var reduceOps = []Op{
	{Name: "sum", grad: gradByDim("Sum"), Where: everywhere,
		Signature: "input: Tensor, dim: ints? = None, keepdim: bool = False, *, dtype: dtype? = None",
		run: func(c *Context, a args) any {
			return a.inDType(c, 3, reduceSum(c, a.inDType(c, 3, a.tensor(0)), a.ints(1), a.bool(2)))
		}},
	{Name: "mean", grad: gradByDim("Mean"), Where: everywhere,
		Signature: "input: Tensor, dim: ints? = None, keepdim: bool = False, *, dtype: dtype? = None",
		run: func(c *Context, a args) any {
			return reduceMean(c, toDType(c, a.tensor(0), a.dtype(3, a.tensor(0).dtype)), a.ints(1), a.bool(2))
		}},
	{Name: "prod", grad: gradByDim("Prod"), Where: everywhere,
		Signature: "input: Tensor, dim: ints? = None, keepdim: bool = False, *, dtype: dtype? = None",
		run: func(c *Context, a args) any {
			return a.inDType(c, 3, reduceProd(c, a.inDType(c, 3, a.tensor(0)), a.ints(1), a.bool(2)))
		}},
	{Name: "amax", grad: gradNamed("AmaxBackward0"), Where: everywhere,
		Signature: "input: Tensor, dim: ints? = None, keepdim: bool = False",
		run:       func(c *Context, a args) any { return reduceExtreme(c, a.tensor(0), "amax", a.ints(1), a.bool(2)) }},
	{Name: "amin", grad: gradNamed("AminBackward0"), Where: everywhere,
		Signature: "input: Tensor, dim: ints? = None, keepdim: bool = False",
		run:       func(c *Context, a args) any { return reduceExtreme(c, a.tensor(0), "amin", a.ints(1), a.bool(2)) }},
	{Name: "max", grad: gradOfExtreme("Max"), Where: everywhere,
		Signature: "input: Tensor, dim: any = None, keepdim: bool = False",
		run:       maxOrMin("max", "amax", "maximum")},
	{Name: "min", grad: gradOfExtreme("Min"), Where: everywhere,
		Signature: "input: Tensor, dim: any = None, keepdim: bool = False",
		run:       maxOrMin("min", "amin", "minimum")},
	{Name: "argmax", Where: everywhere, Signature: "input: Tensor, dim: int? = None, keepdim: bool = False",
		run: func(c *Context, a args) any { return argExtremum(c, a.tensor(0), a[1], a.bool(2), true) }},
	{Name: "argmin", Where: everywhere, Signature: "input: Tensor, dim: int? = None, keepdim: bool = False",
		run: func(c *Context, a args) any { return argExtremum(c, a.tensor(0), a[1], a.bool(2), false) }},
	{Name: "all", Where: everywhere, Signature: "input: Tensor, dim: ints? = None, keepdim: bool = False",
		run: func(c *Context, a args) any { return anyOrAll(c, a.tensor(0), a.ints(1), a.bool(2), true) }},
	{Name: "any", Where: everywhere, Signature: "input: Tensor, dim: ints? = None, keepdim: bool = False",
		run: func(c *Context, a args) any { return anyOrAll(c, a.tensor(0), a.ints(1), a.bool(2), false) }},
	{Name: "count_nonzero", Where: everywhere, Signature: "input: Tensor, *dim: ints? = None",
		run: func(c *Context, a args) any {
			return reduceSum(c, applyBinary(c, "ne", a.operandOf(0), numberOperand(int64(0))), a.ints(1), false)
		}},
	{Name: "var", grad: gradNamed("VarBackward0"), Where: everywhere,
		Signature: "input: Tensor, dim: ints? = None, unbiased: bool = True, keepdim: bool = False, *, correction: Number? = None",
		run:       func(c *Context, a args) any { return variance(c, a.tensor(0), a.ints(1), correction(a), a.bool(3)) }},
	{Name: "std", grad: gradNamed("StdBackward0"), Where: everywhere,
		Signature: "input: Tensor, dim: ints? = None, unbiased: bool = True, keepdim: bool = False, *, correction: Number? = None",
		run: func(c *Context, a args) any {
			return applyUnary(c, "sqrt", variance(c, a.tensor(0), a.ints(1), correction(a), a.bool(3)))
		}},
	{Name: "norm", grad: gradNamed("LinalgVectorNormBackward0"), Where: everywhere,
		Signature: "input: Tensor, p: any = 2, dim: ints? = None, keepdim: bool = False",
		run: func(c *Context, a args) any {
			p, ok := takeNumber(a[1])
			if s, isName := a[1].(string); isName && s == "fro" || a[1] == nil {
				p, ok = 2.0, true
			}
			if !ok {
				typeError("norm(): argument 'p' must be Number, not %s", pythonType(a[1]))
			}
			if t := a.tensor(0); !t.isFloat() {
				runtimeError("linalg.vector_norm: Expected a floating point or complex tensor as input. Got %s",
					legacyNames[t.dtype])
			}
			return norm(c, a.tensor(0), toFloat(p), a.ints(2), a.bool(3))
		}},
	{Name: "logsumexp", grad: gradNamed("LogsumexpBackward0"), Where: everywhere,
		Signature: "input: Tensor, dim: ints, keepdim: bool = False",
		run:       func(c *Context, a args) any { return logSumExp(c, a.tensor(0), a.ints(1), a.bool(2)) }},
	{Name: "cumsum", Where: everywhere, Signature: "input: Tensor, dim: int, *, dtype: dtype? = None",
		run: func(c *Context, a args) any {
			return a.inDType(c, 2, cumsum(c, a.inDType(c, 2, a.tensor(0)), a.int(1)))
		}},
	{Name: "cumprod", Where: everywhere, Signature: "input: Tensor, dim: int, *, dtype: dtype? = None",
		run: func(c *Context, a args) any {
			return a.inDType(c, 2, scanAlong(c, a.inDType(c, 2, a.tensor(0)), a.int(1), "cumprod",
				func(x, y float64) float64 { return x * y }, func(x, y int64) int64 { return x * y }))
		}},
}

// inDType is t in the dtype that argument i names, if it is given. A reduction's result has it as its input does:
// 64-bit sums of integers wrap to what sums of fewer bits are.
func (a args) inDType(c *Context, i int, t *Tensor) *Tensor {
	return toDType(c, t, a.dtype(i, t.dtype))
}

func (a args) operandOf(i int) operand { return operand{a.tensor(i), false} }

func correction(a args) float64 {
	if a.has(4) {
		return a.float(4)
	}
	return float64(truth(a.bool(2)))
}
