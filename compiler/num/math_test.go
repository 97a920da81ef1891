package num

import (
	"math"
	"testing"
)

// correct lists, per function, what fp32 results are compared with.
var correct = map[UnaryOp]func(float64) float64{
	Exp: math.Exp, Exp2: math.Exp2, Log: math.Log, Log2: math.Log2, Sin: math.Sin, Cos: math.Cos,
	Sqrt: math.Sqrt, SqrtRN: math.Sqrt, Rsqrt: func(x float64) float64 { return 1 / math.Sqrt(x) },
	Erf: math.Erf, Floor: math.Floor, Ceil: math.Ceil, Abs: math.Abs, Neg: func(x float64) float64 { return -x },
}

// TestFP32Functions walks over fp32 and allows a result to be the neighbor of the correctly
// rounded one in at most one case of a thousand.
func TestFP32Functions(t *testing.T) {
	const stride = 9973
	for op, f := range correct {
		n, off := 0, 0
		x, out := MakeVec(ClassF32, 1), MakeVec(ClassF32, 1)
		for u := uint64(0); u < 1<<32; u += stride {
			x.F32[0] = math.Float32frombits(uint32(u))
			Unary(op, Float32)(out, x)
			got, want := out.F32[0], float32(f(float64(x.F32[0])))
			n++
			if sameValue(float64(got), float64(want)) {
				continue
			}
			off++
			if d := int64(math.Float32bits(got)) - int64(math.Float32bits(want)); d < -1 || d > 1 || want != want {
				t.Errorf("%v(%b) = %b, want %b", op, x.F32[0], got, want)
				break
			}
		}
		if off*1000 > n {
			t.Errorf("%v: %d of %d results are not the nearest", op, off, n)
		}
	}
}

func TestFP32FunctionsAtTheEdges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	minus := math.Copysign(0, -1)
	for _, c := range []struct {
		op      UnaryOp
		x, want float64
	}{
		{Exp, inf, inf}, {Exp, -inf, 0}, {Exp, nan, nan}, {Exp, 89, inf}, {Exp, 0, 1}, {Exp, -104, 0},
		{Exp2, 127, 0x1p127}, {Exp2, 128, inf}, {Exp2, -149, 0x1p-149}, {Exp2, -151, 0}, {Exp2, nan, nan},
		{Log, 0, -inf}, {Log, minus, -inf}, {Log, -1, nan}, {Log, inf, inf}, {Log, 1, 0}, {Log2, 0x1p-149, -149}, {Log2, 8, 3}, {Log2, 0, -inf},
		{Sin, minus, minus}, {Sin, inf, nan}, {Cos, -inf, nan}, {Cos, 0, 1}, {Sin, nan, nan},
		{Sqrt, -1, nan}, {Sqrt, minus, minus}, {Rsqrt, 0, inf}, {Rsqrt, 4, 0.5}, {Erf, inf, 1}, {Floor, -0.5, -1}, {Ceil, -0.5, minus},
		{Neg, 0, minus}, {Abs, minus, 0}, {Abs, -inf, inf},
	} {
		for _, d := range []DType{Float32, Float64} {
			if d == Float64 && (c.op == Exp && c.x != inf && c.x == c.x || c.op == Exp2 || c.op == Log2) {
				continue // the ends of fp32's range are not those of fp64
			}
			out := MakeVec(d.Info().Class, 1)
			Unary(c.op, d)(out, FromFloat(d, c.x).Vec())
			if got := ScalarAt(d, out, 0); got != FromFloat(d, c.want) {
				t.Errorf("%v %v(%g) = %v, want %g", d, c.op, c.x, got, c.want)
			}
		}
	}
}

// TestSqrtOfNegative: the NaN has the sign that a GPU gives it, which copysign can show.
func TestSqrtOfNegative(t *testing.T) {
	for _, op := range []UnaryOp{Sqrt, SqrtRN, Rsqrt} {
		narrow, wide := MakeVec(ClassF32, 1), MakeVec(ClassF64, 1)
		Unary(op, Float32)(narrow, FromFloat(Float32, -4).Vec())
		Unary(op, Float64)(wide, FromFloat(Float64, -4).Vec())
		for _, f := range []float64{float64(narrow.F32[0]), wide.F64[0]} {
			if !math.IsNaN(f) || math.Signbit(f) {
				t.Errorf("%v of -4: %v, negative: %v", op, f, math.Signbit(f))
			}
		}
	}
}

// TestNarrowFunctionsRound checks that the mathematics of narrow floats yields their values.
func TestNarrowFunctionsRound(t *testing.T) {
	out := MakeVec(ClassF32, 1)
	for _, l := range layouts {
		for op, f := range correct {
			x := FromFloat(l.d, 1.25)
			Unary(op, l.d)(out, x.Vec())
			want := FromFloat(l.d, float64(float32(f(1.25))))
			if got := ScalarAt(l.d, out, 0); got != want {
				t.Errorf("%v %v(1.25) = %v, want %v", l.d, op, got, want)
			}
		}
	}
}

func TestKernelsDoNotAllocate(t *testing.T) {
	for d := range NumDTypes {
		x, dst := random(d, 64), MakeVec(d.Info().Class, 64)
		raw := make([]byte, 64*d.Info().Bytes)
		cond := MakeVec(ClassI32, 64)
		n := testing.AllocsPerRun(10, func() {
			for op := range NumBinaryOps {
				if f := Binary(op, d); f != nil {
					f(dst, x, x)
				}
			}
			for op := range NumUnaryOps {
				if f := Unary(op, d); f != nil {
					f(dst, x)
				}
			}
			Compare(Lt, d)(cond, x, x)
			Select(d.Info().Class)(dst, cond, x, x)
			Fma(d)(dst, x, x, x)
			Store(d, raw, x)
			Load(d, dst, raw)
		})
		if n != 0 {
			t.Errorf("%v: %v allocations", d, n)
		}
	}
}

// TestLogOfSubnormals: the logarithm of a power of two is a multiple of that of 2.
func TestLogOfSubnormals(t *testing.T) {
	x, out := MakeVec(ClassF64, 1), MakeVec(ClassF64, 1)
	for e := -1074; e < -1000; e++ {
		x.F64[0] = math.Ldexp(1, e)
		Unary(Log, Float64)(out, x)
		if want := float64(e) * math.Ln2; math.Abs(out.F64[0]-want) > 2e-13 {
			t.Errorf("log 2^%d is %v, want %v", e, out.F64[0], want)
		}
	}
}

// TestLoadsKeepBits: what is loaded is stored with the same bits, those of a NaN included, in the floats that have more
// than one.
func TestLoadsKeepBits(t *testing.T) {
	for _, d := range []DType{Float16, BFloat16, Float8E5M2, Float32} {
		size := d.Info().Bytes
		n := 1 << min(16, 8*size)
		raw, again, v := make([]byte, n*size), make([]byte, n*size), MakeVec(ClassF32, n)
		for i := range n {
			writeBits(raw[i*size:], size, uint64(i)<<(8*size-min(16, 8*size)))
		}
		Load(d, v, raw)
		Store(d, again, v)
		for i := range n {
			if got, want := readBits(again[i*size:], size), readBits(raw[i*size:], size); got != want {
				t.Fatalf("%v %#x is stored as %#x", d, want, got)
			}
			StoreAt(d, again, i, v, i)
			if got, want := readBits(again[i*size:], size), readBits(raw[i*size:], size); got != want {
				t.Fatalf("%v %#x is stored as %#x", d, want, got)
			}
		}
	}
}

// TestSinCos: SinCos32 gives what the two kernels give.
func TestSinCos(t *testing.T) {
	x, sin, cos := MakeVec(ClassF32, 1<<12), make([]float32, 1<<12), make([]float32, 1<<12)
	for i := range x.F32 {
		x.F32[i] = float32(i-1<<11) * 0.37
	}
	SinCos32(sin, cos, x.F32)
	for op, got := range map[UnaryOp][]float32{Sin: sin, Cos: cos} {
		want := MakeVec(ClassF32, len(got))
		Unary(op, Float32)(want, x)
		for i, v := range got {
			if v != want.F32[i] {
				t.Fatalf("%v(%v) is %v, want %v", op, x.F32[i], v, want.F32[i])
			}
		}
	}
}
