package tensor

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// matmulOps are the products of matrices and vectors.
var matmulOps = []Op{
	{
		Name: "matmul", grad: gradOfMatmul, Where: everywhere, Signature: "input: Tensor, other: Tensor",
		run: func(c *Context, a args) any { return matmul(c, a.tensor(0), a.tensor(1)) },
	},
	{Name: "mm", Where: everywhere, Signature: "input: Tensor, mat2: Tensor", run: fixedRank("mm", 2, 2)},
	{Name: "bmm", Where: everywhere, Signature: "input: Tensor, mat2: Tensor", run: fixedRank("bmm", 3, 3)},
	{
		Name: "mv", grad: gradNamed("MvBackward0"), Where: everywhere, Signature: "input: Tensor, vec: Tensor",
		run: fixedRank("mv", 2, 1),
	},
	{
		Name: "dot", grad: gradNamed("DotBackward0"), Where: everywhere, Signature: "input: Tensor, tensor: Tensor",
		run: fixedRank("dot", 1, 1),
	},
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
	{
		Name: "addmm", grad: gradNamed("AddmmBackward0"), Where: everywhere,
		Signature: "input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1",
		run: func(c *Context, a args) any {
			return addScaledProduct(c, a, fixedRank("mm", 2, 2))
		},
	},
	{
		Name: "baddbmm", grad: gradNamed("BaddbmmBackward0"), Where: everywhere,
		Signature: "input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1",
		run: func(c *Context, a args) any {
			return addScaledProduct(c, a, fixedRank("bmm", 3, 3))
		},
	},
	{
		Name: "linear", grad: gradOfLinear, Where: InFunctional, Signature: "input: Tensor, weight: Tensor, bias: Tensor? = None",
		run: func(c *Context, a args) any {
			w := a.tensor(1)
			out := matmul(c, a.tensor(0), permute(c, w, reversed(len(w.shape))))
			if a.has(2) {
				if b, n := a.tensor(2).shape, len(out.shape); len(b) == 1 && b[0] != 1 && b[0] != out.shape[n-1] {
					runtimeError("The expanded size of the tensor (%d) must match the existing size (%d) at non-singleton dimension %d.  Target sizes: %s.  Tensor sizes: %s",
						out.shape[n-1], b[0], n-1, shapeText(out.shape), shapeText(b))
				}
				out = add(c, out, a.tensor(2))
			}
			return out
		},
	},
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
	return func(c *Context, a args) any {
		if len(a.tensor(0).shape) != x || len(a.tensor(1).shape) != y {
			refuseRanks(name, len(a.tensor(0).shape), len(a.tensor(1).shape))
		}
		return matmul(c, a.tensor(0), a.tensor(1))
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
func addScaledProduct(c *Context, a args, product func(c *Context, a args) any) *Tensor {
	if x, y := a.tensor(0), a.tensor(2); x.dtype != y.dtype {
		runtimeError("self and mat2 must have the same dtype, but got %s and %s",
			legacyNames[x.dtype], legacyNames[y.dtype])
	}
	p := operand{product(c, a[1:]).(*Tensor), false}
	if a[4] != int64(1) {
		p = operand{applyBinary(c, "mul", p, numberOperand(a[4])), false}
	}
	if a[3] == int64(0) {
		return p.Tensor
	}
	if !stretches(a.tensor(0).shape, p.shape) {
		expand(c, a.tensor(0), p.shape) // refuses
	}
	in := a.operandOf(0)
	if a[3] != int64(1) {
		in = operand{applyBinary(c, "mul", in, numberOperand(a[3])), false}
	}
	return applyBinary(c, "add", in, p)
}

// matmul follows torch.matmul: vectors gain a dimension that the result loses, batches broadcast.
func matmul(c *Context, x, y *Tensor) *Tensor {
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
	out := batchedProduct(c, x, y)
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
var cTypes = [num.NumDTypes]string{
	num.Int1: "bool", num.Int8: "signed char", num.Int16: "short", num.Int32: "int", num.Int64: "long int",
	num.Uint8: "unsigned char", num.Float16: "c10::Half", num.BFloat16: "c10::BFloat16", num.Float32: "float",
	num.Float64: "double",
}

func timesText(shape []int) string {
	return strings.ReplaceAll(strings.Trim(shapeText(shape), "[]"), ", ", "x")
}

// batchedProduct multiplies the last two dimensions; the others broadcast.
func batchedProduct(c *Context, x, y *Tensor) *Tensor {
	m, k, n := x.shape[len(x.shape)-2], x.shape[len(x.shape)-1], y.shape[len(y.shape)-1]
	batch := broadcastShapes(x.shape[:len(x.shape)-2], y.shape[:len(y.shape)-2])
	out := c.alloc(x.dtype, append(slices.Clone(batch), m, n)...)
	// Broadcast dimensions get the stride 0: nothing is copied.
	xs := x.asStrided(x.expandTo(append(slices.Clone(batch), m, k)))
	ys := y.asStrided(y.expandTo(append(slices.Clone(batch), k, n)))
	switch {
	case out.numel() == 0 || k == 0 || c.multiplyOnDevice(out, xs, ys):
	case x.dtype == num.Float16 || x.dtype == num.BFloat16:
		multiply(out, xs, ys, readSingles, writeSingles)
	case x.isFloat():
		multiply(out, xs, ys, (*reader).floats, (*writer).floats)
	default:
		multiply(out, xs, ys, (*reader).ints, (*writer).ints)
	}
	out.computed("matmul", x, y)
	// d(x·y) = dx·y + x·dy, so that the gradients are g·yᵀ and xᵀ·g.
	c.record(out, productNames[len(out.shape)], []*Tensor{x, y}, func(g *Tensor) []*Tensor {
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
	eachElement(layout{g.shape[:outer], g.strides[:outer], g.offset}, func(_, at int) {
		batches = append(batches, t.asStrided(layout{g.shape[outer:], g.strides[outer:], at}))
	})
	return batches
}

// productNames names the graph's node by the result's rank, as torch's kernels do.
var productNames = map[int]string{2: "mm", 3: "bmm"}

// readSingles and writeSingles keep the products of 16-bit factors in float32: tensor cores and the kernels that are
// compared with them round their sums so.
func readSingles(r *reader, dst []float32) {
	wide := make([]float64, len(dst))
	r.floats(wide)
	for i, f := range wide {
		dst[i] = float32(f)
	}
}

func writeSingles(w *writer, src []float32) {
	wide := make([]float64, len(src))
	for i, f := range src {
		wide[i] = float64(f)
	}
	w.floats(wide)
}

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
			chunksOf(from, to, func(from, to int) { read(r, b[from:to]) })
		})
		// Two rows of the result are worked on at a time.
		inParallel(m, 2, n*k, func(from, to int) {
			r, w := x.elements(xs), &writer{*out.elements(data)}
			a, c := make([]T, (to-from)*k), make([]T, (to-from)*n)
			r.seek((batch*m + from) * k)
			chunksOf(0, len(a), func(from, to int) { read(r, a[from:to]) })
			step := max(2, 1<<26/max(n*k, 1)&^1) // rows between two questions whether to stop
			for row := 0; row < to-from; row += step {
				out.storage.poll()
				end := min(row+step, to-from)
				product(c[row*n:end*n], a[row*k:end*k], b, n, k)
			}
			w.seek((batch*m + from) * n)
			chunksOf(0, len(c), func(from, to int) { write(w, c[from:to]) })
		})
	}
}

// panelRows is how many rows of four columns of b are kept in the first cache: 8 KiB.
const panelRows = 256

// product adds a·b to c, all row by row, rows of n in b and c and of k in a. It goes over b in panels of four columns,
// packed, and over c in tiles of 2×4, which stay in registers. Each element gets its products in the order of k.
func product[T float64 | float32 | int64](c, a, b []T, n, k int) {
	rows := len(c) / n
	var panel [panelRows * 4]T
	for top := 0; top < k; top += panelRows {
		depth := min(panelRows, k-top)
		j := 0
		for ; j+4 <= n; j += 4 {
			packed := panel[:4*depth]
			for p := range depth {
				copy(packed[4*p:4*p+4], b[(top+p)*n+j:])
			}
			i := 0
			for ; i+2 <= rows; i += 2 {
				tile2x4(c[i*n+j:], c[(i+1)*n+j:], a[i*k+top:][:depth], a[(i+1)*k+top:], packed)
			}
			if i < rows { // the last row is both rows of its tile
				var twin [4]T
				tile2x4(c[i*n+j:], twin[:], a[i*k+top:][:depth], a[i*k+top:], packed)
			}
		}
		for ; j < n; j++ {
			for i := range rows {
				sum := c[i*n+j]
				for p, v := range a[i*k+top:][:depth] {
					// The conversion keeps Go from fusing product and sum, as it does on some processors.
					sum += T(v * b[(top+p)*n+j])
				}
				c[i*n+j] = sum
			}
		}
	}
}

// tile2x4 adds the product of the rows a0 and a1 with four packed columns to four elements each of c0 and c1.
func tile2x4[T float64 | float32 | int64](c0, c1, a0, a1, packed []T) {
	c0, c1 = c0[:4], c1[:4]
	s00, s01, s02, s03 := c0[0], c0[1], c0[2], c0[3]
	s10, s11, s12, s13 := c1[0], c1[1], c1[2], c1[3]
	// The lengths are stated so that the loop has no bounds checks.
	a1, packed = a1[:len(a0)], packed[:4*len(a0)]
	for p, x := range a0 {
		row, y := packed[4*p:4*p+4:4*p+4], a1[p]
		s00 += T(x * row[0])
		s01 += T(x * row[1])
		s02 += T(x * row[2])
		s03 += T(x * row[3])
		s10 += T(y * row[0])
		s11 += T(y * row[1])
		s12 += T(y * row[2])
		s13 += T(y * row[3])
	}
	c0[0], c0[1], c0[2], c0[3] = s00, s01, s02, s03
	c1[0], c1[1], c1[2], c1[3] = s10, s11, s12, s13
}
