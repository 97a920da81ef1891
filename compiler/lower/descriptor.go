package lower

import (
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// parts are the scalars of a descriptor.
func (d descriptor) parts() (list []value) {
	for _, v := range slices.Concat([]*ir.Value{d.base}, d.shape, d.strides, d.offsets) {
		list = append(list, tensor{v})
	}
	return list
}

func (d descriptor) withParts(parts []value) value {
	scalars, rank := flatten(tuple{elems: parts}), len(d.block)
	d.base = scalars[0]
	d.shape, d.strides, d.offsets = scalars[1:1+rank], scalars[1+rank:1+2*rank], scalars[1+2*rank:]
	return d
}

func (d descriptor) isLike(o composite) bool {
	e, ok := o.(descriptor)
	return ok && d.blockPointer == e.blockPointer && d.padding == e.padding && slices.Equal(d.block, e.block) &&
		d.base.Type.Equal(e.base.Type)
}

// text is the type of a descriptor: a pointer to a block, or Triton's tensor_descriptor.
func (d descriptor) text() string {
	if d.blockPointer {
		return "pointer<" + typeText(d.blockType()) + ">"
	}
	return "tensor_descriptor<" + typeText(d.blockType()) + ">"
}

func (d descriptor) attribute(l *lowerer, e *syntax.Attribute) value {
	if d.blockPointer {
		return l.blockPointerMember(d, e)
	}
	return l.tensorDescriptorMember(d, e)
}

// blockType is the type of a block.
func (d descriptor) blockType() types.Type {
	return types.Type{DType: d.base.Type.DType, Shape: d.block}
}

// dimension is one dimension of an access to a block: the coordinates of its lanes are origin + lanes.
type dimension struct {
	origin  *ir.Value // an int64 scalar
	lanes   *ir.Value // int64, along the dimension alone
	checked bool      // lanes outside of the tensor are masked off
}

// dimensions are those of the block that begins at offsets.
func (l *lowerer) dimensions(d descriptor, offsets []*ir.Value, checked []bool, at source.Span) []dimension {
	out := make([]dimension, len(d.block))
	for i, extent := range d.block {
		lanes := l.b.arange(at, 0, int64(extent))
		out[i] = dimension{l.b.cast(at, offsets[i], num.Int64), l.b.cast(at, lanes, num.Int64), checked[i]}
	}
	return out
}

// addressBlock gives the pointers of a block, base + Σ (origin + lanes) * stride, and the mask of its lanes that are
// inside of the tensor; the mask is nil if no dimension is checked.
func (l *lowerer) addressBlock(d descriptor, dims []dimension, at source.Span) (ptr, mask *ir.Value) {
	shape := make([]int, len(dims))
	for i, dim := range dims {
		shape[i] = dim.lanes.Type.Numel()
	}
	binary := func(op ops.Op, x, y *ir.Value) *ir.Value {
		if x == nil {
			return y
		}
		return l.b.emit(at, op, []*ir.Value{x, y})
	}
	// The origins move the scalar pointer, so that what a loop repeats for each lane does not change in it.
	ptr = d.base
	var lanes *ir.Value
	for i, dim := range dims {
		ptr = binary(ops.AddPtr, ptr, binary(ops.Mul, dim.origin, d.strides[i]))
		extent := dim.lanes.Type.Shape
		offset := l.b.along(at, i, binary(ops.Mul, dim.lanes, l.b.broadcast(at, d.strides[i], extent)), shape)
		lanes = binary(ops.Add, lanes, offset)
		if !dim.checked {
			continue
		}
		index := binary(ops.Add, l.b.broadcast(at, dim.origin, extent), dim.lanes)
		end := l.b.broadcast(at, l.b.cast(at, d.shape[i], num.Int64), extent)
		inside := binary(ops.And, binary(ops.Ge, index, l.b.fill(at, num.FromInt(num.Int64, 0), extent)),
			binary(ops.Lt, index, end))
		mask = binary(ops.And, mask, l.b.along(at, i, inside, shape))
	}
	return binary(ops.AddPtr, l.b.broadcast(at, ptr, shape), lanes), mask
}

// along repeats a tile of one dimension over a shape of which it is dimension axis.
func (b *builder) along(at source.Span, axis int, v *ir.Value, shape []int) *ir.Value {
	for i := range shape {
		if i != axis {
			v = b.emit(at, ops.ExpandDims, []*ir.Value{v}, axisAttr(i))
		}
	}
	return b.broadcast(at, v, shape)
}

// loadPadded loads a block whose lanes outside of the tensor get the padding.
func (l *lowerer) loadPadded(ptr, mask *ir.Value, padding string, at source.Span, attrs []ir.Attr) *ir.Value {
	operands := []*ir.Value{ptr}
	if mask != nil {
		operands = append(operands, mask)
		switch padding {
		case "zero":
			operands = append(operands, l.b.fill(at, num.FromInt(ptr.Type.DType, 0), ptr.Type.Shape))
		case "nan":
			operands = append(operands, l.b.fill(at, num.FromFloat(ptr.Type.DType, math.NaN()), ptr.Type.Shape))
		}
	}
	return l.b.emit(at, ops.Load, operands, attrs...)
}
