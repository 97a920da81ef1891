package lower

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// tensorDescriptor is the argument that a function or method of tensor descriptors is about, its first.
func (c *call) tensorDescriptor() descriptor {
	a := c.bound[0]
	d, ok := a.val.(descriptor)
	if !ok || d.blockPointer {
		method := strings.TrimSuffix(c.row.Name, "_tensor_descriptor")
		c.fail(diag.New("not-a-descriptor", c.spanOf(a.expr), c.row.Path(), c.sourceText(a.expr), kindText(a.val),
			"'"+classText(a.val)+"' object has no attribute '"+method+"'"))
	}
	return d
}

// minBlockBytes is how many bytes the last dimension of a descriptor's block has at least: what TMA copies.
const minBlockBytes = 16

// maxDescriptorRank is the number of dimensions that TMA has.
const maxDescriptorRank = 5

// lowerMakeTensorDescriptor lowers tl.make_tensor_descriptor.
func lowerMakeTensorDescriptor(c *call) value {
	d := c.describedTensor(num.Int32)
	d.padding = c.padding(d.base.Type.DType)
	rank := len(d.block)
	if rank == 0 || rank > maxDescriptorRank {
		return c.fail(diag.New("descriptor-rank", c.spanOf(c.arg("block_shape").expr), rank, maxDescriptorRank))
	}
	if width := d.base.Type.DType.Info().Bytes; d.block[rank-1]*width < minBlockBytes {
		return c.fail(diag.New("descriptor-block-bytes", c.spanOf(c.arg("block_shape").expr), d.block[rank-1], width,
			minBlockBytes, minBlockBytes/width, d.block[rank-1]*width))
	}
	last := c.list("strides")[rank-1]
	n, known := c.constantInt(last.val, last.expr, "strides")
	if c.must(known); n != 1 {
		return c.fail(diag.New("descriptor-last-stride", c.spanOf(last.expr), n))
	}
	return d
}

// padding is the argument padding_option: what the lanes outside of a tensor of dtype d hold; "" leaves them undefined.
func (c *call) padding(d num.DType) string {
	padding := c.choice("padding_option", "", "zero", "nan")
	if padding == "nan" && !d.Info().Float {
		c.fail(diag.New("padding-nan", c.spanOf(c.arg("padding_option").expr), d.Info().Name))
	}
	return padding
}

// tensorDescriptorMember is an attribute or method of a tensor descriptor.
func (l *lowerer) tensorDescriptorMember(d descriptor, e *syntax.Attribute) value {
	row := tl.Lookup(tl.Descriptor, e.Attr)
	if row == nil {
		return l.failNoAttribute(d, e, tl.Names(tl.Descriptor))
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
func (c *call) descriptorBlock() (d descriptor, ptr, mask *ir.Value) {
	d, at := c.tensorDescriptor(), c.node.Span()
	offsets := c.integerScalars("offsets", num.Int32, len(d.block))
	ptr, mask = c.addressBlock(d, c.dimensions(d, offsets, everyDimension(d), at), at)
	return d, ptr, mask
}

// blockAccess gives the descriptor of a call with the pointers and the mask of what the call accesses.
type blockAccess func(c *call) (d descriptor, ptr, mask *ir.Value)

// lowerDescriptorLoad makes the special of load and gather.
func lowerDescriptorLoad(accessed blockAccess) special {
	return func(c *call) value {
		d, ptr, mask := accessed(c)
		return tensor{c.loadPadded(ptr, mask, d.padding, c.node.Span(), nil)}
	}
}

// lowerDescriptorStore makes the special of store and scatter.
func lowerDescriptorStore(accessed blockAccess) special {
	return func(c *call) value {
		d, ptr, mask := accessed(c)
		c.b.emitVoid(c.node.Span(), ops.Store, []*ir.Value{ptr, c.wholeBlock(d, ptr.Type.Shape), mask})
		return pyNone
	}
}

// wholeBlock is the argument value: a tile of a shape, converted to the descriptor's dtype.
func (c *call) wholeBlock(d descriptor, shape []int) *ir.Value {
	a := c.arg("value")
	if !slices.Equal(shapeOfValue(a.val), shape) {
		c.fail(diag.New("descriptor-value-shape", c.spanOf(a.expr), c.sourceText(a.expr),
			types.ShapeString(shapeOfValue(a.val)), types.ShapeString(shape), printedShape(shape)))
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
	return func(c *call) value {
		d, ptr, mask := c.descriptorBlock()
		if t := d.base.Type.DType; !slices.Contains(descriptorAtomics[rmw], t) {
			return c.fail(diag.New("atomic-dtype", c.spanOf(c.node), c.row.Path(), t.Info().Name, ""))
		}
		c.b.emit(c.node.Span(), ops.AtomicRMW, []*ir.Value{ptr, c.wholeBlock(d, d.block), mask},
			ir.Attr{Name: "sem", Value: "relaxed"}, ir.Attr{Name: "scope", Value: "gpu"},
			ir.Attr{Name: "rmw", Value: rmw})
		return pyNone
	}
}

// checkRowDType reports numbers of rows that TMA does not take.
func (c *call) checkRowDType(d num.DType, x argument) {
	takes, short := "int32", c.has(triton.Int16Offsets)
	if short {
		takes = "int16 or int32"
	}
	if d == num.Int32 || short && d == num.Int16 || !short && d == num.Uint32 {
		return
	}
	said := parsingFailed
	if short {
		said = "x offsets must have dtype " + takes + ", but got " + d.Info().Name
	}
	c.fail(diag.New("descriptor-row-dtype", c.spanOf(x.expr), c.sourceText(x.expr), d.Info().Name, takes, said).
		Suggest(true, diag.Text{Key: "fix-to-int"}, wrapEdits(c.spanOf(x.expr), x.expr, ".to(tl.int32)")...))
}

// descriptorRows are the pointers and the mask of the rows x_offsets of a descriptor, from column y_offset on.
func (c *call) descriptorRows() (d descriptor, ptr, mask *ir.Value) {
	d = c.tensorDescriptor()
	bytes := d.base.Type.DType.Info().Bytes
	x, y := c.arg("x_offsets"), c.arg("y_offset")
	rows, isTensor := x.val.(tensor)
	switch {
	case len(d.block) != 2 || d.block[0] != 1 || d.block[1]*bytes < 2*minBlockBytes:
		c.fail(diag.New("descriptor-gather-block", c.spanOf(c.bound[0].expr), c.row.Path(),
			types.ShapeString(d.block), 2*minBlockBytes/bytes))
	case !isTensor || len(rows.v.Type.Shape) != 1 || rows.v.Type.Numel() < 8 || !rows.v.Type.IsInt():
		said := ""
		if isTensor && len(rows.v.Type.Shape) == 1 {
			said = "descriptor " + c.row.Name + " must have at least 8 rows, but got …"
		}
		c.fail(diag.New("descriptor-gather-rows", c.spanOf(x.expr), c.sourceText(x.expr), kindText(x.val), said))
	}
	c.checkRowDType(rows.v.Type.DType, x)
	column := c.integerScalar("y_offset", y, num.Int32)
	at := c.node.Span()
	zero := c.knownScalar(0, num.Int32, y.expr)
	dims := c.dimensions(d, []*ir.Value{zero, column}, everyDimension(d), at)
	dims[0].lanes = c.b.cast(at, rows.v, num.Int64)
	ptr, mask = c.addressBlock(d, dims, at)
	return d, ptr, mask
}
