package launch

import (
	"math/big"
	"slices"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

// Divisibility is the number whose multiples are special among addresses (in bytes) and integers, as in Triton's
// specialization of arguments.
const Divisibility = 16

// specialize says what the compiler may know of the arguments of parameters.
func specialize(args []Arg) []compiler.Arg {
	args = slices.DeleteFunc(slices.Clone(args), Arg.IsReachable)
	out := make([]compiler.Arg, len(args))
	for i, a := range args {
		out[i] = compiler.Arg{Name: a.Name, Value: a.Value, Constexpr: a.Constexpr}
		switch t, runtime := scalarType(a.Value); {
		case a.Tuple != nil:
			out[i].Tuple = a.Tuple
		case a.Tensor != nil:
			out[i].Type = types.PointerTo(a.Tensor.DType)
			if !a.General {
				out[i].Divisible = alignment(a.Tensor)
			}
			if a.Descriptor != nil {
				d := a.Descriptor.Descriptor
				if !slices.ContainsFunc(a.Descriptor.Shape, func(n int64) bool { return n%Divisibility != 0 }) {
					d.Divisible = Divisibility
				}
				out[i].Descriptor = &d
			}
		case a.Constexpr:
		// None, strings, dtypes and functions have no form at run time.
		case !runtime:
			out[i].Constexpr = true
		default:
			out[i].Type = t
			if a.General {
				out[i].Value = nil
				// 0 is divisible as well, as in Triton.
			} else if v, ok := a.Value.(int64); ok && v%Divisibility == 0 {
				out[i].Divisible = Divisibility
			}
		}
	}
	return out
}

// alignment is Divisibility if the tensor's address is a multiple of it, else 0: storages begin at multiples.
func alignment(t *Tensor) int {
	if t.Offset*t.DType.Info().Bytes%Divisibility == 0 {
		return Divisibility
	}
	return 0
}

// scalarType is the type that Triton gives a number: the first of int32, int64 and uint64 that an
// int fits, fp32 for a float, int1 for a bool. Other values exist only while compiling.
func scalarType(value any) (t types.Type, runtime bool) {
	switch v := value.(type) {
	case bool:
		return types.Scalar(num.Int1), true
	case int64:
		if v == int64(int32(v)) {
			return types.Scalar(num.Int32), true
		}
		return types.Scalar(num.Int64), true
	case *big.Int:
		return types.Scalar(num.Uint64), v.IsUint64()
	case float64:
		return types.Scalar(num.Float32), true
	}
	return types.Type{}, false
}
