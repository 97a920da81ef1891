package num

// BinaryOp names an arithmetic operation on two values of one dtype.
type BinaryOp uint8

// The binary operations.
const (
	Add    BinaryOp = iota // integers wrap; int1 is arithmetic modulo 2
	Sub                    // integers wrap
	Mul                    // integers wrap
	Div                    // integers truncate; floats round to nearest
	DivRN                  // floats alone: division rounded to nearest, whatever Div may become
	Rem                    // integers: sign of the dividend; floats: x - y*trunc(x/y), as the GPU has it
	And                    // integers alone, like the next four
	Or                     //
	Xor                    //
	Shl                    // a shift past the width gives 0
	Shr                    // arithmetic where the dtype is signed; past the width 0 or the sign
	Min                    // a NaN loses against a number; -0 < +0
	Max                    // a NaN loses against a number; -0 < +0
	MinNaN                 // a NaN wins
	MaxNaN                 // a NaN wins
	UMulHi                 // the upper half of the unsigned product; 32 and 64 bits alone
	NumBinaryOps
)

var binaryNames = [NumBinaryOps]string{
	"add", "sub", "mul", "div", "div_rn", "rem", "and", "or", "xor", "shl", "shr",
	"min", "max", "min_nan", "max_nan", "umulhi",
}

func (op BinaryOp) String() string { return binaryNames[op] }

// CompareOp names a comparison of two values of one dtype.
type CompareOp uint8

// The comparisons. With a NaN, Ne alone holds.
const (
	Eq CompareOp = iota
	Ne
	Lt
	Le
	Gt
	Ge
	NumCompareOps
)

var compareNames = [NumCompareOps]string{"eq", "ne", "lt", "le", "gt", "ge"}

func (op CompareOp) String() string { return compareNames[op] }

// Rounding says how a cast to a narrower float rounds.
type Rounding uint8

// The roundings: to nearest with ties to even, and towards zero.
const (
	RTNE Rounding = iota
	RTZ
)

// UnaryFn computes dst[i] from x[i] for every element of dst. Slices may be the same, but may
// not overlap otherwise; x has at least as many elements as dst.
type UnaryFn func(dst, x Vec)

// BinaryFn computes dst[i] from x[i] and y[i], on the terms of UnaryFn.
type BinaryFn func(dst, x, y Vec)

// TernaryFn computes dst[i] from x[i], y[i] and z[i], on the terms of UnaryFn.
type TernaryFn func(dst, x, y, z Vec)

// Binary is the kernel of op on d, nil if op has no meaning for d.
func Binary(op BinaryOp, d DType) BinaryFn { return binaryTable[op][d] }

// Compare is the kernel of op on d. Its result is int1: 0 or 1 in dst.I32.
func Compare(op CompareOp, d DType) BinaryFn { return compareTable[op][d] }

// Unary is the kernel of op on d, nil if op has no meaning for d.
func Unary(op UnaryOp, d DType) UnaryFn { return unaryTable[op][d] }

// Fma is the kernel of x*y+z on d: rounded once for floats, wrapping for integers.
func Fma(d DType) TernaryFn { return fmaTable[d] }

// Select is the kernel of dst = cond ? x : y on values of class c; cond is int1.
func Select(c Class) func(dst, cond, x, y Vec) { return selectTable[c] }

// Cast is the kernel that converts values; r matters where to is a narrower float than from.
// Integers wrap, or say whether they differ from zero where to is int1. Floats towards integers
// truncate and saturate, NaN gives 0. A float too large for an fp8 dtype without infinity gives
// its largest value, for others infinity. fp8e5 towards bf16 reads infinity as 65536, as Triton's
// own conversion does, which moves the bits and scales.
func Cast(from, to DType, r Rounding) UnaryFn { return castKernel(from, to, r) }

// Bitcast is the kernel that reads from's bits as a to; nil if their widths differ.
func Bitcast(from, to DType) UnaryFn { return bitcastKernel(from, to) }
