package lower

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// integerScalars are the elements of an argument, one for each of rank dimensions, as scalars of an integer type that
// holds them.
func (c *call) integerScalars(name string, d num.DType, rank int) []*ir.Value {
	var out []*ir.Value
	for _, a := range c.list(name) {
		out = append(out, c.integerScalar(name, a, d))
	}
	c.checkRank(name, len(out), rank)
	return out
}

func (c *call) integerScalar(name string, a argument, d num.DType) *ir.Value {
	t, isTensor := a.val.(tensor)
	switch {
	case !isTensor:
		n, ok := c.constantInt(a.val, a.expr, name)
		c.must(ok)
		if d == num.Int32 && int64(int32(n)) != n {
			said := fmt.Sprintf("Block pointers only support 32 bit `offsets/block_shape`, got a value %d which "+
				"is out of the range", n)
			if c.has(triton.DescriptorWords) {
				said = fmt.Sprintf("Expected a signed 32-bit integer, but %d is out of range", n)
			}
			c.fail(diag.New("offset-range", c.spanOf(a.expr), n, said))
		}
		return c.knownScalar(n, d, a.expr)
	case !t.v.Type.IsScalar() || !t.v.Type.IsInt():
		c.fail(diag.New("needs-int", c.spanOf(a.expr), name, c.sourceText(a.expr), kindText(t)))
	case t.v.Type.DType.Info().Bits > d.Info().Bits:
		c.fail(diag.New("offset-64-bit", c.spanOf(a.expr), c.sourceText(a.expr), kindText(t)).Suggest(true,
			diag.Text{Key: "fix-to-int"}, wrapEdits(c.spanOf(a.expr), a.expr, ".to(tl.int32)")...))
	}
	return c.b.cast(a.expr.Span(), t.v, d)
}

func (l *lowerer) knownScalar(n int64, d num.DType, e syntax.Expr) *ir.Value {
	return l.b.constant(e.Span(), num.FromInt(d, n))
}

// checkRank reports an argument that has not one element for each dimension.
func (c *call) checkRank(name string, have, rank int) {
	if have != rank {
		said := "Expected shape/strides/offsets/block_shape to have the same length"
		switch {
		case c.row.Path() == "tl.make_tensor_descriptor":
			said = fmt.Sprintf("Expected %d %s but got %d", rank, name, have)
		case c.row.Name == "advance" && !c.has(triton.BlockStoreCasts):
			said = ""
		case !c.has(triton.BlockStoreCasts):
		case c.row.Name == "advance":
			said = fmt.Sprintf("Expected `%s` to have length %d but received %d", name, rank, have)
		default:
			said = "Expected `shape`, `strides`, `offsets`, `block_shape`, and `order` to have the same length"
		}
		c.fail(diag.New("block-pointer-rank", c.spanOf(c.arg(name).expr), c.row.Path(), name, have, rank, said))
	}
}

// describedTensor reads what a block pointer and a tensor descriptor have: the base, a scalar pointer, the shape of a
// block, and the extents, as numbers of a dtype, and the strides.
func (c *call) describedTensor(extents num.DType) (d descriptor) {
	a, block := c.arg("base"), c.arg("block_shape")
	t, ok := a.val.(tensor)
	if !ok || !t.v.Type.Pointer || !t.v.Type.IsScalar() {
		said := "Expected `base` to be a pointer type (but not a block pointer type or others)"
		switch {
		case c.row.Path() == "tl.make_tensor_descriptor" && !c.has(triton.BlockStoreCasts):
			said = "AssertionError"
		case !c.has(triton.BlockStoreCasts):
		case c.row.Path() == "tl.make_tensor_descriptor":
			said = "base must be a pointer type, got " + kindText(a.val)
		default:
			said = "Expected `base` to be a scalar pointer type"
		}
		c.fail(diag.New("block-pointer-base", c.spanOf(a.expr), c.row.Path(), c.sourceText(a.expr), kindText(a.val),
			said))
	}
	if _, ok := block.val.(tuple); !ok {
		block.val = tuple{elems: []value{block.val}}
	}
	shape, ok := c.shapeArg(block.val, block.expr)
	c.must(ok)
	return descriptor{base: t.v, block: shape, shape: c.integerScalars("shape", extents, len(shape)),
		strides: c.integerScalars("strides", num.Int64, len(shape))}
}

// lowerMakeBlockPtr lowers tl.make_block_ptr. Like Triton without the hardware for it, it only remembers its
// arguments; order is checked and says nothing about what is accessed.
func lowerMakeBlockPtr(c *call) value {
	d := c.describedTensor(num.Int64)
	rank := len(d.block)
	d.blockPointer, d.offsets = true, c.integerScalars("offsets", num.Int32, rank)
	c.checkRank("order", len(c.list("order")), rank)
	c.distinctDimensions("order", rank)
	return d
}

// distinctDimensions reads a list of dimensions and says which are in it.
func (c *call) distinctDimensions(name string, rank int) []bool {
	seen := make([]bool, rank)
	for _, a := range c.list(name) {
		n := c.integerOf(a, name)
		if n < 0 || n >= rank || seen[n] {
			list := c.arg(name).expr
			rewritten := c.has(triton.BlockStoreCasts)
			said := "Duplicate dimension in `boundary_check`"
			switch {
			case name == "boundary_check" && !rewritten && (n < 0 || n >= rank):
				said = "AssertionError"
			case name == "order" && rewritten:
				said = fmt.Sprintf("Expected `order` to be a permutation of 0..%d", rank-1)
			case name == "order":
				said = "Expected a permutation of (0, 1, ..., len(order)-1) in order"
			case rewritten && (n < 0 || n >= rank):
				said = fmt.Sprintf("Expected `boundary_check` to contain dimensions in [0, %d)", rank)
			}
			c.fail(diag.New("block-dimensions", c.spanOf(list), name, c.sourceText(list), rank-1, said))
		}
		seen[n] = true
	}
	return seen
}

// lowerAdvance lowers tl.advance.
func lowerAdvance(c *call) value {
	a := c.arg("base")
	d, ok := a.val.(descriptor)
	if !ok || !d.blockPointer {
		return c.fail(diag.New("not-a-block-pointer", c.spanOf(a.expr), c.row.Path(), c.sourceText(a.expr),
			kindText(a.val)))
	}
	by := c.integerScalars("offsets", num.Int32, len(d.block))
	d.offsets = slices.Clone(d.offsets)
	for i, delta := range by {
		// What does not move stays the same value, which a loop need not carry.
		if n, known := c.knownNumber(tensor{delta}); known && identical(n, integer(0)) {
			continue
		}
		d.offsets[i] = c.b.emit(c.node.Span(), ops.Add, []*ir.Value{d.offsets[i], delta})
	}
	return d
}

// blockPointerMembers are what block pointers have of a tensor's attributes and methods.
var blockPointerMembers = []string{"advance", "dtype", "store", "type"}

// blockPointerMember is an attribute or method of a block pointer.
func (l *lowerer) blockPointerMember(d descriptor, e *syntax.Attribute) value {
	if !slices.Contains(blockPointerMembers, e.Attr) {
		return l.failNoAttribute(d, e, blockPointerMembers)
	}
	if row := tl.Lookup(tl.Tensor, e.Attr); row.Bind != tl.Property {
		return builtin{row: row, self: d}
	}
	return dtype{d.base.Type}
}

// refuseMask reports an argument that has no place next to a block pointer. Triton: "`mask` and `other` arguments
// cannot be specified for loading block pointers".
func (c *call) refuseMask(names ...string) {
	for _, name := range names {
		if c.isGiven(name) {
			said := "`mask` and `other` arguments cannot be specified for loading block pointers"
			if c.row.Name == "store" && c.has(triton.BlockStoreCasts) {
				said = "`mask` argument cannot be specified for storing block pointers"
			}
			c.fail(diag.New("block-pointer-mask", c.spanOf(c.arg(name).expr), name, c.row.Path(), said))
		}
	}
}

// lowerBlockLoad lowers tl.load of a block pointer.
func (c *call) lowerBlockLoad(d descriptor) value {
	checked := c.distinctDimensions("boundary_check", len(d.block))
	attrs := c.memoryAttributes(c.loadModifiers())
	c.refuseMask("mask", "other")
	padding := c.padding(d.base.Type.DType)
	at := c.node.Span()
	ptr, mask := c.addressBlock(d, c.dimensions(d, d.offsets, checked, at), at)
	v := c.loadPadded(ptr, mask, padding, at, attrs)
	if mask != nil && padding == "" {
		c.unpadded[v.Def] = true
	}
	return tensor{v}
}

// lowerBlockStore lowers tl.store to a block pointer.
func (c *call) lowerBlockStore(d descriptor) value {
	checked := c.distinctDimensions("boundary_check", len(d.block))
	attrs := c.memoryAttributes(storeModifiers)
	c.refuseMask("mask")
	a := c.arg("value")
	v := c.blockValue(d, a)
	t, isTensor := a.val.(tensor)
	if isTensor && t.v.Type.DType != d.base.Type.DType && !c.has(triton.BlockStoreCasts) {
		suffix := ".to(tl." + d.base.Type.DType.Info().Attr + ")"
		warning := diag.New("block-store-dtype", c.spanOf(a.expr), c.sourceText(a.expr),
			t.v.Type.DType.Info().Name, d.base.Type.DType.Info().Name)
		c.warnSuperset(warning.Suggest(true, diag.Text{Key: "fix-replace", Args: []any{c.sourceText(a.expr) + suffix}},
			wrapEdits(c.spanOf(a.expr), a.expr, suffix)...))
	}
	at := c.node.Span()
	ptr, mask := c.addressBlock(d, c.dimensions(d, d.offsets, checked, at), at)
	c.b.emitVoid(at, ops.Store, []*ir.Value{ptr, v, mask}, attrs...)
	return pyNone
}

// storedSaid is what Triton says of a tile that is stored to a block of another shape.
func (c *call) storedSaid(tile, block []int) string {
	if !c.has(triton.BlockStoreCasts) {
		return "Block shape(" + printedShape(block) + ") and value shape(" + printedShape(tile) + ") mismatch"
	}
	_, r := types.BroadcastShapes(block, tile)
	if r == nil {
		return ""
	}
	return r.Triton
}

// blockValue is a value that is stored to a block, converted to its type: a scalar, or a tile of the block's shape.
func (c *call) blockValue(d descriptor, a argument) *ir.Value {
	if v := c.constantOf(a, d.base.Type.DType, d.block); v != nil {
		return v
	}
	v := c.tensorOf(a)
	if !v.Type.IsScalar() && !slices.Equal(v.Type.Shape, d.block) {
		c.fail(c.noteShapeOrigin(diag.New("block-store-shape", c.spanOf(a.expr), c.sourceText(a.expr),
			types.ShapeString(v.Type.Shape), types.ShapeString(d.block), c.storedSaid(v.Type.Shape, d.block)), v,
			c.sourceText(a.expr)))
	}
	if v.Type.Pointer {
		c.fail(c.explainStoredAddress(a))
	}
	return c.b.broadcast(a.expr.Span(), c.castToMemory(v, d.base.Type.DType, a.expr), d.block)
}
