package tensor

import (
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// lossOps are the losses of torch.nn.functional.
func lossOps() []Op {
	return []Op{
		{Name: "cross_entropy", grad: gradOfClasses, Where: InFunctional,
			Signature: "input: Tensor, target: Tensor, weight: Tensor? = None, size_average: bool? = None, ignore_index: int = -100, reduce: bool? = None, reduction: str = 'mean', label_smoothing: float = 0.0",
			run: func(c *Context, a args) any {
				t, d := a.tensor(0), classDim(a.tensor(0))
				logs := logSoftmax(c, t, d)
				if a.tensor(1).isFloat() {
					return crossEntropyOfProbabilities(c, logs, a.tensor(1), a.tensor(2), a.float(7), a.str(6))
				}
				return negativeLikelihood(c, logs, a.tensor(1), a.tensor(2), a.int(4), a.float(7), a.str(6))
			}},
		{Name: "nll_loss", grad: gradOfClasses, Where: InFunctional,
			Signature: "input: Tensor, target: Tensor, weight: Tensor? = None, size_average: bool? = None, ignore_index: int = -100, reduce: bool? = None, reduction: str = 'mean'",
			run: func(c *Context, a args) any {
				return negativeLikelihood(c, a.tensor(0), a.tensor(1), a.tensor(2), a.int(4), 0, a.str(6))
			}},
		{Name: "kl_div", Where: InFunctional,
			Signature: "input: Tensor, target: Tensor, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean', log_target: bool = False",
			run: func(c *Context, a args) any {
				x, y := a.tensor(0), a.tensor(1)
				var loss *Tensor
				if a.bool(5) {
					loss = mul(c, applyUnary(c, "exp", y), sub(c, y, x))
				} else { // y·(log y − x), which is 0 where y is
					loss = sub(c, applyBinary(c, "xlogy", operand{y, false}, operand{y, false}), mul(c, y, x))
				}
				if a.str(4) == "batchmean" {
					return applyBinaryNumber(c, "div", reduceSum(c, loss, nil, false), float64(x.shape[0]))
				}
				return reduceLoss(c, loss, a.str(4))
			}},
		{Name: "smooth_l1_loss", grad: gradNamed("SmoothL1LossBackward0"), Where: InFunctional,
			Signature: "input: Tensor, target: Tensor, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean', beta: float = 1.0",
			run: func(c *Context, a args) any {
				beta := a.float(5)
				return reduceLoss(c, ofDistance(c, a, "smooth_l1", func(d float64) float64 {
					return choose(d < beta, 0.5*d*d/beta, d-0.5*beta)
				}, func(d float64) float64 { return choose(d < beta, d/beta, 1) }), a.str(4))
			}},
		{Name: "huber_loss", grad: gradNamed("HuberLossBackward0"), Where: InFunctional,
			Signature: "input: Tensor, target: Tensor, reduction: str = 'mean', delta: float = 1.0",
			run: func(c *Context, a args) any {
				delta := a.float(3)
				return reduceLoss(c, ofDistance(c, a, "huber", func(d float64) float64 {
					return choose(d < delta, 0.5*d*d, delta*(d-0.5*delta))
				}, func(d float64) float64 { return choose(d < delta, d, delta) }), a.str(2))
			}},
		{Name: "binary_cross_entropy", grad: gradNamed("BinaryCrossEntropyBackward0"), Where: InFunctional,
			Signature: "input: Tensor, target: Tensor, weight: Tensor? = None, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean'",
			run: func(c *Context, a args) any {
				x, y := a.tensor(0), a.tensor(1)
				low := func(t *Tensor) *Tensor { return clamp(c, applyUnary(c, "log", t), -100.0, nil) } // torch's bound
				one := numberOperand(1.0)
				rest := mul(c, applyBinary(c, "sub", one, operand{y, false}), low(applyBinary(c, "sub", one, operand{x, false})))
				loss := applyUnary(c, "neg", add(c, mul(c, y, low(x)), rest))
				if a.has(2) {
					loss = mul(c, loss, a.tensor(2))
				}
				return reduceLoss(c, loss, a.str(5))
			}},
		{Name: "binary_cross_entropy_with_logits", grad: gradNamed("BinaryCrossEntropyWithLogitsBackward0"), Where: InFunctional,
			Signature: "input: Tensor, target: Tensor, weight: Tensor? = None, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean', pos_weight: Tensor? = None",
			run: func(c *Context, a args) any {
				x, y := a.tensor(0), a.tensor(1)
				log := computeUnary(c, logSigmoid, x)
				// (1−y)·x − w·log σ(x), where w is 1 + (pos_weight − 1)·y
				factor := operand{full(c, nil, 1.0, x.dtype), false}
				missing := mul(c, applyBinary(c, "sub", numberOperand(1.0), operand{y, false}), x)
				if a.has(6) {
					w := applyBinaryNumber(c, "sub", a.tensor(6), 1)
					factor = operand{applyBinaryNumber(c, "add", mul(c, w, y), 1), false}
				}
				loss := sub(c, missing, applyBinary(c, "mul", factor, operand{log, false}))
				if a.has(2) {
					loss = mul(c, loss, a.tensor(2))
				}
				return reduceLoss(c, loss, a.str(5))
			}},
		{Name: "cosine_similarity", Where: InTorch | InFunctional,
			Signature: "x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-08",
			run: func(c *Context, a args) any {
				unit := func(t *Tensor) *Tensor {
					return div(c, t, clamp(c, norm(c, t, 2, []int{a.int(2)}, true), a.float(3), nil))
				}
				return reduceSum(c, mul(c, unit(a.tensor(0)), unit(a.tensor(1))), []int{a.int(2)}, false)
			}},
		{Name: "margin_ranking_loss", Where: InFunctional,
			Signature: "input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean'",
			run: func(c *Context, a args) any {
				ahead := mul(c, applyUnary(c, "neg", a.tensor(2)), sub(c, a.tensor(0), a.tensor(1)))
				return reduceLoss(c, above(c, ahead, a.float(3)), a.str(6))
			}},
		{Name: "hinge_embedding_loss", Where: InFunctional,
			Signature: "input: Tensor, target: Tensor, margin: float = 1, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean'",
			run: func(c *Context, a args) any {
				x := a.tensor(0)
				return reduceLoss(c, bySign(c, "ne", a.tensor(1), x, above(c, applyUnary(c, "neg", x), a.float(2))), a.str(5))
			}},
		{Name: "cosine_embedding_loss", Where: InFunctional,
			Signature: "input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean'",
			run: func(c *Context, a args) any {
				x, y := a.tensor(0), a.tensor(1)
				along := func(x, y *Tensor) *Tensor { return reduceSum(c, mul(c, x, y), []int{-1}, false) }
				size := func(x *Tensor) *Tensor { return applyBinaryNumber(c, "add", along(x, x), 1e-12) } // torch's bound
				cos := div(c, along(x, y), applyUnary(c, "sqrt", mul(c, size(x), size(y))))
				far := applyBinary(c, "sub", numberOperand(1.0), operand{cos, false})
				return reduceLoss(c, bySign(c, "eq", a.tensor(2), far, above(c, cos, -a.float(3))), a.str(6))
			}},
		{Name: "triplet_margin_loss", Where: InFunctional | InTorch,
			Signature: "anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2.0, eps: float = 1e-06, swap: bool = False, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean'",
			run: func(c *Context, a args) any {
				distance := func(x, y *Tensor) *Tensor {
					return norm(c, applyBinaryNumber(c, "add", sub(c, x, y), a.float(5)), a.float(4), []int{-1}, false)
				}
				near, far := distance(a.tensor(0), a.tensor(1)), distance(a.tensor(0), a.tensor(2))
				if a.bool(6) {
					other := operand{distance(a.tensor(1), a.tensor(2)), false}
					far = applyBinary(c, "minimum", operand{far, false}, other)
				}
				return reduceLoss(c, above(c, sub(c, near, far), a.float(3)), a.str(9))
			}},
		{Name: "soft_margin_loss", grad: gradNamed("SoftMarginLossBackward0"), Where: InFunctional,
			Signature: "input: Tensor, target: Tensor, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean'",
			run: func(c *Context, a args) any {
				behind := mul(c, applyUnary(c, "neg", a.tensor(1)), a.tensor(0))
				return reduceLoss(c, applyUnary(c, "log1p", applyUnary(c, "exp", behind)), a.str(4))
			}},
		{Name: "gaussian_nll_loss", Where: InFunctional,
			Signature: "input: Tensor, target: Tensor, var: Tensor, full: bool = False, eps: float = 1e-06, reduction: str = 'mean'",
			run: func(c *Context, a args) any {
				spread := a.tensor(2)
				if reduceSum(c, applyBinary(c, "lt", operand{spread, false}, numberOperand(0.0)), nil, false).item() != int64(0) {
					valueError("var has negative entry/entries")
				}
				// Where it is bounded, the gradient passes on as if it were not.
				bounded := add(c, spread, sub(c, clamp(c, spread, a.float(4), nil), spread).detach())
				distance := applyUnary(c, "square", sub(c, a.tensor(0), a.tensor(1)))
				loss := applyBinaryNumber(c, "mul", add(c, applyUnary(c, "log", bounded), div(c, distance, bounded)), 0.5)
				if a.bool(3) {
					loss = applyBinaryNumber(c, "add", loss, 0.5*math.Log(2*math.Pi))
				}
				return reduceLoss(c, loss, a.str(5))
			}},
		{Name: "pairwise_distance", Where: InTorch | InFunctional,
			Signature: "x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-06, keepdim: bool = False",
			run: func(c *Context, a args) any {
				gap := applyBinaryNumber(c, "add", sub(c, a.tensor(0), a.tensor(1)), a.float(3))
				return norm(c, gap, a.float(2), []int{-1}, a.bool(4))
			}},
	}
}

// above is how far t plus a margin is above 0.
func above(c *Context, t *Tensor, margin float64) *Tensor {
	return clamp(c, applyBinaryNumber(c, "add", t, margin), 0.0, nil)
}

// bySign is x for targets of 1 and y for those of -1. For other targets it is 0 with "eq", and their sum with "ne".
func bySign(c *Context, how string, target, x, y *Tensor) *Tensor {
	signs := [2]int64{1, -1}
	if how == "ne" { // x is left out where the target is -1
		signs = [2]int64{-1, 1}
	}
	part := func(t *Tensor, sign int64) *Tensor {
		chosen := applyBinary(c, how, operand{target, false}, numberOperand(sign))
		return where(c, chosen, operand{t, false}, numberOperand(0.0))
	}
	return add(c, part(x, signs[0]), part(y, signs[1]))
}

var logSigmoid = &unaryOp{name: "log_sigmoid", saves: savesInput,
	floats: func(x float64) float64 { return -softplus(-x) },
	slope:  func(x, _ float64) float64 { return sigmoid(-x) }}

// classDim is the dimension of the classes: 1, or 0 where there is no batch.
func classDim(t *Tensor) int {
	if len(t.shape) == 0 {
		runtimeError("input tensor should be 1D, 2D, or more")
	}
	return min(1, len(t.shape)-1)
}

func gradOfClasses(a args) string {
	if len(a.tensor(0).shape) > 2 {
		return "NllLoss2DBackward0"
	}
	return "NllLossBackward0"
}

// ofDistance is f(|input − target|), elementwise, with its slope.
func ofDistance(c *Context, a args, name string, f, slope func(d float64) float64) *Tensor {
	return computeUnary(c, &unaryOp{
		name:   name,
		saves:  savesInput,
		floats: func(x float64) float64 { return f(math.Abs(x)) },
		slope:  func(x, _ float64) float64 { return sign(x) * slope(math.Abs(x)) },
	}, sub(c, a.tensor(0), a.tensor(1)))
}

// negativeLikelihood is −log p of the target's class, weighed by class; targets of class ignore have no part in it.
// Smoothing spreads its part of the weight over all classes.
func negativeLikelihood(c *Context, logs, target, weight *Tensor, ignore int, smoothing float64, how string) *Tensor {
	d := classDim(logs)
	classes := logs.shape[d]
	// One row of classes a target, whatever the other dimensions are.
	rows := reshape(c, movedim(c, logs, []int{d}, []int{-1}), []int{-1, classes})
	if want := rows.shape[0]; target.numel() != want {
		valueError("Expected input batch_size (%d) to match target batch_size (%d).", want, target.numel())
	}
	if target.isFloat() {
		runtimeError("expected scalar type Long but found %s", legacyNames[target.dtype])
	}
	wanted := target.Ints()
	counts, ignored := make([]float64, len(wanted)), false
	for i, v := range polled(c, wanted) {
		switch {
		case v == int64(ignore):
			wanted[i], ignored = 0, true
		case v < 0 || v >= int64(classes):
			indexError("Target %d is out of bounds.", v)
		default:
			counts[i] = 1
		}
	}
	index := fromInts(c, wanted)
	loss := applyUnary(c, "neg", squeeze(c, gatherAlong(c, rows, 1, unsqueeze(c, index, 1)), []int{1}, false))
	share := c.alloc(logs.dtype, len(counts)) // of each target in the mean
	share.setFloats(counts)
	if weight != nil {
		share = mul(c, share, getItem(c, weight, []any{index}).detach())
	}
	if ignored || weight != nil {
		loss = mul(c, loss, share)
	}
	// The smoothed part is the mean over all classes; ignored targets have no part in it either.
	if smoothing != 0 {
		all := applyUnary(c, "neg", rows)
		if weight != nil {
			all = mul(c, all, weight)
		}
		valid := c.alloc(logs.dtype, len(counts))
		valid.setFloats(counts)
		even := mul(c, reduceSum(c, all, []int{1}, false), valid)
		loss = add(c, applyBinaryNumber(c, "mul", loss, 1-smoothing),
			applyBinaryNumber(c, "mul", even, smoothing/float64(classes)))
	}
	// The mean of weighted targets is by their weights.
	if how == "mean" && (ignored || weight != nil) {
		return div(c, reduceSum(c, loss, nil, false), reduceSum(c, share, nil, false))
	}
	if how == "none" {
		return reshape(c, loss, target.shape)
	}
	return reduceLoss(c, loss, how)
}

// crossEntropyOfProbabilities takes a distribution over the classes for each target.
func crossEntropyOfProbabilities(c *Context, logs, target, weight *Tensor, smoothing float64, how string) *Tensor {
	d := classDim(logs)
	if smoothing != 0 {
		even := smoothing / float64(logs.shape[d])
		target = applyBinaryNumber(c, "add", applyBinaryNumber(c, "mul", target, 1-smoothing), even)
	}
	loss := mul(c, logs, target)
	if weight != nil {
		shape := make([]int, len(logs.shape))
		for i := range shape {
			shape[i] = 1
		}
		shape[d] = weight.numel()
		loss = mul(c, loss, reshape(c, weight, shape))
	}
	loss = applyUnary(c, "neg", reduceSum(c, loss, []int{d}, false))
	if how == "mean" {
		return applyBinaryNumber(c, "div", reduceSum(c, loss, nil, false), float64(loss.numel()))
	}
	return reduceLoss(c, loss, how)
}

// normOps normalize.
func normOps() []Op {
	return []Op{
		{Name: "batch_norm", grad: gradNamed("NativeBatchNormBackward0"), Where: InFunctional,
			Signature: "input: Tensor, running_mean: Tensor?, running_var: Tensor?, weight: Tensor? = None, bias: Tensor? = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-05",
			run:       func(c *Context, a args) any { return batchNorm(c, a) }},
		{Name: "group_norm", grad: gradNamed("NativeGroupNormBackward0"), Where: InFunctional,
			Signature: "input: Tensor, num_groups: int, weight: Tensor? = None, bias: Tensor? = None, eps: float = 1e-05",
			run: func(c *Context, a args) any {
				t, groups := a.tensor(0), a.int(1)
				if len(t.shape) < 2 || groups <= 0 || t.shape[1]%groups != 0 {
					runtimeError("Expected number of channels in input to be divisible by num_groups, but got input of shape %s and num_groups=%d",
						shapeText(t.shape), groups)
				}
				rows := reshape(c, t, []int{t.shape[0], groups, -1})
				out := reshape(c, normalize(c, rows, []int{-1}, nil, nil, a.float(4), true), t.shape)
				return linear(c, out, perChannel(c, a.tensor(2), len(t.shape)), perChannel(c, a.tensor(3), len(t.shape)))
			}},
		{Name: "instance_norm", Where: InFunctional,
			Signature: "input: Tensor, running_mean: Tensor? = None, running_var: Tensor? = None, weight: Tensor? = None, bias: Tensor? = None, use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-05",
			run: func(c *Context, a args) any {
				t := a.tensor(0)
				if len(t.shape) < 3 {
					valueError("expected at least 3D input (got %dD input)", len(t.shape))
				}
				return normalize(c, t, lastDims(len(t.shape)-2), perChannel(c, a.tensor(3), len(t.shape)),
					perChannel(c, a.tensor(4), len(t.shape)), a.float(7), true)
			}},
	}
}

// normalize divides by the root of the mean square along dims, of t or, if it is to be centered, of its distance from
// the mean, and scales and shifts by weight and bias, which broadcast to t. Half precision is computed in float32 and
// rounded once, forward and backward, as in torch's kernels.
func normalize(c *Context, t *Tensor, dims []int, weight, bias *Tensor, epsilon float64, centered bool) *Tensor {
	dims = reduceDims(t, dims)
	single := num.RoundToFloat32
	if t.dtype == num.Float64 {
		single = func(dst, x []float64) {}
	}
	// scaled is a run in units of its deviation, and one of them.
	scaled := func(dst, x []float64) (scale float64) {
		mean, n := 0.0, float64(len(x))
		if centered {
			mean = sumFloats(0, x) / n
		}
		num.AddNumber(dst, x, -mean)
		scale = 1 / math.Sqrt(sumSquares(0, dst)/n+epsilon)
		num.MulNumber(dst, dst, scale)
		return scale
	}
	out, inputs := c.alloc(t.dtype, t.shape...), []*Tensor{t}
	for _, factor := range []*Tensor{weight, bias} {
		if factor != nil {
			t.checkHolds(factor.shape)
			inputs = append(inputs, factor)
		}
	}
	mapRuns(out, dims, inputs, source.floats, func(dst []float64, in [][]float64) {
		scaled(dst, in[0])
		v := num.Vec{F64: dst}
		if weight != nil {
			single(dst, dst)
			num.Binary(num.Mul, num.Float64)(v, v, num.Vec{F64: in[1]})
		}
		if bias != nil {
			single(dst, dst)
			num.Binary(num.Add, num.Float64)(v, v, num.Vec{F64: in[len(in)-1]})
		}
	})
	out.computedOver("normalize", dims, []float64{epsilon, float64(truth(centered)), float64(truth(weight != nil)),
		float64(truth(bias != nil))}, inputs...)
	c.record(out, "normalize", inputs, func(g *Tensor) []*Tensor {
		from := []*Tensor{g, t, numberOperand(1.0).Tensor}
		if weight != nil {
			from[2] = weight
		}
		dt := c.alloc(t.dtype, t.shape...)
		mapRuns(dt, dims, from, source.floats, func(dst []float64, in [][]float64) {
			// With y the scaled run and g times the weight: dx = (g - mean(g) - y·mean(g·y))·scale.
			scale, n := scaled(dst, in[1]), float64(len(dst))
			along, mean := 0.0, 0.0
			for i, w := range in[2] {
				v := float64(in[0][i] * w)
				mean += v
				along += float64(v * dst[i])
			}
			if mean /= n; !centered {
				mean = 0
			}
			for i, w := range in[2] {
				dst[i] = (float64(in[0][i]*w) - mean - float64(dst[i]*(along/n))) * scale
			}
		})
		grads := []*Tensor{dt}
		if weight != nil { // fit sums it to the weight's shape
			dw := c.alloc(promote(t.dtype, num.Float32), t.shape...)
			mapRuns(dw, dims, from[:2], source.floats, func(dst []float64, in [][]float64) {
				scaled(dst, in[1])
				for i, v := range in[0] {
					dst[i] *= v
				}
			})
			grads = append(grads, dw)
		}
		return append(grads, g)[:len(inputs)]
	})
	out.save(inputs...)
	return out
}

// perChannel lays a vector along dimension 1 of a tensor of rank dimensions; nil stays nil.
func perChannel(c *Context, t *Tensor, rank int) *Tensor {
	if t == nil {
		return nil
	}
	if rank < 2 {
		valueError("expected at least 2D input (got %dD input)", rank)
	}
	shape := make([]int, rank)
	for i := range shape {
		shape[i] = 1
	}
	shape[1] = t.numel()
	return reshape(c, t, shape)
}

func batchNorm(c *Context, a args) *Tensor {
	t, rank := a.tensor(0), len(a.tensor(0).shape)
	var dims []int
	for d := range rank {
		if d != 1 {
			dims = append(dims, d)
		}
	}
	mean, spread := a.tensor(1), a.tensor(2)
	for i, name := range []string{"running_mean", "running_var", "weight", "bias"} {
		if v := a.tensor(1 + i); v != nil && (rank < 2 || len(v.shape) != 1 || v.shape[0] != t.shape[1]) {
			runtimeError("%s should contain %d elements not %d", name, append(slices.Clone(t.shape), 1, 1)[1],
				v.numel())
		}
	}
	weight, bias := perChannel(c, a.tensor(3), rank), perChannel(c, a.tensor(4), rank)
	if !a.bool(5) && mean != nil {
		scale := applyUnary(c, "rsqrt", applyBinaryNumber(c, "add", spread, a.float(7)))
		out := mul(c, sub(c, t, perChannel(c, mean, rank)), perChannel(c, scale, rank))
		return toDType(c, linear(c, out, weight, bias), t.dtype)
	}
	// In training, and where no statistics are kept, the batch's own are taken.
	n := float64(runsOf(t, dims).length)
	if n == 1 && a.bool(5) {
		valueError("Expected more than 1 value per channel when training, got input size %s", sizeText(t.shape))
	}
	if mean != nil {
		k, values := a.float(6), t.detach()
		blendRunning(c, mean, reduceMean(c, values, dims, false), k)
		// The running variance is the unbiased one, that of this batch the biased one.
		blendRunning(c, spread, variance(c, values, dims, 1, false), k)
	}
	return normalize(c, t, dims, weight, bias, a.float(7), true)
}

// blendRunning moves a running value by k towards v, in place.
func blendRunning(c *Context, running, v *Tensor, k float64) {
	mapFloats(running, num.Float64, []*Tensor{running, v}, func(dst []float64, in [][]float64) {
		for i, old := range in[0] {
			dst[i] = (1-k)*old + k*in[1][i]
		}
	})
	running.storage.writes++
}
