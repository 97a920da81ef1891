package tensor

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/gemm"
)

// matmulOps are the products of matrices and vectors.
var matmulOps = []Op{
	{Name: "matmul", grad: gradOfMatmul, Where: everywhere, Signature: "input: Tensor, other: Tensor",
		run: func(c *Context, a args) any { return matmul(c, a.tensor(0), a.tensor(1)) }},
	{Name: "mm", Where: everywhere, Signature: "input: Tensor, mat2: Tensor", run: fixedRank("mm", 2, 2)},
	{Name: "bmm", Where: everywhere, Signature: "input: Tensor, mat2: Tensor", run: fixedRank("bmm", 3, 3)},
	{Name: "mv", grad: gradNamed("MvBackward0"), Where: everywhere, Signature: "input: Tensor, vec: Tensor",
		run: fixedRank("mv", 2, 1)},
	{Name: "dot", grad: gradNamed("DotBackward0"), Where: everywhere, Signature: "input: Tensor, tensor: Tensor",
		run: fixedRank("dot", 1, 1)},
	{Name: "outer", Where: everywhere, Signature: "input: Tensor, vec2: Tensor", run: func(c *Context, a args) any {
		x, y := a.tensor(0), a.tensor(1)
		if len(x.shape) != 1 {
			runtimeError("outer: Expected 1-D argument self, but got %d-D", len(x.shape))
		}
		if len(y.shape) != 1 {
			runtimeError("outer: Expected 1-D argument vec2, but got %d-D", len(y.shape))
		}
		return mul(c, unsqueeze(c, x, 1), y)
	}},
	{Name: "addmm", grad: gradNamed("AddmmBackward0"), Where: everywhere,
		Signature: "input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1",
		run:       func(c *Context, a args) any { return addScaledProduct(c, a, productOfRanks("mm", 2, 2)) }},
	{Name: "baddbmm", grad: gradNamed("BaddbmmBackward0"), Where: everywhere,
		Signature: "input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1",
		run:       func(c *Context, a args) any { return addScaledProduct(c, a, productOfRanks("bmm", 3, 3)) }},
	{Name: "linear", grad: gradOfLinear, Where: InFunctional,
		Signature: "input: Tensor, weight: Tensor, bias: Tensor? = None",
		run: func(c *Context, a args) any {
			w := a.tensor(1)
			columns := permute(c, w, reversed(len(w.shape)))
			if !a.has(2) {
				return matmul(c, a.tensor(0), columns)
			}
			out := matmulIn(c, sumsOf(w.dtype), a.tensor(0), columns)
			if b, n := a.tensor(2).shape, len(out.shape); len(b) == 1 && b[0] != 1 && b[0] != out.shape[n-1] {
				runtimeError("The expanded size of the tensor (%d) must match the existing size (%d) at non-singleton dimension %d.  Target sizes: %s.  Tensor sizes: %s",
					out.shape[n-1], b[0], n-1, shapeText(out.shape), shapeText(b))
			}
			return toDType(c, add(c, out, a.tensor(2)), w.dtype)
		}},
}

// sumsOf is the dtype in which something is added to a product of matrices of dtype d: torch's kernels add it to the
// sums, which are float32 for 16-bit factors, and round once.
func sumsOf(d num.DType) num.DType {
	if d == num.Float16 || d == num.BFloat16 {
		return num.Float32
	}
	return d
}

// gradOfLinear is the graph's name for a linear layer: one addmm of the input's rows, viewed in the input's shape.
func gradOfLinear(a args) string {
	switch {
	case len(a.tensor(0).shape) == 2 && a.has(2):
		return "AddmmBackward0"
	case len(a.tensor(0).shape) == 2:
		return "MmBackward0"
	case len(a.tensor(0).shape) == 1 && a.has(2):
		return "AddBackward0"
	case len(a.tensor(0).shape) == 1:
		return "SqueezeBackward4"
	}
	return "ViewBackward0"
}

func fixedRank(name string, x, y int) func(c *Context, a args) any {
	multiply := productOfRanks(name, x, y)
	return func(c *Context, a args) any { return multiply(c, a.tensor(0).dtype, a.tensor(0), a.tensor(1)) }
}

// A product multiplies two tensors. The result has the dtype sums.
type product func(c *Context, sums num.DType, x, y *Tensor) *Tensor

// productOfRanks is the product of matrices of an operation that takes tensors of the ranks m and n.
func productOfRanks(name string, m, n int) product {
	return func(c *Context, sums num.DType, x, y *Tensor) *Tensor {
		if len(x.shape) != m || len(y.shape) != n {
			refuseRanks(name, len(x.shape), len(y.shape))
		}
		return matmulIn(c, sums, x, y)
	}
}

// refuseRanks says that the ranks x and y are not those that an operation multiplies.
func refuseRanks(name string, x, y int) {
	switch name {
	case "mm":
		runtimeError("%s must be a matrix", word(x != 2, "self", "mat2"))
	case "bmm":
		runtimeError("%s must be a 3D tensor", word(x != 3, "batch1", "batch2"))
	case "dot":
		runtimeError("1D tensors expected, but got %dD and %dD tensors", x, y)
	}
	runtimeError("vector + matrix @ vector expected, got 1, %d, %d", x, y)
}

// addScaledProduct is beta·input + alpha·product of the two tensors that follow.
func addScaledProduct(c *Context, a args, multiply product) *Tensor {
	if x, y := a.tensor(0), a.tensor(2); x.dtype != y.dtype {
		runtimeError("self and mat2 must have the same dtype, but got %s and %s",
			legacyNames[x.dtype], legacyNames[y.dtype])
	}
	dtype := a.tensor(0).dtype
	p := operand{multiply(c, sumsOf(dtype), a.tensor(1), a.tensor(2)), false}
	if a[4] != int64(1) {
		p = operand{applyBinary(c, "mul", p, numberOperand(a[4])), false}
	}
	if a[3] == int64(0) {
		return toDType(c, p.Tensor, dtype)
	}
	if !stretches(a.tensor(0).shape, p.shape) {
		expand(c, a.tensor(0), p.shape) // refuses
	}
	in := operand{toDType(c, a.tensor(0), p.dtype), false}
	if a[3] != int64(1) {
		in = operand{applyBinary(c, "mul", in, numberOperand(a[3])), false}
	}
	return toDType(c, applyBinary(c, "add", in, p), dtype)
}

// matmul follows torch.matmul: vectors gain a dimension that the result loses, batches broadcast.
func matmul(c *Context, x, y *Tensor) *Tensor { return matmulIn(c, x.dtype, x, y) }

// matmulIn is matmul with a result of the dtype sums.
func matmulIn(c *Context, sums num.DType, x, y *Tensor) *Tensor {
	if len(x.shape) == 0 || len(y.shape) == 0 {
		runtimeError("both arguments to matmul need to be at least 1D, but they are %dD and %dD", len(x.shape),
			len(y.shape))
	}
	if x.dtype != y.dtype {
		runtimeError("expected %s to have the same dtype, but got: %s != %s",
			word(x.Device() == CUDA, "mat1 and mat2", "m1 and m2"), cTypes[x.dtype], cTypes[y.dtype])
	}
	arithmetic("addmm_impl_cpu_", x.dtype)
	// A vector on the left is a row, one on the right a column; the result loses that dimension again.
	rowVector, columnVector := len(x.shape) == 1, len(y.shape) == 1
	if rowVector {
		x = unsqueeze(c, x, 0)
	}
	if columnVector {
		y = unsqueeze(c, y, 1)
	}
	if x.shape[len(x.shape)-1] != y.shape[len(y.shape)-2] {
		refuseProduct(x.shape, y.shape, rowVector, columnVector)
	}
	out := batchedProductIn(c, sums, x, y)
	if columnVector {
		out = squeeze(c, out, []int{-1}, false)
	}
	if rowVector {
		drop := -2
		if columnVector {
			drop = -1
		}
		out = squeeze(c, out, []int{drop}, false)
	}
	return out
}

// refuseProduct says that the inner dimensions of two matrices differ, in the words of the operation that torch.matmul
// hands them to.
func refuseProduct(x, y []int, rowVector, columnVector bool) {
	rows, inner := layout{shape: x[:len(x)-1]}.numel(), x[len(x)-1]
	switch {
	case rowVector && columnVector:
		runtimeError("inconsistent tensor size, expected tensor [%d] and src [%d] to have the same number of "+
			"elements, but got %d and %d elements respectively",
			inner, y[0], inner, y[0])
	case columnVector:
		runtimeError("size mismatch, got input (%d), mat (%dx%d), vec (%d)", rows, rows, inner, y[0])
	case len(y) > 2:
		batch := layout{shape: y[:len(y)-2]}.numel()
		runtimeError("Expected size for first two dimensions of batch2 tensor to be: [%d, %d] but got: [%d, %d].",
			batch,
			inner, batch, y[len(y)-2])
	}
	runtimeError("mat1 and mat2 shapes cannot be multiplied (%dx%d and %s)", rows, inner, timesText(y))
}

// gradOfMatmul is the graph's name for a product, which torch.matmul hands to other operations by rank.
func gradOfMatmul(a args) string {
	switch x, y := len(a.tensor(0).shape), len(a.tensor(1).shape); {
	case x == 1 && y == 1:
		return "DotBackward0"
	case x == 2 && y == 1:
		return "MvBackward0"
	case x == 1 && y == 2:
		return "SqueezeBackward4"
	case x == 2 && y == 2:
		return "MmBackward0"
	}
	return "UnsafeViewBackward0"
}

// cTypes are the C++ names that matmul's refusal uses.
var cTypes = [num.Complex128 + 1]string{
	num.Int1: "bool", num.Int8: "signed char", num.Int16: "short", num.Int32: "int", num.Int64: "long int",
	num.Uint8: "unsigned char", num.Float16: "c10::Half", num.BFloat16: "c10::BFloat16", num.Float32: "float",
	num.Float64: "double", num.Complex64: "c10::complex<float>", num.Complex128: "c10::complex<double>",
}

func timesText(shape []int) string {
	return strings.ReplaceAll(strings.Trim(shapeText(shape), "[]"), ", ", "x")
}

// batchedProduct multiplies the last two dimensions; the others broadcast.
func batchedProduct(c *Context, x, y *Tensor) *Tensor { return batchedProductIn(c, x.dtype, x, y) }

// batchedProductIn is batchedProduct with a result of the dtype sums.
func batchedProductIn(c *Context, sums num.DType, x, y *Tensor) *Tensor {
	if x.IsComplex() {
		return complexProduct(c, x, y)
	}
	m, k, n := x.shape[len(x.shape)-2], x.shape[len(x.shape)-1], y.shape[len(y.shape)-1]
	batch := broadcastShapes(x.shape[:len(x.shape)-2], y.shape[:len(y.shape)-2])
	out := c.alloc(sums, append(slices.Clone(batch), m, n)...)
	// Broadcast dimensions get the stride 0: nothing is copied.
	xs := x.asStrided(x.expandTo(append(slices.Clone(batch), m, k)))
	ys := y.asStrided(y.expandTo(append(slices.Clone(batch), k, n)))
	switch {
	case out.numel() == 0 || k == 0 || c.multiplyOnDevice(out, xs, ys):
	case x.dtype == num.Float16 || x.dtype == num.BFloat16:
		// Tensor cores, and the kernels that are compared with them, keep the sums of 16-bit factors in float32.
		multiply(out, xs, ys, (*reader).singles, (*writer).singles)
	case x.isFloat():
		multiply(out, xs, ys, (*reader).floats, (*writer).floats)
	default:
		multiply(out, xs, ys, (*reader).ints, (*writer).ints)
	}
	out.computed("matmul", x, y)
	// d(x·y) = dx·y + x·dy, so that the gradients are g·yᵀ and xᵀ·g.
	c.record(out, productNames[len(out.shape)], []*Tensor{x, y}, func(g *Tensor) []*Tensor {
		g = toDType(c, g, x.dtype)
		return []*Tensor{
			batchedProduct(c, g, transpose(c, y, -1, -2)),
			batchedProduct(c, transpose(c, x, -1, -2), g),
		}
	})
	if x.needsGrad() {
		out.save(y)
	}
	if y.needsGrad() {
		out.save(x)
	}
	return out
}

// multiplyOnDevice computes the product where the tensors lie, and reports whether it could. x and y have the batch
// dimensions of out.
func (c *Context) multiplyOnDevice(out, x, y *Tensor) bool {
	if c.Multiply == nil || !out.storage.cuda {
		return false
	}
	xs, ys := batchesOf(x), batchesOf(y)
	for i, o := range batchesOf(out) {
		if !c.Multiply(o, xs[i], ys[i]) {
			return false
		}
	}
	return true
}

// batchesOf are t's batches of matrices: a tensor of the last three dimensions for each index of those before them.
func batchesOf(t *Tensor) (batches []*Tensor) {
	g := t.layout
	if len(g.shape) == 2 {
		g = layout{slices.Insert(slices.Clone(g.shape), 0, 1), slices.Insert(slices.Clone(g.strides), 0, 0), g.offset}
	}
	outer := len(g.shape) - 3
	eachElement(t.storage.of, layout{g.shape[:outer], g.strides[:outer], g.offset}, func(_, at int) {
		batches = append(batches, t.asStrided(layout{g.shape[outer:], g.strides[outer:], at}))
	})
	return batches
}

// productNames names the graph's node by the result's rank, as torch's kernels do.
var productNames = map[int]string{2: "mm", 3: "bmm"}

// multiply runs the product of every batch. Sums are kept in float64, in float32 or in int64.
func multiply[T float64 | float32 | int64](out, x, y *Tensor, read func(*reader, []T), write func(*writer, []T)) {
	rank := len(out.shape)
	m, n, k := out.shape[rank-2], out.shape[rank-1], x.shape[rank-1]
	batches := out.numel() / (m * n)
	xs, ys, data := x.storage.read(), y.storage.read(), out.storage.write()
	for batch := range batches {
		b := make([]T, k*n)
		chunksInParallel(len(b), func(from, to int) {
			r := y.elements(ys)
			r.seek(batch*k*n + from)
			out.storage.of.chunksOf(from, to, func(from, to int) { read(r, b[from:to]) })
		})
		inParallel(m, 4, n*k, func(from, to int) {
			r, w := x.elements(xs), &writer{*out.elements(data)}
			// So many rows at a time that they stay in the second cache.
			a, c := make([]T, min(productRows, to-from)*k), make([]T, min(productRows, to-from)*n)
			r.seek((batch*m + from) * k)
			w.seek((batch*m + from) * n)
			for ; from < to; from += productRows {
				rows := min(productRows, to-from)
				a, c = a[:rows*k], c[:rows*n]
				clear(c)
				out.storage.of.chunksOf(0, len(a), func(from, to int) { read(r, a[from:to]) })
				gemm.Add(c, a, b, n, k, func(int) bool {
					out.storage.of.poll()
					return true
				})
				out.storage.of.chunksOf(0, len(c), func(from, to int) { write(w, c[from:to]) })
			}
		})
	}
}

// productRows is how many rows of a product are computed at a time.
const productRows = 256
