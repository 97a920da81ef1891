package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// descriptorClass is triton.tools.tensor_descriptor.TensorDescriptor: a tensor with the block that a kernel reads of
// it.
var descriptorClass = nativeClass("triton.tools.tensor_descriptor", "TensorDescriptor", nil)

func init() {
	descriptorClass.defineAll(map[string]method{
		"__init__(self, base, shape, strides, block_shape, padding='zero')": func(m *machine, a arguments) Value {
			fields := map[string]Value{}
			for i, name := range []string{"base", "shape", "strides", "block_shape", "padding"} {
				fields[name] = a.positional[1+i]
			}
			rank := m.lengthOf(fields["shape"])
			switch {
			case rank == 0:
				raise("AssertionError", "rank must not be zero")
			case m.lengthOf(fields["strides"]) != rank:
				raise("AssertionError", "rank mismatch")
			case m.lengthOf(fields["block_shape"]) != rank:
				raise("AssertionError", "rank mismatch")
			}
			for name, v := range fields {
				a.positional[0].(*Instance).attrs.put(name, v)
			}
			m.checkDescriptor(fields)
			return none
		},
		"@staticmethod from_tensor(tensor, block_shape, padding='zero')": func(m *machine, a arguments) Value {
			t := a.positional[0]
			strides := m.callValue(m.attrOf(t, "stride"), arguments{})
			return m.constructObject(descriptorClass, arguments{positional: []Value{t, m.attrOf(t, "shape"), strides,
				a.positional[1], a.positional[2]}})
		}})
}

// checkDescriptor raises what Triton asserts of a descriptor, which TMA demands.
func (m *machine) checkDescriptor(fields map[string]Value) {
	base, ok := fields["base"].(Tensor)
	if !ok {
		raise("AttributeError", "'%s' object has no attribute 'data_ptr'", fields["base"].Type())
	}
	bytes := base.DType().Info().Bytes
	strides := m.integersOf(fields["strides"])
	last := len(strides) - 1
	misaligned := func(n int64) bool { return n*int64(bytes)%16 != 0 }
	for _, c := range []struct {
		wrong   bool
		message string
	}{
		{len(strides) > 5, "rank cannot be more than 5"},
		{misaligned(int64(base.Offset())), "base must be 16-byte aligned"},
		{slices.ContainsFunc(strides[:last], misaligned), "strides must be 16-byte aligned"},
		{slices.Min(m.integersOf(fields["shape"])) <= 0, "shape must be positive"},
		{strides[last] != 1, "Last dimension must be contiguous"},
		{!isPadding(fields["padding"]), "Illegal value for padding"},
		{fields["padding"] == python.Str("nan") && !base.DType().Info().Float,
			"Padding option `nan` is only supported for floating point tensors"},
	} {
		if c.wrong {
			raise("AssertionError", "%s", c.message)
		}
	}
}

func isPadding(v Value) bool { return v == python.Str("zero") || v == python.Str("nan") }

func (m *machine) integersOf(v Value) (out []int64) {
	for _, item := range m.itemsOf(v) {
		out = append(out, asIndex(item))
	}
	return out
}

// Descriptor is a TensorDescriptor as kernels get it.
type Descriptor struct {
	Base           *tensor.Tensor
	Shape, Strides []int64 // in elements
	Block          []int
	Padding        string
}

// AsDescriptor gives the fields of a TensorDescriptor; not ok for other values, and for one whose fields a program has
// set to something else.
func AsDescriptor(v Value) (d Descriptor, ok bool) {
	object, ok := v.(*Instance)
	if !ok || object.class != descriptorClass {
		return d, false
	}
	base, ok1 := object.field("base").(Tensor)
	padding, ok2 := object.field("padding").(python.Str)
	shape, ok3 := integerItems(object.field("shape"))
	strides, ok4 := integerItems(object.field("strides"))
	block, ok5 := integerItems(object.field("block_shape"))
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || len(shape) != len(strides) || len(shape) != len(block) {
		return d, false
	}
	d = Descriptor{Base: base.Tensor, Shape: shape, Strides: strides, Padding: string(padding)}
	for _, n := range block {
		d.Block = append(d.Block, int(n))
	}
	return d, true
}

// field is an attribute that the object itself holds; nil if there is none.
func (o *Instance) field(name string) Value {
	v, _ := o.attrs.get(python.Str(name))
	return v
}

// integerItems are the elements of a list, tuple or torch.Size of integers.
func integerItems(v Value) (out []int64, ok bool) {
	var items []Value
	switch v := v.(type) {
	case *List:
		items = v.Items
	case Tuple:
		items = v
	case Size:
		for _, n := range v {
			out = append(out, int64(n))
		}
		return out, true
	default:
		return nil, false
	}
	for _, item := range items {
		n, isInt := python.AsInt(item)
		if !isInt {
			return nil, false
		}
		small, fits := n.Int64()
		if !fits {
			return nil, false
		}
		out = append(out, small)
	}
	return out, true
}
