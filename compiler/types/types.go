package types

import (
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// MaxNumel is the largest number of elements a tile may have (Triton's TRITON_MAX_TENSOR_NUMEL).
const MaxNumel = 1 << 20

// Type is the type of a value: a dtype or a pointer to one, and a shape. No shape means a scalar.
type Type struct {
	DType   num.DType
	Pointer bool // a pointer to DType rather than a DType
	// Buffers is 0 but in memory descriptors, which stand for that many such tiles in shared memory, one behind the
	// other: the stages of a pipelined loop, say.
	Buffers uint32
	Shape   []int // each dimension a power of two
}

// Scalar is the 0-d type of d.
func Scalar(d num.DType) Type { return Type{DType: d} }

// PointerTo is the 0-d type of a pointer to d.
func PointerTo(d num.DType) Type { return Type{DType: d, Pointer: true} }

// Tile is the type of a tile of d.
func Tile(d num.DType, shape ...int) Type { return Type{DType: d, Shape: shape} }

// MemDesc is the memory descriptor of so many tiles of d in shared memory.
func MemDesc(buffers int, d num.DType, shape ...int) Type {
	return Type{DType: d, Buffers: uint32(buffers), Shape: shape}
}

// Elem is the type of t's elements, which are values even where t is a memory descriptor.
func (t Type) Elem() Type { return Type{DType: t.DType, Pointer: t.Pointer} }

// WithShape is t with another shape; none makes it a scalar.
func (t Type) WithShape(shape []int) Type {
	t.Shape = shape
	return t
}

// WithDType is the non-pointer type of t's shape over d.
func (t Type) WithDType(d num.DType) Type { return Type{DType: d, Shape: t.Shape} }

// IsScalar reports whether t has no shape.
func (t Type) IsScalar() bool { return len(t.Shape) == 0 }

// IsMemDesc reports whether t is a memory descriptor.
func (t Type) IsMemDesc() bool { return t.Buffers > 0 }

// IsFloat and IsInt classify non-pointer types.
func (t Type) IsFloat() bool { return !t.Pointer && t.DType.Info().Float }

// IsInt reports whether t holds integers (int1 included).
func (t Type) IsInt() bool { return !t.Pointer && !t.DType.Info().Float }

// Numel is the number of elements, 1 for a scalar.
func (t Type) Numel() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// Class is the storage class of t's values.
func (t Type) Class() num.Class {
	if t.Pointer {
		return num.ClassI64
	}
	return t.DType.Info().Class
}

// Equal compares element, shape and, of memory descriptors, the number of tiles.
func (t Type) Equal(u Type) bool {
	return t.DType == u.DType && t.Pointer == u.Pointer && t.Buffers == u.Buffers && slices.Equal(t.Shape, u.Shape)
}

// String writes t as the IR's text form does: fp32, *fp32, i32[4, 8]; memory descriptors memdesc fp16[64, 64] and, of
// three tiles, memdesc[3] fp16[64, 64].
func (t Type) String() string {
	s := t.DType.Info().Short
	switch {
	case t.Pointer:
		s = "*" + s
	case t.Buffers == 1:
		s = "memdesc " + s
	case t.Buffers > 1:
		s = "memdesc[" + strconv.Itoa(int(t.Buffers)) + "] " + s
	}
	if t.IsScalar() {
		return s
	}
	return s + ShapeString(t.Shape)
}

// Strides are those of a row-major shape, in elements.
func Strides(shape []int) []int {
	out, n := make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= 0; d-- {
		out[d], n = n, n*shape[d]
	}
	return out
}

// ShapeString writes a shape as Python writes a list: [4, 8].
func ShapeString(shape []int) string {
	parts := make([]string, len(shape))
	for i, d := range shape {
		parts[i] = strconv.Itoa(d)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
