package tensor

import (
	"slices"
)

// viewOps are the operations whose results share their input's storage.
var viewOps = []Op{
	{Name: "view", Where: InMethod, Signature: "input: Tensor, *shape: ints, dtype: dtype? = None",
		run: func(c *Context, a args) any {
			if a.has(2) {
				return a.tensor(0).viewDType(a.dtype(2, 0))
			}
			return viewShape(c, a.tensor(0), a.ints(1))
		}},
	{Name: "view_as", Where: InMethod, Signature: "input: Tensor, other: Tensor",
		run: func(c *Context, a args) any { return viewShape(c, a.tensor(0), a.tensor(1).shape) }},
	{Name: "reshape", Where: everywhere, Signature: "input: Tensor, *shape: ints",
		run: func(c *Context, a args) any { return reshape(c, a.tensor(0), a.ints(1)) }},
	{Name: "reshape_as", Where: InMethod, Signature: "input: Tensor, other: Tensor",
		run: func(c *Context, a args) any { return reshape(c, a.tensor(0), a.tensor(1).shape) }},
	{Name: "permute", Where: everywhere, Signature: "input: Tensor, *dims: ints",
		run: func(c *Context, a args) any { return permute(c, a.tensor(0), a.ints(1)) }},
	{Name: "transpose", Where: everywhere, Signature: "input: Tensor, dim0: int, dim1: int",
		run: func(c *Context, a args) any { return transpose(c, a.tensor(0), a.int(1), a.int(2)) }},
	{Name: "movedim", Where: everywhere, Signature: "input: Tensor, source: ints, destination: ints",
		run: func(c *Context, a args) any { return movedim(c, a.tensor(0), a.ints(1), a.ints(2)) }},
	{Name: "t", grad: gradNamed("TBackward0"), Where: everywhere, Signature: "input: Tensor", run: func(c *Context, a args) any {
		t := a.tensor(0)
		if len(t.shape) > 2 {
			runtimeError("t() expects a tensor with <= 2 dimensions, but self is %dD", len(t.shape))
		}
		return permute(c, t, reversed(len(t.shape)))
	}},
	{Name: "expand", Where: InMethod, Signature: "input: Tensor, *size: ints",
		run: func(c *Context, a args) any { return expand(c, a.tensor(0), a.ints(1)) }},
	{Name: "expand_as", Where: InMethod, Signature: "input: Tensor, other: Tensor",
		run: func(c *Context, a args) any { return expand(c, a.tensor(0), a.tensor(1).shape) }},
	{Name: "broadcast_to", Where: everywhere, Signature: "input: Tensor, *size: ints",
		run: func(c *Context, a args) any { return expand(c, a.tensor(0), a.ints(1)) }},
	{Name: "squeeze", Where: everywhere, Signature: "input: Tensor, *dim: ints? = None",
		run: func(c *Context, a args) any { return squeeze(c, a.tensor(0), a.ints(1), !a.has(1)) }},
	{Name: "unsqueeze", Where: everywhere, Signature: "input: Tensor, dim: int",
		run: func(c *Context, a args) any { return unsqueeze(c, a.tensor(0), a.int(1)) }},
	{Name: "flatten", Where: everywhere, Signature: "input: Tensor, start_dim: int = 0, end_dim: int = -1",
		run: func(c *Context, a args) any { return flatten(c, a.tensor(0), a.int(1), a.int(2)) }},
	{Name: "ravel", Where: everywhere, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return reshape(c, a.tensor(0), []int{-1}) }},
	{Name: "unflatten", Where: everywhere, Signature: "input: Tensor, dim: int, sizes: ints",
		run: func(c *Context, a args) any {
			t, d := a.tensor(0), axis(a.int(1), len(a.tensor(0).shape))
			if sizes := a.ints(2); !slices.Contains(sizes, -1) && (layout{shape: sizes}).numel() != t.size(d) {
				runtimeError("unflatten: Provided sizes %s don't multiply up to the size of dim %d (%d) in the input tensor",
					shapeText(sizes), d, t.shape[d])
			}
			return viewShape(c, t, slices.Concat(t.shape[:d], inferShape(a.ints(2), t.size(d)), t.shape[d+1:]))
		}},
	{Name: "narrow", Where: everywhere, Signature: "input: Tensor, dim: int, start: int, length: int",
		run: func(c *Context, a args) any {
			t, d, start, length := a.tensor(0), axis(a.int(1), len(a.tensor(0).shape)), a.int(2), a.int(3)
			if start < 0 {
				start += t.size(d)
			}
			if start < 0 || length < 0 || start > t.size(d)-length {
				runtimeError("start (%d) + length (%d) exceeds dimension size (%d).", start, length, t.size(d))
			}
			return narrow(c, t, d, start, length, 1)
		}},
	{ // numpy's slices of a negative step
		Name: "_step_back", Where: InMethod, Signature: "input: Tensor, dim: int, start: int, length: int, step: int",
		run: func(c *Context, a args) any {
			t, d, start, length, step := a.tensor(0), axis(a.int(1), len(a.tensor(0).shape)), a.int(2), a.int(3), a.int(4)
			for _, at := range []int{start, start + (max(length, 1)-1)*step} {
				if length < 0 || length > t.size(d) || length > 0 && (at < 0 || at >= t.size(d)) {
					indexError("%d elements from %d on, %d apart, are out of bounds for size %d", length, start, step, t.size(d))
				}
			}
			return narrow(c, t, d, start*min(length, 1), length, step)
		},
	},
	{Name: "select", Where: everywhere, Signature: "input: Tensor, dim: int, index: int",
		run: func(c *Context, a args) any {
			return selectAt(c, a.tensor(0), axis(a.int(1), len(a.tensor(0).shape)), a.int(2))
		}},
	{Name: "diagonal", Where: everywhere, Signature: "input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1",
		run: func(c *Context, a args) any { return diagonal(c, a.tensor(0), a.int(1), a.int(2), a.int(3)) }},
	{Name: "unfold", Where: InMethod, Signature: "input: Tensor, dimension: int, size: int, step: int",
		run: func(c *Context, a args) any { return unfold(c, a.tensor(0), a.int(1), a.int(2), a.int(3)) }},
	{Name: "unbind", grad: gradNamed("UnbindBackward0"), Where: everywhere, Signature: "input: Tensor, dim: int = 0",
		run: func(c *Context, a args) any { return unbind(c, a.tensor(0), a.int(1)) }},
	{Name: "split", grad: gradNamed("SplitBackward0"), Where: everywhere,
		Signature: "input: Tensor, split_size: any, dim: int = 0",
		run:       func(c *Context, a args) any { return split(c, a.tensor(0), a[1], a.int(2)) }},
	{Name: "chunk", grad: gradNamed("SplitBackward0"), Where: everywhere,
		Signature: "input: Tensor, chunks: int, dim: int = 0",
		run: func(c *Context, a args) any {
			t, d := a.tensor(0), axis(a.int(2), len(a.tensor(0).shape))
			if a.int(1) <= 0 || len(t.shape) == 0 {
				runtimeError("chunk expects `chunks` to be greater than 0, got: %d", a.int(1))
			}
			return split(c, t, int64(max((t.shape[d]+a.int(1)-1)/a.int(1), 1)), d)
		}},
}
