package host

import (
	"math/big"

	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
)

// Constant is a value as the compiler takes it: nil for None, bool, int64, *big.Int, float64, string,
// num.DType, *lower.Function for a kernel, or a tuple of such as []any or lower.NamedTuple. Other values are not ok.
func Constant(v Value) (constant any, ok bool) {
	if items, class, isTuple := AsTuple(v); isTuple {
		return constantTuple(items, class)
	}
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

func constantTuple(items []Value, class *lower.TupleClass) (any, bool) {
	list := make([]any, len(items))
	for i, v := range items {
		var ok bool
		if list[i], ok = Constant(v); !ok {
			return nil, false
		}
	}
	if class != nil {
		return lower.NamedTuple{Class: class, Items: list}, true
	}
	return list, true
}

// AsTuple gives the items of a tuple, and its class where they have names. A torch.Size is a tuple of integers.
func AsTuple(v Value) (items []Value, class *lower.TupleClass, ok bool) {
	switch v := plain(v).(type) {
	case Tuple:
		return v, nil, true
	case Size:
		for _, n := range v {
			items = append(items, intValue(n))
		}
		return items, nil, true
	case *Named:
		return v.Items, v.tupleClass(), true
	}
	return nil, nil, false
}

// IsConstexpr reports whether a value is a tl.constexpr.
func IsConstexpr(v Value) bool { return is[constexpr](v) }

// FromConstant is the value of a constant, as Constant gives it, or of a tl.constexpr of one; None for a kernel and for
// a tuple whose items have names.
func FromConstant(c any) Value {
	switch c := c.(type) {
	case bool:
		return python.Bool(c)
	case int64:
		return python.NewInt(c)
	case *big.Int:
		return must(python.NewBig(c))
	case float64:
		return python.Float(c)
	case string:
		return python.Str(c)
	case num.DType:
		return TritonDType(c)
	case lower.Constexpr:
		return constexpr{FromConstant(c.Value)}
	case []any:
		items := make(Tuple, len(c))
		for i, e := range c {
			items[i] = FromConstant(e)
		}
		return items
	}
	return none
}
