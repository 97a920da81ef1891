package types

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// Refusal says why Triton's type rules do not allow something.
type Refusal struct {
	Code   string // one of the codes below
	Args   []any  // num.DType, Type, int, int64, *big.Int or string, in the order the code documents
	Triton string // Triton's own words
	Runs   bool   // the meaning is clear although Triton's compiler fails: it may run, with a warning
}

// The codes. The comments name the arguments.
const (
	OperandTypes     = "operand-types"        // bitwise operator on floats; computation dtype
	FloorDivFloat    = "floor-division-float" // x // y with a float; computation dtype
	MixedSignedness  = "mixed-signedness"     // x / y, x // y, x % y; dtype of x, dtype of y
	NegativeUnsigned = "negative-number-unsigned"
	NumberOutOfRange = "number-out-of-range" // the number, computation dtype
	NumberTooLarge   = "number-too-large"    // the number
	NotANumber       = "not-a-number"        // what it is
	PointerOperands  = "pointer-operands"    // type of the pointer, type of the other
	AddPointers      = "add-pointers"
	WherePointer     = "where-pointer"     // type of x, type of y
	FP8WithInt       = "fp8-with-int"      // dtype of x, dtype of y
	FP8Arithmetic    = "fp8-arithmetic"    // dtype
	FP8Cast          = "fp8-cast"          // from, to: between fp8 and fp64, or fp8 dtypes
	CastImpossible   = "cast-impossible"   // from, to: between fp8 and integers; Triton's spelling of both
	BitcastWidth     = "bitcast-width"     // bits from, bits to
	FDivInt          = "fdiv-int"          // dtype of x, dtype of y
	FDivMixed        = "fdiv-mixed"        // dtype of x, dtype of y
	FDivNarrow       = "fdiv-narrow"       // dtype
	FMAInt           = "fma-int"           // dtype
	ClampInt         = "clamp-int"         // dtype
	DTypeUnsupported = "dtype-unsupported" // the dtypes that are supported as text, dtype
	InvertFloat      = "invert-float"      // dtype
	NotNeedsBool     = "not-needs-bool"    // bits of the dtype, dtype
	XorSumFloat      = "xor-sum-float"     // dtype
	FlipNeedsDim     = "flip-needs-dim"
	DotLHS           = "dot-lhs-dtype"    // dtype
	DotRHS           = "dot-rhs-dtype"    // dtype
	DotMixed         = "dot-mixed-dtypes" // dtype of x, dtype of y
	DotUint8         = "dot-uint8"
	DotOutBF16       = "dot-out-bf16"
	DotOut           = "dot-out-dtype"       // dtype of the operands, out_dtype
	DotAcc           = "dot-acc-type"        // type of acc, type needed
	DotRank          = "dot-rank"            // shape of x, shape of y
	DotBatch         = "dot-batch"           // shape of x, shape of y
	DotInner         = "dot-inner-dim"       // shape of x, shape of y, last dim of x, second last dim of y
	DotTooSmall      = "dot-too-small"       // least M, N, K
	ShapeMismatch    = "shape-mismatch"      // dimension, extent in x, extent in y, shape of x, shape of y
	DimPowerOfTwo    = "dim-power-of-two"    // dimension, extent
	DimPositive      = "dim-positive"        // dimension, extent
	TileTooLarge     = "tile-too-large"      // elements, limit
	ArangeRange      = "arange-range"        // start, end
	ArangePowerOfTwo = "arange-power-of-two" // start, end
	ArangeInt32      = "arange-int32"        // start, end
)

type refusalRow struct {
	words string // {0} is an argument as Triton prints it, {0r} its repr
	runs  bool
}

const passManager = "PassManager::run failed"

var refusalRows = map[string]refusalRow{
	OperandTypes:     {"invalid operands of type {0r} and {0r}", false},
	FloorDivFloat:    {"unexpected type {0}", false},
	MixedSignedness:  {"Cannot use /, #, or % with {0r} and {1r} because they have different signedness;this is unlikely to result in a useful answer. Cast them to the same signedness.", false},
	NegativeUnsigned: {"Cannot perform a binary operation between an unsigned tensor and a negative scalar. Perform a explicit cast on one of them.", false},
	NumberOutOfRange: {"Scalar {0} is out of range for type {1}", false},
	NumberTooLarge:   {"Nonrepresentable integer {0}.", false},
	NotANumber:       {"cannot convert {0} to tensor", false},
	PointerOperands:  {"invalid operands of type {0r} and {1r}", false},
	AddPointers:      {"cannot add pointers together", false},
	WherePointer:     {"error encountered during parsing", false},
	FP8WithInt:       {"unexpected type {0} and {1}", false},
	FP8Arithmetic:    {passManager, true},
	FP8Cast:          {passManager, true},
	CastImpossible:   {"cannot cast {2} to {3}", false},
	BitcastWidth:     {"Cannot bitcast data-type of size {0} to data-type of size {1}", false},
	FDivInt:          {"both operands of fdiv must have floating scalar type", false},
	FDivMixed:        {"error encountered during parsing", false},
	FDivNarrow:       {passManager, true},
	FMAInt:           {"error encountered during parsing", true},
	ClampInt:         {"Unexpected dtype {0}. Only floating point clamp is supported", false},
	DTypeUnsupported: {"Expected dtype {0} but got {1}", false},
	InvertFloat:      {"wrong type argument to unary invert ({0r})", false},
	NotNeedsBool:     {"Cannot bitcast data-type of size {0} to data-type of size 1", false},
	XorSumFloat:      {"xor_sum only supported for integers", false},
	FlipNeedsDim:     {"'<=' not supported between instances of 'int' and 'NoneType'", false},
	DotLHS:           {"Unsupported lhs dtype {0}", false},
	DotRHS:           {"Unsupported rhs dtype {0}", false},
	DotMixed:         {"Both operands must be same dtype. Got {0} and {1}", false},
	DotUint8:         {"only int8 supported!", false},
	DotOutBF16:       {"out_dtype=bfloat16 is unsupported. Please use out_dtype=float32/float16 and cast with `.to(tl.bfloat16)`", false},
	DotOut:           {"", false}, // an operation that does not verify
	DotAcc:           {"", false},
	DotRank:          {"input and other must have equal ranks >= 2", false},
	DotBatch:         {"input and other must have equal batch shapes", false},
	DotInner:         {"input and other must have equal reduction dimensions", false},
	DotTooSmall:      {"Input shapes should have M >= {0}, N >= {1} and K >= {2}", true},
	ShapeMismatch:    {"Cannot make_shape_compatible: incompatible dimensions at index {0}: {1} and {2}", false},
	DimPowerOfTwo:    {"Shape element {0} must be a power of 2", false},
	DimPositive:      {"Shape element {0} must be a power of 2", false},
	TileTooLarge:     {"numel ({0}) exceeds triton maximum tensor numel ({1})", false},
	ArangeRange:      {"arange's end argument must be greater than the start argument", false},
	ArangePowerOfTwo: {"arange's range must be a power of 2", false},
	ArangeInt32:      {"arange must fit in int32", false},
}

// Codes lists every code that a Refusal can have, in order.
func Codes() []string { return slices.Sorted(maps.Keys(refusalRows)) }

// refuse makes a Refusal. An argument is put into Triton's words as it prints, or as its repr.
func refuse(code string, args ...any) *Refusal {
	row := refusalRows[code]
	pairs := make([]string, 0, 4*len(args))
	for i, a := range args {
		plain := fmt.Sprint(a)
		long := plain
		switch v := a.(type) {
		case num.DType:
			long = reprDType(v)
		case Type:
			long = repr(v)
		}
		pairs = append(pairs, fmt.Sprintf("{%d}", i), plain, fmt.Sprintf("{%dr}", i), long)
	}
	return &Refusal{code, args, strings.NewReplacer(pairs...).Replace(row.words), row.runs}
}
