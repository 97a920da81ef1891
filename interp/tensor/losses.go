package tensor

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
)

// lossOps are the losses of torch.nn.functional.
var lossOps = []Op{
	{
		Name: "cross_entropy", grad: gradOfClasses, Where: InFunctional,
		Signature: "input: Tensor, target: Tensor, weight: Tensor? = None, size_average: bool? = None, ignore_index: int = -100, reduce: bool? = None, reduction: str = 'mean', label_smoothing: float = 0.0",
		run: func(c *Context, a args) any {
			t, d := a.tensor(0), classDim(a.tensor(0))
			logs := c.sub(t, c.logSumExp(t, []int{d}, true))
			if a.tensor(1).isFloat() {
				return c.crossEntropyOfProbabilities(logs, a.tensor(1), a.tensor(2), a.float(7), a.str(6))
			}
			return c.negativeLikelihood(logs, a.tensor(1), a.tensor(2), a.int(4), a.float(7), a.str(6))
		},
	},
	{
		Name: "nll_loss", grad: gradOfClasses, Where: InFunctional,
		Signature: "input: Tensor, target: Tensor, weight: Tensor? = None, size_average: bool? = None, ignore_index: int = -100, reduce: bool? = None, reduction: str = 'mean'",
		run: func(c *Context, a args) any {
			return c.negativeLikelihood(a.tensor(0), a.tensor(1), a.tensor(2), a.int(4), 0, a.str(6))
		},
	},
	{
		Name: "kl_div", Where: InFunctional,
		Signature: "input: Tensor, target: Tensor, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean', log_target: bool = False",
		run: func(c *Context, a args) any {
			x, y := a.tensor(0), a.tensor(1)
			var loss *Tensor
			if a.bool(5) {
				loss = c.mul(c.applyUnary("exp", y), c.sub(y, x))
			} else { // y·(log y − x), which is 0 where y is
				loss = c.sub(c.applyBinary("xlogy", operand{y, false}, operand{y, false}), c.mul(y, x))
			}
			if a.str(4) == "batchmean" {
				return c.applyBinaryNumber("div", c.reduceSum(loss, nil, false), float64(x.shape[0]))
			}
			return c.reduceLoss(loss, a.str(4))
		},
	},
	{
		Name: "smooth_l1_loss", grad: gradNamed("SmoothL1LossBackward0"), Where: InFunctional,
		Signature: "input: Tensor, target: Tensor, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean', beta: float = 1.0",
		run: func(c *Context, a args) any {
			beta := a.float(5)
			return c.reduceLoss(c.ofDistance(a, "smooth_l1", func(d float64) float64 {
				return choose(d < beta, 0.5*d*d/beta, d-0.5*beta)
			}, func(d float64) float64 { return choose(d < beta, d/beta, 1) }), a.str(4))
		},
	},
	{
		Name: "huber_loss", grad: gradNamed("HuberLossBackward0"), Where: InFunctional,
		Signature: "input: Tensor, target: Tensor, reduction: str = 'mean', delta: float = 1.0",
		run: func(c *Context, a args) any {
			delta := a.float(3)
			return c.reduceLoss(c.ofDistance(a, "huber", func(d float64) float64 {
				return choose(d < delta, 0.5*d*d, delta*(d-0.5*delta))
			}, func(d float64) float64 { return choose(d < delta, d, delta) }), a.str(2))
		},
	},
	{
		Name: "binary_cross_entropy", grad: gradNamed("BinaryCrossEntropyBackward0"), Where: InFunctional,
		Signature: "input: Tensor, target: Tensor, weight: Tensor? = None, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean'",
		run: func(c *Context, a args) any {
			x, y := a.tensor(0), a.tensor(1)
			low := func(t *Tensor) *Tensor { return c.clamp(c.applyUnary("log", t), -100.0, nil) } // torch's bound
			one := numberOperand(1.0)
			rest := c.mul(c.applyBinary("sub", one, operand{y, false}), low(c.applyBinary("sub", one, operand{x, false})))
			loss := c.applyUnary("neg", c.add(c.mul(y, low(x)), rest))
			if a.has(2) {
				loss = c.mul(loss, a.tensor(2))
			}
			return c.reduceLoss(loss, a.str(5))
		},
	},
	{
		Name: "binary_cross_entropy_with_logits", grad: gradNamed("BinaryCrossEntropyWithLogitsBackward0"),
		Where:     InFunctional,
		Signature: "input: Tensor, target: Tensor, weight: Tensor? = None, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean', pos_weight: Tensor? = None",
		run: func(c *Context, a args) any {
			x, y := a.tensor(0), a.tensor(1)
			log := c.unary(logSigmoid, x)
			// (1−y)·x − w·log σ(x), where w is 1 + (pos_weight − 1)·y
			factor := operand{c.full(nil, 1.0, x.dtype), false}
			missing := c.mul(c.applyBinary("sub", numberOperand(1.0), operand{y, false}), x)
			if a.has(6) {
				w := c.applyBinaryNumber("sub", a.tensor(6), 1)
				factor = operand{c.applyBinaryNumber("add", c.mul(w, y), 1), false}
			}
			loss := c.sub(missing, c.applyBinary("mul", factor, operand{log, false}))
			if a.has(2) {
				loss = c.mul(loss, a.tensor(2))
			}
			return c.reduceLoss(loss, a.str(5))
		},
	},
	{
		Name: "cosine_similarity", Where: InTorch | InFunctional,
		Signature: "x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-08",
		run: func(c *Context, a args) any {
			unit := func(t *Tensor) *Tensor {
				return c.div(t, c.clamp(c.norm(t, 2, []int{a.int(2)}, true), a.float(3), nil))
			}
			return c.reduceSum(c.mul(unit(a.tensor(0)), unit(a.tensor(1))), []int{a.int(2)}, false)
		},
	},
	{
		Name: "pairwise_distance", Where: InTorch | InFunctional,
		Signature: "x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-06, keepdim: bool = False",
		run: func(c *Context, a args) any {
			gap := c.applyBinaryNumber("add", c.sub(a.tensor(0), a.tensor(1)), a.float(3))
			return c.norm(gap, a.float(2), []int{-1}, a.bool(4))
		},
	},
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
func (c *Context) ofDistance(a args, name string, f, slope func(d float64) float64) *Tensor {
	return c.unary(&unaryOp{name: name, saves: savesInput, floats: func(x float64) float64 { return f(math.Abs(x)) },
		slope: func(x, _ float64) float64 { return sign(x) * slope(math.Abs(x)) }}, c.sub(a.tensor(0), a.tensor(1)))
}

// negativeLikelihood is −log p of the target's class, weighed by class; targets of class ignore have no part in it.
// Smoothing spreads its part of the weight over all classes.
func (c *Context) negativeLikelihood(logs, target, weight *Tensor, ignore int, smoothing float64, how string) *Tensor {
	d := classDim(logs)
	classes := logs.shape[d]
	rows := c.reshape(c.movedim(logs, []int{d}, []int{-1}), []int{-1, classes})
	if want := rows.shape[0]; target.numel() != want {
		valueError("Expected input batch_size (%d) to match target batch_size (%d).", want, target.numel())
	}
	wanted := target.Ints()
	counts, ignored := make([]float64, len(wanted)), false
	for i, v := range wanted {
		switch {
		case v == int64(ignore):
			wanted[i], ignored = 0, true
		case v < 0 || v >= int64(classes):
			indexError("Target %d is out of bounds.", v)
		default:
			counts[i] = 1
		}
	}
	index := c.fromInts(wanted)
	loss := c.applyUnary("neg", c.squeeze(c.gatherAlong(rows, 1, c.unsqueeze(index, 1)), []int{1}, false))
	share := c.alloc(logs.dtype, len(counts)) // of each target in the mean
	share.setFloats(counts)
	if weight != nil {
		share = c.mul(share, c.index(weight, []any{index}).detach())
	}
	if ignored || weight != nil {
		loss = c.mul(loss, share)
	}
	if smoothing != 0 {
		all := c.applyUnary("neg", rows)
		if weight != nil {
			all = c.mul(all, weight)
		}
		valid := c.alloc(logs.dtype, len(counts))
		valid.setFloats(counts)
		even := c.mul(c.reduceSum(all, []int{1}, false), valid)
		loss = c.add(c.applyBinaryNumber("mul", loss, 1-smoothing), c.applyBinaryNumber("mul", even, smoothing/float64(classes)))
	}
	if how == "mean" && (ignored || weight != nil) {
		return c.div(c.reduceSum(loss, nil, false), c.reduceSum(share, nil, false))
	}
	if how == "none" {
		return c.reshape(loss, target.shape)
	}
	return c.reduceLoss(loss, how)
}

// crossEntropyOfProbabilities takes a distribution over the classes for each target.
func (c *Context) crossEntropyOfProbabilities(logs, target, weight *Tensor, smoothing float64, how string) *Tensor {
	d := classDim(logs)
	if smoothing != 0 {
		target = c.applyBinaryNumber("add", c.applyBinaryNumber("mul", target, 1-smoothing), smoothing/float64(logs.shape[d]))
	}
	loss := c.mul(logs, target)
	if weight != nil {
		shape := make([]int, len(logs.shape))
		for i := range shape {
			shape[i] = 1
		}
		shape[d] = weight.numel()
		loss = c.mul(loss, c.reshape(weight, shape))
	}
	loss = c.applyUnary("neg", c.reduceSum(loss, []int{d}, false))
	if how == "mean" {
		return c.applyBinaryNumber("div", c.reduceSum(loss, nil, false), float64(loss.numel()))
	}
	return c.reduceLoss(loss, how)
}

// normOps normalize.
var normOps = []Op{
	{
		Name: "batch_norm", grad: gradNamed("NativeBatchNormBackward0"), Where: InFunctional,
		Signature: "input: Tensor, running_mean: Tensor?, running_var: Tensor?, weight: Tensor? = None, bias: Tensor? = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-05",
		run:       func(c *Context, a args) any { return c.batchNorm(a) },
	},
	{
		Name: "group_norm", grad: gradNamed("NativeGroupNormBackward0"), Where: InFunctional,
		Signature: "input: Tensor, num_groups: int, weight: Tensor? = None, bias: Tensor? = None, eps: float = 1e-05",
		run: func(c *Context, a args) any {
			t, groups := a.tensor(0), a.int(1)
			if len(t.shape) < 2 || groups <= 0 || t.shape[1]%groups != 0 {
				runtimeError("Expected number of channels in input to be divisible by num_groups, but got input of shape %s and num_groups=%d",
					shapeText(t.shape), groups)
			}
			rows := c.reshape(t, []int{t.shape[0], groups, -1})
			out := c.reshape(c.standardize(rows, []int{-1}, a.float(4)), t.shape)
			return c.linear(out, c.perChannel(a.tensor(2), len(t.shape)), c.perChannel(a.tensor(3), len(t.shape)))
		},
	},
	{
		Name: "instance_norm", Where: InFunctional,
		Signature: "input: Tensor, running_mean: Tensor? = None, running_var: Tensor? = None, weight: Tensor? = None, bias: Tensor? = None, use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-05",
		run: func(c *Context, a args) any {
			t := a.tensor(0)
			out := c.standardize(t, lastDims(len(t.shape)-2), a.float(7))
			return c.linear(out, c.perChannel(a.tensor(3), len(t.shape)), c.perChannel(a.tensor(4), len(t.shape)))
		},
	},
}

// standardize subtracts the mean along dims and divides by the standard deviation.
func (c *Context) standardize(t *Tensor, dims []int, eps float64) *Tensor {
	return c.mul(c.sub(t, c.reduceMean(t, dims, true)),
		c.applyUnary("rsqrt", c.applyBinaryNumber("add", c.variance(t, dims, 0, true), eps)))
}

// perChannel lays a vector along dimension 1 of a tensor of rank dimensions; nil stays nil.
func (c *Context) perChannel(t *Tensor, rank int) *Tensor {
	if t == nil {
		return nil
	}
	shape := make([]int, rank)
	for i := range shape {
		shape[i] = 1
	}
	shape[1] = t.numel()
	return c.reshape(t, shape)
}

func (c *Context) batchNorm(a args) *Tensor {
	t, rank := a.tensor(0), len(a.tensor(0).shape)
	var dims []int
	for d := range rank {
		if d != 1 {
			dims = append(dims, d)
		}
	}
	mean, variance := a.tensor(1), a.tensor(2)
	if a.bool(5) || mean == nil {
		n := float64(runsOf(t, dims).length)
		if n == 1 && a.bool(5) {
			valueError("Expected more than 1 value per channel when training, got input size %s", sizeText(t.shape))
		}
		batchMean, batchVar := c.reduceMean(t, dims, false), c.variance(t, dims, 0, false)
		if mean != nil && a.bool(5) {
			k := a.float(6)
			c.blend(mean, batchMean.detach(), k, 1)
			c.blend(variance, batchVar.detach(), k, n/(n-1)) // the running variance is the unbiased one
		}
		mean, variance = batchMean, batchVar
	}
	scale := c.applyUnary("rsqrt", c.applyBinaryNumber("add", variance, a.float(7)))
	out := c.mul(c.sub(t, c.perChannel(mean, rank)), c.perChannel(scale, rank))
	return c.to(c.linear(out, c.perChannel(a.tensor(3), rank), c.perChannel(a.tensor(4), rank)), t.dtype)
}

// blend moves a running value by k towards v·factor, in place.
func (c *Context) blend(running, v *Tensor, k, factor float64) {
	mapFloats(running, num.Float64, []*Tensor{running, v}, func(dst []float64, in [][]float64) {
		for i, old := range in[0] {
			dst[i] = (1-k)*old + k*in[1][i]*factor
		}
	})
	running.storage.writes++
}
