package num

import (
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/newtlab/newt/infra/soak"
)

var intTypes = []DType{Int1, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64}

// exact is the integer that element i of v stands for.
func exact(d DType, v Vec, i int) *big.Int {
	n, ok := new(big.Int).SetString(Format(d, v, i), 10)
	if !ok {
		return big.NewInt(int64(v.I32[i])) // int1 formats as a word
	}
	return n
}

// exacts are the integers that the elements of v stand for.
func exacts(d DType, v Vec) []*big.Int {
	ints := make([]*big.Int, v.Len())
	for i := range ints {
		ints[i] = exact(d, v, i)
	}
	return ints
}

// wrapped is n as a d, by arithmetic modulo 2^bits.
func wrapped(d DType, n *big.Int) Vec {
	low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64))
	v := MakeVec(d.Info().Class, 1)
	SetBits(d, v, 0, low.Uint64()&(math.MaxUint64>>(64-d.Info().Bits)))
	return v
}

// reference computes op on exact integers.
func reference(op BinaryOp, d DType, x, y *big.Int) *big.Int {
	z := new(big.Int)
	bits := d.Info().Bits
	count := uint(bits)
	if y.Sign() >= 0 && y.IsUint64() && y.Uint64() < uint64(bits) {
		count = uint(y.Uint64())
	}
	switch op {
	case Add:
		return z.Add(x, y)
	case Sub:
		return z.Sub(x, y)
	case Mul:
		return z.Mul(x, y)
	case Div:
		if y.Sign() != 0 {
			z.Quo(x, y)
		}
	case Rem:
		if y.Sign() != 0 {
			z.Rem(x, y)
		}
	case And:
		return z.And(x, y)
	case Or:
		return z.Or(x, y)
	case Xor:
		return z.Xor(x, y)
	case Shl:
		return z.Lsh(x, count)
	case Shr:
		return z.Rsh(x, count) // floors, hence fills with the sign
	case Min, MinNaN:
		if x.Cmp(y) < 0 {
			return x
		}
		return y
	case Max, MaxNaN:
		if x.Cmp(y) > 0 {
			return x
		}
		return y
	case UMulHi:
		unsigned := func(n *big.Int) *big.Int {
			mod := new(big.Int).Lsh(big.NewInt(1), uint(bits))
			return new(big.Int).Mod(n, mod)
		}
		return z.Rsh(z.Mul(unsigned(x), unsigned(y)), uint(bits))
	}
	return z
}

// samples are canonical values of integer dtype d: all for 8 bits and fewer, else the ends, the
// neighborhood of 0 and of each power of two, and some at random.
func samples(d DType) Vec {
	bits := d.Info().Bits
	var patterns []uint64
	if bits <= 8 {
		for b := range uint64(1) << bits {
			patterns = append(patterns, b)
		}
	} else {
		rng := rand.New(rand.NewPCG(5, uint64(d)))
		for i := range bits {
			p := uint64(1) << i
			patterns = append(patterns, p-1, p, -p, rng.Uint64())
		}
	}
	v := MakeVec(d.Info().Class, len(patterns))
	for i, p := range patterns {
		SetBits(d, v, i, p&(math.MaxUint64>>(64-bits)))
	}
	return v
}

func TestIntegersAgainstExactArithmetic(t *testing.T) {
	for _, d := range intTypes {
		v := samples(d)
		n := v.Len()
		ints := exacts(d, v)
		out, y := MakeVec(d.Info().Class, n), MakeVec(d.Info().Class, n)
		for op := range NumBinaryOps {
			f := Binary(op, d)
			if f == nil {
				if op != DivRN && op != UMulHi {
					t.Errorf("%v lacks %v", d, op)
				}
				continue
			}
			for j := range n {
				if soak.Skips(j, 1) {
					continue
				}
				ScalarAt(d, v, j).Fill(y)
				f(out, v, y)
				for i := range n {
					want := wrapped(d, reference(op, d, ints[i], ints[j]))
					if ScalarAt(d, out, i) != ScalarAt(d, want, 0) {
						t.Fatalf("%v %v %v %v = %s, want %s", d, ints[i], op, ints[j], Format(d, out, i), Format(d, want, 0))
					}
				}
			}
		}
	}
}

func TestIntegerUnaryAndFma(t *testing.T) {
	minusOne := big.NewInt(-1)
	exactly := map[UnaryOp]func(x *big.Int) *big.Int{
		Neg: func(x *big.Int) *big.Int { return new(big.Int).Neg(x) },
		Not: func(x *big.Int) *big.Int { return new(big.Int).Xor(x, minusOne) },
		Abs: func(x *big.Int) *big.Int { return new(big.Int).Abs(x) },
	}
	for _, d := range intTypes {
		v := samples(d)
		n := v.Len()
		out := MakeVec(d.Info().Class, n)
		check := func(what string, want func(x *big.Int) *big.Int) {
			t.Helper()
			for i := range n {
				if w := wrapped(d, want(exact(d, v, i))); ScalarAt(d, out, i) != ScalarAt(d, w, 0) {
					t.Fatalf("%v: %s of %s is %s, want %s", d, what, Format(d, v, i), Format(d, out, i), Format(d, w, 0))
				}
			}
		}
		for op, want := range exactly {
			Unary(op, d)(out, v)
			check(op.String(), want)
		}
		Fma(d)(out, v, v, v)
		check("x*x+x", func(x *big.Int) *big.Int {
			z := new(big.Int).Mul(x, x)
			return z.Add(z, x)
		})
	}
}

func TestIntegerComparisonsAndCasts(t *testing.T) {
	holds := [NumCompareOps]func(c int) bool{
		Eq: func(c int) bool { return c == 0 }, Ne: func(c int) bool { return c != 0 },
		Lt: func(c int) bool { return c < 0 }, Le: func(c int) bool { return c <= 0 },
		Gt: func(c int) bool { return c > 0 }, Ge: func(c int) bool { return c >= 0 },
	}
	for _, d := range intTypes {
		v := samples(d)
		n := v.Len()
		y, out := MakeVec(d.Info().Class, n), MakeVec(ClassI32, n)
		ints := exacts(d, v)
		for j := range n {
			ScalarAt(d, v, j).Fill(y)
			for op := range NumCompareOps {
				Compare(op, d)(out, v, y)
				for i := range n {
					if want := holds[op](ints[i].Cmp(ints[j])); out.I32[i] != bit(want) {
						t.Fatalf("%v %s %v %s: %d", d, Format(d, v, i), op, Format(d, v, j), out.I32[i])
					}
				}
			}
		}
		for _, to := range intTypes {
			out := MakeVec(to.Info().Class, n)
			Cast(d, to, RTNE)(out, v)
			for i := range n {
				x := ints[i]
				want := wrapped(to, x)
				if to == Int1 {
					want = FromBool(x.Sign() != 0).Vec()
				}
				if ScalarAt(to, out, i) != ScalarAt(to, want, 0) {
					t.Fatalf("%v %v as %v is %s", d, x, to, Format(to, out, i))
				}
			}
		}
		for _, to := range []DType{Float32, Float64} {
			out := MakeVec(to.Info().Class, n)
			Cast(d, to, RTNE)(out, v)
			for i := range n {
				f := new(big.Float).SetInt(exact(d, v, i))
				f32, _ := f.Float32()
				f64, _ := f.Float64()
				want := FromFloat(Float64, f64)
				if to == Float32 {
					want = FromFloat(Float32, float64(f32))
				}
				if ScalarAt(to, out, i) != want {
					t.Fatalf("%v %v as %v is %s, want %v", d, exact(d, v, i), to, Format(to, out, i), want)
				}
			}
		}
	}
}

// TestFloatToInt checks truncation, and saturation where Triton leaves the result open.
func TestFloatToInt(t *testing.T) {
	for _, c := range []struct {
		to   DType
		in   float64
		want string
	}{
		{Int8, 127.9, "127"}, {Int8, 128, "127"}, {Int8, -128.9, "-128"}, {Int8, -1e30, "-128"}, {Int8, -0.9, "0"},
		{Uint8, 255.5, "255"}, {Uint8, 256, "255"}, {Uint8, -0.5, "0"}, {Uint8, -3, "0"},
		{Int32, math.Inf(1), "2147483647"}, {Int32, math.Inf(-1), "-2147483648"}, {Int32, math.NaN(), "0"},
		{Uint32, 4294967040, "4294967040"}, {Uint32, 1e20, "4294967295"},
		{Int64, 0x1p63, "9223372036854775807"}, {Int64, -0x1p63, "-9223372036854775808"}, {Int64, -0x1p62, "-4611686018427387904"},
		{Uint64, 0x1p63, "9223372036854775808"}, {Uint64, 0x1.8p63, "13835058055282163712"}, {Uint64, 0x1p64, "18446744073709551615"},
		{Uint64, 5.9, "5"}, {Uint64, -1, "0"}, {Uint64, math.NaN(), "0"},
		{Int1, 0.25, "true"}, {Int1, math.Copysign(0, -1), "false"}, {Int1, math.NaN(), "true"},
	} {
		for _, from := range []DType{Float32, Float64} {
			if got := FromFloat(from, c.in).Cast(c.to).String(); got != c.want {
				t.Errorf("%v %g as %v is %s, want %s", from, c.in, c.to, got, c.want)
			}
		}
	}
}

func TestMinMaxOfNaNAndZeros(t *testing.T) {
	nan, zero, minus := math.NaN(), 0.0, math.Copysign(0, -1)
	for _, d := range []DType{Float16, BFloat16, Float32, Float64} {
		for _, c := range []struct {
			op         BinaryOp
			x, y, want float64
		}{
			{Min, nan, 1, 1}, {Min, 1, nan, 1}, {Max, nan, 1, 1}, {Max, 1, nan, 1}, {Min, nan, nan, nan}, {Max, nan, nan, nan},
			{MinNaN, nan, 1, nan}, {MinNaN, 1, nan, nan}, {MaxNaN, nan, 1, nan}, {MaxNaN, 1, nan, nan},
			{Min, zero, minus, minus}, {Min, minus, zero, minus}, {Max, zero, minus, zero}, {Max, minus, zero, zero},
			{Min, math.Inf(-1), nan, math.Inf(-1)}, {Max, 3, -2, 3}, {Min, 3, -2, -2}, {MaxNaN, 3, -2, 3}, {MinNaN, 3, -2, -2},
		} {
			out := MakeVec(d.Info().Class, 1)
			Binary(c.op, d)(out, FromFloat(d, c.x).Vec(), FromFloat(d, c.y).Vec())
			if got := ScalarAt(d, out, 0); got != FromFloat(d, c.want) {
				t.Errorf("%v %v(%g, %g) = %v, want %g", d, c.op, c.x, c.y, got, c.want)
			}
		}
	}
}

func TestFloatRemainder(t *testing.T) {
	for _, c := range [][3]float64{{7, 3, 1}, {-7, 3, -1}, {7, -3, 1}, {5.5, 2, 1.5}, {3, math.Inf(1), 3}, {1, 0, math.NaN()}} {
		for _, d := range []DType{Float32, Float64} {
			out := MakeVec(d.Info().Class, 1)
			Binary(Rem, d)(out, FromFloat(d, c[0]).Vec(), FromFloat(d, c[1]).Vec())
			if got := ScalarAt(d, out, 0); got != FromFloat(d, c[2]) {
				t.Errorf("%v %g %% %g = %v, want %g", d, c[0], c[1], got, c[2])
			}
		}
	}
}

// sampled is how many random operands a test takes: fewer as js/wasm, where an operation that is
// wrong would be wrong on many.
func sampled(n int) int {
	if runtime.GOOS == "js" {
		return n / 8
	}
	return n
}

// TestFloatArithmeticRoundsOnce compares sums, products, quotients and fused products of narrow
// floats and of fp32 with big.Float, whose results are rounded once.
func TestFloatArithmeticRoundsOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	for _, l := range append(layouts, layout{d: Float32}) {
		mags := l.magnitudes()
		round := func(f *big.Float) float64 {
			if l.d == Float32 {
				v, _ := f.Float32()
				return float64(v)
			}
			v, _ := new(big.Float).SetMode(big.ToZero).SetPrec(53).Set(f).Float64()
			if new(big.Float).SetFloat64(v).Cmp(f) != 0 { // sticky bit: never a tie after this
				v = math.Float64frombits(math.Float64bits(v) | 1)
			}
			return l.round(mags, v, RTNE)
		}
		pick := func() float64 {
			if l.d == Float32 {
				return float64(float32(math.Ldexp(rng.Float64()-0.5, rng.IntN(80)-40)))
			}
			return math.Copysign(mags[rng.IntN(len(mags))], rng.Float64()-0.5)
		}
		for range sampled(20000) {
			a, b, c := pick(), pick(), pick()
			if a == 0 || b == 0 || c == 0 {
				continue
			}
			exact := func(f float64) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(f) }
			x, y, z := FromFloat(l.d, a).Vec(), FromFloat(l.d, b).Vec(), FromFloat(l.d, c).Vec()
			out := MakeVec(ClassF32, 1)
			check := func(what string, want *big.Float) {
				t.Helper()
				if got := float64(out.F32[0]); want.Sign() != 0 && got != round(want) {
					t.Fatalf("%v %s of %b, %b, %b: %b, want %b", l.d, what, a, b, c, got, round(want))
				}
			}
			Binary(Add, l.d)(out, x, y)
			check("sum", exact(a).Add(exact(a), exact(b)))
			Binary(Sub, l.d)(out, x, y)
			check("difference", exact(a).Sub(exact(a), exact(b)))
			Binary(Mul, l.d)(out, x, y)
			product := exact(a).Mul(exact(a), exact(b))
			check("product", product)
			Binary(Div, l.d)(out, x, y)
			check("quotient", exact(a).Quo(exact(a), exact(b)))
			Fma(l.d)(out, x, y, z)
			check("x*y+z", product.Add(product, exact(c)))
		}
	}
}
