package tensor

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// joinOps combine tensors, or rearrange one into a new storage.
var joinOps = []Op{
	{Name: "cat", Where: InTorch, Signature: "tensors: Tensors, dim: int = 0",
		run: func(c *Context, a args) any { return cat(c, a.tensors(0), a.int(1)) }},
	{Name: "stack", grad: gradNamed("StackBackward0"), Where: InTorch, Signature: "tensors: Tensors, dim: int = 0",
		run: func(c *Context, a args) any {
			if len(a.tensors(0)) == 0 {
				runtimeError("stack expects a non-empty TensorList")
			}
			parts := make([]*Tensor, len(a.tensors(0)))
			for i, t := range a.tensors(0) {
				if !equalShapes(t.shape, a.tensors(0)[0].shape) {
					runtimeError("stack expects each tensor to be equal size, but got %s at entry 0 and %s at entry %d",
						shapeText(a.tensors(0)[0].shape), shapeText(t.shape), i)
				}
				parts[i] = unsqueeze(c, t, a.int(1))
			}
			return cat(c, parts, a.int(1))
		}},
	{Name: "hstack", Where: InTorch, Signature: "tensors: Tensors", run: func(c *Context, a args) any {
		parts, dim := a.tensors(0), 1
		if len(parts) > 0 && len(parts[0].shape) <= 1 {
			dim = 0
		}
		return cat(c, atLeastDims(c, parts, 1), dim)
	}},
	{Name: "vstack", Where: InTorch, Signature: "tensors: Tensors",
		run: func(c *Context, a args) any { return cat(c, atLeastDims(c, a.tensors(0), 2), 0) }},
	{Name: "broadcast_tensors", Where: InTorch, Signature: "*tensors: Tensors", run: func(c *Context, a args) any {
		shapes := make([][]int, len(a.tensors(0)))
		for i, t := range a.tensors(0) {
			shapes[i] = t.shape
		}
		out := make([]*Tensor, len(shapes))
		for i, t := range a.tensors(0) {
			out[i] = expand(c, t, broadcastShapes(shapes...))
		}
		return out
	}},
	{Name: "meshgrid", Where: InTorch, Signature: "*tensors: Tensors, *, indexing: str = 'ij'",
		run: func(c *Context, a args) any { return meshgrid(c, a.tensors(0), a.str(1)) }},
	{Name: "flip", Where: everywhere, Signature: "input: Tensor, *dims: ints",
		run: func(c *Context, a args) any { return flip(c, a.tensor(0), a.ints(1)) }},
	{Name: "roll", grad: gradNamed("RollBackward0"), Where: everywhere,
		Signature: "input: Tensor, shifts: ints, dims: ints? = None",
		run: func(c *Context, a args) any {
			t := a.tensor(0)
			if !a.has(2) {
				return reshape(c, roll(c, reshape(c, t, []int{-1}), a.ints(1), []int{0}), t.shape)
			}
			return roll(c, t, a.ints(1), a.ints(2))
		}},
	{Name: "repeat", Where: InMethod, Signature: "input: Tensor, *repeats: ints",
		run: func(c *Context, a args) any { return repeat(c, a.tensor(0), a.ints(1)) }},
	{Name: "tile", Where: everywhere, Signature: "input: Tensor, *dims: ints", run: func(c *Context, a args) any {
		t, times := a.tensor(0), a.ints(1)
		if lead := len(t.shape) - len(times); lead > 0 {
			times = append(slices.Repeat([]int{1}, lead), times...)
		}
		return repeat(c, t, times)
	}},
	{Name: "repeat_interleave", Where: everywhere, Signature: "input: Tensor, repeats: any, dim: int? = None",
		run: func(c *Context, a args) any {
			t, d := a.tensor(0), a.int(2)
			if !a.has(2) {
				t = reshape(c, t, []int{-1})
			}
			return repeatInterleave(c, t, a[1], axis(d, len(t.shape)))
		}},
	{Name: "tril", grad: gradNamed("TrilBackward0"), Where: everywhere, Signature: "input: Tensor, diagonal: int = 0",
		run: func(c *Context, a args) any {
			return triangular(c, a.tensor(0), "tril", func(i, j int) bool { return j-i <= a.int(1) })
		}},
	{Name: "triu", grad: gradNamed("TriuBackward0"), Where: everywhere, Signature: "input: Tensor, diagonal: int = 0",
		run: func(c *Context, a args) any {
			return triangular(c, a.tensor(0), "triu", func(i, j int) bool { return j-i >= a.int(1) })
		}},
	{Name: "diag", Where: everywhere, Signature: "input: Tensor, diagonal: int = 0",
		run: func(c *Context, a args) any { return diag(c, a.tensor(0), a.int(1)) }},
	{Name: "trace", Where: everywhere, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return reduceSum(c, diagonal(c, a.tensor(0), 0, 0, 1), nil, false) }},
	{Name: "pad", Where: InFunctional,
		Signature: "input: Tensor, pad: ints, mode: str = 'constant', value: Number? = None",
		run: func(c *Context, a args) any {
			if a.str(2) != "constant" {
				return padFromWithin(c, a.tensor(0), a.ints(1), a.str(2))
			}
			v := a[3]
			if v == nil {
				v = int64(0)
			}
			return pad(c, a.tensor(0), a.ints(1), v)
		}},
}

func atLeastDims(c *Context, parts []*Tensor, n int) []*Tensor {
	out := make([]*Tensor, len(parts))
	for i, t := range parts {
		for len(t.shape) < n {
			t = unsqueeze(c, t, 0)
		}
		out[i] = t
	}
	return out
}

// cat joins tensors along a dimension. Empty 1-dim tensors fit everywhere, as in torch.
func cat(c *Context, all []*Tensor, d int) *Tensor {
	if len(all) == 0 {
		valueError("torch.cat(): expected a non-empty list of Tensors")
	}
	parts := slices.DeleteFunc(slices.Clone(all), func(t *Tensor) bool { return len(t.shape) == 1 && t.shape[0] == 0 })
	if len(parts) == 0 {
		return clone(c, all[0])
	}
	first := parts[0]
	if len(first.shape) == 0 {
		runtimeError("zero-dimensional tensor (at position 0) cannot be concatenated")
	}
	d = axis(d, len(first.shape))
	shape, dtype := slices.Clone(first.shape), first.dtype
	for i, t := range parts[1:] {
		if len(t.shape) != len(shape) {
			runtimeError("Tensors must have same number of dimensions: got %d and %d", len(shape), len(t.shape))
		}
		for j := range shape {
			if j != d && t.shape[j] != first.shape[j] {
				runtimeError("Sizes of tensors must match except in dimension %d. "+
					"Expected size %d but got size %d for tensor number %d in the list.",
					d, first.shape[j], t.shape[j], i+1)
			}
		}
		shape[d] += t.shape[d]
		dtype = promote(dtype, t.dtype)
	}
	out := c.alloc(dtype, shape...)
	starts, sizes, at := make([]int, len(parts)), make([]int, len(parts)), 0
	for i, t := range parts {
		starts[i], sizes[i] = at, t.shape[d]
		out.window(d, at, t.shape[d]).copyFrom(t) // converts to the common dtype
		at += t.shape[d]
	}
	return c.record(out, "cat", parts, func(g *Tensor) []*Tensor {
		grads := make([]*Tensor, len(sizes))
		for i, n := range sizes {
			grads[i] = g.window(d, starts[i], n)
		}
		return grads
	})
}

// window is elements start to start+length along dimension d, outside any graph.
func (t *Tensor) window(d, start, length int) *Tensor {
	shape := slices.Clone(t.shape)
	shape[d] = length
	return t.asStrided(layout{shape, t.strides, t.offset + start*t.strides[d]})
}

func meshgrid(c *Context, parts []*Tensor, indexing string) []*Tensor {
	shape := make([]int, len(parts))
	for i, t := range parts {
		if len(t.shape) > 1 {
			runtimeError("torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: %s", cppText(t))
		}
		if shape[i] = t.numel(); t.dtype != parts[0].dtype {
			runtimeError("meshgrid expects all tensors to have the same dtype")
		}
	}
	out := make([]*Tensor, len(parts))
	for i, t := range parts {
		ones := slices.Repeat([]int{1}, len(parts))
		ones[i] = shape[i]
		out[i] = expand(c, reshape(c, t, ones), shape)
		if indexing == "xy" && len(parts) > 1 {
			out[i] = transpose(c, out[i], 0, 1)
		}
	}
	if indexing == "xy" && len(parts) > 1 {
		// Cartesian indexing is that of matrices with the first two inputs, and the first two results, exchanged.
		swapped := []*Tensor{parts[1], parts[0]}
		grids := meshgrid(c, append(swapped, parts[2:]...), "ij")
		return append([]*Tensor{grids[1], grids[0]}, grids[2:]...)
	}
	return out
}

// rearrange makes a tensor of shape whose element at an index i along each dimension d of t's, which are the last ones
// of shape, is t's at from(d, i).
func rearrange(c *Context, t *Tensor, name string, shape []int, from func(d, i int) int) *Tensor {
	c.alloc(num.Int1, shape...) // refuses a shape that is too large before the table is made
	strides, offsets, lead := contiguous(t.shape).strides, make([][]int, len(shape)), len(shape)-len(t.shape)
	for d, n := range shape {
		offsets[d] = make([]int, n)
		for i := range n {
			if d >= lead {
				offsets[d][i] = from(d-lead, i) * strides[d-lead]
			}
		}
	}
	return takeAt(c, t, placesBy(c, offsets...), shape, name)
}

func flip(c *Context, t *Tensor, dims []int) *Tensor {
	dims = axes(dims, len(t.shape))
	return rearrange(c, t, "flip", t.shape, func(d, i int) int {
		if slices.Contains(dims, d) {
			return t.shape[d] - 1 - i
		}
		return i
	})
}

func roll(c *Context, t *Tensor, shifts, dims []int) *Tensor {
	if len(shifts) != len(dims) {
		runtimeError("shifts and dimensions must align. shifts: %d, dims:%d", len(shifts), len(dims))
	}
	if len(t.shape) == 0 {
		return clone(c, t)
	}
	total := make([]int, len(t.shape))
	for i, d := range dims {
		total[axis(d, len(t.shape))] += shifts[i]
	}
	return rearrange(c, t, "roll", t.shape, func(d, i int) int {
		// The element that is moved to index comes from shift places before it, around the end.
		return int(floorMod(int64(i-total[d]%t.shape[d]), int64(t.shape[d])))
	})
}

func repeat(c *Context, t *Tensor, times []int) *Tensor {
	lead := len(times) - len(t.shape)
	if lead < 0 {
		runtimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
	}
	shape := slices.Clone(times)
	for i, n := range t.shape {
		if n > 0 && times[lead+i] > c.options.MaxElements/n {
			c.alloc(num.Int1, times[lead+i], n) // refuses, with the numbers as they were given
		}
		shape[lead+i] *= n
	}
	return rearrange(c, t, "repeat", shape, func(d, i int) int { return i % t.shape[d] })
}

func repeatInterleave(c *Context, t *Tensor, repeats any, d int) *Tensor {
	counts, ok := takeInts(repeats)
	if r, isTensor := repeats.(*Tensor); isTensor && !r.isFloat() {
		n := []int{}
		for _, v := range polled(c, r.Ints()) {
			n = append(n, int(v))
		}
		counts, ok = n, true
	}
	if !ok {
		typeError("repeat_interleave(): argument 'repeats' must be int or Tensor, not %s", pythonType(repeats))
	}
	times := counts.([]int)
	if len(times) != 1 && len(times) != t.size(d) {
		runtimeError("repeats must have the same size as input along dim, but got repeats.size(0) = %d and "+
			"input.size(%d) = %d", len(times), d, t.size(d))
	}
	var rows []int64
	for i := range polled(c, make([]struct{}, t.size(d))) {
		n := times[min(i, len(times)-1)]
		if n < 0 {
			runtimeError("repeats can not be negative")
		}
		if n > c.options.MaxElements-len(rows) {
			limit("repeat_interleave makes more than %d rows, the most that are allowed here", c.options.MaxElements)
		}
		rows = append(rows, slices.Repeat([]int64{int64(i)}, n)...)
	}
	return indexSelect(c, t, d, fromInts(c, rows))
}

// triangular keeps the elements (i, j) of the last two dimensions for which keep holds.
func triangular(c *Context, t *Tensor, name string, keep func(i, j int) bool) *Tensor {
	if len(t.shape) < 2 {
		runtimeError("%s: input tensor must have at least 2 dimensions", name)
	}
	rows, columns := t.shape[len(t.shape)-2], t.shape[len(t.shape)-1]
	mask := c.alloc(num.Int1, rows, columns)
	data := mask.storage.write()
	for at := range polled(c, data) {
		data[at] = byte(truth(keep(at/columns, at%columns)))
	}
	zero := c.alloc(t.dtype)
	return where(c, mask, operand{t, false}, operand{zero, false})
}

func diag(c *Context, t *Tensor, k int) *Tensor {
	if len(t.shape) == 2 {
		return clone(c, diagonal(c, t, k, 0, 1))
	}
	if len(t.shape) != 1 {
		runtimeError("diag(): Supports 1D or 2D tensors. Got %dD", len(t.shape))
	}
	size := t.shape[0] + max(k, -k)
	out := c.alloc(t.dtype, size, size)
	c.copyInto(diagonal(c, out, k, 0, 1), t) // which records the gradient, too
	return out
}

// padFromWithin goes on with t itself beyond its edges: with its mirror image without the edge ("reflect"), with the
// edge ("replicate"), or with what the other end begins with ("circular"). The counts are pad's.
func padFromWithin(c *Context, t *Tensor, counts []int, mode string) *Tensor {
	names := map[string]string{
		"reflect": "reflection_pad%dD", "replicate": "replication_pad%dD", "circular": "cat",
	}
	name, n := names[mode], len(counts)/2
	switch rank := len(t.shape); {
	case name == "":
		raise("NotImplementedError", "Unrecognised padding mode %s", mode)
	case len(counts)%2 != 0 || n < 1 || n > 3 || rank < n+1 || rank > n+2:
		raise("NotImplementedError", "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now")
	}
	if mode != "circular" {
		name = fmt.Sprintf(name, n)
	}
	shape, starts := slices.Clone(t.shape), make([]int, len(t.shape))
	for i := range n {
		d, before, after := len(shape)-1-i, counts[2*i], counts[2*i+1]
		switch size := t.shape[d]; {
		case mode == "reflect" && max(before, after) >= size:
			runtimeError("Padding size should be less than the corresponding input dimension, but got: "+
				"padding (%d, %d) at dimension %d of input %s", before, after, d, shapeText(t.shape))
		case mode == "circular" && max(before, after) > size:
			runtimeError("Padding value causes wrapping around more than once.")
		case size == 0 || size+before+after < 1:
			runtimeError("padding %d and %d of dimension %d of size %d leaves no elements", before, after, d, size)
		}
		shape[d], starts[d] = t.shape[d]+before+after, before
	}
	return rearrange(c, t, name, shape, func(d, i int) int {
		at, last := i-starts[d], t.shape[d]-1
		switch mode {
		case "reflect":
			at = max(at, -at)
			return min(at, 2*last-at)
		case "replicate":
			return min(max(at, 0), last)
		}
		return int(floorMod(int64(at), int64(last+1)))
	})
}

// pad adds elements of one value around t, or crops where a count is negative. The counts come in
// pairs, for the last dimension first.
func pad(c *Context, t *Tensor, counts []int, value any) *Tensor {
	if len(counts)%2 != 0 {
		runtimeError("Padding length must be divisible by 2")
	}
	if len(counts)/2 > len(t.shape) {
		runtimeError("Padding length should be less than or equal to two times the input dimension but got padding "+
			"length %d and input of dimension %d",
			len(counts), len(t.shape))
	}
	shape := slices.Clone(t.shape)
	inner := t
	starts := make([]int, len(shape))
	for i := 0; i < len(counts); i += 2 {
		d := len(shape) - 1 - i/2
		before, after := counts[i], counts[i+1]
		shape[d] += before + after
		if shape[d] < 0 {
			runtimeError("The input size %d, plus negative padding %d and %d, resulted in a negative output size, "+
				"which is invalid.",
				t.shape[d], before, after)
		}
		// Negative counts crop t; what is left is copied into the middle of a tensor of the value.
		first, last := max(-before, 0), t.shape[d]-max(-after, 0)
		if first != 0 || last != t.shape[d] {
			inner = narrow(c, inner, d, min(first, t.shape[d]), max(last-first, 0), 1)
		}
		starts[d] = max(before, 0)
	}
	out := full(c, shape, value, t.dtype)
	part := out
	for d, start := range starts {
		if inner.shape[d] != shape[d] {
			part = part.window(d, start, inner.shape[d])
		}
	}
	part.copyFrom(inner)
	within := part.layout
	return c.record(out, "constant_pad_nd", []*Tensor{inner}, func(g *Tensor) []*Tensor {
		return []*Tensor{clone(c, contiguousCopy(c, g).asStrided(within))}
	})
}
