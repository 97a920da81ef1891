package num

import "math"

// UnaryOp names an operation on one value.
type UnaryOp uint8

// The unary operations. Mathematics (Exp to Ceil) exists for floats; results of narrow floats
// are computed in fp32 and rounded.
const (
	Neg UnaryOp = iota
	Not         // integers alone: the bits inverted
	Abs
	Exp
	Exp2
	Log
	Log2
	Sin
	Cos
	Sqrt
	SqrtRN
	Rsqrt
	Erf
	Floor
	Ceil
	NumUnaryOps
)

var unaryNames = [NumUnaryOps]string{
	"neg", "not", "abs", "exp", "exp2", "log", "log2", "sin", "cos", "sqrt", "sqrt_rn",
	"rsqrt", "erf", "floor", "ceil",
}

func (op UnaryOp) String() string { return unaryNames[op] }

var unaryTable = buildUnary()

func negFloat[F float](dst, x []F) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = -x[i]
	}
}

func absFloat[F float](dst, x []F) {
	x = x[:len(dst)]
	for i := range dst {
		v := x[i]
		if math.Signbit(float64(v)) {
			v = -v // the bits of a NaN stay as they are, which a conversion to float64 and back would change
		}
		dst[i] = v
	}
}

func sqrtFloat[F float](dst, x []F) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = F(sqrt(float64(x[i])))
	}
}

// sqrt is a square root whose NaN, of negative numbers, has the sign of GPUs' (PTX ISA, "sqrt"): processors differ.
func sqrt(x float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	return math.Sqrt(x)
}

// through computes in fp64 and rounds.
func through[F float](f func(float64) float64) func(dst, x []F) {
	return func(dst, x []F) {
		x = x[:len(dst)]
		for i := range dst {
			dst[i] = F(f(float64(x[i])))
		}
	}
}

func rsqrt(x float64) float64 { return 1 / sqrt(x) }

func floatUnary[F float]() [NumUnaryOps]func(dst, x []F) {
	return [NumUnaryOps]func(dst, x []F){
		Neg: negFloat[F], Abs: absFloat[F], Sqrt: sqrtFloat[F], SqrtRN: sqrtFloat[F],
		Exp: through[F](math.Exp), Exp2: through[F](math.Exp2),
		Log: through[F](log), Log2: through[F](math.Log2),
		Sin: through[F](math.Sin), Cos: through[F](math.Cos),
		Rsqrt: through[F](rsqrt), Erf: through[F](math.Erf),
		Floor: through[F](math.Floor), Ceil: through[F](math.Ceil),
	}
}

//go:noinline
func unaryRow[S any](k [NumUnaryOps]func(dst, x []S), slice func(Vec) []S) (row [NumUnaryOps]UnaryFn) {
	for op, f := range k {
		if f != nil {
			row[op] = func(dst, x Vec) { f(slice(dst), slice(x)) }
		}
	}
	return row
}

func buildUnary() (t [NumUnaryOps][NumDTypes]UnaryFn) {
	k32 := floatUnary[float32]()
	k32[Exp], k32[Exp2], k32[Log], k32[Log2] = exp32, exp2of32, log32, log2of32
	k32[Sin], k32[Cos] = sin32, cos32
	f32 := unaryRow(k32, f32Of)
	for op, f := range [NumUnaryOps]loop{
		Neg: loopNegFloat32, Abs: loopAbsFloat32, Log: loopLog, Log2: loopLog2,
		Sqrt: loopSqrtFloat32, SqrtRN: loopSqrtFloat32,
	} {
		f32[op] = unaryOnVectors(f, f32[op])
	}
	rows := [NumDTypes][NumUnaryOps]UnaryFn{
		Int1: unaryRow(int1Unary(), i32Of),
		Int8: unaryRow(intUnary[int8, int32](), i32Of), Uint8: unaryRow(intUnary[uint8, int32](), i32Of),
		Int16: unaryRow(intUnary[int16, int32](), i32Of), Uint16: unaryRow(intUnary[uint16, int32](), i32Of),
		Int32: unaryRow(intUnary[int32, int32](), i32Of), Uint32: unaryRow(intUnary[uint32, int32](), i32Of),
		Int64: unaryRow(intUnary[int64, int64](), i64Of), Uint64: unaryRow(intUnary[uint64, int64](), i64Of),
		Float32: f32, Float64: unaryRow(floatUnary[float64](), f64Of),
	}
	for d := range NumDTypes {
		for op := range NumUnaryOps {
			t[op][d] = rows[d][op]
			if fm, f := &formats[d], f32[op]; isNarrow(d) && f != nil {
				t[op][d] = func(dst, x Vec) {
					f(dst, x)
					fm.roundTo(dst.F32)
				}
			}
		}
	}
	return t
}

// log is math.Log, whose assembly on amd64 is off by up to ln 2 for subnormals (go1.26).
func log(x float64) float64 {
	const smallest, shift = 0x1p-1022, 54
	if x > 0 && x < smallest {
		return math.Log(x*(1<<shift)) - shift*math.Ln2
	}
	return math.Log(x)
}
