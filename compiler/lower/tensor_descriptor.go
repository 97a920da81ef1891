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

// tensorDescriptor is the argument that a function or method of tensor descriptors is about, its first.
func (c *call) tensorDescriptor() (descriptor, bool) {
	l := c.l
	a := c.bound[0]
	d, ok := a.val.(descriptor)
	if !ok || d.blockPointer {
		l.fail(diag.New("not-a-descriptor", l.spanOf(a.expr), c.row.Path(), l.sourceText(a.expr), kindText(a.val)))
		return d, false
	}
	return d, true
}

// minBlockBytes is how many bytes the last dimension of a descriptor's block has at least: what TMA copies.
const minBlockBytes = 16

// maxDescriptorRank is the number of dimensions that TMA has.
const maxDescriptorRank = 5

// lowerMakeTensorDescriptor lowers tl.make_tensor_descriptor.
func lowerMakeTensorDescriptor(l *lowerer, c *call) value {
	base, ok1 := c.basePointer()
	block, ok2 := c.blockShape()
	shape, ok3 := c.integerScalars("shape", num.Int32)
	strides, ok4 := c.integerScalars("strides", num.Int64)
	padding, ok5 := c.choiceArg("padding_option", paddings)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return poison{}
	}
	rank := len(block)
	if !c.checkRank("shape", len(shape), rank) || !c.checkRank("strides", len(strides), rank) ||
		!c.isPaddable(padding, base.Type.DType) {
		return poison{}
	}
	if rank == 0 || rank > maxDescriptorRank {
		return l.fail(diag.New("descriptor-rank", l.spanOf(c.arg("block_shape").expr), rank, maxDescriptorRank))
	}
	if width := base.Type.DType.Info().Bytes; block[rank-1]*width < minBlockBytes {
		return l.fail(diag.New("descriptor-block-bytes", l.spanOf(c.arg("block_shape").expr), block[rank-1], width,
			minBlockBytes, minBlockBytes/width))
	}
	list := c.elements("strides")
	if n, known := l.constantInt(list[rank-1].val, list[rank-1].expr, "strides"); !known || n != 1 {
		if known {
			l.fail(diag.New("descriptor-last-stride", l.spanOf(list[rank-1].expr), n))
		}
		return poison{}
	}
	return descriptor{base: base, shape: shape, strides: strides, block: block, padding: padding}
}

// isPaddable reports a padding that a dtype does not have.
func (c *call) isPaddable(padding string, d num.DType) bool {
	if padding != "nan" || d.Info().Float {
		return true
	}
	c.l.fail(diag.New("padding-nan", c.l.spanOf(c.arg("padding_option").expr), d.Info().Name))
	return false
}

// tensorDescriptorMember is an attribute or method of a tensor descriptor.
func (l *lowerer) tensorDescriptorMember(d descriptor, e *syntax.Attribute) value {
	row := tl.Lookup(tl.Descriptor, e.Attr)
	if row == nil {
		at := l.userSpan(e.AttrSpan)
		missing := diag.New("no-attribute", at, kindText(d), e.Attr)
		return l.fail(l.suggestNearest(missing, at, e.Attr, tl.Names(tl.Descriptor)))
	}
	switch e.Attr {
	case "shape":
		return tensors(d.shape)
	case "strides":
		return tensors(d.strides)
	case "block_shape":
		return shapeTuple(d.block)
	case "block_type":
		return dtype{d.blockType()}
	case "dtype":
		return dtype{types.Scalar(d.base.Type.DType)}
	}
	return builtin{row: row, self: d}
}

func tensors(vs []*ir.Value) tuple {
	out := tuple{elems: make([]value, len(vs))}
	for i, v := range vs {
		out.elems[i] = tensor{v}
	}
	return out
}

// everyDimension checks all dimensions of a block.
func everyDimension(d descriptor) []bool { return slices.Repeat([]bool{true}, len(d.block)) }

// descriptorBlock is the descriptor of a call with the pointers and the mask of the block at the argument offsets.
func (c *call) descriptorBlock() (d descriptor, ptr, mask *ir.Value, ok bool) {
	if d, ok = c.tensorDescriptor(); !ok {
		return d, nil, nil, false
	}
	offsets, ok := c.integerScalars("offsets", num.Int32)
	if !ok || !c.checkRank("offsets", len(offsets), len(d.block)) {
		return d, nil, nil, false
	}
	at := c.node.Span()
	ptr, mask = c.l.addressBlock(d, c.l.dimensions(d, offsets, everyDimension(d), at), at)
	return d, ptr, mask, true
}

// blockAccess gives the descriptor of a call with the pointers and the mask of what the call accesses.
type blockAccess func(c *call) (d descriptor, ptr, mask *ir.Value, ok bool)

// lowerDescriptorLoad makes the special of load and gather.
func lowerDescriptorLoad(accessed blockAccess) special {
	return func(l *lowerer, c *call) value {
		d, ptr, mask, ok := accessed(c)
		if !ok {
			return poison{}
		}
		return tensor{l.loadPadded(ptr, mask, d.padding, c.node.Span(), nil)}
	}
}

// lowerDescriptorStore makes the special of store and scatter.
func lowerDescriptorStore(accessed blockAccess) special {
	return func(l *lowerer, c *call) value {
		d, ptr, mask, ok := accessed(c)
		if !ok {
			return poison{}
		}
		v, ok := c.wholeBlock(d, ptr.Type.Shape)
		if !ok {
			return poison{}
		}
		l.b.emitVoid(c.node.Span(), ops.Store, []*ir.Value{ptr, v, mask})
		return pyNone
	}
}

// wholeBlock is the argument value: a tile of a shape, converted to the descriptor's dtype.
func (c *call) wholeBlock(d descriptor, shape []int) (*ir.Value, bool) {
	l := c.l
	a := c.arg("value")
	if !slices.Equal(shapeOfValue(a.val), shape) {
		l.fail(diag.New("descriptor-value-shape", l.spanOf(a.expr), l.sourceText(a.expr),
			types.ShapeString(shapeOfValue(a.val)), types.ShapeString(shape)))
		return nil, false
	}
	d.block = shape
	return c.blockValue(d, a)
}

// descriptorAtomics are the dtypes of the atomics of descriptors: those that TMA reduces and the IR's atomics have.
var descriptorAtomics = map[string][]num.DType{
	"add": {num.Uint32, num.Int32, num.Uint64, num.Float32, num.Float16, num.BFloat16},
	"min": {num.Uint32, num.Int32, num.Uint64, num.Int64, num.Float16, num.BFloat16},
	"max": {num.Uint32, num.Int32, num.Uint64, num.Int64, num.Float16, num.BFloat16},
	"and": {num.Uint32, num.Int32, num.Uint64, num.Int64},
	"or":  {num.Uint32, num.Int32, num.Uint64, num.Int64},
	"xor": {num.Uint32, num.Int32, num.Uint64, num.Int64},
}

// lowerDescriptorAtomic makes the special of tensor_descriptor.atomic_<rmw>, which returns nothing.
func lowerDescriptorAtomic(rmw string) special {
	return func(l *lowerer, c *call) value {
		d, ptr, mask, ok := c.descriptorBlock()
		if !ok {
			return poison{}
		}
		if t := d.base.Type.DType; !slices.Contains(descriptorAtomics[rmw], t) {
			return l.fail(diag.New("atomic-dtype", l.spanOf(c.node), c.row.Path(), t.Info().Name))
		}
		v, ok := c.wholeBlock(d, d.block)
		if !ok {
			return poison{}
		}
		l.b.emit(c.node.Span(), ops.AtomicRMW, []*ir.Value{ptr, v, mask}, ir.Attr{Name: "sem", Value: "relaxed"},
			ir.Attr{Name: "scope", Value: "gpu"}, ir.Attr{Name: "rmw", Value: rmw})
		return pyNone
	}
}

// descriptorRows are the pointers and the mask of the rows x_offsets of a descriptor, from column y_offset on.
func (c *call) descriptorRows() (d descriptor, ptr, mask *ir.Value, ok bool) {
	l := c.l
	if d, ok = c.tensorDescriptor(); !ok {
		return d, nil, nil, false
	}
	bytes := d.base.Type.DType.Info().Bytes
	x, y := c.arg("x_offsets"), c.arg("y_offset")
	rows, isTensor := x.val.(tensor)
	switch {
	case len(d.block) != 2 || d.block[0] != 1 || d.block[1]*bytes < 2*minBlockBytes:
		l.fail(diag.New("descriptor-gather-block", l.spanOf(c.bound[0].expr), c.row.Path(),
			types.ShapeString(d.block), 2*minBlockBytes/bytes))
		return d, nil, nil, false
	case !isTensor || len(rows.v.Type.Shape) != 1 || rows.v.Type.Numel() < 8 || !rows.v.Type.IsInt():
		l.fail(diag.New("descriptor-gather-rows", l.spanOf(x.expr), l.sourceText(x.expr), kindText(x.val)))
		return d, nil, nil, false
	}
	column, ok := c.integerScalar("y_offset", y, num.Int32)
	if !ok {
		return d, nil, nil, false
	}
	at := c.node.Span()
	zero := l.knownScalar(0, num.Int32, y.expr)
	dims := l.dimensions(d, []*ir.Value{zero, column}, everyDimension(d), at)
	dims[0].lanes = l.b.cast(at, rows.v, num.Int64)
	ptr, mask = l.addressBlock(d, dims, at)
	return d, ptr, mask, true
}
