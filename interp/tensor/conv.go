package tensor

import (
	"fmt"
	"math"
	"slices"
)

// convOps are convolutions and pooling: products and extremes over windows.
func convOps() []Op {
	return []Op{
		convolution(1), convolution(2), convolution(3),
		pooling("max_pool1d", 1, true), pooling("max_pool2d", 2, true), pooling("max_pool3d", 3, true),
		pooling("avg_pool1d", 1, false), pooling("avg_pool2d", 2, false), pooling("avg_pool3d", 3, false),
		adaptivePooling(1), adaptivePooling(2), adaptivePooling(3),
		{Name: "pixel_shuffle", Where: InFunctional, Signature: "input: Tensor, upscale_factor: int",
			run: func(c *Context, a args) any {
				t, r := a.tensor(0), a.int(1)
				needDims("pixel_shuffle", t, 4)
				needPositive("pixel_shuffle's upscale_factor", r)
				n, ch, h, w := t.shape[0], t.shape[1], t.shape[2], t.shape[3]
				parts := permute(c, reshape(c, t, []int{n, ch / (r * r), r, r, h, w}), []int{0, 1, 4, 2, 5, 3})
				return reshape(c, parts, []int{n, ch / (r * r), h * r, w * r})
			}},
	}
}

// spread lays one number over rank dimensions.
func spread(v []int, rank, otherwise int) []int {
	switch len(v) {
	case 0:
		return slices.Repeat([]int{otherwise}, rank)
	case 1:
		return slices.Repeat(v, rank)
	}
	if len(v) != rank {
		runtimeError("expected a single value or a list of %d values, but got %s", rank, shapeText(v))
	}
	return v
}

// windows slides a window over the last rank dimensions: the result has, for each of them, the places of the window,
// and then its elements.
func windows(c *Context, t *Tensor, size, stride, dilation []int) *Tensor {
	rank, lead := len(size), len(t.shape)-len(size)
	needPositive("kernel size", size...)
	needPositive("stride", stride...)
	needPositive("dilation", dilation...)
	if lead < 1 {
		runtimeError("expected an input of more than %d dimensions, but got one of size: %s", rank, shapeText(t.shape))
	}
	for i := range rank {
		// A window with gaps reaches over size elements and the gaps between them; the gaps are stepped over below.
		reach := dilation[i]*(size[i]-1) + 1
		if reach > t.shape[lead+i] {
			runtimeError("Calculated padded input size per channel: (%s). Kernel size: (%s). "+
				"Kernel size can't be greater than actual input size",
				joinText(t.shape[lead:lead+rank], " x "), joinText(size, " x "))
		}
		t = unfold(c, t, lead+i, reach, stride[i])
		if dilation[i] > 1 {
			t = narrow(c, t, len(t.shape)-1, 0, size[i], dilation[i])
		}
	}
	return t
}

// around lists padding as pad takes it: in pairs, for the last dimension first.
func around(before, after []int) []int {
	var out []int
	for i := len(before) - 1; i >= 0; i-- {
		out = append(out, before[i], after[i])
	}
	return out
}

func convolution(rank int) Op {
	name := [...]string{"", "conv1d", "conv2d", "conv3d"}[rank]
	return Op{
		Name: name, Where: InTorch | InFunctional, grad: gradNamed("ConvolutionBackward0"),
		Signature: "input: Tensor, weight: Tensor, bias: Tensor? = None, stride: ints = 1, padding: any = 0, " +
			"dilation: ints = 1, groups: int = 1",
		run: func(c *Context, a args) any {
			t, batched := a.tensor(0), len(a.tensor(0).shape) == rank+2
			if len(t.shape) == rank+1 {
				t = unsqueeze(c, t, 0)
			} else if !batched {
				runtimeError("Expected %dD (unbatched) or %dD (batched) input to %s, but got input of size: %s",
					rank+1, rank+2,
					name, shapeText(t.shape))
			}
			out := convolve(c, t, rank, a)
			if !batched {
				return squeeze(c, out, []int{0}, false)
			}
			return out
		},
	}
}

// convolve is one matrix product a group: windows of the input times the kernels.
func convolve(c *Context, t *Tensor, rank int, a args) *Tensor {
	w, groups := a.tensor(1), a.int(6)
	if len(w.shape) < 3 {
		runtimeError("weight should have at least three dimensions")
	}
	needDims(fmt.Sprintf("weight of conv%dd", rank), w, rank+2)
	stride, dilation := spread(a.ints(3), rank, 1), spread(a.ints(5), rank, 1)
	needPositive("groups", groups)
	needPositive("kernel size", w.shape[2:]...)
	size := w.shape[2:]
	if t.shape[1] != w.shape[1]*groups || w.shape[0]%groups != 0 {
		runtimeError("Given groups=%d, weight of size %s, expected input%s to have %d channels, "+
			"but got %d channels instead",
			groups, shapeText(w.shape), shapeText(t.shape), w.shape[1]*groups, t.shape[1])
	}
	before, after := convolutionPadding(a[4], size, dilation)
	if slices.Max(slices.Concat(before, after)) > 0 {
		t = pad(c, t, around(before, after), 0.0)
	}
	parts := windows(c, t, size, stride, dilation)
	n, places := t.shape[0], parts.shape[2:2+rank]
	count, depth := layout{shape: places}.numel(), w.shape[1]*layout{shape: size}.numel()
	// batch, group, channel, places, window → group, batch·places, channel·window
	order := []int{1, 0}
	for i := range rank {
		order = append(order, 3+i)
	}
	order = append(order, 2)
	for i := range rank {
		order = append(order, 3+rank+i)
	}
	grouped := reshape(c, parts, slices.Concat([]int{n, groups, w.shape[1]}, places, size))
	rows := reshape(c, permute(c, grouped, order), []int{groups, n * count, depth})
	kernels := transpose(c, reshape(c, w, []int{groups, w.shape[0] / groups, depth}), 1, 2)
	out := reshape(c, matmul(c, rows, kernels), []int{groups, n, count, w.shape[0] / groups})
	out = reshape(c, permute(c, out, []int{1, 0, 3, 2}), slices.Concat([]int{n, w.shape[0]}, places))
	if a.has(2) {
		out = add(c, out, perChannel(c, a.tensor(2), rank+2))
	}
	return contiguousCopy(c, out)
}

// convolutionPadding reads padding: numbers, 'valid' or 'same'.
func convolutionPadding(v any, size, dilation []int) (before, after []int) {
	rank := len(size)
	switch v {
	case "valid":
		return make([]int, rank), make([]int, rank)
	case "same":
		before, after = make([]int, rank), make([]int, rank)
		for i := range size {
			// Where the padding is odd, torch puts the larger half behind.
			total := dilation[i] * (size[i] - 1)
			before[i], after[i] = total/2, total-total/2
		}
		return before, after
	}
	list, ok := takeInts(v)
	if !ok {
		typeError("argument 'padding' must be tuple of ints, not %s", pythonType(v))
	}
	both := spread(list.([]int), rank, 0)
	return both, both
}

// pooling is the largest element or the mean of each window.
func pooling(name string, rank int, largest bool) Op {
	signature := "input: Tensor, kernel_size: ints, stride: ints? = None, padding: ints = 0, " +
		"ceil_mode: bool = False, count_include_pad: bool = True"
	if largest {
		signature = "input: Tensor, kernel_size: ints, stride: ints? = None, padding: ints = 0, " +
			"dilation: ints = 1, ceil_mode: bool = False, return_indices: bool = False"
	}
	return Op{Name: name, Where: InFunctional, Signature: signature, run: func(c *Context, a args) any {
		size, padding, dilation := spread(a.ints(1), rank, 1), spread(a.ints(3), rank, 0), slices.Repeat([]int{1}, rank)
		if largest {
			dilation = spread(a.ints(4), rank, 1)
		}
		stride := size
		if len(a.ints(2)) > 0 {
			stride = spread(a.ints(2), rank, 1)
		}
		needPositive("stride", stride...)
		t, ceil, last := a.tensor(0), a.bool(len(a)-2), a.bool(len(a)-1)
		lead := len(t.shape) - rank
		if lead < 1 {
			runtimeError("%s: expected an input of more than %d dimensions, but got one of size: %s", name, rank,
				shapeText(t.shape))
		}
		after := slices.Clone(padding)
		for i, n := range t.shape[lead:] {
			reach := dilation[i]*(size[i]-1) + 1
			switch {
			case padding[i] < 0:
				runtimeError("pad must be non-negative, but got pad: %d", padding[i])
			case padding[i] > reach/2:
				runtimeError("pad should be at most half of effective kernel size, but got pad=%d, kernel_size=%d and "+
					"dilation=%d", padding[i], size[i], dilation[i])
			}
			// Rounded up, there is one more window where it begins within the input or what is in front of it.
			rest := (n + 2*padding[i] - reach) % stride[i]
			if next := n + 2*padding[i] - reach - rest + stride[i]; ceil && rest > 0 && next < n+padding[i] {
				after[i] += stride[i] - rest
			}
		}
		// rows are the windows of t, padded by a value.
		rows := func(t *Tensor, before, after []int, value any) *Tensor {
			if slices.Max(after) > 0 {
				t = pad(c, t, around(before, after), value)
			}
			parts := windows(c, t, size, stride, dilation)
			return reshape(c, parts, append(slices.Clone(parts.shape[:len(parts.shape)-rank]), -1))
		}
		plane := t.shape[lead:]
		switch {
		case largest: // padding is never the largest
			found := extremeAlongDim(c, rows(t, padding, after, math.Inf(-1)), "max", -1, true)
			values := squeeze(c, found.Values[0], []int{-1}, false)
			if !last {
				return values
			}
			places := arange(c, int64(0), int64(layout{shape: plane}.numel()), int64(1), nil)
			places = rows(expand(c, reshape(c, places, plane), t.shape), padding, after, int64(0))
			places = gatherAlong(c, places, len(places.shape)-1, found.Values[1])
			return []*Tensor{values, squeeze(c, places, []int{-1}, false)}
		case last && slices.Equal(padding, after):
			return reduceMean(c, rows(t, padding, after, 0.0), []int{-1}, false)
		}
		// Padding counts among the elements if it is to, and what lies beyond it does not.
		sums := reduceSum(c, rows(t, padding, after, 0.0), []int{-1}, false)
		ones, before := full(c, append([]int{1}, plane...), 1.0, t.dtype), padding
		if last {
			ones, before = pad(c, ones, around(padding, padding), 1.0), make([]int, rank)
			for i := range after {
				after[i] -= padding[i]
			}
		}
		return div(c, sums, reduceSum(c, rows(ones, before, after, 0.0), []int{-1}, false))
	}}
}

// adaptivePooling takes the mean of as many windows as the result has places.
func adaptivePooling(rank int) Op {
	name := [...]string{"", "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d"}[rank]
	return Op{Name: name, Where: InFunctional, Signature: "input: Tensor, output_size: any",
		run: func(c *Context, a args) any { return adaptiveMean(c, a.tensor(0), a[1], rank) }}
}

// adaptiveMean is the mean of each of size windows over the last rank dimensions; None keeps a dimension.
func adaptiveMean(c *Context, t *Tensor, size any, rank int) *Tensor {
	for i := range rank {
		d := len(t.shape) - rank + i
		n, ok := takeInt(size)
		if list, several := size.([]any); several && i < len(list) {
			n, ok = takeInt(list[i])
		}
		if !ok {
			continue
		}
		if n.(int) < 0 {
			runtimeError("adaptive_avg_pool%dd: elements of output_size must be greater than or equal to 0", rank)
		}
		t = meanOfWindows(c, t, d, n.(int))
	}
	return t
}

// meanOfWindows divides dimension d into n windows, which overlap where n does not divide it: window i goes from
// ⌊i·size/n⌋ to ⌈(i+1)·size/n⌉.
func meanOfWindows(c *Context, t *Tensor, d, n int) *Tensor {
	size := t.size(d)
	if n > 0 && size%n == 0 {
		parts := unfold(c, t, d, size/n, size/n)
		return reduceMean(c, parts, []int{-1}, false)
	}
	means := make([]*Tensor, n)
	for i := range n {
		first, end := i*size/n, ((i+1)*size+n-1)/n
		means[i] = reduceMean(c, narrow(c, t, d, first, end-first, 1), []int{d}, true)
	}
	return cat(c, means, d)
}
