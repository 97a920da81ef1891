package lower

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/types"
)

// elements are the elements of an argument that is a tuple, or one in place of a tuple.
func (c *call) elements(name string) []argument {
	a := c.arg(name)
	t, ok := a.val.(tuple)
	if !ok {
		return []argument{a}
	}
	out := make([]argument, len(t.elems))
	for i, e := range elementExprs(a.expr, len(t.elems)) {
		out[i] = argument{t.elems[i], e}
	}
	return out
}

// integerScalars are the elements of an argument as scalars of an integer type that holds them.
func (c *call) integerScalars(name string, d num.DType) ([]*ir.Value, bool) {
	var out []*ir.Value
	for _, a := range c.elements(name) {
		v, ok := c.integerScalar(name, a, d)
		if !ok {
			return nil, false
		}
		out = append(out, v)
	}
	return out, true
}

func (c *call) integerScalar(name string, a argument, d num.DType) (*ir.Value, bool) {
	l := c.l
	t, isTensor := a.val.(tensor)
	switch {
	case !isTensor && d == num.Int32:
		n, ok := l.constantInt32(a.val, a.expr, name)
		return l.knownScalar(int64(n), d, a.expr), ok
	case !isTensor:
		n, ok := l.constantInt(a.val, a.expr, name)
		return l.knownScalar(n, d, a.expr), ok
	case !t.v.Type.IsScalar() || !t.v.Type.IsInt():
		l.fail(diag.New("needs-int", l.spanOf(a.expr), name, l.sourceText(a.expr), kindText(t)))
		return nil, false
	case t.v.Type.DType.Info().Bits > d.Info().Bits:
		l.fail(diag.New("offset-64-bit", l.spanOf(a.expr), l.sourceText(a.expr), kindText(t)).Suggest(true,
			diag.Text{Key: "fix-to-int"}, wrapEdits(l.spanOf(a.expr), a.expr, ".to(tl.int32)")...))
		return nil, false
	}
	return l.b.cast(a.expr.Span(), t.v, d), true
}

func (l *lowerer) knownScalar(n int64, d num.DType, e syntax.Expr) *ir.Value {
	return l.b.constant(e.Span(), num.FromInt(d, n))
}

// blockShape is the argument block_shape.
func (c *call) blockShape() ([]int, bool) {
	a := c.arg("block_shape")
	if _, ok := a.val.(tuple); !ok && !isPoison(a.val) {
		a.val = tuple{elems: []value{a.val}}
	}
	return c.l.shapeArg(a.val, a.expr)
}

// basePointer is the argument base: a scalar pointer.
func (c *call) basePointer() (*ir.Value, bool) {
	l := c.l
	a := c.arg("base")
	if t, ok := a.val.(tensor); ok && t.v.Type.Pointer && t.v.Type.IsScalar() {
		return t.v, true
	}
	l.fail(diag.New("block-pointer-base", l.spanOf(a.expr), c.row.Path(), l.sourceText(a.expr), kindText(a.val)))
	return nil, false
}

// checkRank reports an argument that has not one element for each dimension.
func (c *call) checkRank(name string, have, rank int) bool {
	if have != rank {
		c.l.fail(diag.New("block-pointer-rank", c.l.spanOf(c.arg(name).expr), c.row.Path(), name, have, rank))
	}
	return have == rank
}

// lowerMakeBlockPtr lowers tl.make_block_ptr. Like Triton without the hardware for it, it only remembers its
// arguments; order is checked and says nothing about what is accessed.
func lowerMakeBlockPtr(l *lowerer, c *call) value {
	base, ok1 := c.basePointer()
	block, ok2 := c.blockShape()
	shape, ok3 := c.integerScalars("shape", num.Int64)
	strides, ok4 := c.integerScalars("strides", num.Int64)
	offsets, ok5 := c.integerScalars("offsets", num.Int32)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return poison{}
	}
	rank := len(block)
	if !c.checkRank("shape", len(shape), rank) || !c.checkRank("strides", len(strides), rank) ||
		!c.checkRank("offsets", len(offsets), rank) || !c.checkRank("order", len(c.elements("order")), rank) {
		return poison{}
	}
	if _, ok := c.distinctDimensions("order", rank); !ok {
		return poison{}
	}
	return descriptor{base: base, shape: shape, strides: strides, offsets: offsets, block: block, blockPointer: true}
}

// tritonDimensionsText are what Triton says of dimensions that are not distinct.
var tritonDimensionsText = map[string]string{
	"order":          "Expected a permutation of (0, 1, ..., len(order)-1) in order",
	"boundary_check": "Duplicate dimension in `boundary_check`",
}

// distinctDimensions reads a list of dimensions and says which are in it.
func (c *call) distinctDimensions(name string, rank int) ([]bool, bool) {
	l := c.l
	seen := make([]bool, rank)
	for _, a := range c.elements(name) {
		n, ok := l.constantInt32(a.val, a.expr, name)
		if !ok {
			return nil, false
		}
		if n < 0 || n >= rank || seen[n] {
			list := c.arg(name).expr
			l.fail(diag.New("block-dimensions", l.spanOf(list), name, l.sourceText(list), rank-1,
				tritonDimensionsText[name]))
			return nil, false
		}
		seen[n] = true
	}
	return seen, true
}

// lowerAdvance lowers tl.advance.
func lowerAdvance(l *lowerer, c *call) value {
	a := c.arg("base")
	d, ok := a.val.(descriptor)
	if !ok || !d.blockPointer {
		return l.fail(diag.New("not-a-block-pointer", l.spanOf(a.expr), c.row.Path(), l.sourceText(a.expr),
			kindText(a.val)))
	}
	by, ok := c.integerScalars("offsets", num.Int32)
	if !ok || !c.checkRank("offsets", len(by), len(d.block)) {
		return poison{}
	}
	d.offsets = slices.Clone(d.offsets)
	for i, delta := range by {
		// What does not move stays the same value, which a loop need not carry.
		if n, known := l.knownNumber(tensor{delta}); known && identical(n, integer(0)) {
			continue
		}
		d.offsets[i] = l.b.emit(c.node.Span(), ops.Add, []*ir.Value{d.offsets[i], delta})
	}
	return d
}

// blockPointerMembers are what block pointers have of a tensor's attributes and methods.
var blockPointerMembers = []string{"advance", "dtype", "store", "type"}

// blockPointerMember is an attribute or method of a block pointer.
func (l *lowerer) blockPointerMember(d descriptor, e *syntax.Attribute) value {
	if !slices.Contains(blockPointerMembers, e.Attr) {
		at := l.userSpan(e.AttrSpan)
		missing := diag.New("no-attribute", at, kindText(d), e.Attr)
		return l.fail(l.suggestNearest(missing, at, e.Attr, blockPointerMembers))
	}
	if row := tl.Lookup(tl.Tensor, e.Attr); row.Bind != tl.Property {
		return builtin{row: row, self: d}
	}
	return dtype{d.base.Type}
}

// refuseMask reports an argument that has no place next to a block pointer. Triton: "`mask` and `other` arguments
// cannot be specified for loading block pointers".
func (c *call) refuseMask(names ...string) bool {
	for _, name := range names {
		if c.isGiven(name) {
			c.l.fail(diag.New("block-pointer-mask", c.l.spanOf(c.arg(name).expr), name, c.row.Path()))
			return false
		}
	}
	return true
}

// lowerBlockLoad lowers tl.load of a block pointer.
func (c *call) lowerBlockLoad(d descriptor) value {
	l := c.l
	checked, ok := c.distinctDimensions("boundary_check", len(d.block))
	padding, ok2 := c.choiceArg("padding_option", paddings)
	attrs, ok3 := c.memoryAttributes(loadModifiers)
	if !ok || !ok2 || !ok3 || !c.refuseMask("mask", "other") {
		return poison{}
	}
	if !c.isPaddable(padding, d.base.Type.DType) {
		return poison{}
	}
	at := c.node.Span()
	ptr, mask := l.addressBlock(d, l.dimensions(d, d.offsets, checked, at), at)
	v := l.loadPadded(ptr, mask, padding, at, attrs)
	if mask != nil && padding == "" {
		l.unpadded[v.Def] = true
	}
	return tensor{v}
}

// lowerBlockStore lowers tl.store to a block pointer.
func (c *call) lowerBlockStore(d descriptor) value {
	l := c.l
	checked, ok := c.distinctDimensions("boundary_check", len(d.block))
	attrs, ok2 := c.memoryAttributes(storeModifiers)
	if !ok || !ok2 || !c.refuseMask("mask") {
		return poison{}
	}
	a := c.arg("value")
	v, ok := c.blockValue(d, a)
	if !ok {
		return poison{}
	}
	if t, isTensor := a.val.(tensor); isTensor && t.v.Type.DType != d.base.Type.DType {
		suffix := ".to(tl." + d.base.Type.DType.Info().Attr + ")"
		warning := diag.New("block-store-dtype", l.spanOf(a.expr), l.sourceText(a.expr),
			t.v.Type.DType.Info().Name, d.base.Type.DType.Info().Name)
		l.warnSuperset(warning.Suggest(true, diag.Text{Key: "fix-replace", Args: []any{l.sourceText(a.expr) + suffix}},
			wrapEdits(l.spanOf(a.expr), a.expr, suffix)...))
	}
	at := c.node.Span()
	ptr, mask := l.addressBlock(d, l.dimensions(d, d.offsets, checked, at), at)
	l.b.emitVoid(at, ops.Store, []*ir.Value{ptr, v, mask}, attrs...)
	return pyNone
}

// blockValue is a value that is stored to a block, converted to its type: a scalar, or a tile of the block's shape.
func (c *call) blockValue(d descriptor, a argument) (*ir.Value, bool) {
	l := c.l
	if k, isConstant := a.val.(constant); isConstant {
		if o, r := numberOf(k); r == nil {
			return l.constantOf(o, d.base.Type.DType, d.block, a.expr)
		}
	}
	v, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return nil, false
	}
	if !v.Type.IsScalar() && !slices.Equal(v.Type.Shape, d.block) {
		l.fail(l.noteShapeOrigin(diag.New("block-store-shape", l.spanOf(a.expr), l.sourceText(a.expr),
			types.ShapeString(v.Type.Shape), types.ShapeString(d.block)), v, l.sourceText(a.expr)))
		return nil, false
	}
	if v.Type.Pointer {
		l.fail(c.explainStoredAddress(a))
		return nil, false
	}
	if v, ok = l.castToMemory(v, d.base.Type.DType, a.expr); !ok {
		return nil, false
	}
	return l.b.broadcast(a.expr.Span(), v, d.block), true
}
