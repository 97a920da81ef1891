package tensor

import (
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// imageOps resize, cut and put together what has channels and places.
func imageOps() []Op {
	return []Op{
		{Name: "interpolate", Where: InFunctional,
			Signature: "input: Tensor, size: ints? = None, scale_factor: any = None, mode: str = 'nearest', align_corners: bool? = None, recompute_scale_factor: bool? = None, antialias: bool = False",
			run:       func(c *Context, a args) any { return interpolate(c, a) }},
		{Name: "unfold", Where: InFunctional, grad: gradNamed("Im2ColBackward0"),
			Signature: "input: Tensor, kernel_size: ints, dilation: ints = 1, padding: ints = 0, stride: ints = 1",
			run: func(c *Context, a args) any {
				t, batched := a.tensor(0), len(a.tensor(0).shape) == 4
				if !batched {
					t = unsqueeze(c, t, 0)
				}
				size, dilation, padding := spread(a.ints(1), 2, 1), spread(a.ints(2), 2, 1), spread(a.ints(3), 2, 0)
				if slices.Max(padding) > 0 {
					t = pad(c, t, around(padding, padding), 0.0)
				}
				// batch, channel, places, window → batch, channel·window, place
				parts := permute(c, windows(c, t, size, spread(a.ints(4), 2, 1), dilation), []int{0, 1, 4, 5, 2, 3})
				s := parts.shape
				out := reshape(c, parts, []int{s[0], s[1] * s[2] * s[3], s[4] * s[5]})
				if !batched {
					return squeeze(c, out, []int{0}, false)
				}
				return out
			}},
		transposedConvolution(1), transposedConvolution(2), transposedConvolution(3),
		{Name: "pixel_unshuffle", Where: InFunctional, Signature: "input: Tensor, downscale_factor: int",
			run: func(c *Context, a args) any {
				t, r := a.tensor(0), a.int(1)
				needDims("pixel_unshuffle", t, 4)
				needPositive("pixel_unshuffle's downscale_factor", r)
				n, ch, h, w := t.shape[0], t.shape[1], t.shape[2], t.shape[3]
				parts := permute(c, reshape(c, t, []int{n, ch, h / r, r, w / r, r}), []int{0, 1, 3, 5, 2, 4})
				return reshape(c, parts, []int{n, ch * r * r, h / r, w / r})
			}},
	}
}

// interpolate samples the dimensions behind batch and channel anew.
func interpolate(c *Context, a args) *Tensor {
	t, mode, align := a.tensor(0), a.str(3), a.bool(4)
	rank := len(t.shape) - 2
	if rank < 1 {
		valueError("Input and output must have the same number of spatial dimensions, but got input with spatial "+
			"dimensions of %s", shapeText(t.shape[min(2, len(t.shape)):]))
	}
	linear := mode == "linear" && rank == 1 || mode == "bilinear" && rank == 2 || mode == "trilinear" && rank == 3
	if !linear && mode != "nearest" && mode != "nearest-exact" && mode != "area" || a.bool(6) {
		lack("NotImplementedError", "torch.nn.functional.interpolate(…, mode='%s')", mode)
	}
	sizes, scales := make([]int, rank), make([]float64, rank)
	for i := range rank {
		in := t.shape[2+i]
		switch factors := floatsOf(a[2], rank); {
		case a.has(1):
			sizes[i] = spread(a.ints(1), rank, 1)[i]
			scales[i] = float64(in) / float64(sizes[i])
		case factors != nil:
			sizes[i], scales[i] = int(math.Floor(float64(in)*factors[i])), 1/factors[i]
		default:
			valueError("either size or scale_factor should be defined")
		}
	}
	needPositive("Input and output sizes", append(slices.Clone(t.shape[2:]), sizes...)...)
	if mode == "area" {
		for i, n := range sizes {
			t = meanOfWindows(c, t, 2+i, n)
		}
		return t
	}
	for i, n := range sizes {
		if linear {
			t = sampleLinear(c, t, 2+i, n, scales[i], align)
		} else {
			t = sampleNearest(c, t, 2+i, n, scales[i], mode == "nearest-exact")
		}
	}
	return t
}

// floatsOf reads one number or several as rank floats; nil where there is none.
func floatsOf(v any, rank int) []float64 {
	if n, ok := takeNumber(v); ok {
		return slices.Repeat([]float64{toFloat(n)}, rank)
	}
	list, _ := v.([]any)
	var out []float64
	for _, x := range list {
		out = append(out, toFloat(x))
	}
	return out
}

// sampleNearest takes n elements along dimension d, scale apart: those at the places rounded down, or, where exact,
// those nearest to the middles.
func sampleNearest(c *Context, t *Tensor, d, n int, scale float64, exact bool) *Tensor {
	places := make([]int64, n)
	for i := range places {
		at := float32(i)
		if exact {
			at += 0.5
		}
		places[i] = min(int64(at*float32(scale)), int64(t.shape[d]-1)) // in float32, as torch's kernels compute it
	}
	return indexSelect(c, t, d, fromInts(c, places))
}

// sampleLinear mixes two neighbors for each of n places along dimension d.
func sampleLinear(c *Context, t *Tensor, d, n int, scale float64, align bool) *Tensor {
	low, high, weights := make([]int64, n), make([]int64, n), make([]float64, n)
	last := t.shape[d] - 1
	for i := range n {
		at := float32(max(scale*(float64(i)+0.5)-0.5, 0))
		if align { // the corners' middles stay where they are
			at = float32(0)
			if n > 1 {
				at = float32(float64(i) * float64(last) / float64(n-1))
			}
		}
		low[i] = min(int64(at), int64(last))
		high[i] = min(low[i]+1, int64(last))
		weights[i] = float64(at) - float64(low[i])
	}
	weight := c.alloc(num.Float32, n)
	if t.dtype == num.Float64 {
		weight = c.alloc(num.Float64, n)
	}
	weight.setFloats(weights)
	shape := slices.Repeat([]int{1}, len(t.shape))
	shape[d] = n
	x := indexSelect(c, t, d, fromInts(c, low))
	y := indexSelect(c, t, d, fromInts(c, high))
	return toDType(c, add(c, x, mul(c, sub(c, y, x), reshape(c, weight, shape))), t.dtype)
}

// transposedConvolution is the gradient of a convolution by its input: a convolution of the input with zeros between
// its elements by the kernels turned round.
func transposedConvolution(rank int) Op {
	name := [...]string{"", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"}[rank]
	return Op{
		Name: name, Where: InTorch | InFunctional, grad: gradNamed("ConvolutionBackward0"),
		Signature: "input: Tensor, weight: Tensor, bias: Tensor? = None, stride: ints = 1, padding: ints = 0, " +
			"output_padding: ints = 0, groups: int = 1, dilation: ints = 1",
		run: func(c *Context, a args) any {
			t, w, groups := a.tensor(0), a.tensor(1), a.int(6)
			stride, dilation := spread(a.ints(3), rank, 1), spread(a.ints(7), rank, 1)
			padding, extra := spread(a.ints(4), rank, 0), spread(a.ints(5), rank, 0)
			needDims("input of "+name, t, rank+2)
			needDims("weight of "+name, w, rank+2)
			needPositive("stride", stride...)
			needPositive("groups", groups)
			size := w.shape[2:]
			before, after := make([]int, rank), make([]int, rank)
			for i := range rank {
				t = spaced(c, t, 2+i, stride[i])
				before[i] = dilation[i]*(size[i]-1) - padding[i]
				after[i] = before[i] + extra[i]
			}
			t = pad(c, t, around(before, after), 0.0)
			// (in, out/groups, kernel) → (out, in/groups, kernel), the kernel turned round
			dims := make([]int, rank)
			for i := range dims {
				dims[i] = 3 + i
			}
			parts := reshape(c, w, slices.Concat([]int{groups, w.shape[0] / groups, w.shape[1]}, size))
			kernels := flip(c, transpose(c, parts, 1, 2), dims)
			kernels = reshape(c, kernels, slices.Concat([]int{w.shape[1] * groups, w.shape[0] / groups}, size))
			return convolve(c, t, rank, args{t, kernels, a[2], []int{1}, []any{int64(0)}, dilation, groups})
		},
	}
}

// spaced puts step−1 zeros between the elements along dimension d.
func spaced(c *Context, t *Tensor, d, step int) *Tensor {
	if step == 1 {
		return t
	}
	n := t.shape[d]
	counts := make([]int, 2*(len(t.shape)-d)) // for pad, which counts from the last dimension
	counts[len(counts)-1] = step - 1
	wide := flatten(c, pad(c, unsqueeze(c, t, d+1), counts, 0.0), d, d+1)
	return narrow(c, wide, d, 0, (n-1)*step+1, 1)
}
