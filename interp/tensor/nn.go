package tensor

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
)

var nan = math.NaN()

// nnOps are torch.nn.functional's and their namesakes under torch.
func nnOps() []Op {
	return []Op{
		{Name: "softmax", Where: everywhere | InFunctional,
			Signature: "input: Tensor, dim: int, *, dtype: dtype? = None",
			run: func(c *Context, a args) any {
				return softmax(c, toDType(c, a.tensor(0), a.dtype(2, a.tensor(0).dtype)), a.int(1))
			}},
		{Name: "log_softmax", grad: gradNamed("LogSoftmaxBackward0"), Where: everywhere | InFunctional,
			Signature: "input: Tensor, dim: int, *, dtype: dtype? = None",
			run: func(c *Context, a args) any {
				return logSoftmax(c, toDType(c, a.tensor(0), a.dtype(2, a.tensor(0).dtype)), a.int(1))
			}},
		{Name: "gelu", Where: InFunctional, Signature: "input: Tensor, *, approximate: str = 'none'",
			run: func(c *Context, a args) any {
				needFloat(word(a.tensor(0).Device() == CUDA, "GeluCUDAKernelImpl", "GeluKernelImpl"), a.tensor(0))
				if a.str(1) == "tanh" {
					return computeUnary(c, geluTanh, a.tensor(0))
				}
				return computeUnary(c, gelu, a.tensor(0))
			}},
		{Name: "mse_loss", grad: gradNamed("MseLossBackward0"), Where: InFunctional,
			Signature: "input: Tensor, target: Tensor, *, reduction: str = 'mean'",
			run: func(c *Context, a args) any {
				return reduceLoss(c, applyUnary(c, "square", sub(c, a.tensor(0), a.tensor(1))), a.str(2))
			}},
		{Name: "l1_loss", Where: InFunctional, Signature: "input: Tensor, target: Tensor, *, reduction: str = 'mean'",
			run: func(c *Context, a args) any {
				return reduceLoss(c, applyUnary(c, "abs", sub(c, a.tensor(0), a.tensor(1))), a.str(2))
			}},
		{Name: "layer_norm", grad: gradNamed("NativeLayerNormBackward0"), Where: InFunctional,
			Signature: "input: Tensor, normalized_shape: ints, weight: Tensor? = None, bias: Tensor? = None, eps: float = 1e-05",
			run: func(c *Context, a args) any {
				t := a.tensor(0)
				checkNormalized(t, a.ints(1), a.tensor(2), ", ")
				return normalize(c, t, lastDims(len(a.ints(1))), a.tensor(2), a.tensor(3), a.float(4), true)
			}},
		{Name: "rms_norm", grad: func(a args) string {
			switch t := a.tensor(0); {
			case t.storage.cuda:
				return "FusedRmsNormBackward0"
			case promote(t.dtype, num.Float32) != t.dtype:
				return "ToCopyBackward0"
			}
			return "MulBackward0"
		},
			Where: InFunctional, Signature: "input: Tensor, normalized_shape: ints, weight: Tensor? = None, eps: float? = None",
			run: func(c *Context, a args) any {
				t, epsilon := a.tensor(0), 0x1p-23 // that of what it is computed in
				switch {
				case a.has(3):
					epsilon = a.float(3)
				case t.dtype == num.Float64:
					epsilon = 0x1p-52
				}
				checkNormalized(t, a.ints(1), a.tensor(2), "")
				return normalize(c, t, lastDims(len(a.ints(1))), a.tensor(2), nil, epsilon, false)
			}},
		{Name: "normalize", Where: InFunctional,
			Signature: "input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12",
			run: func(c *Context, a args) any {
				t := a.tensor(0)
				return div(c, t, clamp(c, norm(c, t, a.float(1), []int{a.int(2)}, true), a.float(3), nil))
			}},
		{Name: "one_hot", Where: InFunctional, Signature: "input: Tensor, num_classes: int = -1",
			run: func(c *Context, a args) any { return oneHot(c, a.tensor(0), a.int(1)) }},
		{Name: "embedding", Where: InFunctional, grad: gradNamed("EmbeddingBackward0"),
			Signature: "input: Tensor, weight: Tensor, padding_idx: int? = None, max_norm: float? = None, norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False",
			run:       func(c *Context, a args) any { return embedding(c, a.tensor(0), a.tensor(1)) }},
		{Name: "dropout", Where: InFunctional,
			Signature: "input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False",
			run: func(c *Context, a args) any {
				checkDropout(a.float(1))
				if t := a.tensor(0); a.bool(2) {
					return inPlaceIf(c, a.bool(3), t, dropout(c, t, 1-a.float(1)))
				}
				return a.tensor(0)
			}},
		{Name: "scaled_dot_product_attention", Where: InFunctional,
			Signature: "query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor? = None, dropout_p: float = 0.0, is_causal: bool = False, *, scale: float? = None, enable_gqa: bool = False",
			run:       func(c *Context, a args) any { return attention(c, a) }},
	}
}

// dropout keeps each element with a probability and scales what it keeps. The gradient passes where the result does.
func dropout(c *Context, t *Tensor, keep float64) *Tensor {
	needFloat("dropout", t)
	switch keep { // torch draws nothing then
	case 0:
		return applyBinaryNumber(c, "mul", t, 0)
	case 1:
		return t
	}
	name, d := "mul", t.dtype
	if t.storage.cuda { // one kernel, which multiplies in float32
		name, d = "native_dropout", promote(d, num.Float32)
	}
	// On a GPU, a thread takes the 16 bytes of t that it loads at once, in memory's order, if t has no gaps.
	order, atOnce := contiguous(t.shape), 1
	if memory := t.inMemoryOrder(); memory.isContiguous() {
		order, atOnce = layout{t.shape, t.strides, 0}, 16/t.dtype.Info().Bytes
	}
	drawn := c.alloc(d, t.shape...)
	c.stream(nil).fillFactors(drawn, atOnce, keep)
	factors := drawn.asStrided(order)
	out := toDType(c, mul(c, t.detach(), factors), t.dtype)
	return c.record(out, name, []*Tensor{t}, func(g *Tensor) []*Tensor { return []*Tensor{mul(c, g, factors)} })
}

var gelu = &unaryOp{name: "gelu", saves: savesInput,
	floats: func(x float64) float64 { return 0.5 * x * math.Erfc(-x/math.Sqrt2) }, single: singleGelu,
	slope: func(x, _ float64) float64 {
		return 0.5*math.Erfc(-x/math.Sqrt2) + x*math.Exp(-x*x/2)/math.Sqrt(2*math.Pi)
	}}

var geluTanh = &unaryOp{name: "gelu", traced: "gelu_tanh", saves: savesInput,
	floats: func(x float64) float64 { return 0.5 * x * (1 + math.Tanh(geluInner(x))) },
	single: func(dst, x []float64) { // torch's steps, as in singleGelu
		var inner [chunk]float64
		for i, v := range x {
			v := float32(v)
			cube := float32(float32(v*v) * v)
			inner[i] = float64((math.Sqrt2 / math.SqrtPi) * float32(v+float32(0.044715*cube)))
		}
		singleTanh(dst, inner[:len(x)])
		for i, v := range x {
			dst[i] = float64(float32(0.5*v)) * float64(1+float32(dst[i]))
		}
	},
	slope: func(x, _ float64) float64 {
		t := math.Tanh(geluInner(x))
		return 0.5*(1+t) + 0.5*x*(1-t*t)*math.Sqrt(2/math.Pi)*(1+3*0.044715*x*x)
	}}

func geluInner(x float64) float64 { return math.Sqrt(2/math.Pi) * (x + 0.044715*x*x*x) }

func lastDims(n int) []int {
	dims := make([]int, n)
	for i := range dims {
		dims[i] = i - n
	}
	return dims
}

func linear(c *Context, t, weight, bias *Tensor) *Tensor {
	if weight != nil {
		t = mul(c, t, weight)
	}
	if bias != nil {
		t = add(c, t, bias)
	}
	return t
}

// reduceLoss applies a loss's reduction.
func reduceLoss(c *Context, t *Tensor, how string) *Tensor {
	switch how {
	case "mean":
		return reduceMean(c, t, nil, false)
	case "sum":
		return reduceSum(c, t, nil, false)
	case "none":
		return t
	}
	valueError("%s is not a valid value for reduction", how)
	return nil
}

// softmax is exp(x − max) over its sum, along one dimension.
func softmax(c *Context, t *Tensor, d int) *Tensor {
	needFloat(word(t.Device() == CUDA, "host_softmax", "softmax_lastdim_kernel_impl"), t)
	dims, out := softmaxDims(t, d), c.alloc(t.dtype, t.shape...)
	if registers(t.dtype) == num.Float32 {
		mapRuns(out, dims, []*Tensor{t}, source.singles, softmaxRun)
	} else {
		mapRuns(out, dims, []*Tensor{t}, source.floats, softmaxRun)
	}
	out.computedOver("softmax", []int{axis(d, max(1, len(t.shape)))}, nil, t)
	c.record(out, "softmax", []*Tensor{t}, func(g *Tensor) []*Tensor {
		return []*Tensor{softmaxGradient(c, g, out, dims, func(dx, g, y []float64) {
			along := 0.0
			for i, v := range g {
				along += float64(v * y[i])
			}
			for i, v := range g {
				dx[i] = y[i] * (v - along)
			}
		})}
	})
	out.save(out)
	return out
}

// logSoftmax is the logarithm of softmax.
func logSoftmax(c *Context, t *Tensor, d int) *Tensor {
	needFloat(word(t.Device() == CUDA, "host_softmax", "log_softmax_lastdim_kernel_impl"), t)
	dims, out, exp := softmaxDims(t, d), c.alloc(t.dtype, t.shape...), num.ExpAbove[float64]
	if registers(t.dtype) == num.Float32 {
		exp = func(dst, y []float64, _ float64) { num.ExpForFloat32(dst, y) }
		mapRuns(out, dims, []*Tensor{t}, source.singles, logSoftmaxRun)
	} else {
		mapRuns(out, dims, []*Tensor{t}, source.floats, logSoftmaxRun)
	}
	out.computedOver("log_softmax", []int{axis(d, max(1, len(t.shape)))}, nil, t)
	c.record(out, "log_softmax", []*Tensor{t}, func(g *Tensor) []*Tensor {
		return []*Tensor{softmaxGradient(c, g, out, dims, func(dx, g, y []float64) {
			along := sumFloats(0, g)
			exp(dx, y, 0)
			for i, v := range g {
				dx[i] = v - float64(dx[i]*along)
			}
		})}
	})
	out.save(out)
	return out
}

func softmaxRun[F float32 | float64](dst []float64, in [][]F) {
	num.ExpAbove(dst, in[0], float64(num.Extreme(in[0], true)))
	num.MulNumber(dst, dst, 1/num.Sum(dst))
}

func logSoftmaxRun[F float32 | float64](dst []float64, in [][]F) {
	top := float64(num.Extreme(in[0], true))
	num.ExpAbove(dst, in[0], top)
	sum := num.Sum(dst)
	num.AddNumber(dst, in[0], -top)
	num.AddNumber(dst, dst, -math.Log(sum))
}

// softmaxGradient is what f makes of each run of the gradient of y, softmax or its logarithm.
func softmaxGradient(c *Context, g, y *Tensor, dims []int, f func(dx, g, y []float64)) *Tensor {
	out := c.alloc(y.dtype, y.shape...)
	mapRuns(out, dims, []*Tensor{g, y}, source.floats, func(dst []float64, in [][]float64) { f(dst, in[0], in[1]) })
	return out
}

func softmaxDims(t *Tensor, d int) []int {
	d = axis(d, len(t.shape))
	if len(t.shape) == 0 {
		return nil
	}
	return []int{d}
}

// checkNormalized refuses a shape that is not that of the last dimensions of t, and a weight of another shape. In the
// message, what stands between the other dimensions and these is the operation's own.
func checkNormalized(t *Tensor, shape []int, weight *Tensor, comma string) {
	if n := len(t.shape) - len(shape); n < 0 || !equalShapes(t.shape[n:], shape) {
		runtimeError("Given normalized_shape=%s, expected input with shape [*%s%s, but got input of size%s",
			shapeText(shape), comma, shapeText(shape)[1:], shapeText(t.shape))
	}
	if weight != nil && !equalShapes(weight.shape, shape) {
		runtimeError("Expected weight to be of same shape as normalized_shape, "+
			"but got weight of shape %s and normalized_shape = %s",
			shapeText(weight.shape), shapeText(shape))
	}
}

// embedding takes the rows of weight that index names.
func embedding(c *Context, index, weight *Tensor) *Tensor {
	if index.dtype != num.Int64 && index.dtype != num.Int32 {
		runtimeError("Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; "+
			"but got %s instead (while checking arguments for embedding)", index.legacyType())
	}
	if len(weight.shape) != 2 {
		runtimeError("'weight' must be 2-D")
	}
	for _, v := range polled(c, index.Ints()) {
		if v < 0 || v >= int64(weight.shape[0]) {
			indexError("index out of range in self")
		}
	}
	return getItem(c, weight, []any{index})
}

func oneHot(c *Context, t *Tensor, classes int) *Tensor {
	if t.dtype != num.Int64 {
		runtimeError("one_hot is only applicable to index tensor of type LongTensor.")
	}
	values := t.Ints()
	if classes < 0 {
		for _, v := range values {
			classes = max(classes, int(min(v, 1<<40))+1) // as many as the largest value asks for
		}
	}
	out := c.alloc(num.Int64, append(t.Shape(), max(classes, 0))...)
	data := out.storage.write()
	for i, v := range polled(c, values) {
		if v < 0 || v >= int64(classes) {
			runtimeError("Class values must be smaller than num_classes.")
		}
		order.PutUint64(data[8*(i*classes+int(v)):], 1)
	}
	return out
}

func attention(c *Context, a args) *Tensor {
	q, k, v := a.tensor(0), a.tensor(1), a.tensor(2)
	if len(q.shape) < 2 || len(k.shape) < 2 || len(v.shape) < 2 {
		runtimeError("scaled_dot_product_attention: query, key and value must have at least 2 dimensions")
	}
	if a.bool(7) { // several heads of queries share one of keys and values
		repeated := func(t *Tensor) *Tensor {
			if len(q.shape) < 3 || len(t.shape) < 3 || t.size(-3) == 0 || q.size(-3)%t.size(-3) != 0 {
				runtimeError("Number of heads in key and value must divide the number of heads in query")
			}
			return repeatInterleave(c, t, int64(q.size(-3)/t.size(-3)), len(t.shape)-3)
		}
		k, v = repeated(k), repeated(v)
	}
	scale := 1 / math.Sqrt(float64(q.size(-1)))
	if a.has(6) {
		scale = a.float(6)
	}
	scores := applyBinaryNumber(c, "mul", matmul(c, q, transpose(c, k, -1, -2)), scale)
	hidden := operand{full(c, nil, math.Inf(-1), scores.dtype), false}
	if a.bool(5) {
		// A query sees the keys up to its own position.
		seen := triangular(c, full(c, scores.shape[len(scores.shape)-2:], int64(1), num.Int1), "tril",
			func(i, j int) bool { return j <= i })
		scores = where(c, seen, operand{scores, false}, hidden)
	}
	if mask := a.tensor(3); mask != nil && mask.dtype == num.Int1 {
		scores = where(c, mask, operand{scores, false}, hidden)
	} else if mask != nil {
		scores = add(c, scores, mask)
	}
	checkDropout(a.float(4))
	return matmul(c, dropout(c, softmax(c, scores, -1), 1-a.float(4)), v)
}
