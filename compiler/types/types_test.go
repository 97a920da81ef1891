package types_test

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

func number(t *testing.T, v any) types.Operand {
	t.Helper()
	o, refusal := types.Number(v)
	if refusal != nil {
		t.Fatal(refusal.Triton)
	}
	return o
}

func TestNumbersBecomeTensors(t *testing.T) {
	big64 := new(big.Int).Lsh(big.NewInt(1), 64)
	for _, c := range []struct {
		v    any
		want num.DType
		code string
	}{
		{true, num.Int1, ""}, {0, num.Int32, ""}, {math.MinInt32, num.Int32, ""}, {1 << 31, num.Uint32, ""}, {1<<32 - 1, num.Uint32, ""},
		{1 << 32, num.Int64, ""}, {-1<<31 - 1, num.Int64, ""}, {int64(math.MinInt64), num.Int64, ""},
		{new(big.Int).SetUint64(1 << 63), num.Uint64, ""}, {new(big.Int).Sub(big64, big.NewInt(1)), num.Uint64, ""},
		{big64, 0, types.NumberTooLarge}, {new(big.Int).Neg(big64), 0, types.NumberTooLarge},
		{1.5, num.Float32, ""}, {0.0, num.Float32, ""}, {math.Inf(-1), num.Float32, ""}, {math.NaN(), num.Float32, ""},
		{1e39, num.Float64, ""}, {1e-40, num.Float64, ""}, {math.MaxFloat32, num.Float32, ""}, {0x1p-126, num.Float32, ""},
		{"text", 0, types.NotANumber},
	} {
		o, refusal := types.Number(c.v)
		switch {
		case refusal == nil && (c.code != "" || o.DType != c.want):
			t.Errorf("%v becomes %v, want %v %s", c.v, o.DType, c.want, c.code)
		case refusal != nil && refusal.Code != c.code:
			t.Errorf("%v: %s, want %s", c.v, refusal.Code, c.code)
		}
	}
}

func TestConstants(t *testing.T) {
	for _, c := range []struct {
		v    any
		d    num.DType
		want string
	}{
		{true, num.Float32, "1"}, {true, num.Int64, "1"}, {-1, num.Int8, "-1"}, {3, num.Float16, "3"}, {0.1, num.Float32, "0.1"},
		{new(big.Int).SetUint64(math.MaxUint64), num.Uint64, "18446744073709551615"},
		{new(big.Int).SetUint64(math.MaxUint64), num.Float64, "1.8446744073709552e+19"}, {1<<24 + 1, num.Float32, "1.6777216e+07"},
	} {
		if got := number(t, c.v).Constant(c.d).String(); got != c.want {
			t.Errorf("%v as %v: %s, want %s", c.v, c.d, got, c.want)
		}
	}
}

// TestPromotionBeyondTheRecording holds what the recording does not vary: numbers in comparisons,
// maximum, where and fma, three operands, and the dtypes in which operands are computed.
func TestPromotionBeyondTheRecording(t *testing.T) {
	tensor := types.Tensor
	for _, c := range []struct {
		class           types.OpClass
		x, y            types.Operand
		compute, result num.DType
		code            string
	}{
		// A number in a comparison is a tensor of its own dtype: int8 < 300 compares as int32.
		{types.Comparison, tensor(num.Int8), number(t, 300), num.Int32, num.Int1, ""},
		{types.Comparison, tensor(num.Uint8), number(t, -1), num.Int32, num.Int1, ""},
		{types.Comparison, tensor(num.Uint32), number(t, -1), num.Uint32, num.Int1, ""},
		{types.Comparison, tensor(num.Float16), number(t, 0.1), num.Float32, num.Int1, ""},
		{types.Comparison, number(t, 1<<40), tensor(num.Int32), num.Int64, num.Int1, ""},
		{types.MinMax, tensor(num.Float16), number(t, 0.0), num.Float32, num.Float32, ""},
		{types.MinMax, tensor(num.BFloat16), number(t, 0), num.Float32, num.Float32, ""},
		{types.Where, tensor(num.Float16), number(t, 0.0), num.Float16, num.Float16, ""},
		{types.Where, tensor(num.Int8), number(t, 300), 0, 0, types.NumberOutOfRange},
		{types.Where, tensor(num.Float8E5M2), tensor(num.Float8E5M2), num.Float8E5M2, num.Float8E5M2, ""},
		{types.Division, tensor(num.Int8), tensor(num.Int64), num.Float32, num.Float32, ""},
		{types.Division, tensor(num.BFloat16), number(t, 2), num.Float32, num.Float32, ""},
		{types.Modulo, tensor(num.Int16), number(t, 7), num.Int16, num.Int16, ""},
		{types.Arithmetic, tensor(num.Float16), tensor(num.BFloat16), num.Float16, num.Float16, ""},
		{types.Arithmetic, tensor(num.Int32), number(t, 1e300), num.Float64, num.Float64, ""},
		{types.DivRN, tensor(num.Float32), tensor(num.Float32), num.Float32, num.Float32, ""},
		{types.DivRN, tensor(num.Float32), tensor(num.Float16), 0, 0, types.DTypeUnsupported},
		{types.UMulHi, tensor(num.Uint32), number(t, 5), num.Uint32, num.Uint32, ""},
		{types.FDiv, tensor(num.Float32), number(t, 2.0), num.Float32, num.Float32, ""},
		{types.FDiv, tensor(num.Float32), number(t, 2), 0, 0, types.FDivInt},
	} {
		p, refusal := types.Promote(c.class, c.x, c.y)
		code := ""
		if refusal != nil {
			code = refusal.Code
		}
		if code != c.code || p.Compute != c.compute || p.Result != c.result {
			t.Errorf("class %d of %v and %v: %v → %v %q, want %v → %v %q", c.class, c.x, c.y, p.Compute, p.Result, code, c.compute, c.result, c.code)
		}
	}
	p, refusal := types.Promote3(types.Clamp, tensor(num.BFloat16), number(t, 0.0), number(t, 1.0))
	if refusal != nil || p.Result != num.Float32 {
		t.Errorf("clamp of bf16: %v %v", p, refusal)
	}
	if _, refusal = types.Promote3(types.Clamp, tensor(num.Int32), number(t, 0), number(t, 1)); refusal == nil || refusal.Triton != "Unexpected dtype int32. Only floating point clamp is supported" {
		t.Errorf("clamp of int32: %v", refusal)
	}
	if p, refusal = types.Promote3(types.FMA, tensor(num.Float16), tensor(num.BFloat16), tensor(num.Float32)); refusal != nil || p.Result != num.Float32 {
		t.Errorf("fma: %v %v", p, refusal)
	}
}

func TestShiftRight(t *testing.T) {
	tensor := types.Tensor
	for _, c := range []struct {
		x, y    types.Operand
		compute num.DType
		want    num.DType
	}{
		{tensor(num.Int8), tensor(num.Uint8), num.Uint8, num.Int8}, {tensor(num.Int32), tensor(num.Uint64), num.Uint64, num.Int64},
		{tensor(num.Uint8), tensor(num.Int16), num.Int16, num.Int16}, {tensor(num.Uint8), tensor(num.Int8), num.Uint8, num.Uint8},
		{number(t, 100), tensor(num.Int8), num.Int8, num.Int8}, {tensor(num.Int1), tensor(num.Int1), num.Int1, num.Int1},
		{tensor(num.Uint32), number(t, 1), num.Uint32, num.Uint32}, {number(t, 1), tensor(num.Uint32), num.Uint32, num.Uint32},
	} {
		if got := types.ShiftRight(c.x, c.y, c.compute); got != c.want {
			t.Errorf("%v >> %v in %v: %v, want %v", c.x.DType, c.y.DType, c.compute, got, c.want)
		}
	}
}

func TestBroadcastShapes(t *testing.T) {
	for _, c := range []struct {
		x, y, want []int
		words      string
	}{
		{nil, nil, nil, ""}, {nil, []int{4}, []int{4}, ""}, {[]int{4}, nil, []int{4}, ""}, {[]int{4, 1}, []int{8}, []int{4, 8}, ""},
		{[]int{1}, []int{2, 4, 8}, []int{2, 4, 8}, ""}, {[]int{2, 1, 8}, []int{4, 1}, []int{2, 4, 8}, ""},
		{[]int{32}, []int{64}, nil, "Cannot make_shape_compatible: incompatible dimensions at index 0: 32 and 64"},
		{[]int{8, 2}, []int{4}, nil, "Cannot make_shape_compatible: incompatible dimensions at index 1: 2 and 4"},
	} {
		got, refusal := types.BroadcastShapes(c.x, c.y)
		words := ""
		if refusal != nil {
			words = refusal.Triton
		}
		if !slices.Equal(got, c.want) || words != c.words {
			t.Errorf("%v with %v: %v %q, want %v %q", c.x, c.y, got, words, c.want, c.words)
		}
	}
}

func TestShapesAndRanges(t *testing.T) {
	code := func(r *types.Refusal) string {
		if r == nil {
			return ""
		}
		return r.Code
	}
	for _, c := range []struct {
		shape []int
		want  string
	}{
		{nil, ""}, {[]int{1, 1024, 1024}, ""}, {[]int{1 << 20}, ""}, {[]int{1 << 20, 2}, types.TileTooLarge}, {[]int{1 << 21}, types.TileTooLarge},
		{[]int{1 << 40, 1 << 40}, types.TileTooLarge}, {[]int{3}, types.DimPowerOfTwo}, {[]int{4, 0}, types.DimPositive}, {[]int{-4}, types.DimPositive},
		{[]int{math.MinInt}, types.DimPositive},
	} {
		if got := code(types.CheckShape(c.shape)); got != c.want {
			t.Errorf("shape %v: %q, want %q", c.shape, got, c.want)
		}
	}
	for _, c := range []struct {
		start, end int64
		want       string
	}{
		{0, 128, ""}, {5, 13, ""}, {-8, 8, ""}, {0, 100, types.ArangePowerOfTwo}, {4, 4, types.ArangeRange}, {4, 0, types.ArangeRange},
		{0, 1 << 32, types.ArangeInt32}, {math.MinInt64, math.MaxInt64, types.ArangeInt32}, {0, 1 << 21, types.TileTooLarge},
	} {
		if got := code(types.CheckArange(c.start, c.end)); got != c.want {
			t.Errorf("arange(%d, %d): %q, want %q", c.start, c.end, got, c.want)
		}
	}
}

func TestPointers(t *testing.T) {
	p, q := types.PointerTo(num.Float32), types.PointerTo(num.Int8)
	i, f := types.Scalar(num.Int32), types.Tile(num.Float32, 4)
	for _, c := range []struct {
		op    string
		x, y  types.Type
		words string
	}{
		{"+", p, i, ""}, {"+", i, p, ""}, {"-", p, i, ""}, {"where", p, p, ""},
		{"+", p, p, "cannot add pointers together"},
		{"+", p, q, "invalid operands of type pointer<fp32> and pointer<int8>"},
		{"+", p, f, "invalid operands of type pointer<fp32> and triton.language.float32"},
		{"-", i, p, "invalid operands of type pointer<fp32> and triton.language.int32"},
		{"*", p, i, "invalid operands of type pointer<fp32> and triton.language.int32"},
		{"<", p, p, "invalid operands of type pointer<fp32> and pointer<fp32>"},
		{"where", p, i, "error encountered during parsing"},
	} {
		words := ""
		if r := types.Pointers(c.op, c.x, c.y); r != nil {
			words = r.Triton
		}
		if words != c.words {
			t.Errorf("%v %s %v: %q, want %q", c.x, c.op, c.y, words, c.words)
		}
	}
}

func TestCasts(t *testing.T) {
	for _, c := range []struct {
		from  types.Type
		to    num.DType
		words string
	}{
		{types.Scalar(num.Int1), num.Float8E5M2, "cannot cast int1 to fp8e5"},
		{types.Tile(num.Float8E4M3, 4, 8), num.Int8, "cannot cast fp8e4nv[constexpr[4], constexpr[8]] to <['4', '8'], int8>"},
		{types.PointerTo(num.Float32), num.Int64, ""}, {types.PointerTo(num.Float32), num.Int32, "cannot cast pointer<fp32> to int32"},
		{types.Scalar(num.Float8E5M2), num.Float8E5M2, ""}, {types.Scalar(num.Float64), num.Int1, ""},
	} {
		words := ""
		if r := types.Cast(c.from, c.to); r != nil {
			words = r.Triton
		}
		if words != c.words {
			t.Errorf("%v to %v: %q, want %q", c.from, c.to, words, c.words)
		}
	}
	if types.Bitcast(types.Scalar(num.Float32), num.Int32) != nil || types.Bitcast(types.PointerTo(num.Int8), num.Int64) != nil {
		t.Error("equal widths are refused")
	}
	if r := types.Bitcast(types.Scalar(num.Float32), num.Int16); r == nil || r.Triton != "Cannot bitcast data-type of size 32 to data-type of size 16" {
		t.Errorf("bitcast of 32 bits to 16: %v", r)
	}
}

func TestDot(t *testing.T) {
	tile := types.Tile
	for _, c := range []struct {
		x, y types.Type
		out  num.DType
		want string
		code string
	}{
		{tile(num.Float16, 16, 32), tile(num.Float16, 32, 64), num.Float32, "fp32[16, 64]", ""},
		{tile(num.Float32, 4, 16, 16), tile(num.Float32, 4, 16, 2), num.Float32, "fp32[4, 16, 2]", ""},
		{tile(num.Float32, 16, 8), tile(num.Float32, 8, 16), num.Float32, "fp32[16, 16]", types.DotTooSmall},
		{tile(num.Int8, 16, 16), tile(num.Int8, 16, 16), num.Float32, "i32[16, 16]", types.DotTooSmall},
		{tile(num.Float16, 16, 16), tile(num.Float16, 32, 16), num.Float32, "i1", types.DotInner},
		{tile(num.Float16, 16), tile(num.Float16, 16, 16), num.Float32, "i1", types.DotRank},
		{tile(num.Float16, 2, 16, 16), tile(num.Float16, 4, 16, 16), num.Float32, "i1", types.DotBatch},
		{tile(num.Float16, 16, 16), tile(num.Float16, 16, 16), num.BFloat16, "i1", types.DotOutBF16},
		{tile(num.Float16, 16, 16), tile(num.Float16, 16, 16), num.Int32, "i1", types.DotOut},
		{tile(num.Float16, 2048, 16), tile(num.Float16, 16, 1024), num.Float32, "i1", types.TileTooLarge},
	} {
		got, refusal := types.Dot(c.x, c.y, c.out)
		code := ""
		if refusal != nil {
			code = refusal.Code
		}
		if got.String() != c.want || code != c.code {
			t.Errorf("dot of %v and %v: %v %q, want %s %q", c.x, c.y, got, code, c.want, c.code)
		}
	}
	acc := tile(num.Float32, 16, 16)
	if types.DotAccumulator(acc, acc) != nil || types.DotAccumulator(tile(num.Float16, 16, 16), acc) == nil {
		t.Error("accumulators")
	}
}

func TestCodesAreSlugs(t *testing.T) {
	slug := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	for _, code := range types.Codes() {
		if !slug.MatchString(code) {
			t.Errorf("code %q is no slug", code)
		}
	}
}
