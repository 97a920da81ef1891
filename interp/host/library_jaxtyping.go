package host

import (
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// jaxtyping's annotations by name. The unsized ones stand for the dtype that torch makes by default.
func jaxtyping() map[string]Value {
	members := map[string]Value{}
	for name, d := range map[string]num.DType{
		"Float16": num.Float16, "BFloat16": num.BFloat16, "Float32": num.Float32, "Float64": num.Float64,
		"Float": num.Float32,
		"Int8":  num.Int8, "Int16": num.Int16, "Int32": num.Int32, "Int64": num.Int64, "Int": num.Int64,
		"UInt8": num.Uint8, "UInt16": num.Uint16, "UInt32": num.Uint32, "UInt64": num.Uint64, "Bool": num.Int1,
	} {
		members[name] = &annotator{name, d}
	}
	return members
}

// fixedDim and namedDim are the classes of what an annotation's dims are.
var fixedDim, namedDim *Class

func init() {
	fixedDim, namedDim = nativeClass("jaxtyping", "_FixedDim", nil), nativeClass("jaxtyping", "_NamedDim", nil)
}

// annotationDims are the dimensions of an annotation: objects with a size, or with a name.
func annotationDims(m *machine, a Annotation) Value {
	out := Tuple{}
	for _, word := range strings.Fields(a.Dims) {
		if n, err := strconv.Atoi(word); err == nil {
			o := m.newNative(fixedDim, nil)
			o.keep("size", intValue(n))
			out = append(out, o)
			continue
		}
		o := m.newNative(namedDim, nil)
		o.keep("name", python.Str(word))
		out = append(out, o)
	}
	return out
}

// annotatorClass is the class of Float32 and its like.
var annotatorClass = &Class{Name: "type"}

func init() {
	annotatorClass.describe(typeRecord{slots: slots{
		item: func(_ *machine, v, index Value) Value { return annotated(v.(*annotator), index) },
		hash: hashIdentity,
		repr: leaf(reprObject),
	}})
}

// annotated is Float32[Tensor, "4 200"].
func annotated(a *annotator, index Value) Value {
	parts, ok := index.(Tuple)
	if !ok || len(parts) != 2 {
		raise("TypeError", "jaxtyping annotations take an array type and a shape, as in %s[Tensor, \"4 200\"]", a.name)
	}
	dims, ok := parts[1].(python.Str)
	if !ok {
		raise("TypeError", "the shape of a jaxtyping annotation must be a str, not %s", parts[1].Type())
	}
	return Annotation{a.dtype, string(dims)}
}

func (a Annotation) attr(m *machine, name string) (Value, bool) {
	switch name {
	case "dtype":
		return DType(a.DType), true
	case "dim_str":
		return python.Str(a.Dims), true
	case "dtypes":
		return &List{Items: []Value{python.Str(tensor.TorchName(a.DType))}}, true
	case "dims":
		return annotationDims(m, a), true
	}
	return nil, false
}

func (a Annotation) repr() string {
	name := a.DType.Info().Attr
	return strings.ToUpper(name[:1]) + name[1:] + "[Tensor, " + strconv.Quote(a.Dims) + "]"
}
