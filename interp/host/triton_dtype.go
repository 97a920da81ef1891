package host

import (
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
)

// attr is an attribute of triton.language's dtype that scripts ask for.
func (d TritonDType) attr(_ *machine, name string) (Value, bool) {
	info := num.DType(d).Info()
	switch name {
	case "name":
		return python.Str(num.DType(d).String()), true
	case "primitive_bitwidth":
		return intValue(info.Bits), true
	case "itemsize":
		return intValue(info.Bytes), true
	}
	predicates := map[string]bool{"is_floating": info.Float, "is_int": !info.Float, "is_ptr": false,
		"is_int_signed": !info.Float && info.Signed, "is_int_unsigned": !info.Float && !info.Signed,
		"is_bool": num.DType(d) == num.Int1, "is_fp8": num.DType(d).IsFP8()}
	yes, ok := predicates[name]
	return &Builtin{Name: name, call: func(*machine, arguments) Value { return python.Bool(yes) }}, ok
}

func (d TritonDType) str() string { return num.DType(d).String() }

func (d TritonDType) repr() string { return "triton.language." + num.DType(d).Info().Attr }

// pointerType is tl.pointer_type(dtype), a kernel's type as host code sees it.
type pointerType struct{ element TritonDType }

// Type is the name of Triton's class.
func (pointerType) Type() string { return "triton.language.pointer_type" }

func (p pointerType) repr() string { return "pointer<" + num.DType(p.element).String() + ">" }

// pointerTypeClass is tl.pointer_type.
var pointerTypeClass = &Class{Name: "pointer_type", make: laidOut("", "pointer_type(element_ty, address_space=1)", func(_ *machine, a arguments) Value {
	d, ok := plain(a.positional[0]).(TritonDType)
	if !ok {
		raise("TypeError", "element_ty has type `%s`; expected `dtype`.", a.positional[0].Type())
	}
	return pointerType{d}
}), has: is[pointerType]}
