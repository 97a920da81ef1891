package lower

import (
	"slices"
	"strconv"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// Descriptor says that an argument is a tensor descriptor: its Type is that of the base pointer.
type Descriptor struct {
	Block   []int
	Padding string // "zero" or "nan"
	// Divisible is what every extent is a multiple of; 0 is unknown. The mask of a block is alike along as many lanes.
	Divisible int
}

// Equal reports whether two descriptors, of which either may be nil, are compiled alike.
func (d *Descriptor) Equal(o *Descriptor) bool {
	if d == nil || o == nil {
		return d == o
	}
	return d.Padding == o.Padding && d.Divisible == o.Divisible && slices.Equal(d.Block, o.Block)
}

// DescriptorExtent and DescriptorStride name the parameters that hold the extent and the stride of a dimension of the
// descriptor that a parameter is; the parameter of its own name is the base. The last stride is 1 and has none.
func DescriptorExtent(param string, dim int) string { return param + ".shape." + strconv.Itoa(dim) }

// DescriptorStride is described with DescriptorExtent.
func DescriptorStride(param string, dim int) string { return param + ".strides." + strconv.Itoa(dim) }

// addDescriptorParams adds the parameters that a descriptor is taken apart into: a pointer, int32 extents and int64
// strides in elements, which are multiples of 16 bytes but for the last.
func (l *lowerer) addDescriptorParams(p *syntax.Param, a *Arg) value {
	t := types.PointerTo(a.Type.DType)
	if r := types.CheckShape(a.Descriptor.Block); r != nil {
		return l.refuse(r, p.Loc)
	}
	d := descriptor{block: a.Descriptor.Block, padding: a.Descriptor.Padding}
	d.base = l.b.ir.Param(p.Name, t, max(1, a.Divisible))
	last := len(d.block) - 1
	for i := range d.block {
		d.shape = append(d.shape, l.b.ir.Param(DescriptorExtent(p.Name, i), types.Scalar(num.Int32),
			max(1, a.Descriptor.Divisible)))
	}
	for i := range last {
		d.strides = append(d.strides, l.b.ir.Param(DescriptorStride(p.Name, i), types.Scalar(num.Int64),
			max(1, minBlockBytes/t.DType.Info().Bytes)))
	}
	d.strides = append(d.strides, l.b.constant(p.Loc, num.FromInt(num.Int64, 1)))
	return d
}
