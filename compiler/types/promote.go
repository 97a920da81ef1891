package types

import (
	"math/big"

	"github.com/newtlab/newt/compiler/num"
)

// OpClass groups the operators that promote alike.
type OpClass uint8

// The classes.
const (
	Arithmetic    OpClass = iota // + - *
	Division                     // /
	FloorDivision                // //
	Modulo                       // %
	Bitwise                      // & | ^ << >>
	Comparison                   // == != < <= > >=
	MinMax                       // maximum, minimum
	Clamp                        // clamp, by Promote3
	Where                        // the two branches of where
	FMA                          // fma, by Promote3
	FDiv                         // fdiv
	DivRN                        // div_rn
	UMulHi                       // umulhi
	numClasses
)

// Promotion is the conversion of an operator's operands: both are converted to Compute, the
// result has dtype Result.
type Promotion struct{ Compute, Result num.DType }

// rule is how one class departs from plain promotion.
type rule struct {
	divOrMod bool // 16-bit floats become fp32; integers must agree in signedness
	tensors  bool // a Python number counts as a 0-d tensor of its own dtype
	bf16Up   bool // bf16 becomes fp32 before anything else
	before   func(x, y Operand) *Refusal
	after    func(compute num.DType) (result Promotion, refusal *Refusal)
}

var rules = [numClasses]rule{
	Arithmetic:    {after: noFP8},
	Division:      {divOrMod: true, after: trueDivision},
	FloorDivision: {divOrMod: true, after: floorDivision},
	Modulo:        {divOrMod: true, after: noFP8},
	Bitwise:       {after: bitwise},
	Comparison:    {tensors: true, after: comparison},
	MinMax:        {tensors: true, bf16Up: true, after: noFP8},
	Clamp:         {tensors: true, bf16Up: true, after: clamp},
	Where:         {after: same},
	FMA:           {tensors: true, after: fma},
	FDiv:          {tensors: true, before: fdivOperands, after: fdiv},
	DivRN:         {tensors: true, before: only(fp32Only), after: same},
	UMulHi:        {tensors: true, before: only(wideInts), after: same},
}

// Promote gives the computation and result dtype of a binary operator of class c, or Triton's
// refusal. Where the refusal says that it Runs, the Promotion holds all the same.
func Promote(c OpClass, x, y Operand) (Promotion, *Refusal) {
	r := &rules[c]
	if r.before != nil {
		if refusal := r.before(x, y); refusal != nil {
			return Promotion{}, refusal
		}
	}
	compute, refusal := r.compute(x, y)
	if refusal != nil {
		return Promotion{}, refusal
	}
	return r.after(compute)
}

// Promote3 is Promote for fma(x, y, z) and clamp(z, x, y): the first two meet, then the third.
func Promote3(c OpClass, x, y, z Operand) (Promotion, *Refusal) {
	r := &rules[c]
	compute, refusal := r.compute(x, y)
	if refusal != nil {
		return Promotion{}, refusal
	}
	if compute, refusal = r.compute(Tensor(compute), z); refusal != nil {
		return Promotion{}, refusal
	}
	return r.after(compute)
}

func (r *rule) compute(x, y Operand) (num.DType, *Refusal) {
	if r.tensors {
		x.Number, y.Number = nil, nil
	}
	if r.bf16Up {
		x.DType, y.DType = bf16Up(x.DType), bf16Up(y.DType)
	}
	d, refusal := computationType(x, y, r.divOrMod)
	if refusal != nil {
		return 0, refusal
	}
	for _, o := range []Operand{x, y} {
		if refusal := checkRange(o, d); refusal != nil {
			return 0, refusal
		}
	}
	return d, nil
}

func bf16Up(d num.DType) num.DType {
	if d == num.BFloat16 {
		return num.Float32
	}
	return d
}

// computationType is Triton's promotion of two dtypes.
func computationType(x, y Operand, divOrMod bool) (num.DType, *Refusal) {
	if x.IsNumber() != y.IsNumber() {
		number, tensor := x.DType, y.DType
		if y.IsNumber() {
			number, tensor = tensor, number
		}
		if kind(number) <= kind(tensor) {
			return half(tensor, divOrMod), nil
		}
	}
	a, b := x.DType, y.DType
	for _, d := range []num.DType{num.Float64, num.Float32, num.Float16} {
		if a == d || b == d {
			return half(d, divOrMod), nil
		}
	}
	switch {
	case a == num.BFloat16 && b == num.BFloat16:
		return half(a, divOrMod), nil
	case a == num.BFloat16 || b == num.BFloat16:
		return num.Float32, nil
	case a.IsFP8() && b.IsFP8():
		if a == b {
			return a, nil
		}
		return num.Float16, nil
	case a.IsFP8() || b.IsFP8():
		return 0, refuse(FP8WithInt, a, b)
	case divOrMod && a.Info().Signed != b.Info().Signed:
		return 0, refuse(MixedSignedness, a, b)
	}
	return integerPromote(a, b), nil
}

// half widens 16-bit floats where they meet a division: PTX divides neither.
func half(d num.DType, divOrMod bool) num.DType {
	if divOrMod && (d == num.Float16 || d == num.BFloat16) {
		return num.Float32
	}
	return d
}

// integerPromote is C's usual arithmetic conversion without its promotion to int.
func integerPromote(a, b num.DType) num.DType {
	i, j := a.Info(), b.Info()
	switch {
	case i.Bits > j.Bits, i.Bits == j.Bits && !i.Signed:
		return a
	}
	return b
}

// checkRange refuses a Python integer that the computation dtype does not hold.
func checkRange(o Operand, d num.DType) *Refusal {
	n, ok := o.Number.(*big.Int)
	switch {
	case !ok || d.Info().Float:
		return nil
	case n.Sign() < 0 && !d.Info().Signed:
		return refuse(NegativeUnsigned)
	case !inRange(n, d):
		return refuse(NumberOutOfRange, n, d)
	}
	return nil
}

// ShiftRight gives the dtype in which x >> y is computed once both are of dtype compute: whether
// the sign moves in is up to the tensor whose operator is called (x, unless x is a Python number),
// not to compute. The result is read as compute again.
func ShiftRight(x, y Operand, compute num.DType) num.DType {
	side := x.DType
	if x.IsNumber() {
		side = y.DType
	}
	if signed, ok := signedOf[compute]; ok && side.Info().Signed {
		return signed
	}
	return compute
}

var signedOf = map[num.DType]num.DType{
	num.Uint8: num.Int8, num.Uint16: num.Int16, num.Uint32: num.Int32, num.Uint64: num.Int64,
}

func same(d num.DType) (Promotion, *Refusal) { return Promotion{d, d}, nil }

func noFP8(d num.DType) (Promotion, *Refusal) {
	if d.IsFP8() {
		return Promotion{d, d}, refuse(FP8Arithmetic, d)
	}
	return Promotion{d, d}, nil
}

func trueDivision(d num.DType) (Promotion, *Refusal) {
	if !d.Info().Float {
		d = num.Float32
	}
	return noFP8(d)
}

func floorDivision(d num.DType) (Promotion, *Refusal) {
	if d.Info().Float {
		return Promotion{}, refuse(FloorDivFloat, d)
	}
	return same(d)
}

func bitwise(d num.DType) (Promotion, *Refusal) {
	if d.Info().Float {
		return Promotion{}, refuse(OperandTypes, d)
	}
	return same(d)
}

func comparison(d num.DType) (Promotion, *Refusal) {
	p, refusal := noFP8(d)
	return Promotion{p.Compute, num.Int1}, refusal
}

func clamp(d num.DType) (Promotion, *Refusal) {
	if !d.Info().Float {
		return Promotion{}, refuse(ClampInt, d)
	}
	return noFP8(d)
}

func fma(d num.DType) (Promotion, *Refusal) {
	if !d.Info().Float {
		return Promotion{d, d}, refuse(FMAInt, d)
	}
	return noFP8(d)
}

func fdivOperands(x, y Operand) *Refusal {
	switch {
	case !x.DType.Info().Float || !y.DType.Info().Float:
		return refuse(FDivInt, x.DType, y.DType)
	case x.DType != y.DType:
		return refuse(FDivMixed, x.DType, y.DType)
	}
	return nil
}

func fdiv(d num.DType) (Promotion, *Refusal) {
	if d != num.Float32 && d != num.Float64 {
		return Promotion{d, d}, refuse(FDivNarrow, d)
	}
	return same(d)
}

// only refuses tensors of other dtypes than s before they are promoted.
func only(s dtypeSet) func(x, y Operand) *Refusal {
	return func(x, y Operand) *Refusal {
		for _, o := range []Operand{x, y} {
			if refusal := s.check(o.DType); refusal != nil && !o.IsNumber() {
				return refusal
			}
		}
		return nil
	}
}
