package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// lowerBroadcast lowers tl.broadcast(x, y), which gives both in their common shape.
func lowerBroadcast(l *lowerer, c *call) value {
	x, y, at := c.operandArgs("input", "other")
	a, ok1 := l.tensorArg(x, at.left)
	b, ok2 := l.tensorArg(y, at.right)
	if !ok1 || !ok2 {
		return poison{}
	}
	shape, r := types.BroadcastShapes(a.Type.Shape, b.Type.Shape)
	if r != nil {
		return l.fail(l.explainShapes(r, tensor{a}, tensor{b}, at))
	}
	s := c.node.Span()
	return tuple{elems: []value{tensor{l.b.broadcast(s, a, shape)}, tensor{l.b.broadcast(s, b, shape)}}}
}

// variadicShapeArg reads a shape that a call gives as one tuple or as several numbers.
func (c *call) variadicShapeArg(name string) ([]int, syntax.Expr, bool) {
	a := c.arg(name)
	t, _ := a.val.(tuple)
	if len(t.elems) == 1 {
		if inner, ok := t.elems[0].(tuple); ok {
			t = inner
		}
	}
	shape, ok := c.l.shapeArg(t, a.expr)
	return shape, a.expr, ok
}

// lowerBroadcastTo lowers tl.broadcast_to(x, shape).
func lowerBroadcastTo(l *lowerer, c *call) value {
	a := c.arg("input")
	x, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return poison{}
	}
	shape, e, ok := c.variadicShapeArg("shape")
	if !ok {
		return poison{}
	}
	got, r := types.BroadcastShapes(x.Type.Shape, shape)
	if r != nil || !slices.Equal(got, shape) {
		d := diag.New("cannot-broadcast-to", l.spanOf(e), l.sourceText(a.expr), types.ShapeString(x.Type.Shape),
			types.ShapeString(shape))
		return l.fail(l.noteShapeOrigin(d, x, l.sourceText(a.expr)))
	}
	return tensor{l.b.broadcast(c.node.Span(), x, shape)}
}

// failAxis reports an axis that a tile of some rank does not have.
func (l *lowerer) failAxis(e syntax.Expr, axis, rank int) value {
	axes := make([]string, rank)
	for i := range axes {
		axes[i] = strconv.Itoa(i)
	}
	return l.fail(diag.New("axis-out-of-range", l.spanOf(e), axis, rank, strings.Join(axes, ", ")))
}

// axisArg reads an axis of a tile of some rank and counts it from 0.
func (l *lowerer) axisArg(a argument, rank int) (int, bool) {
	axis, ok := l.constantInt32(a.val, a.expr, "axis")
	if !ok {
		return 0, false
	}
	if axis < -rank || axis >= rank {
		l.failAxis(a.expr, axis, rank)
		return 0, false
	}
	if axis < 0 {
		axis += rank
	}
	return axis, true
}

// lowerExpandDims lowers tl.expand_dims; axis may be a tuple of places in the result.
func lowerExpandDims(l *lowerer, c *call) value {
	a, at := c.arg("input"), c.node.Span()
	x, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return poison{}
	}
	axes := []value{c.value("axis")}
	if t, ok := c.value("axis").(tuple); ok {
		axes = t.elems
	}
	rank := len(x.Type.Shape) + len(axes)
	if rank > ops.MaxRank {
		return l.fail(diag.New("rank-too-large", l.spanOf(c.node), ops.MaxRank))
	}
	places := make([]int, len(axes))
	for i, v := range axes {
		if places[i], ok = l.axisArg(argument{v, c.arg("axis").expr}, rank); !ok {
			return poison{}
		}
	}
	if unique := slices.Compact(slices.Sorted(slices.Values(places))); len(unique) < len(places) {
		return l.fail(diag.New("expand-dims-twice", l.spanOf(c.arg("axis").expr), types.ShapeString(places)))
	}
	// Triton's order: axes count in the result, so the smallest is inserted first.
	slices.Sort(places)
	for _, axis := range places {
		if axis > len(x.Type.Shape) {
			return l.failAxis(c.arg("axis").expr, axis, len(x.Type.Shape)+1)
		}
		x = l.b.emit(at, ops.ExpandDims, []*ir.Value{x}, axisAttr(axis))
	}
	return tensor{x}
}

// lowerReshape lowers tl.reshape and tl.view.
func lowerReshape(l *lowerer, c *call) value {
	a := c.arg("input")
	x, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return poison{}
	}
	shape, e, ok := c.variadicShapeArg("shape")
	if !ok {
		return poison{}
	}
	if n := types.Tile(0, shape...).Numel(); n != x.Type.Numel() {
		d := diag.New("reshape-numel", l.spanOf(e), l.sourceText(a.expr), types.ShapeString(x.Type.Shape),
			x.Type.Numel(),
			types.ShapeString(shape), n)
		return l.fail(l.noteShapeOrigin(d, x, l.sourceText(a.expr)))
	}
	return tensor{l.b.reshape(c.node.Span(), x, shape)}
}

// lowerTrans lowers tl.trans and tl.permute.
func lowerTrans(l *lowerer, c *call) value {
	a, d := c.arg("input"), c.arg("dims")
	x, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return poison{}
	}
	rank := len(x.Type.Shape)
	dims, _ := d.val.(tuple)
	if len(dims.elems) == 1 {
		if inner, ok := dims.elems[0].(tuple); ok {
			dims = inner
		}
	}
	if len(dims.elems) == 0 {
		return l.swapLastAxes(c.node, x, a.expr)
	}
	perm := make([]int64, len(dims.elems))
	seen := make(map[int]bool)
	for i, v := range dims.elems {
		p, ok := l.axisArg(argument{v, d.expr}, rank)
		if !ok {
			return poison{}
		}
		perm[i] = int64(p)
		seen[p] = true
	}
	if len(perm) != rank || len(seen) != rank {
		return l.fail(diag.New("permutation", l.spanOf(d.expr), l.sourceText(d.expr), rank))
	}
	return tensor{l.b.emit(c.node.Span(), ops.Trans, []*ir.Value{x}, ir.Attr{Name: "perm", Value: perm})}
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

// lowerTransposed is x.T.
func (l *lowerer) lowerTransposed(t tensor, e *syntax.Attribute) value {
	return l.swapLastAxes(e, t.v, e.Value)
}

// broadcastPair gives two tiles one shape and checks that their dtypes agree.
func (c *call) broadcastPair(x, y string) (a, b *ir.Value, ok bool) {
	l := c.l
	xv, yv, at := c.operandArgs(x, y)
	a, ok1 := l.tensorArg(xv, at.left)
	b, ok2 := l.tensorArg(yv, at.right)
	if !ok1 || !ok2 {
		return nil, nil, false
	}
	if !a.Type.Elem().Equal(b.Type.Elem()) {
		l.fail(l.explainOperandKinds(c.row.Name, tensor{a}, tensor{b}, at))
		return nil, nil, false
	}
	shape, r := types.BroadcastShapes(a.Type.Shape, b.Type.Shape)
	if r != nil {
		l.fail(l.explainShapes(r, tensor{a}, tensor{b}, at))
		return nil, nil, false
	}
	s := c.node.Span()
	return l.b.broadcast(s, a, shape), l.b.broadcast(s, b, shape), true
}

// lowerJoin lowers tl.join.
func lowerJoin(l *lowerer, c *call) value {
	a, b, ok := c.broadcastPair("a", "b")
	if !ok || !l.checkShape(append(slices.Clone(a.Type.Shape), 2), c.node) {
		return poison{}
	}
	return tensor{l.b.emit(c.node.Span(), ops.Join, []*ir.Value{a, b})}
}

// lowerSplit lowers tl.split.
func lowerSplit(l *lowerer, c *call) value {
	a := c.arg("a")
	x, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return poison{}
	}
	if rank := len(x.Type.Shape); rank == 0 || x.Type.Shape[rank-1] != 2 {
		return l.fail(diag.New("split-last-dim", l.spanOf(c.node), l.sourceText(a.expr), typeText(x.Type)))
	}
	vs := l.b.emitMany(c.node.Span(), ops.Split, []*ir.Value{x})
	return tuple{elems: []value{tensor{vs[0]}, tensor{vs[1]}}}
}

// lowerCat lowers tl.cat: joined, the new dimension moved in front of dim, and merged with it.
func lowerCat(l *lowerer, c *call) value {
	a, b, ok := c.broadcastPair("input", "other")
	if !ok {
		return poison{}
	}
	rank := len(a.Type.Shape)
	if rank == 0 {
		return l.fail(diag.New("needs-tile", l.spanOf(c.node), c.row.Path(), l.sourceText(c.arg("input").expr)))
	}
	if k, isConstant := c.value("can_reorder").(constant); isConstant && !l.pythonTruth(k) &&
		!l.frame.fn.module.prelude {
		l.warnSuperset(diag.New("cat-order", l.spanOf(c.node)))
	}
	dim, ok := l.axisArg(c.arg("dim"), rank)
	if !ok || !l.checkShape(append(slices.Clone(a.Type.Shape), 2), c.node) {
		return poison{}
	}
	at := c.node.Span()
	joined := l.b.emit(at, ops.Join, []*ir.Value{a, b})
	// The dimension of 2 that join appends moves in front of dim: merged with it, all of a's elements
	// along dim come first, then b's.
	var perm []int64
	for i := range rank {
		if i == dim {
			perm = append(perm, int64(rank))
		}
		perm = append(perm, int64(i))
	}
	joined = l.b.emit(at, ops.Trans, []*ir.Value{joined}, ir.Attr{Name: "perm", Value: perm})
	shape := slices.Clone(a.Type.Shape)
	shape[dim] *= 2
	return tensor{l.b.reshape(at, joined, shape)}
}

// lowerGather lowers tl.gather.
func lowerGather(l *lowerer, c *call) value {
	sa, ia := c.arg("src"), c.arg("index")
	src, ok1 := l.tensorArg(sa.val, sa.expr)
	index, ok2 := l.numberArg(ia)
	if !ok1 || !ok2 {
		return poison{}
	}
	if !index.Type.IsInt() {
		return l.fail(diag.New("gather-index", l.spanOf(ia.expr), l.sourceText(ia.expr), typeText(index.Type)))
	}
	axis, ok := l.axisArg(c.arg("axis"), len(src.Type.Shape))
	if !ok {
		return poison{}
	}
	fits := len(src.Type.Shape) == len(index.Type.Shape)
	for i := range src.Type.Shape {
		fits = fits && (i == axis || src.Type.Shape[i] == index.Type.Shape[i])
	}
	if !fits {
		d := diag.New("gather-shape", l.spanOf(c.node), types.ShapeString(src.Type.Shape),
			types.ShapeString(index.Type.Shape), axis)
		l.noteShape(d, sa.val, sa.expr)
		l.noteShape(d, ia.val, ia.expr)
		return l.fail(d)
	}
	return tensor{l.b.emit(c.node.Span(), ops.Gather, []*ir.Value{src, index}, axisAttr(axis))}
}

// lowerHistogram lowers tl.histogram.
func lowerHistogram(l *lowerer, c *call) value {
	a := c.arg("input")
	x, ok := l.numberArg(a)
	if !ok {
		return poison{}
	}
	if len(x.Type.Shape) != 1 || !x.Type.IsInt() {
		return l.fail(diag.New("histogram-input", l.spanOf(a.expr), l.sourceText(a.expr), typeText(x.Type)))
	}
	b := c.arg("num_bins")
	bins, ok := l.constantInt32(b.val, b.expr, "num_bins")
	if !ok || !l.checkShape([]int{bins}, b.expr) {
		return poison{}
	}
	operands := []*ir.Value{l.b.cast(c.node.Span(), x, num.Int32)}
	if c.isGiven("mask") {
		m := c.arg("mask")
		mask, ok := l.numberArg(m)
		if !ok {
			return poison{}
		}
		if mask.Type.DType != num.Int1 {
			return l.fail(diag.New("mask-not-bool", l.spanOf(m.expr), c.row.Path(), l.sourceText(m.expr),
				typeText(mask.Type)))
		}
		shape, r := types.BroadcastShapes(x.Type.Shape, mask.Type.Shape)
		if r != nil || !slices.Equal(shape, x.Type.Shape) {
			return l.fail(diag.New("mask-shape", l.spanOf(m.expr), "mask", types.ShapeString(mask.Type.Shape),
				types.ShapeString(x.Type.Shape), ""))
		}
		operands = append(operands, l.b.broadcast(m.expr.Span(), mask, shape))
	}
	return tensor{l.b.emit(c.node.Span(), ops.Histogram, operands, ir.Attr{Name: "num_bins", Value: int64(bins)})}
}

// lowerItem is x.item().
func lowerItem(l *lowerer, c *call) value {
	a := c.bound[0]
	x, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return poison{}
	}
	if x.Type.Numel() != 1 {
		return l.fail(diag.New("needs-one-element", l.spanOf(c.node), l.sourceText(a.expr), typeText(x.Type)))
	}
	return tensor{l.b.reshape(c.node.Span(), x, nil)}
}
