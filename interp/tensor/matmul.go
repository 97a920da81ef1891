package tensor

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// matmulOps are the products of matrices and vectors.
var matmulOps = []Op{
	{Name: "matmul", grad: gradOfMatmul, Where: everywhere, Signature: "input: Tensor, other: Tensor", run: func(c *Context, a args) any { return c.matmul(a.tensor(0), a.tensor(1)) }},
	{Name: "mm", Where: everywhere, Signature: "input: Tensor, mat2: Tensor", run: fixedRank("mm", 2, 2)},
	{Name: "bmm", Where: everywhere, Signature: "input: Tensor, mat2: Tensor", run: fixedRank("bmm", 3, 3)},
	{Name: "mv", grad: gradNamed("MvBackward0"), Where: everywhere, Signature: "input: Tensor, vec: Tensor", run: fixedRank("mv", 2, 1)},
	{Name: "dot", grad: gradNamed("DotBackward0"), Where: everywhere, Signature: "input: Tensor, tensor: Tensor", run: fixedRank("dot", 1, 1)},
	{Name: "outer", Where: everywhere, Signature: "input: Tensor, vec2: Tensor", run: func(c *Context, a args) any {
		x, y := a.tensor(0), a.tensor(1)
		if len(x.shape) != 1 || len(y.shape) != 1 {
			runtimeError("outer: Expected 1-D arguments, but got %dD and %dD", len(x.shape), len(y.shape))
		}
		return c.mul(c.unsqueeze(x, 1), y)
	}},
	{Name: "addmm", grad: gradNamed("AddmmBackward0"), Where: everywhere, Signature: "input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1", run: func(c *Context, a args) any {
		return c.scaledSum(a, fixedRank("mm", 2, 2))
	}},
	{Name: "baddbmm", grad: gradNamed("BaddbmmBackward0"), Where: everywhere, Signature: "input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1", run: func(c *Context, a args) any {
		return c.scaledSum(a, fixedRank("bmm", 3, 3))
	}},
	{Name: "einsum", grad: gradNamed("ViewBackward0"), Where: InTorch, Signature: "equation: str, *operands: Tensors", run: func(c *Context, a args) any { return c.einsum(a.str(0), a.tensors(1)) }},
	{Name: "linear", Where: InFunctional, Signature: "input: Tensor, weight: Tensor, bias: Tensor? = None", run: func(c *Context, a args) any {
		w := a.tensor(1)
		out := c.matmul(a.tensor(0), c.permute(w, reversed(len(w.shape))))
		if a.has(2) {
			out = c.add(out, a.tensor(2))
		}
		return out
	}},
}

func fixedRank(name string, x, y int) func(c *Context, a args) any {
	return func(c *Context, a args) any {
		if len(a.tensor(0).shape) != x || len(a.tensor(1).shape) != y {
			runtimeError("%s: expected a %d-D and a %d-D tensor, but got %d-D and %d-D", name, x, y, len(a.tensor(0).shape), len(a.tensor(1).shape))
		}
		return c.matmul(a.tensor(0), a.tensor(1))
	}
}

func (c *Context) scaledSum(a args, product func(c *Context, a args) any) *Tensor {
	p := operand{product(c, a[1:]).(*Tensor), false}
	if a[4] != int64(1) {
		p = operand{c.arith("mul", p, numberOperand(a[4])), false}
	}
	if a[3] == int64(0) {
		return p.Tensor
	}
	in := a.operandOf(0)
	if a[3] != int64(1) {
		in = operand{c.arith("mul", in, numberOperand(a[3])), false}
	}
	return c.arith("add", in, p)
}

// matmul follows torch.matmul: vectors gain a dimension that the result loses, batches broadcast.
func (c *Context) matmul(x, y *Tensor) *Tensor {
	if len(x.shape) == 0 || len(y.shape) == 0 {
		runtimeError("both arguments to matmul need to be at least 1D, but they are %dD and %dD", len(x.shape), len(y.shape))
	}
	if x.dtype != y.dtype {
		runtimeError("expected m1 and m2 to have the same dtype, but got: %s != %s", cTypes[x.dtype], cTypes[y.dtype])
	}
	arithmetic("addmm_impl_cpu_", x.dtype)
	rowVector, columnVector := len(x.shape) == 1, len(y.shape) == 1
	if rowVector {
		x = c.unsqueeze(x, 0)
	}
	if columnVector {
		y = c.unsqueeze(y, 1)
	}
	if x.shape[len(x.shape)-1] != y.shape[len(y.shape)-2] {
		runtimeError("mat1 and mat2 shapes cannot be multiplied (%s and %s)", timesText(x.shape), timesText(y.shape))
	}
	out := c.batchedProduct(x, y)
	if columnVector {
		out = c.squeeze(out, []int{-1}, false)
	}
	if rowVector {
		drop := -2
		if columnVector {
			drop = -1
		}
		out = c.squeeze(out, []int{drop}, false)
	}
	return out
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
var cTypes = map[num.DType]string{
	num.Int1: "bool", num.Int8: "signed char", num.Int16: "short", num.Int32: "int", num.Int64: "long long",
	num.Uint8: "unsigned char", num.Float16: "c10::Half", num.BFloat16: "c10::BFloat16", num.Float32: "float", num.Float64: "double",
}

func timesText(shape []int) string {
	return strings.ReplaceAll(strings.Trim(shapeText(shape), "[]"), ", ", "x")
}

// batchedProduct multiplies the last two dimensions; the others broadcast.
func (c *Context) batchedProduct(x, y *Tensor) *Tensor {
	m, k, n := x.shape[len(x.shape)-2], x.shape[len(x.shape)-1], y.shape[len(y.shape)-1]
	batch := broadcastShapes(x.shape[:len(x.shape)-2], y.shape[:len(y.shape)-2])
	out := c.alloc(x.dtype, append(slices.Clone(batch), m, n)...)
	xs := x.over(x.expandTo(append(slices.Clone(batch), m, k)))
	ys := y.over(y.expandTo(append(slices.Clone(batch), k, n)))
	if x.isFloat() {
		multiply(out, xs, ys, (*reader).floats, (*writer).floats)
	} else {
		multiply(out, xs, ys, (*reader).ints, (*writer).ints)
	}
	c.record(out, productNames[len(out.shape)], []*Tensor{x, y}, func(g *Tensor) []*Tensor {
		return []*Tensor{
			c.batchedProduct(g, c.transpose(y, -1, -2)),
			c.batchedProduct(c.transpose(x, -1, -2), g),
		}
	})
	if x.wants() {
		out.save(y)
	}
	if y.wants() {
		out.save(x)
	}
	return out
}

// productNames names the graph's node by the result's rank, as torch's kernels do.
var productNames = map[int]string{2: "mm", 3: "bmm"}

// multiply runs the product of every batch. Sums are kept in float64, or in int64.
func multiply[T float64 | int64](out, x, y *Tensor, read func(*reader, []T), write func(*writer, []T)) {
	rank := len(out.shape)
	m, n, k := out.shape[rank-2], out.shape[rank-1], x.shape[rank-1]
	if out.numel() == 0 {
		return
	}
	xr, yr, w := x.reader(), y.reader(), out.writer()
	a, b, row := make([]T, k), make([]T, k*n), make([]T, n)
	for range out.numel() / (m * n) {
		readAll(yr, b, read)
		for range m {
			readAll(xr, a, read)
			clear(row)
			for p, v := range a {
				from := b[p*n:][:len(row)]
				for j, u := range from {
					row[j] += v * u
				}
			}
			for start := 0; start < n; start += chunk {
				write(w, row[start:min(start+chunk, n)])
			}
		}
	}
}

func readAll[T any](r *reader, dst []T, read func(*reader, []T)) {
	for start := 0; start < len(dst); start += chunk {
		read(r, dst[start:min(start+chunk, len(dst))])
	}
}

// einsum sums products over the labels that the output lacks; operands are contracted from left
// to right, each step as one batched product.
func (c *Context) einsum(equation string, operands []*Tensor) *Tensor {
	inputs, output := c.einsumLabels(equation, operands)
	if len(operands) == 0 {
		runtimeError("einsum(): must provide at least one operand")
	}
	t, labels := c.withoutRepeats(operands[0], inputs[0])
	for i, next := range operands[1:] {
		u, uLabels := c.withoutRepeats(next, inputs[i+1])
		later := output + strings.Join(inputs[i+2:], "")
		t, labels = c.contract(t, u, labels, uLabels, later)
	}
	t, labels = c.sumAway(t, labels, output)
	want, have := []rune(output), []rune(labels)
	order := make([]int, len(want))
	for i, l := range want {
		if order[i] = slices.Index(have, l); order[i] < 0 {
			runtimeError("einsum(): output subscript %c does not appear in the equation for any input operand", l)
		}
	}
	return c.permute(t, order)
}

// einsumLabels splits the equation. An ellipsis becomes capital letters past Z's, one a dimension.
func (c *Context) einsumLabels(equation string, operands []*Tensor) (inputs []string, output string) {
	left, right, explicit := strings.Cut(strings.ReplaceAll(equation, " ", ""), "->")
	inputs = strings.Split(left, ",")
	if len(inputs) != len(operands) {
		runtimeError("einsum(): the number of subscripts (%d) does not match the number of operands (%d)", len(inputs), len(operands))
	}
	const batch = "αβγδεζηθικλμνξοπρστυφχψω"
	widest := 0
	for i, labels := range inputs {
		if strings.Contains(labels, "...") {
			n := len(operands[i].shape) - (len(labels) - 3)
			if n < 0 || n > 24 {
				runtimeError("einsum(): the number of subscripts in the equation (%d) is more than the number of dimensions (%d) for operand %d", len(labels)-3, len(operands[i].shape), i)
			}
			widest = max(widest, n)
			inputs[i] = strings.Replace(labels, "...", string([]rune(batch)[24-n:]), 1)
			left = strings.Replace(left, "...", "", 1)
		} else if len(labels) != len(operands[i].shape) {
			runtimeError("einsum(): the number of subscripts in the equation (%d) does not match the number of dimensions (%d) for operand %d and no ellipsis was given", len(labels), len(operands[i].shape), i)
		}
	}
	free := string([]rune(batch)[24-widest:])
	if explicit {
		return inputs, strings.Replace(right, "...", free, 1)
	}
	var once []rune
	for _, l := range strings.Join(inputs, "") {
		if l < 0x80 && strings.Count(left, string(l)) == 1 {
			once = append(once, l)
		}
	}
	slices.Sort(once)
	return inputs, free + string(once)
}

// withoutRepeats takes the diagonal of dimensions with one label.
func (c *Context) withoutRepeats(t *Tensor, labels string) (*Tensor, string) {
	runes := []rune(labels)
	for i := 0; i < len(runes); i++ {
		for j := i + 1; j < len(runes); j++ {
			if runes[i] == runes[j] {
				l := runes[i]
				t = c.diagonal(t, 0, i, j)
				runes = append(slices.Delete(slices.Delete(runes, j, j+1), i, i+1), l)
				i, j = -1, len(runes)
			}
		}
	}
	return t, string(runes)
}

// sumAway sums over the labels that are not in keep.
func (c *Context) sumAway(t *Tensor, labels, keep string) (*Tensor, string) {
	var dims []int
	var rest []rune
	for i, l := range []rune(labels) {
		if strings.ContainsRune(keep, l) {
			rest = append(rest, l)
		} else {
			dims = append(dims, i)
		}
	}
	if len(dims) > 0 {
		t = c.reduceSum(t, dims, false)
	}
	return t, string(rest)
}

// contract multiplies two operands and sums over labels that are not needed later.
func (c *Context) contract(x, y *Tensor, xl, yl, later string) (*Tensor, string) {
	x, xl = c.sumAway(x, xl, yl+later)
	y, yl = c.sumAway(y, yl, xl+later)
	var batch, inner, left, right []rune
	for _, l := range xl {
		switch {
		case !strings.ContainsRune(yl, l):
			left = append(left, l)
		case strings.ContainsRune(later, l):
			batch = append(batch, l)
		default:
			inner = append(inner, l)
		}
	}
	for _, l := range yl {
		if !strings.ContainsRune(xl, l) {
			right = append(right, l)
		}
	}
	xm, b, m, _ := c.grouped(x, xl, batch, left, inner)
	ym, _, _, n := c.grouped(y, yl, batch, inner, right)
	out := c.batchedProduct(xm, ym)
	return c.reshape(out, slices.Concat(b, m, n)), string(slices.Concat(batch, left, right))
}

// grouped permutes t to batch, rows, columns and merges each group into one dimension.
func (c *Context) grouped(t *Tensor, labels string, groups ...[]rune) (out *Tensor, batch, rows, columns []int) {
	var order []int
	sizes, merged := make([][]int, 3), make([]int, 3)
	runes := []rune(labels)
	for g, group := range groups {
		merged[g] = 1
		for _, l := range group {
			d := slices.Index(runes, l)
			order = append(order, d)
			sizes[g] = append(sizes[g], t.shape[d])
			merged[g] *= t.shape[d]
		}
	}
	return c.reshape(c.permute(t, order), merged), sizes[0], sizes[1], sizes[2]
}
