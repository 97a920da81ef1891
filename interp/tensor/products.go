package tensor

import (
	"math/big"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// productOps are products of tensors that others compose.
func productOps() []Op {
	return []Op{
		{Name: "einsum", grad: gradNamed("ViewBackward0"), Where: InTorch,
			Signature: "equation: str, *operands: Tensors",
			run:       func(c *Context, a args) any { return einsum(c, a.str(0), a.tensors(1)) }},
		{Name: "tensordot", Where: InTorch, Signature: "a: Tensor, b: Tensor, dims: any = 2",
			run: func(c *Context, a args) any { return tensorDot(c, a.tensor(0), a.tensor(1), a[2]) }},
		{Name: "inner", Where: everywhere, Signature: "input: Tensor, other: Tensor",
			run: func(c *Context, a args) any {
				x, y := a.tensor(0), a.tensor(1)
				if len(x.shape) == 0 || len(y.shape) == 0 {
					return mul(c, x, y)
				}
				return tensorDot(c, x, y, []any{ints64(-1), ints64(-1)})
			}},
		{Name: "_int_mm", Where: InTorch, Signature: "input: Tensor, mat2: Tensor", run: func(c *Context, a args) any {
			for i := range 2 {
				if t := a.tensor(i); t.dtype != num.Int8 {
					runtimeError("expected scalar type Char but found %s", legacyNames[t.dtype])
				}
			}
			wide := args{toDType(c, a.tensor(0), num.Int32), toDType(c, a.tensor(1), num.Int32)}
			return fixedRank("mm", 2, 2)(c, wide)
		}},
		{Name: "vdot", Where: everywhere, Signature: "input: Tensor, other: Tensor", grad: gradNamed("VdotBackward0"),
			run: fixedRank("vdot", 1, 1)},
		{Name: "addmv", Where: everywhere, grad: gradNamed("AddmvBackward0"),
			Signature: "input: Tensor, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1",
			run:       func(c *Context, a args) any { return addScaledProduct(c, a, productOfRanks("addmv", 2, 1)) }},
		{Name: "addr", Where: everywhere, grad: gradNamed("AddrBackward0"),
			Signature: "input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Number = 1, alpha: Number = 1",
			run: func(c *Context, a args) any {
				return addScaledProduct(c, a, func(c *Context, _ num.DType, x, y *Tensor) *Tensor {
					return mul(c, unsqueeze(c, x, 1), y)
				})
			}},
		{Name: "kron", Where: everywhere, Signature: "input: Tensor, other: Tensor",
			run: func(c *Context, a args) any {
				x, y := a.tensor(0), a.tensor(1)
				rank := max(len(x.shape), len(y.shape))
				// Each dimension of x gets one of y behind it.
				var left, right, shape []int
				for i := range rank {
					n, m := 1, 1
					if k := i - (rank - len(x.shape)); k >= 0 {
						n = x.shape[k]
					}
					if k := i - (rank - len(y.shape)); k >= 0 {
						m = y.shape[k]
					}
					left, right, shape = append(left, n, 1), append(right, 1, m), append(shape, n*m)
				}
				return reshape(c, mul(c, reshape(c, x, left), reshape(c, y, right)), shape)
			}},
		{Name: "cdist", Where: InTorch, Signature: "x1: Tensor, x2: Tensor, p: float = 2.0",
			run: func(c *Context, a args) any {
				return norm(c, sub(c, unsqueeze(c, a.tensor(0), -2), unsqueeze(c, a.tensor(1), -3)), a.float(2), []int{-1}, false)
			}},
		{
			// The products of torch, in its order: a run of squares, and one more product for each further bit of n.
			Name: "matrix_power", Where: everywhere | InLinalg, Signature: "input: Tensor, n: int",
			run: func(c *Context, a args) any {
				t, n := a.tensor(0), a.int(1)
				needSquare("linalg.matrix_power", t)
				switch {
				case n < 0:
					t, n = inverse(c, "linalg.matrix_power", t), -n
				case n == 0:
					out := c.alloc(t.dtype, t.shape...)
					diagonal(c, out, 0, -2, -1).fill(int64(1))
					return out
				case n == 3:
					return matmul(c, matmul(c, t, t), t)
				}
				var out *Tensor
				for square := t; ; square = matmul(c, square, square) {
					if n&1 != 0 {
						if out == nil {
							out = square
						} else {
							out = matmul(c, out, square)
						}
					}
					if n >>= 1; n == 0 {
						return out
					}
				}
			},
		},
		{Name: "diff", Where: everywhere, Signature: "input: Tensor, n: int = 1, dim: int = -1",
			run: func(c *Context, a args) any {
				t, d := a.tensor(0), axis(a.int(2), len(a.tensor(0).shape))
				for range min(a.int(1), t.size(d)) {
					n := t.shape[d]
					x, y := narrow(c, t, d, 1, n-1, 1), narrow(c, t, d, 0, n-1, 1)
					if t.dtype == num.Int1 {
						t = applyBinary(c, "logical_xor", operand{x, false}, operand{y, false})
					} else {
						t = sub(c, x, y)
					}
				}
				return t
			}},
		{Name: "cross", Where: everywhere, Signature: "input: Tensor, other: Tensor, dim: int = -1",
			run: func(c *Context, a args) any {
				x, y := a.tensor(0), a.tensor(1)
				if len(x.shape) != len(y.shape) {
					runtimeError("linalg.cross: inputs must have the same number of dimensions.")
				}
				d := axis(a.int(2), len(x.shape))
				if x.size(d) != 3 || y.size(d) != 3 {
					runtimeError("linalg.cross: inputs dimension %d must have length 3. Got %d and %d", d, x.size(d), y.size(d))
				}
				// (x × y)ᵢ = xᵢ₊₁·yᵢ₊₂ − xᵢ₊₂·yᵢ₊₁, with indices modulo 3.
				shift := func(t *Tensor, by int) *Tensor { return roll(c, t, []int{by}, []int{d}) }
				return sub(c, mul(c, shift(x, -1), shift(y, -2)), mul(c, shift(x, -2), shift(y, -1)))
			}},
	}
}

// broadcastTo is torch.broadcast_shapes, which has words of its own for shapes that do not fit.
func broadcastTo(shapes [][]int) []int {
	var out []int
	for i, s := range shapes {
		for k := 1; k <= min(len(s), len(out)); k++ {
			if have, d := out[len(out)-k], s[len(s)-k]; have != 1 && d != 1 && d != have {
				runtimeError("Attempting to broadcast a dimension of length %d at -%d! Mismatching argument at "+
					"index %d had "+
					"%s; but expected shape should be broadcastable to %s", d, k, i, tupleText(s), shapeText(out))
			}
		}
		out = broadcastShapes(out, s)
	}
	return out
}

func ints64(v ...int64) []any {
	out := make([]any, len(v))
	for i, n := range v {
		out[i] = n
	}
	return out
}

// tensorDot sums over the last n dimensions of x with the first n of y, or over those that two lists name.
func tensorDot(c *Context, x, y *Tensor, dims any) *Tensor {
	var left, right []int
	switch v := dims.(type) {
	case int64:
		for i := range int(v) {
			left, right = append(left, len(x.shape)-int(v)+i), append(right, i)
		}
	case []any:
		if len(v) != 2 {
			runtimeError("both dimension lists should have same length")
		}
		l, ok := takeInts(v[0])
		r, both := takeInts(v[1])
		if !ok || !both {
			typeError("tensordot expects dims to be int or tuple of two lists of ints")
		}
		left, right = axes(l.([]int), len(x.shape)), axes(r.([]int), len(y.shape))
	default:
		typeError("tensordot expects dims to be int or tuple of two lists of ints")
	}
	if len(left) != len(right) {
		runtimeError("both dimension lists should have same length")
	}
	rest := func(t *Tensor, dims []int) (out, sizes []int) {
		for d := range t.shape {
			if !slices.Contains(dims, d) {
				out, sizes = append(out, d), append(sizes, t.shape[d])
			}
		}
		return out, sizes
	}
	inner := 1
	if n := len(left); n > min(len(x.shape), len(y.shape)) {
		runtimeError("tensordot expects dims to be at most the number of dimensions, but got dims=%d", n)
	}
	for i, d := range left {
		if x.shape[d] != y.shape[right[i]] {
			runtimeError("contracted dimensions need to match, but first has size %d in dim %d and second has size "+
				"%d in dim %d",
				x.shape[d], d, y.shape[right[i]], right[i])
		}
		inner *= x.shape[d]
	}
	freeX, rows := rest(x, left)
	freeY, columns := rest(y, right)
	// As one product of matrices: rows are free dimensions of x, columns those of y.
	xm := reshape(c, permute(c, x, slices.Concat(freeX, left)), []int{layout{shape: rows}.numel(), inner})
	ym := reshape(c, permute(c, y, slices.Concat(right, freeY)), []int{inner, layout{shape: columns}.numel()})
	return reshape(c, matmul(c, xm, ym), slices.Concat(rows, columns))
}

// arrangementOps lay tensors out anew: stacks, grids, triangles and writes by index.
func arrangementOps() []Op {
	return []Op{
		{Name: "dstack", Where: InTorch, Signature: "tensors: Tensors", run: func(c *Context, a args) any {
			parts := atLeastDims(c, a.tensors(0), 2)
			for i, t := range parts {
				if len(t.shape) == 2 {
					parts[i] = unsqueeze(c, t, 2)
				}
			}
			return cat(c, parts, 2)
		}},
		{Name: "column_stack", Where: InTorch, Signature: "tensors: Tensors", run: func(c *Context, a args) any {
			parts := slices.Clone(a.tensors(0))
			for i, t := range parts {
				if len(t.shape) < 2 {
					parts[i] = reshape(c, t, []int{t.numel(), 1})
				}
			}
			return cat(c, parts, 1)
		}},
		atLeast(1), atLeast(2), atLeast(3),
		{Name: "fliplr", Where: everywhere, Signature: "input: Tensor",
			run: func(c *Context, a args) any { return flip(c, a.tensor(0), []int{1}) }},
		{Name: "flipud", Where: everywhere, Signature: "input: Tensor",
			run: func(c *Context, a args) any { return flip(c, a.tensor(0), []int{0}) }},
		{Name: "rot90", Where: everywhere, Signature: "input: Tensor, k: int = 1, dims: ints? = None",
			run: func(c *Context, a args) any {
				t, d := a.tensor(0), []int{0, 1}
				if a.has(2) {
					d = a.ints(2)
				}
				if len(d) != 2 {
					runtimeError("expected total rotation dims == 2, but got dims = %d", len(d))
				}
				if d = axes(d, max(len(t.shape), 1)); len(t.shape) < 2 {
					runtimeError("expected total dims >= 2, but got total dims = %d", len(t.shape))
				}
				switch a.int(1) & 3 { // quarter turns; a negative k turns the other way, which & 3 also gives
				case 1:
					return transpose(c, flip(c, t, d[1:]), d[0], d[1])
				case 2:
					return flip(c, t, d)
				case 3:
					return flip(c, transpose(c, t, d[0], d[1]), d[1:])
				}
				return clone(c, t)
			}},
		{Name: "tensor_split", Where: everywhere, Signature: "input: Tensor, indices_or_sections: any, dim: int = 0",
			run: func(c *Context, a args) any { return splitAt(c, a.tensor(0), a[1], a.int(2)) }},
		splitAlong("hsplit", 1, 1), splitAlong("vsplit", 0, 2), splitAlong("dsplit", 2, 3),
		{Name: "argwhere", Where: everywhere, Signature: "input: Tensor", run: func(c *Context, a args) any {
			columns := nonzeroAlong(c, a.tensor(0))
			if len(columns) == 0 || columns[0].numel() == 0 {
				return c.alloc(num.Int64, 0, len(columns))
			}
			for i, t := range columns {
				columns[i] = unsqueeze(c, t, 1)
			}
			return cat(c, columns, 1)
		}},
		{Name: "combinations", Where: InTorch, Signature: "input: Tensor, r: int = 2, with_replacement: bool = False",
			run: func(c *Context, a args) any { return combinations(c, a.tensor(0), a.int(1), a.bool(2)) }},
		{Name: "vander", Where: InTorch, Signature: "x: Tensor, N: int? = None, increasing: bool = False",
			run: func(c *Context, a args) any {
				t := a.tensor(0)
				needDims("vander", t, 1)
				n := t.shape[0]
				if a.has(1) {
					n = a.int(1)
				}
				if n < 0 {
					runtimeError("N must be non-negative.")
				}
				powers := make([]*Tensor, n)
				for i := range powers {
					k := n - 1 - i
					if a.bool(2) {
						k = i
					}
					powers[i] = unsqueeze(c, applyBinary(c, "pow", operand{t, false}, numberOperand(int64(k))), 1)
				}
				return cat(c, powers, 1)
			}},
		triangle("triu_indices", func(i, j, k int) bool { return j-i >= k }),
		triangle("tril_indices", func(i, j, k int) bool { return j-i <= k }),
		{Name: "diag_embed", Where: everywhere, Signature: "input: Tensor, offset: int = 0",
			run: func(c *Context, a args) any {
				t, k := a.tensor(0), a.int(1)
				// A diagonal k off the main one is shorter by |k| than the matrix.
				n := t.size(-1) + max(k, -k)
				out := c.alloc(t.dtype, append(slices.Clone(t.shape[:len(t.shape)-1]), n, n)...)
				c.copyInto(diagonal(c, out, k, -2, -1), t)
				return out
			}},
		{Name: "diagflat", Where: everywhere, Signature: "input: Tensor, offset: int = 0",
			run: func(c *Context, a args) any { return diag(c, reshape(c, a.tensor(0), []int{-1}), a.int(1)) }},
		{Name: "block_diag", Where: InTorch, Signature: "*tensors: Tensors", run: func(c *Context, a args) any {
			parts := atLeastDims(c, a.tensors(0), 2)
			if len(parts) == 0 {
				return c.alloc(num.Float32, 1, 0)
			}
			rows, columns := 0, 0
			for _, t := range parts {
				rows, columns = rows+t.shape[0], columns+t.shape[1]
			}
			out := c.alloc(parts[0].dtype, rows, columns)
			i, j := 0, 0
			for _, t := range parts {
				c.copyInto(narrow(c, narrow(c, out, 0, i, t.shape[0], 1), 1, j, t.shape[1], 1), t)
				i, j = i+t.shape[0], j+t.shape[1]
			}
			return out
		}},
		{Name: "cartesian_prod", Where: InTorch, Signature: "*tensors: Tensors", run: func(c *Context, a args) any {
			grids := meshgrid(c, a.tensors(0), "ij")
			if len(grids) == 1 {
				return grids[0]
			}
			for i, t := range grids {
				grids[i] = reshape(c, t, []int{-1, 1})
			}
			return cat(c, grids, 1)
		}},
		{Name: "index_copy", Where: everywhere, Signature: "input: Tensor, dim: int, index: Tensor, source: Tensor",
			run: func(c *Context, a args) any {
				t, d := a.tensor(0), axis(a.int(1), len(a.tensor(0).shape))
				return scatter(c, t, d, alongIndex(c, a.tensor(2), d, a.tensor(3).shape), a.tensor(3), false)
			}},
		{Name: "index_fill", Where: everywhere, Signature: "input: Tensor, dim: int, index: Tensor, value: Number",
			run: func(c *Context, a args) any {
				t, d := a.tensor(0), axis(a.int(1), len(a.tensor(0).shape))
				if len(t.shape) == 0 {
					t = reshape(c, t, []int{1})
				}
				shape := slices.Clone(t.shape)
				shape[d] = a.tensor(2).numel()
				return scatter(c, t, d, alongIndex(c, a.tensor(2), d, shape), a[3], false)
			}},
		{Name: "index_put", Where: everywhere,
			Signature: "input: Tensor, indices: any, values: Tensor, accumulate: bool = False",
			run: func(c *Context, a args) any {
				items, ok := a[1].([]any)
				if !ok {
					typeError("index_put(): argument 'indices' must be tuple of Tensors, not %s", pythonType(a[1]))
				}
				s := newSelection(c, a.tensor(0), slices.Clone(items))
				shape, places := s.flatPositions()
				return putAt(c, a.tensor(0), places, expand(c, a.tensor(2), shape), a.bool(3))
			}},
		{Name: "masked_scatter", Where: everywhere, Signature: "input: Tensor, mask: Tensor, source: Tensor",
			run: func(c *Context, a args) any {
				t := a.tensor(0)
				at := places{trueElements(expand(c, a.tensor(1), t.shape)), 1}
				source := reshape(c, a.tensor(2), []int{-1})
				if source.numel() < at.len() {
					runtimeError("masked_scatter: expected self and source to have same number of elements as the mask's true values")
				}
				return putAt(c, t, at, narrow(c, source, 0, 0, at.len(), 1), false)
			}},
		{Name: "scatter_reduce", Where: everywhere,
			Signature: "input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True",
			run:       func(c *Context, a args) any { return scatterReduce(c, a) }},
		{Name: "as_strided", Where: everywhere,
			Signature: "input: Tensor, size: ints, stride: ints, storage_offset: int? = None",
			run: func(c *Context, a args) any {
				t := a.tensor(0)
				g := layout{slices.Clone(a.ints(1)), slices.Clone(a.ints(2)), t.offset}
				if a.has(3) {
					g.offset = a.int(3)
				}
				return restride(c, t, g)
			}},
		{Name: "empty_strided", Where: InTorch, Signature: "size: ints, stride: ints" + factory,
			run: func(c *Context, a args) any {
				g := layout{slices.Clone(a.ints(0)), slices.Clone(a.ints(1)), 0}
				if len(g.shape) != len(g.strides) || min(0, slices.Min(append(g.strides, 0)), slices.Min(append(g.shape, 0))) < 0 {
					runtimeError("empty_strided: size %s and stride %s must be as many, and not negative", shapeText(g.shape),
						shapeText(g.strides))
				}
				t := c.alloc(a.dtype(2, num.Float32), g.reach())
				return c.withRequiresGrad(t.asStrided(g), a.bool(3))
			}},
		{Name: "logspace", Where: InTorch,
			Signature: "start: Number, end: Number, steps: int, base: float = 10.0" + factory,
			run: func(c *Context, a args) any {
				powers := linspace(c, a.float(0), a.float(1), a.int(2), a.dtype(4, num.Float32))
				return c.withRequiresGrad(applyBinary(c, "pow", numberOperand(a.float(3)), operand{powers, false}), a.bool(5))
			}},
		{Name: "broadcast_shapes", Where: InTorch, Signature: "*shapes: any", run: func(c *Context, a args) any {
			list, _ := a[0].([]any)
			var shapes [][]int
			for _, v := range list {
				if s, ok := takeInts(v); ok {
					shapes = append(shapes, s.([]int))
				}
			}
			return Size(broadcastTo(shapes))
		}},
		{Name: "rsub", Where: InTorch, Signature: "input: Operand, other: Operand",
			run: func(c *Context, a args) any { return applyBinary(c, "sub", a.operand(1), a.operand(0)) }},
		{Name: "is_nonzero", Where: everywhere, Signature: "input: Tensor", run: func(c *Context, a args) any {
			if n := a.tensor(0).numel(); n != 1 {
				runtimeError("Boolean value of Tensor with %d values is ambiguous", n)
			}
			return a.tensor(0).Floats()[0] != 0
		}},
		{Name: "can_cast", Where: InTorch, Signature: "from_: dtype, to: dtype",
			run: func(c *Context, a args) any { return category(a.dtype(0, 0)) <= category(a.dtype(1, 0)) }},
		{Name: "is_pinned", Where: InMethod, Signature: "input: Tensor, device: any = None",
			run: func(c *Context, a args) any { return a.tensor(0).storage.pinned }},
		{Name: "pin_memory", Where: InMethod, Signature: "input: Tensor, device: any = None",
			run: func(c *Context, a args) any {
				if a.tensor(0).storage.cuda {
					runtimeError("cannot pin '%s' only dense CPU tensors can be pinned", a.tensor(0).legacyType())
				}
				a.tensor(0).storage.pinned = true // all memory is as good here
				return a.tensor(0)
			}},
		answering("is_inference", InMethod, false),
		{Name: "is_signed", Where: InMethod, Signature: "input: Tensor",
			run: func(c *Context, a args) any { return a.tensor(0).isFloat() || a.tensor(0).dtype.Info().Signed }},
		{Name: "is_same_size", Where: everywhere, Signature: "input: Tensor, other: Tensor",
			run: func(c *Context, a args) any { return equalShapes(a.tensor(0).shape, a.tensor(1).shape) }},
		{Name: "get_device", Where: InMethod, Signature: "input: Tensor",
			run: func(c *Context, a args) any { return truth(a.tensor(0).storage.cuda) - 1 }},
		{Name: "sum_to_size", Where: InMethod, Signature: "input: Tensor, *size: ints",
			run: func(c *Context, a args) any {
				b := backprop{c: c}
				return b.fit(a.tensor(0), edge{shape: a.ints(1), dtype: a.tensor(0).dtype, cuda: a.tensor(0).storage.cuda})
			}},
		itself("share_memory_"), itself("resolve_conj"), itself("record_stream"),
		{Name: "fill_diagonal_", Where: InMethod, Signature: "input: Tensor, fill_value: Number",
			run: func(c *Context, a args) any {
				c.checkInPlace(a.tensor(0))
				fillInPlace(c, diagonal(c, a.tensor(0), 0, 0, 1), a[1])
				return a.tensor(0)
			}},
		viewInPlace("squeeze_", "dim: ints? = None", func(c *Context, a args) *Tensor {
			return squeeze(c, a.tensor(0), a.ints(1), !a.has(1))
		}),
		viewInPlace("unsqueeze_", "dim: int", func(c *Context, a args) *Tensor { return unsqueeze(c, a.tensor(0), a.int(1)) }),
		viewInPlace("transpose_", "dim0: int, dim1: int", func(c *Context, a args) *Tensor {
			return transpose(c, a.tensor(0), a.int(1), a.int(2))
		}),
		viewInPlace("t_", "", func(c *Context, a args) *Tensor {
			return permute(c, a.tensor(0), reversed(len(a.tensor(0).shape)))
		}),
	}
}

// splitAt cuts dimension d into a number of parts, or at places.
func splitAt(c *Context, t *Tensor, where any, d int) (parts []*Tensor) {
	d = axis(d, len(t.shape))
	n := t.size(d)
	var ends []int
	if sections, ok := where.(int64); ok {
		if sections < 1 {
			runtimeError("number of sections must be larger than 0, got %d", sections)
		}
		for i := range int(sections) { // the first n mod sections parts are longer by one
			ends = append(ends, (i+1)*(n/int(sections))+min(i+1, n%int(sections)))
		}
	} else if list, ok := takeInts(where); ok {
		ends = append(list.([]int), n)
	}
	start := 0
	for _, end := range polled(c, ends) {
		end = min(max(end, start), n)
		parts = append(parts, narrow(c, t, d, start, end-start, 1))
		start = end
	}
	return parts
}

// splitAlong is a row for tensor_split along dimension d, or the last one, of tensors with at least so many dimensions.
// A number of parts has to divide it.
func splitAlong(name string, d, least int) Op {
	return Op{Name: name, Where: everywhere, Signature: "input: Tensor, indices_or_sections: any",
		run: func(c *Context, a args) any {
			t := a.tensor(0)
			if len(t.shape) < least {
				runtimeError("torch.%s requires a tensor with at least %d dimension%s, but got a tensor with %d "+
					"dimensions!", name, least, word(least > 1, "s", ""), len(t.shape))
			}
			d := min(d, len(t.shape)-1)
			if sections, ok := a[1].(int64); ok && sections > 0 && t.shape[d]%int(sections) != 0 {
				runtimeError("torch.%s attempted to split along dimension %d, but the size of the dimension %d is not "+
					"divisible by the split_size %d!", name, d, t.shape[d], sections)
			}
			return splitAt(c, t, a[1], d)
		}}
}

// itself is a row for a method that has nothing to do here.
func itself(name string) Op {
	return Op{Name: name, Where: InMethod, Signature: "input: Tensor, stream: any = None",
		run: func(c *Context, a args) any { return a.tensor(0) }}
}

// answering is a row for a question that has one answer here.
func answering(name string, where Where, v bool) Op {
	return Op{Name: name, Where: where, Signature: "input: Tensor", run: func(*Context, args) any { return v }}
}

// viewInPlace gives a tensor another layout over its storage.
func viewInPlace(name, parameters string, view func(c *Context, a args) *Tensor) Op {
	signature := "input: Tensor"
	if parameters != "" {
		signature += ", " + parameters
	}
	return Op{Name: name, Where: InMethod, Signature: signature, run: func(c *Context, a args) any {
		t := a.tensor(0)
		if t.graphNode() != nil {
			lack("NotImplementedError", "Tensor.%s of a tensor that requires a gradient", name)
		}
		t.layout = view(c, a).layout
		return t
	}}
}

func atLeast(n int) Op {
	return Op{Name: "atleast_" + string(rune('0'+n)) + "d", Where: InTorch, Signature: "input: Tensor",
		run: func(c *Context, a args) any {
			t := atLeastDims(c, []*Tensor{a.tensor(0)}, min(n, 2))[0]
			if n == 3 && len(t.shape) == 2 {
				t = unsqueeze(c, t, 2)
			}
			return t
		}}
}

// combinations lists the choices of r elements of a vector, one a row, in the order of their places.
func combinations(c *Context, t *Tensor, r int, again bool) *Tensor {
	needDims("combinations", t, 1)
	if r < 0 {
		runtimeError("Expect a non-negative number, but got %d", r)
	}
	if r > 1000 {
		limit("combinations of %d elements", r)
	}
	if r == 0 {
		return c.alloc(t.dtype, 0)
	}
	n, first, more := t.shape[0], make([]int64, r), 0 // the first choice, and how much more one place is than the last
	if !again {
		for i := range first {
			first[i] = int64(i)
		}
		more = 1
	}
	choices := new(big.Int).Binomial(int64(n+(1-more)*(r-1)), int64(r))
	if choices.Cmp(big.NewInt(int64(c.options.MaxElements))) > 0 {
		limit("combinations lists more than %d elements, the most that are allowed here", c.options.MaxElements)
	}
	rows := int(choices.Int64())
	places := c.alloc(num.Int64, rows, r) // refuses what is too large
	all := make([]int64, 0, rows*r)
	for row := range rows {
		if row%chunk == 0 {
			c.poll()
		}
		all = append(all, first...)
		last := r - 1
		for last > 0 && first[last] == int64(n-1-more*(r-1-last)) {
			last--
		}
		for next := first[last] + 1; last < r; last, next = last+1, next+int64(more) {
			first[last] = next
		}
	}
	places.setInts(all)
	return reshape(c, indexSelect(c, t, 0, reshape(c, places, []int{-1})), []int{rows, r})
}

// triangle lists the rows and columns of a matrix's triangle.
func triangle(name string, within func(i, j, k int) bool) Op {
	return Op{Name: name, Where: InTorch, Signature: "row: int, col: int, offset: int = 0" + factory,
		run: func(c *Context, a args) any {
			c.alloc(num.Int1, a.int(0), a.int(1)) // refuses what is too large
			var rows, columns []int64
			for i := range a.int(0) {
				c.poll()
				for j := range a.int(1) {
					if within(i, j, a.int(2)) {
						rows, columns = append(rows, int64(i)), append(columns, int64(j))
					}
				}
			}
			out := c.alloc(a.dtype(3, num.Int64), 2, len(rows))
			out.setInts(slices.Concat(rows, columns))
			return out
		}}
}

// alongIndex stretches a vector of indices along d over shape.
func alongIndex(c *Context, index *Tensor, d int, shape []int) *Tensor {
	if d >= len(shape) {
		indexError("Dimension out of range: %d of a source with %d dimensions", d, len(shape))
	}
	wide := slices.Repeat([]int{1}, len(shape))
	wide[d] = index.numel()
	return expand(c, reshape(c, index, wide), shape)
}

// reach is how many elements of a storage a layout needs.
func (g layout) reach() int {
	last := g.offset
	for i, n := range g.shape {
		if n == 0 {
			return 0
		}
		last += (n - 1) * g.strides[i]
	}
	return last + 1
}

// restride is a view of t's storage with a layout of the caller's.
func restride(c *Context, t *Tensor, g layout) *Tensor {
	if len(g.shape) != len(g.strides) {
		runtimeError("mismatch in length of strides and shape")
	}
	if g.offset < 0 {
		runtimeError("Tensor: invalid storage offset %d", g.offset)
	}
	for i, n := range g.shape {
		// A size or a stride above the limit could overflow what reach computes.
		if n < 0 || g.strides[i] < 0 || max(n, g.strides[i]) > c.options.MaxElements {
			runtimeError("as_strided: Negative strides are not supported at the moment, got strides: %s",
				shapeText(g.strides))
		}
	}
	size := t.dtype.Info().Bytes
	if need := g.reach() * size; need > t.storage.Len() {
		runtimeError("setStorage: sizes %s, strides %s, storage offset %d, "+
			"and itemsize %d requiring a storage size of %d are out of bounds for storage of size %d",
			shapeText(g.shape), shapeText(g.strides), g.offset, size, need, t.storage.Len())
	}
	if !t.isContiguous() || t.offset != 0 {
		if t.graphNode() != nil {
			lack("NotImplementedError", "torch.as_strided of a view that requires a gradient")
		}
		return t.asStrided(g)
	}
	return recordView(c, t, "as_strided", always(func(of layout) layout {
		return layout{g.shape, g.strides, of.offset + g.offset}
	}))
}

// scatterReduce combines what is scattered to one place with what is there.
func scatterReduce(c *Context, a args) *Tensor {
	t, src := a.tensor(0), a.tensor(3)
	if !slices.Contains([]string{"sum", "prod", "mean", "amax", "amin"}, a.str(4)) {
		runtimeError("reduce argument must be either sum, prod, mean, amax or amin, got %s", a.str(4))
	}
	if c.GradEnabled && (t.graphNode() != nil || src.graphNode() != nil) {
		lack("RuntimeError", "the derivative of torch.scatter_reduce")
	}
	d := axis(a.int(1), len(t.shape))
	if len(src.shape) != len(a.tensor(2).shape) {
		runtimeError("Index tensor must have the same number of dimensions as src tensor")
	}
	for i, n := range a.tensor(2).shape {
		if n > src.shape[i] {
			runtimeError("Expected index %s to be no larger than src %s", shapeText(a.tensor(2).shape),
				shapeText(src.shape))
		}
		src = narrow(c, src, i, 0, n, 1)
	}
	places := along(c, t.shape, d, a.tensor(2))
	out := c.alloc(t.dtype, t.shape...)
	if t.isFloat() {
		values := t.Floats()
		mean := func(sum float64, n int) float64 { return sum / float64(n) }
		combineAt(c, values, src.Floats(), places, a.str(4), a.bool(5), mean)
		out.setFloats(values)
	} else {
		values := t.Ints()
		mean := func(sum int64, n int) int64 { return floorDiv(sum, int64(n)) }
		combineAt(c, values, src.Ints(), places, a.str(4), a.bool(5), mean)
		out.setInts(values)
	}
	return out
}

// combineAt combines the values at places with those that arrive there, one by one; a mean is divided at the end.
// Without self the first to arrive replaces what is there.
func combineAt[T int64 | float64](c *Context, values, from []T, p places, how string, self bool,
	divide func(sum T, n int) T) {
	counts := make([]int, len(values))
	p.each(c, func(i, at int) {
		x, y := values[at], from[i]
		switch {
		case counts[at] == 0 && !self:
			x = y
		case how == "prod":
			x *= y
		case how == "amax":
			x = max(x, y)
		case how == "amin":
			x = min(x, y)
		default:
			x += y
		}
		values[at] = x
		counts[at]++
	})
	for i, n := range polled(c, counts) {
		if n += int(truth(self)); how == "mean" && n > 0 {
			values[i] = divide(values[i], n)
		}
	}
}
