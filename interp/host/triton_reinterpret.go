package host

import (
	"fmt"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
)

// tensorWrapper is what triton.reinterpret gives: a tensor whose memory a kernel takes for elements of another dtype.
type tensorWrapper struct {
	base  Tensor
	as    Tensor // the same memory, of the other dtype
	dtype Value  // as it was given: triton.language's, or torch's
}

// Type is the name of Triton's class.
func (tensorWrapper) Type() string { return "TensorWrapper" }

func (w tensorWrapper) repr() string {
	return fmt.Sprintf("TensorWrapper[%s](%s)", w.as.DType(), Repr(w.base))
}

// attr gives the attributes that Triton's class has; most are the tensor's own.
func (w tensorWrapper) attr(m *machine, name string) (Value, bool) {
	switch name {
	case "base":
		return w.base, true
	case "dtype":
		return w.dtype, true
	case "data", "device", "shape", "data_ptr", "stride", "element_size":
		return m.attrOf(w.base, name), true
	}
	return nil, false
}

// reinterpret is triton.reinterpret(tensor, dtype).
func reinterpret(m *machine, a arguments) Value {
	v := a.positional
	base, ok := v[0].(Tensor)
	if w, wrapped := v[0].(tensorWrapper); wrapped {
		base, ok = w.base, true
	}
	if !ok {
		raise("TypeError", "Cannot reinterpret a <class '%s'>.", v[0].Type())
	}
	var d num.DType
	switch to := plain(v[1]).(type) {
	case TritonDType:
		d = num.DType(to)
	case DType:
		if d = num.DType(to); d == base.DType() {
			return base
		}
	default:
		raise("TypeError", "%s is no dtype", python.Repr(python.Str(v[1].Type())))
	}
	if d.Info().Bytes != base.DType().Info().Bytes {
		lack("NotImplementedError", "triton.reinterpret to a dtype of another size", nil)
	}
	return tensorWrapper{base, m.tensorMethod(base, "view", DType(d)).(Tensor), v[1]}
}
