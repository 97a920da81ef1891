package tensor

import (
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// Under torch.autocast some operations compute in a narrow dtype and some in float32, whatever their tensors have. The
// lists are those of torch's documentation of automatic mixed precision ("CUDA Op-Specific Behavior"), as far as this
// package has the operations.
var (
	narrowed = wordSet(`matmul mm bmm mv addmm addmv addr addbmm baddbmm linear conv1d conv2d conv3d conv_transpose1d
		conv_transpose2d conv_transpose3d einsum tensordot prelu scaled_dot_product_attention chain_matmul multi_dot`)
	widened = wordSet(`acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow softplus
		layer_norm group_norm norm cosine_similarity nll_loss mse_loss l1_loss smooth_l1_loss kl_div cross_entropy
		prod softmax log_softmax softmin cumprod cumsum dist cdist logsumexp sum`)
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// autocast converts the tensors among the arguments of an operation that autocast has an opinion on.
func (c *Context) autocast(op *Op, a args) {
	d, on := c.Autocast[deviceOf(c.cuda).Type]
	switch {
	case !on:
		return
	case widened[op.Name]:
		d = num.Float32
	case !narrowed[op.Name]:
		return
	}
	// The conversion is part of the graph: a weight in float32 gets a gradient in float32.
	cast := func(t *Tensor) *Tensor {
		if !t.isFloat() || t.dtype == num.Float64 || t.dtype.IsFP8() {
			return t
		}
		return toDType(c, t, d)
	}
	for i, v := range a {
		switch v := v.(type) {
		case *Tensor:
			a[i] = cast(v)
		case operand:
			if !v.number {
				a[i] = operand{cast(v.Tensor), false}
			}
		case []*Tensor:
			list := make([]*Tensor, len(v))
			for k, t := range v {
				list[k] = cast(t)
			}
			a[i] = list
		}
	}
}
