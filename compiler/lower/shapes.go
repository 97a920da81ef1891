package lower

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// lowerBroadcast lowers tl.broadcast(x, y), which gives both in their common shape.
func lowerBroadcast(c *call) value {
	return tensors(c.broadcastTogether(c.arg("input"), c.arg("other")))
}

// broadcastTogether gives several arguments one shape.
func (c *call) broadcastTogether(args ...argument) []*ir.Value {
	vs := make([]*ir.Value, len(args))
	for i, a := range args {
		vs[i] = c.tensorOf(a)
	}
	shape := c.commonShape(args...)
	for i, v := range vs {
		vs[i] = c.b.broadcast(c.node.Span(), v, shape)
	}
	return vs
}

// variadic is the tuple that a call gives as one argument or as several.
func (c *call) variadic(name string) tuple {
	t, _ := c.value(name).(tuple)
	if len(t.elems) == 1 {
		if inner, ok := t.elems[0].(tuple); ok {
			return inner
		}
	}
	return t
}

// variadicShape is a shape that a call gives as one tuple or as several numbers.
func (c *call) variadicShape(name string) []int {
	shape, ok := c.shapeArg(c.variadic(name), c.arg(name).expr)
	c.must(ok)
	return shape
}

// lowerBroadcastTo lowers tl.broadcast_to(x, shape).
func lowerBroadcastTo(c *call) value {
	a, x, shape := c.arg("input"), c.tensor("input"), c.variadicShape("shape")
	c.warnKnown("input", "'constexpr_type' object has no attribute 'is_block'")
	got, r := types.BroadcastShapes(x.Type.Shape, shape)
	if r != nil || !slices.Equal(got, shape) {
		d := diag.New("cannot-broadcast-to", c.spanOf(c.arg("shape").expr), c.sourceText(a.expr),
			types.ShapeString(x.Type.Shape), types.ShapeString(shape),
			broadcastSaid(x.Type.Shape, shape, types.ShapeString(shape)))
		return c.fail(c.noteShapeOrigin(d, x, c.sourceText(a.expr)))
	}
	if rank := len(x.Type.Shape); rank > 0 && rank < len(shape) && !c.frame.fn.module.prelude {
		c.warnSuperset(diag.New("broadcast-rank", c.spanOf(c.node), c.sourceText(a.expr), rank, len(shape),
			broadcastSaid(x.Type.Shape, shape, types.ShapeString(shape))))
	}
	return tensor{c.b.broadcast(c.node.Span(), x, shape)}
}

// printedShape is a shape as Triton prints that of a type: ['16', '4'].
func printedShape(shape []int) string {
	var list []string
	for _, n := range shape {
		list = append(list, "'"+strconv.Itoa(n)+"'")
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// broadcastSaid is what Triton says of a shape that another is not broadcast to, which it prints as shown.
func broadcastSaid(from, to []int, shown string) string {
	shapes := printedShape(from) + ", " + shown
	if len(from) != len(to) {
		return "Cannot broadcast, rank mismatch: " + shapes
	}
	for i, n := range from {
		if n != to[i] && n != 1 {
			return fmt.Sprintf("Cannot broadcast, the expanded size of the tensor (%d) must match the existing size "+
				"(%d) at non-singleton dimension %d: %s", to[i], n, i, shapes)
		}
	}
	return ""
}

// lowerExpandDims lowers tl.expand_dims; axis may be a tuple of places in the result.
func lowerExpandDims(c *call) value {
	x, axes, e := c.tensor("input"), c.list("axis"), c.arg("axis").expr
	rank := len(x.Type.Shape) + len(axes)
	if rank > ops.MaxRank {
		return c.fail(diag.New("rank-too-large", c.spanOf(c.node), ops.MaxRank))
	}
	places := make([]int, len(axes))
	for i, a := range axes {
		places[i] = c.axisOf(argument{a.val, e}, rank)
	}
	if unique := slices.Compact(slices.Sorted(slices.Values(places))); len(unique) < len(places) {
		return c.fail(diag.New("expand-dims-twice", c.spanOf(e), types.ShapeString(places)))
	}
	// Triton's order: axes count in the result, so the smallest is inserted first.
	slices.Sort(places)
	for _, axis := range places {
		if axis > len(x.Type.Shape) {
			c.failAxis(e, axis, len(x.Type.Shape)+1)
		}
		x = c.b.emit(c.node.Span(), ops.ExpandDims, []*ir.Value{x}, axisAttr(axis))
	}
	return tensor{x}
}

// lowerReshape lowers tl.reshape and tl.view.
func lowerReshape(c *call) value {
	a, x, shape := c.arg("input"), c.tensor("input"), c.variadicShape("shape")
	if n := types.Tile(0, shape...).Numel(); n != x.Type.Numel() {
		d := diag.New("reshape-numel", c.spanOf(c.arg("shape").expr), c.sourceText(a.expr),
			types.ShapeString(x.Type.Shape), x.Type.Numel(), types.ShapeString(shape), n)
		return c.fail(c.noteShapeOrigin(d, x, c.sourceText(a.expr)))
	}
	return tensor{c.b.reshape(c.node.Span(), x, shape)}
}

// lowerTrans lowers tl.trans and tl.permute.
func lowerTrans(c *call) value {
	x, dims, e := c.tensor("input"), c.variadic("dims").elems, c.arg("dims").expr
	rank := len(x.Type.Shape)
	if len(dims) == 0 {
		return c.swapLastAxes(c.node, x, c.arg("input").expr)
	}
	if len(dims) != rank {
		said := "permute dims must have the same length as input shape"
		if c.opts.Triton.AtLeast(triton.V37) {
			said += fmt.Sprintf(", got %d and %d", rank, len(dims))
		}
		return c.fail(diag.New("permutation", c.spanOf(e), c.sourceText(e), rank, said))
	}
	perm := make([]int64, len(dims))
	seen := make(map[int]bool)
	for i, v := range dims {
		p := c.axisOf(argument{v, e}, rank)
		perm[i] = int64(p)
		seen[p] = true
	}
	if len(seen) != rank {
		said := "permute dims must be a permutation of 0, 1, ..., n-1, but were …"
		return c.fail(diag.New("permutation", c.spanOf(e), c.sourceText(e), rank, said))
	}
	return tensor{c.b.emit(c.node.Span(), ops.Trans, []*ir.Value{x}, ir.Attr{Name: "perm", Value: perm})}
}

func (l *lowerer) swapLastAxes(at syntax.Node, x *ir.Value, e syntax.Expr) value {
	rank := len(x.Type.Shape)
	if rank < 2 {
		return l.fail(diag.New("trans-rank", l.spanOf(at), l.sourceText(e), typeText(x.Type)))
	}
	perm := make([]int64, rank)
	for i := range perm {
		perm[i] = int64(i)
	}
	perm[rank-1], perm[rank-2] = perm[rank-2], perm[rank-1]
	return tensor{l.b.emit(at.Span(), ops.Trans, []*ir.Value{x}, ir.Attr{Name: "perm", Value: perm})}
}

// broadcastPair gives two tiles one shape and checks that their dtypes agree.
func (c *call) broadcastPair(x, y string) []*ir.Value {
	a, b := argument{tensor{c.tensor(x)}, c.arg(x).expr}, argument{tensor{c.tensor(y)}, c.arg(y).expr}
	if !c.tensorOf(a).Type.Elem().Equal(c.tensorOf(b).Type.Elem()) {
		c.fail(c.explainOperandKinds(c.row.Name, a.val, b.val, operandNodes{c.node, a.expr, b.expr}))
	}
	return c.broadcastTogether(a, b)
}

// join gives two tiles a new last dimension of size 2.
func (c *call) join(pair []*ir.Value) *ir.Value {
	c.must(c.checkShape(append(slices.Clone(pair[0].Type.Shape), 2), c.node))
	return c.b.emit(c.node.Span(), ops.Join, pair)
}

// lowerJoin lowers tl.join.
func lowerJoin(c *call) value {
	return tensor{c.join(c.broadcastPair("a", "b"))}
}

// lowerSplit lowers tl.split.
func lowerSplit(c *call) value {
	x := c.tensor("a")
	if rank := len(x.Type.Shape); rank == 0 || x.Type.Shape[rank-1] != 2 {
		said := "split requires a non-scalar tensor"
		if rank > 0 {
			said = fmt.Sprintf("expected last dimension to be 2 for split, got %d", x.Type.Shape[rank-1])
		}
		return c.fail(diag.New("split-last-dim", c.spanOf(c.node), c.sourceText(c.arg("a").expr), typeText(x.Type),
			said))
	}
	return tensors(c.b.emitRegions(c.node.Span(), ops.Split, []*ir.Value{x}, nil))
}

// lowerCat lowers tl.cat: joined, the new dimension moved in front of dim, and merged with it.
func lowerCat(c *call) value {
	dim, reorder := 0, c.isTrue("can_reorder") && c.has(triton.CatReorders)
	x, y := c.tensor("input").Type.Shape, c.tensor("other").Type.Shape
	if c.isGiven("dim") {
		dim = c.axisOf(c.arg("dim"), len(x))
	}
	if !slices.Equal(x, y) && len(x) > 0 {
		return c.fail(diag.New("cat-shape", c.spanOf(c.node), types.ShapeString(x), types.ShapeString(y),
			c.catSaid(x, y, dim, reorder)))
	}
	pair := c.broadcastPair("input", "other")
	shape := slices.Clone(pair[0].Type.Shape)
	rank := len(shape)
	if rank == 0 {
		return c.fail(diag.New("needs-tile", c.spanOf(c.node), c.row.Path(), c.sourceText(c.arg("input").expr)))
	}
	_, known := c.value("can_reorder").(constant)
	switch {
	case c.frame.fn.module.prelude:
	case known && !c.isTrue("can_reorder") && !c.has(triton.CatKeepsOrder):
		c.warnSuperset(diag.New("cat-order", c.spanOf(c.node)))
	case reorder && rank > 1:
		c.warnSuperset(diag.New("cat-rank", c.spanOf(c.node), rank))
	}
	joined := c.join(pair)
	// The dimension of 2 that join appends moves in front of dim: merged with it, all of a's elements
	// along dim come first, then b's.
	var perm []int64
	for i := range rank {
		if i == dim {
			perm = append(perm, int64(rank))
		}
		perm = append(perm, int64(i))
	}
	shape[dim] *= 2
	joined = c.b.emit(c.node.Span(), ops.Trans, []*ir.Value{joined}, ir.Attr{Name: "perm", Value: perm})
	return tensor{c.b.reshape(c.node.Span(), joined, shape)}
}

// catSaid is what Triton says of tiles of two shapes.
func (c *call) catSaid(x, y []int, dim int, reorder bool) string {
	switch {
	case !c.has(triton.CatKeepsOrder) && !reorder:
		return "current implementation of `cat` always may reorder elements"
	case reorder:
		return "Shape element 0 must be a power of 2"
	case len(x) != len(y):
		return fmt.Sprintf("tensors must have the same rank, got %d and %d", len(x), len(y))
	case !c.has(triton.CatReorders):
		return "tl.cat requires tensors of the same shape, got " + types.ShapeString(x) + " and " + types.ShapeString(y)
	default:
		return fmt.Sprintf("tensor dims must match except in the concat dimension %d, got …", dim)
	}
}

// lowerGather lowers tl.gather.
func lowerGather(c *call) value {
	sa, ia := c.arg("src"), c.arg("index")
	src, index := c.tensorOf(sa), c.numberOf(ia)
	if !index.Type.IsInt() {
		return c.fail(diag.New("gather-index", c.spanOf(ia.expr), c.sourceText(ia.expr), typeText(index.Type)))
	}
	axis := c.axisOf(c.arg("axis"), len(src.Type.Shape))
	fits := len(src.Type.Shape) == len(index.Type.Shape)
	for i := range src.Type.Shape {
		fits = fits && (i == axis || src.Type.Shape[i] == index.Type.Shape[i])
	}
	if !fits {
		d := diag.New("gather-shape", c.spanOf(c.node), types.ShapeString(src.Type.Shape),
			types.ShapeString(index.Type.Shape), axis)
		c.noteShape(d, sa.val, sa.expr)
		c.noteShape(d, ia.val, ia.expr)
		return c.fail(d)
	}
	return tensor{c.b.emit(c.node.Span(), ops.Gather, []*ir.Value{src, index}, axisAttr(axis))}
}

// lowerHistogram lowers tl.histogram.
func lowerHistogram(c *call) value {
	a := c.arg("input")
	x := c.numberOf(a)
	info := x.Type.DType.Info()
	if rank := len(x.Type.Shape); rank != 1 || !x.Type.IsInt() || info.Bits != 32 && c.has(triton.HistogramInt32) {
		said := "histogram only supports integer input"
		switch {
		case rank != 1:
			said = "histogram only supports 1D input"
		case c.has(triton.HistogramInt32):
			said = "histogram only supports 32-bit integer input, but got " + info.Name
		}
		return c.fail(diag.New("histogram-input", c.spanOf(a.expr), c.sourceText(a.expr), typeText(x.Type), said))
	}
	bins := c.integer("num_bins")
	c.must(c.checkShape([]int{bins}, c.arg("num_bins").expr))
	operands := []*ir.Value{c.b.cast(c.node.Span(), x, num.Int32)}
	if c.isGiven("mask") {
		m := c.arg("mask")
		mask := c.numberOf(m)
		if mask.Type.DType != num.Int1 {
			return c.fail(diag.New("mask-not-bool", c.spanOf(m.expr), c.row.Path(), c.sourceText(m.expr),
				typeText(mask.Type), "Mask must have boolean scalar type"))
		}
		shape, r := types.BroadcastShapes(x.Type.Shape, mask.Type.Shape)
		if r != nil || !slices.Equal(shape, x.Type.Shape) {
			return c.fail(diag.New("mask-shape", c.spanOf(m.expr), "mask", types.ShapeString(mask.Type.Shape),
				types.ShapeString(x.Type.Shape), ""))
		}
		operands = append(operands, c.b.broadcast(m.expr.Span(), mask, shape))
	}
	return tensor{c.b.emit(c.node.Span(), ops.Histogram, operands, ir.Attr{Name: "num_bins", Value: int64(bins)})}
}

// lowerItem is x.item().
func lowerItem(c *call) value {
	a := c.bound[0]
	x := c.tensorOf(a)
	if x.Type.Numel() != 1 {
		return c.fail(diag.New("needs-one-element", c.spanOf(c.node), c.sourceText(a.expr), typeText(x.Type)))
	}
	return tensor{c.b.reshape(c.node.Span(), x, nil)}
}
