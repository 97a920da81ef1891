package host

import (
	"math/big"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
)

// Constant is a value as the compiler takes it: nil for None, bool, int64, *big.Int, float64, string,
// num.DType, or *lower.Function for a kernel. Other values are not ok.
func Constant(v Value) (constant any, ok bool) {
	switch v := plain(v).(type) {
	case python.None:
		return nil, true
	case python.Bool:
		return bool(v), true
	case python.Float:
		return float64(v), true
	case python.Str:
		return string(v), true
	case python.Int:
		if n, ok := v.Int64(); ok {
			return n, true
		}
		return new(big.Int).Set(v.Big()), true
	case DType:
		return num.DType(v), true
	case TritonDType:
		return num.DType(v), true
	case *Kernel:
		return v.Function, true
	}
	return nil, false
}

// FromConstant is the value of nil, a bool, an int64, a float64 or a string, as an argument for Call.
func FromConstant(c any) Value {
	switch c := c.(type) {
	case bool:
		return python.Bool(c)
	case int64:
		return python.NewInt(c)
	case float64:
		return python.Float(c)
	case string:
		return python.Str(c)
	}
	return none
}
