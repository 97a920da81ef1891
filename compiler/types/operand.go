package types

import (
	"fmt"
	"math"
	"math/big"

	"github.com/newtlab/newt/compiler/num"
)

// Operand is one side of an operator: a tensor (0-d ones included: the language promotes them as
// it does tiles) or a Python number.
type Operand struct {
	DType  num.DType // a tensor's; a number's as NumberType gives it
	Number any       // nil for a tensor, else bool, *big.Int or float64
}

// Tensor is the operand of a tensor of d.
func Tensor(d num.DType) Operand { return Operand{DType: d} }

// Number is the operand of a Python number: a bool, int, int64, *big.Int or float64. It is
// refused if no dtype holds it, and where v is none of these.
func Number(v any) (Operand, *Refusal) {
	switch n := v.(type) {
	case int:
		v = big.NewInt(int64(n))
	case int64:
		v = big.NewInt(n)
	}
	d, refusal := numberType(v)
	return Operand{d, v}, refusal
}

var (
	maxUint64 = new(big.Int).SetUint64(math.MaxUint64)
	intTypes  = []num.DType{num.Int32, num.Uint32, num.Int64, num.Uint64}
)

// numberType is the dtype in which a Python number becomes a tensor: the first of int32, uint32,
// int64 and uint64 that holds it; fp32 unless the magnitude is outside its normal range.
func numberType(v any) (num.DType, *Refusal) {
	switch n := v.(type) {
	case bool:
		return num.Int1, nil
	case *big.Int:
		for _, d := range intTypes {
			if inRange(n, d) {
				return d, nil
			}
		}
		return num.Int64, refuse(NumberTooLarge, n)
	case float64:
		m := math.Abs(n)
		if m == 0 || m != m || math.IsInf(m, 1) || m >= 0x1p-126 && m <= math.MaxFloat32 {
			return num.Float32, nil
		}
		return num.Float64, nil
	}
	return num.Int32, refuse(NotANumber, fmt.Sprint(v))
}

// inRange reports whether integer dtype d holds n.
func inRange(n *big.Int, d num.DType) bool {
	lo, hi := intRange(d)
	return n.Cmp(lo) >= 0 && n.Cmp(hi) <= 0
}

func intRange(d num.DType) (lo, hi *big.Int) {
	info := d.Info()
	if !info.Signed {
		return new(big.Int), new(big.Int).Rsh(maxUint64, uint(64-info.Bits))
	}
	hi = new(big.Int).Rsh(maxUint64, uint(65-info.Bits))
	return new(big.Int).Not(hi), hi
}

// IsNumber reports whether o is a Python number.
func (o Operand) IsNumber() bool { return o.Number != nil }

// For is o as the operators of a class take it. Of those that make tensors of Python numbers first, as comparisons and
// tl.maximum do, a float has been rounded to fp32 before it meets a tensor of fp64.
func (o Operand) For(c OpClass) Operand {
	if f, ok := o.Number.(float64); ok && rules[c].tensors && o.DType == num.Float32 {
		o.Number = float64(float32(f))
	}
	return o
}

// Constant is a Python number as a constant of d: rounded for floats, wrapped for integers.
// It must not be called on tensors.
func (o Operand) Constant(d num.DType) num.Scalar {
	switch n := o.Number.(type) {
	case bool:
		return num.FromBool(n).Cast(d)
	case *big.Int:
		if d.Info().Float {
			f, _ := new(big.Float).SetInt(n).Float64()
			return num.FromFloat(d, f)
		}
		low := new(big.Int).And(n, maxUint64)
		return num.FromInt(d, int64(low.Uint64()))
	}
	return num.FromFloat(d, o.Number.(float64))
}

// kind orders dtypes as Python numbers see them: bool, integers, floats.
func kind(d num.DType) int {
	switch {
	case d == num.Int1:
		return 0
	case d.Info().Float:
		return 2
	}
	return 1
}
