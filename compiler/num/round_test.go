package num

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sort"
	"testing"
)

// layout is what a narrow float's name says, from which the tests derive everything slowly.
type layout struct {
	d              DType
	exp, man, bias int
	infinite       bool // the top exponent holds infinity and NaN, as IEEE 754 has it
	nanBits        int  // the one NaN of the others, -1 if there is none
	saturate       bool
}

var layouts = []layout{
	{Float16, 5, 10, 15, true, -1, false},
	{BFloat16, 8, 7, 127, true, -1, false},
	{Float8E5M2, 5, 2, 15, true, -1, true},
	{Float8E4M3, 4, 3, 7, false, 0x7f, true},
	{Float8E4M3B8, 4, 3, 8, false, 0x80, true},
	{Float8E5B16, 5, 2, 16, false, 0x80, true},
	{Float8E4B15, 4, 3, 15, false, -1, true},
}

// value is the definition: (-1)^sign * 2^(e-bias) * 1.m, or 0.m with the least exponent.
func (l layout) value(bits int) float64 {
	sign := bits >> (l.exp + l.man)
	e := bits >> l.man & (1<<l.exp - 1)
	m := float64(bits&(1<<l.man-1)) / float64(int(1)<<l.man)
	v := 0.0
	switch {
	case bits == l.nanBits, l.nanBits == 0x7f && bits == 0xff, l.infinite && e == 1<<l.exp-1 && m != 0:
		return math.NaN()
	case l.infinite && e == 1<<l.exp-1:
		v = math.Inf(1)
	case e == 0:
		v = math.Ldexp(m, 1-l.bias)
	default:
		v = math.Ldexp(1+m, e-l.bias)
	}
	if sign != 0 {
		return -v
	}
	return v
}

func (l layout) size() int { return 1 << (1 + l.exp + l.man) }

// magnitudes lists the finite values that are not negative, in order of their bits.
func (l layout) magnitudes() []float64 {
	var all []float64
	for b := range l.size() / 2 {
		if v := l.value(b); v == v && !math.IsInf(v, 0) {
			all = append(all, v)
		}
	}
	return all
}

// round is the slow reference: the neighbors are searched, the nearer taken, ties to the even
// encoding; past the middle of the step that would follow the largest it overflows.
func (l layout) round(mags []float64, x float64, r Rounding) float64 {
	a, n := math.Abs(x), len(mags)
	top := mags[n-1]
	v := 0.0
	switch i := sort.SearchFloat64s(mags, a); {
	case x != x:
		if l.nanBits < 0 && !l.infinite {
			return math.Copysign(top, x)
		}
		return x
	case i < n && mags[i] == a:
		v = a
	case i < n:
		lo, hi := mags[i-1], mags[i]
		v = lo
		if up := a - lo; r == RTNE && (up > hi-a || up == hi-a && (i-1)%2 == 1) {
			v = hi
		}
	case l.saturate || r == RTZ && !math.IsInf(a, 0):
		v = top
	default:
		if half := (top - mags[n-2]) / 2; r == RTNE && a < top+half {
			v = top
		} else {
			v = math.Inf(1)
		}
	}
	if v == 0 && l.nanBits == 0x80 {
		return 0
	}
	return math.Copysign(v, x)
}

func sameValue(a, b float64) bool {
	return a == b && math.Signbit(a) == math.Signbit(b) || a != a && b != b
}

func TestDecodeAndEncodeEveryPattern(t *testing.T) {
	for _, l := range layouts {
		size := l.d.Info().Bytes
		raw, back := make([]byte, 8), make([]byte, 8)
		v := MakeVec(ClassF32, 1)
		for b := range l.size() {
			writeBits(raw, size, uint64(b))
			Load(l.d, v, raw[:size])
			want := l.value(b)
			if got := float64(v.F32[0]); !sameValue(got, want) {
				t.Fatalf("%v %#x reads as %v, is %v", l.d, b, got, want)
			}
			Store(l.d, back[:size], v)
			if want == want && readBits(back, size) != uint64(b) {
				t.Fatalf("%v %#x writes back as %#x", l.d, b, readBits(back, size))
			}
			single := MakeVec(ClassF32, 1)
			LoadAt(l.d, single, 0, raw, 0)
			StoreAt(l.d, back, 0, v, 0)
			if !sameValue(float64(single.F32[0]), want) || want == want && readBits(back, size) != uint64(b) {
				t.Fatalf("%v %#x: single elements differ from runs", l.d, b)
			}
		}
	}
}

// hardInputs are every value of l, every middle between neighbors and what lies just beside them,
// and numbers at random; each with its negative.
func (l layout) hardInputs(mags []float64) []float64 {
	rng := rand.New(rand.NewPCG(3, 4))
	inputs := []float64{math.NaN(), math.Inf(1), math.MaxFloat32, math.MaxFloat64, 0x1p-149, 0x1p-1074}
	last := len(mags) - 1
	for i, v := range mags {
		if runtime.GOARCH == "wasm" && i%11 != 0 && i < last {
			continue // there it is the same code at a tenth of the speed
		}
		next := 2*v - mags[max(i, 1)-1]
		if i < last {
			next = mags[i+1]
		}
		for _, x := range []float64{v, (v + next) / 2} {
			down, up := math.Nextafter32(float32(x), -1), math.Nextafter32(float32(x), math.MaxFloat32)
			inputs = append(inputs, x, float64(down), float64(up), math.Nextafter(x, -1), math.Nextafter(x, math.MaxFloat64))
		}
	}
	for range 20000 {
		inputs = append(inputs, float64(math.Float32frombits(rng.Uint32())), rng.NormFloat64())
	}
	for _, x := range inputs {
		if x == x { // the sign of a NaN is not kept
			inputs = append(inputs, -x)
		}
	}
	return inputs
}

func TestRoundingAgainstReference(t *testing.T) {
	for _, l := range layouts {
		mags := l.magnitudes()
		wide := Vec{F64: l.hardInputs(mags)}
		single := MakeVec(ClassF32, wide.Len())
		Cast(Float64, Float32, RTNE)(single, wide)
		out := MakeVec(ClassF32, wide.Len())
		for _, r := range []Rounding{RTNE, RTZ} {
			Cast(Float64, l.d, r)(out, wide)
			for i, x := range wide.F64 {
				if want := l.round(mags, x, r); !sameValue(float64(out.F32[i]), want) {
					t.Fatalf("fp64 %b (%g) to %v, rounding %d: %g, want %g", x, x, l.d, r, out.F32[i], want)
				}
			}
			Cast(Float32, l.d, r)(out, single)
			for i, x := range single.F32 {
				if want := l.round(mags, float64(x), r); !sameValue(float64(out.F32[i]), want) {
					t.Fatalf("fp32 %b (%g) to %v, rounding %d: %g, want %g", x, x, l.d, r, out.F32[i], want)
				}
			}
		}
	}
}

// TestIntToNarrow checks that integers are rounded once, at the middles where twice shows.
func TestIntToNarrow(t *testing.T) {
	for _, l := range layouts {
		mags := l.magnitudes()
		for i := 1; i < len(mags); i++ {
			mid := (mags[i-1] + mags[i]) / 2
			if mid < 1 || mid >= 1<<62 || mid != math.Floor(mid) {
				continue
			}
			for _, delta := range []int64{-1, 0, 1} {
				n := int64(mid) + delta
				lo, hi := mags[i-1], mags[i]
				want := lo
				if delta > 0 || delta == 0 && (i-1)%2 == 1 || float64(n) == hi {
					want = hi
				}
				for _, sign := range []int64{1, -1} {
					out := MakeVec(ClassF32, 1)
					Cast(Int64, l.d, RTNE)(out, Vec{I64: []int64{sign * n}})
					if got := float64(out.F32[0]); got != float64(sign)*want {
						t.Fatalf("%d to %v: %g, want %g", sign*n, l.d, got, float64(sign)*want)
					}
				}
			}
		}
	}
}

func TestTF32(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, c := range [][2]float32{
		{1, 1}, {0x1.002p0, 0x1.004p0}, {0x1.001ffep0, 1}, {-0x1.002p0, -0x1.004p0}, {0, 0},
		{0x1.006p0, 0x1.008p0}, {inf, inf}, {-inf, -inf}, {math.MaxFloat32, inf},
	} {
		if got := RoundTF32(c[0]); got != c[1] {
			t.Errorf("tf32 of %x: %x, want %x", c[0], got, c[1])
		}
	}
	for _, c := range [][2]float32{
		{1, 1}, {0x1.002p0, 1}, {0x1.003ffep0, 1}, {0x1.004p0, 0x1.004p0}, {-0x1.007p0, -0x1.004p0}, {inf, inf},
		{math.MaxFloat32, 0x1.ffcp127},
	} {
		if got := TruncateTF32(c[0]); got != c[1] {
			t.Errorf("the mantissa bits of tf32 of %x: %x, want %x", c[0], got, c[1])
		}
	}
	nan := math.Float32frombits(0x7f80_0001) // all that makes it a NaN is among the bits that tf32 drops
	for _, f := range []func(float32) float32{RoundTF32, TruncateTF32} {
		if f(nan) == f(nan) {
			t.Error("NaN became a number")
		}
	}
}

// TestNarrowValuesSurviveMemory: what kernels give for narrow floats has the same bits after a store and a load, those
// of a NaN included.
func TestNarrowValuesSurviveMemory(t *testing.T) {
	for d := range NumDTypes {
		if !isNarrow(d) {
			continue
		}
		check := func(what string, n int, kernel func(dst Vec)) {
			out, again, raw := MakeVec(ClassF32, n), MakeVec(ClassF32, n), make([]byte, n*d.Info().Bytes)
			kernel(out)
			Store(d, raw, out)
			Load(d, again, raw)
			for i, v := range out.F32 {
				if got, want := math.Float32bits(again.F32[i]), math.Float32bits(v); got != want {
					t.Fatalf("%s of %v: %#x is %#x after a store and a load", what, d, want, got)
				}
			}
		}
		x, y := samples(d), samples(d)
		slices.Reverse(y.F32)
		for op := range NumUnaryOps {
			if f := Unary(op, d); f != nil {
				check(op.String(), x.Len(), func(dst Vec) { f(dst, x) })
			}
		}
		for op := range NumBinaryOps {
			if f := Binary(op, d); f != nil {
				check(op.String(), x.Len(), func(dst Vec) { f(dst, x, y) })
			}
		}
		check("fma", x.Len(), func(dst Vec) { Fma(d)(dst, x, y, x) })
		for from := range NumDTypes {
			in := samples(from)
			for _, r := range []Rounding{RTNE, RTZ} {
				check("cast from "+from.String(), in.Len(), func(dst Vec) { Cast(from, d, r)(dst, in) })
			}
		}
	}
}
