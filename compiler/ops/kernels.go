package ops

import "github.com/newtlab/newt/compiler/num"

var binaryKernels = [N]num.BinaryOp{
	Add: num.Add, Sub: num.Sub, Mul: num.Mul, Div: num.Div, DivRN: num.DivRN, Rem: num.Rem,
	And: num.And, Or: num.Or, Xor: num.Xor, Shl: num.Shl, Shr: num.Shr,
	Min: num.Min, Max: num.Max, UMulHi: num.UMulHi,
}

var compareKernels = [N]num.CompareOp{
	Eq: num.Eq, Ne: num.Ne, Lt: num.Lt, Le: num.Le, Gt: num.Gt, Ge: num.Ge,
}

var unaryKernels = [N]num.UnaryOp{
	Neg: num.Neg, Not: num.Not, Abs: num.Abs, Exp: num.Exp, Exp2: num.Exp2, Log: num.Log,
	Log2: num.Log2, Sin: num.Sin, Cos: num.Cos, Sqrt: num.Sqrt, SqrtRN: num.SqrtRN,
	Rsqrt: num.Rsqrt, Erf: num.Erf, Floor: num.Floor, Ceil: num.Ceil,
}

// BinaryKernel is the arithmetic of o, Add to Ge, on values of dtype d; nil for other operations.
// propagateNaN picks the forms of Min and Max in which a NaN wins.
func (o Op) BinaryKernel(d num.DType, propagateNaN bool) num.BinaryFn {
	switch {
	case o >= Eq && o <= Ge:
		return num.Compare(compareKernels[o], d)
	case o == Min && propagateNaN:
		return num.Binary(num.MinNaN, d)
	case o == Max && propagateNaN:
		return num.Binary(num.MaxNaN, d)
	case o >= Add && o < Eq:
		return num.Binary(binaryKernels[o], d)
	}
	return nil
}

// UnaryKernel is the arithmetic of o, Neg to Ceil, on values of dtype d; nil for other operations.
func (o Op) UnaryKernel(d num.DType) num.UnaryFn {
	if o < Neg || o > Ceil {
		return nil
	}
	return num.Unary(unaryKernels[o], d)
}
