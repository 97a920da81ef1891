package sim

import (
	"github.com/newtlab/newt/compiler/ptx/isa"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

func f64bits(x float64) uint64 { return math.Float64bits(x) }

// half is a small number as fp16, or, where brain holds, as bf16.
func half(x float64, brain bool) uint64 {
	if brain {
		return bf16.store(x, roundNearest)
	}
	return f16.store(x, roundNearest)
}

func pair(hi, lo uint64) uint64 { return hi<<16 | lo }

func TestFloat(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	tiny := math.Float32frombits(1)
	for _, c := range []struct {
		form, text string
		in         []uint64
		want       uint64
	}{
		{"f=ff", "add.f32 %0, %1, %2;", []uint64{bits32(1), bits32(2)}, bits32(3)},
		{"f=ff", "add.rn.f32 %0, %1, %2;", []uint64{bits32(1), bits32(0x1p-24)}, bits32(1)},
		{"f=ff", "add.rp.f32 %0, %1, %2;", []uint64{bits32(1), bits32(0x1p-24)}, bits32(1) + 1},
		{"f=ff", "add.rz.f32 %0, %1, %2;", []uint64{bits32(1), bits32(-0x1p-60)}, bits32(1) - 1},
		{"f=ff", "sub.f32 %0, %1, %2;", []uint64{bits32(inf), bits32(inf)}, 0x7fffffff},
		{"f=ff", "add.ftz.f32 %0, %1, %2;", []uint64{bits32(tiny), bits32(0)}, 0},
		{"f=ff", "add.sat.f32 %0, %1, %2;", []uint64{bits32(1), bits32(2)}, bits32(1)},
		{"f=ff", "add.sat.f32 %0, %1, %2;", []uint64{bits32(nan), bits32(2)}, 0},
		{"f=ff", "mul.ftz.f32 %0, %1, %2;", []uint64{bits32(-0x1p-100), bits32(0x1p-40)}, 0x80000000},
		{"f=fff", "fma.rn.f32 %0, %1, %2, %3;", []uint64{bits32(1 + 0x1p-23), bits32(1 + 0x1p-23), bits32(-1)}, bits32(0x1p-22 + 0x1p-46)},
		{"f=fff", "mad.rn.f32 %0, %1, %2, %3;", []uint64{bits32(2), bits32(3), bits32(4)}, bits32(10)},
		{"d=ddd", "fma.rn.f64 %0, %1, %2, %3;", []uint64{f64bits(1 + 0x1p-52), f64bits(1 + 0x1p-52), f64bits(-1)}, f64bits(0x1p-51 + 0x1p-104)},
		{"d=dd", "div.rn.f64 %0, %1, %2;", []uint64{f64bits(1), f64bits(3)}, f64bits(1.0 / 3)},
		{"f=ff", "div.full.f32 %0, %1, %2;", []uint64{bits32(1), bits32(4)}, bits32(0.25)},
		{"f=ff", "div.approx.ftz.f32 %0, %1, %2;", []uint64{bits32(1), bits32(tiny)}, bits32(inf)},
		{"f=ff", "div.rn.f32 %0, %1, %2;", []uint64{bits32(1), bits32(3)}, bits32(1.0 / 3)},
		{"f=f", "rcp.approx.ftz.f32 %0, %1;", []uint64{0}, bits32(inf)},
		{"f=f", "rcp.rz.f32 %0, %1;", []uint64{bits32(3)}, 0x3eaaaaaa},
		{"f=f", "sqrt.rn.f32 %0, %1;", []uint64{bits32(2)}, bits32(float32(math.Sqrt2))},
		{"f=f", "sqrt.approx.f32 %0, %1;", []uint64{bits32(-1)}, 0x7fffffff},
		{"f=f", "rsqrt.approx.f32 %0, %1;", []uint64{bits32(4)}, bits32(0.5)},
		{"f=f", "ex2.approx.ftz.f32 %0, %1;", []uint64{bits32(-3)}, bits32(0.125)},
		{"f=f", "lg2.approx.f32 %0, %1;", []uint64{bits32(8)}, bits32(3)},
		{"f=f", "sin.approx.f32 %0, %1;", []uint64{0x80000000}, 0x80000000},
		{"f=f", "cos.approx.f32 %0, %1;", []uint64{0}, bits32(1)},
		{"f=f", "tanh.approx.f32 %0, %1;", []uint64{bits32(inf)}, bits32(1)},
		{"r=r", "ex2.approx.f16x2 %0, %1;", []uint64{pair(half(3, false), half(-1, false))}, pair(half(8, false), half(0.5, false))},
		{"f=ff", "min.f32 %0, %1, %2;", []uint64{bits32(nan), bits32(2)}, bits32(2)},
		{"f=ff", "min.NaN.f32 %0, %1, %2;", []uint64{bits32(nan), bits32(2)}, 0x7fffffff},
		{"f=ff", "min.f32 %0, %1, %2;", []uint64{0, 0x80000000}, 0x80000000},
		{"f=ff", "max.f32 %0, %1, %2;", []uint64{0x80000000, 0}, 0},
		{"d=dd", "max.f64 %0, %1, %2;", []uint64{f64bits(-1), f64bits(-2)}, f64bits(-1)},
		{"h=hh", "max.f16 %0, %1, %2;", []uint64{half(1, false), half(3, false)}, half(3, false)},
		{"r=rr", "min.NaN.bf16x2 %0, %1, %2;", []uint64{pair(0x7fc0, half(3, true)), pair(0, half(2, true))}, pair(0x7fff, half(2, true))},
		{"f=f", "neg.f32 %0, %1;", []uint64{0x7fc00000}, 0x7fffffff},
		{"d=d", "neg.f64 %0, %1;", []uint64{f64bits(2)}, f64bits(-2)},
		{"h=hhh", "fma.rn.relu.f16 %0, %1, %2, %3;", []uint64{0x8000, 0x3c00, 0x8000}, 0},
		{"f=f", "abs.f32 %0, %1;", []uint64{bits32(-2)}, bits32(2)},
		{"f=f", "neg.ftz.f32 %0, %1;", []uint64{1}, 0x80000000},
		{"r=r", "neg.bf16x2 %0, %1;", []uint64{0x3f80bf80}, 0xbf803f80},
		{"h=h", "abs.f16 %0, %1;", []uint64{0xbc00}, 0x3c00},
		{"f=ff", "copysign.f32 %0, %1, %2;", []uint64{0x80000000, bits32(3)}, bits32(-3)},
		{"h=hh", "add.f16 %0, %1, %2;", []uint64{half(2048, false), half(1, false)}, half(2048, false)},
		{"h=hh", "mul.bf16 %0, %1, %2;", []uint64{half(3, true), half(5, true)}, half(15, true)},
		{"r=rr", "sub.f16x2 %0, %1, %2;", []uint64{pair(half(5, false), half(1, false)), pair(half(2, false), half(3, false))}, pair(half(3, false), half(-2, false))},
		{"h=hhh", "fma.rn.f16 %0, %1, %2, %3;", []uint64{half(1+0x1p-10, false), half(1+0x1p-10, false), half(-1, false)}, f16.store(0x1p-9+0x1p-20, roundNearest)},
		{"r=rrr", "fma.rn.relu.bf16x2 %0, %1, %2, %3;", []uint64{pair(half(1, true), half(2, true)), pair(half(1, true), half(2, true)), pair(half(-3, true), half(1, true))}, pair(0, half(5, true))},
		{"f=fff", "fma.rn.f32 %0, %1, %2, 0f40000000;", []uint64{bits32(2), bits32(3), 0}, bits32(8)},
		{"f=ff", "add.f32 %0, %1, 0.5;", []uint64{bits32(2), 0}, bits32(2.5)},
	} {
		if got := scalar(t, c.form, c.text, c.in...); got != c.want {
			t.Errorf("%s of %#x is %#x, want %#x", c.text, c.in, got, c.want)
		}
	}
}

func TestConvert(t *testing.T) {
	nan := bits32(float32(math.NaN()))
	for _, c := range []struct {
		form, text string
		in         []uint64
		want       uint64
	}{
		{"r=h", "cvt.s32.s16 %0, %1;", []uint64{0xffff}, s32(-1)},
		{"r=h", "cvt.u32.u8 %0, %1;", []uint64{0x1ff}, 0xff},
		{"l=r", "cvt.s64.s32 %0, %1;", []uint64{s32(-5)}, ones - 4},
		{"r=r", "cvt.s8.s32 %0, %1;", []uint64{0x80}, s32(-128)},
		{"r=r", "cvt.sat.s8.s32 %0, %1;", []uint64{300}, 127},
		{"r=r", "cvt.sat.u8.s32 %0, %1;", []uint64{s32(-300)}, 0},
		{"r=r", "cvt.sat.s16.u32 %0, %1;", []uint64{s32(-300)}, 32767},
		{"r=l", "cvt.sat.s32.s64 %0, %1;", []uint64{1 << 63}, 0x80000000},
		{"f=r", "cvt.rn.f32.s32 %0, %1;", []uint64{s32(-16777217)}, bits32(-16777216)},
		{"f=r", "cvt.rm.f32.s32 %0, %1;", []uint64{s32(-16777217)}, bits32(-16777218)},
		{"f=l", "cvt.rn.f32.u64 %0, %1;", []uint64{ones}, bits32(0x1p64)},
		{"f=l", "cvt.rn.f32.s64 %0, %1;", []uint64{0x8000_0080_0000_0001}, bits32(-0x1p63 + 0x1p39)},
		{"d=l", "cvt.rn.f64.s64 %0, %1;", []uint64{ones}, f64bits(-1)},
		{"d=l", "cvt.rz.f64.u64 %0, %1;", []uint64{0x7c0e7dd294b793f1}, 0x43df039f74a52de4},
		{"d=l", "cvt.rm.f64.s64 %0, %1;", []uint64{0xffbfffffffffffff}, f64bits(-0x1p54 - 4)},
		{"d=r", "cvt.rn.sat.f64.s32 %0, %1;", []uint64{7}, f64bits(1)},
		{"f=h", "cvt.f32.bf16 %0, %1;", []uint64{0xffc1}, 0xffc10000},
		{"h=r", "cvt.rn.f16.u32 %0, %1;", []uint64{70000}, 0x7c00},
		{"h=h", "cvt.rn.bf16.u16 %0, %1;", []uint64{3}, 0x4040},
		{"r=f", "cvt.rzi.s32.f32 %0, %1;", []uint64{bits32(-2.7)}, s32(-2)},
		{"r=f", "cvt.rni.s32.f32 %0, %1;", []uint64{bits32(2.5)}, 2},
		{"r=f", "cvt.rpi.s32.f32 %0, %1;", []uint64{bits32(2.1)}, 3},
		{"r=f", "cvt.rmi.s32.f32 %0, %1;", []uint64{bits32(-2.1)}, s32(-3)},
		{"r=f", "cvt.rzi.s32.f32 %0, %1;", []uint64{bits32(1e20)}, 0x7fffffff},
		{"r=f", "cvt.rzi.u32.f32 %0, %1;", []uint64{bits32(-1)}, 0},
		{"r=f", "cvt.rzi.s32.f32 %0, %1;", []uint64{nan}, 0},
		{"l=f", "cvt.rzi.s64.f32 %0, %1;", []uint64{nan}, 1 << 63},
		{"l=d", "cvt.rzi.u64.f64 %0, %1;", []uint64{f64bits(1.5e19)}, 15000000000000000000},
		{"r=f", "cvt.rzi.s8.f32 %0, %1;", []uint64{bits32(-300)}, s32(-128)},
		{"f=f", "cvt.rmi.f32.f32 %0, %1;", []uint64{bits32(-2.1)}, bits32(-3)},
		{"f=f", "cvt.rni.ftz.f32.f32 %0, %1;", []uint64{bits32(3.5)}, bits32(4)},
		{"f=f", "cvt.sat.f32.f32 %0, %1;", []uint64{bits32(-3)}, 0},
		{"f=h", "cvt.f32.f16 %0, %1;", []uint64{0xc200}, bits32(-3)},
		{"f=h", "cvt.f32.bf16 %0, %1;", []uint64{0x4040}, bits32(3)},
		{"h=f", "cvt.rz.f16.f32 %0, %1;", []uint64{bits32(65535)}, 0x7bff},
		{"h=f", "cvt.rn.f16.f32 %0, %1;", []uint64{bits32(65520)}, 0x7c00},
		{"h=f", "cvt.rn.bf16.f32 %0, %1;", []uint64{nan}, 0x7fff},
		{"f=d", "cvt.rn.f32.f64 %0, %1;", []uint64{f64bits(1 + 0x1p-24)}, bits32(1)},
		{"f=d", "cvt.rp.f32.f64 %0, %1;", []uint64{f64bits(1 + 0x1p-50)}, bits32(1) + 1},
		{"d=f", "cvt.f64.f32 %0, %1;", []uint64{bits32(1.5)}, f64bits(1.5)},
		{"r=f", "cvt.rna.tf32.f32 %0, %1;", []uint64{bits32(1 + 0x1p-11)}, bits32(1 + 0x1p-10)},
		{"r=ff", "cvt.rn.f16x2.f32 %0, %1, %2;", []uint64{bits32(1), bits32(2)}, 0x3c004000},
		{"r=ff", "cvt.rn.bf16x2.f32 %0, %1, %2;", []uint64{bits32(1), bits32(2)}, 0x3f804000},
		{"r=ff", "cvt.rn.relu.f16x2.f32 %0, %1, %2;", []uint64{bits32(-1), bits32(2)}, 0x4000},
		{"h=ff", "cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;", []uint64{bits32(1000), bits32(-1)}, 0x7eb8},
		{"h=ff", "cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;", []uint64{bits32(1), nan}, 0x3c7f},
		{"h=r", "cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;", []uint64{0x3c00c000}, 0x38c0},
		{"r=h", "cvt.rn.f16x2.e4m3x2 %0, %1;", []uint64{0x38c0}, 0x3c00c000},
		{"r=h", "cvt.rn.f16x2.e5m2x2 %0, %1;", []uint64{0x3cbc}, 0x3c00bc00},
	} {
		if got := scalar(t, c.form, c.text, c.in...); got != c.want {
			t.Errorf("%s of %#x is %#x, want %#x", c.text, c.in, got, c.want)
		}
	}
}

// TestFormats compares every value of the narrow formats, and rounding to them, with package num.
func TestFormats(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		f     *format
		d     num.DType
		fp8   bool
		exact bool
	}{{f16, num.Float16, false, true}, {bf16, num.BFloat16, false, true}, {e4m3, num.Float8E4M3, true, true}, {e5m2, num.Float8E5M2, true, true}} {
		for v := range uint64(1) << c.f.storage {
			want := num.Scalar{DType: c.d, Bits: v}.Float()
			if got := c.f.load(v); got != want && (got == got || want == want) {
				t.Fatalf("%s %#x is %v, want %v", c.f.name, v, got, want)
			}
			if got := c.f.load(v); got == got && c.f.store(got, roundNearest) != v {
				t.Fatalf("%s %#x is stored as %#x", c.f.name, v, c.f.store(got, roundNearest))
			}
		}
		for range 200000 {
			x := num.Scalar{DType: num.Float32, Bits: uint64(r.Uint32()>>3&0x0fffffff | 0x30000000 | r.Uint32()&0x80000000)}
			want := x.Cast(c.d).Bits
			got := c.f.store(x.Float(), roundNearest)
			if c.fp8 {
				got = c.f.saturate(x.Float(), roundNearest)
			}
			if got != want {
				t.Fatalf("%v as %s is %#x, want %#x", x.Float(), c.f.name, got, want)
			}
		}
	}
}

var bigModes = map[string]big.RoundingMode{"rn": big.ToNearestEven, "rz": big.ToZero, "rm": big.ToNegativeInf, "rp": big.ToPositiveInf}

// TestRounding compares arithmetic in every rounding mode with math/big, on normal results.
func TestRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	number := func() float32 {
		return math.Float32frombits(r.Uint32()&0x807fffff | uint32(100+r.IntN(50))<<23)
	}
	exact := map[string]func(a, b, c *big.Float) *big.Float{
		"add": func(a, b, _ *big.Float) *big.Float { return new(big.Float).SetPrec(500).Add(a, b) },
		"mul": func(a, b, _ *big.Float) *big.Float { return new(big.Float).SetPrec(500).Mul(a, b) },
		"div": func(a, b, _ *big.Float) *big.Float { return new(big.Float).SetPrec(500).Quo(a, b) },
		"fma": func(a, b, c *big.Float) *big.Float {
			p := new(big.Float).SetPrec(500).Mul(a, b)
			return p.Add(p, c)
		},
	}
	for mode, bm := range bigModes {
		m := floatMode{round: roundings[mode], sat: false, ftz: true} // ftz takes the general path
		for name, want := range exact {
			var f fn3
			if name == "fma" {
				f = m.fma(&cursor{}, types["f32"])
			} else {
				g := m.binary(&cursor{}, types["f32"], name)
				f = func(a, b, _ uint64) uint64 { return g(a, b) }
			}
			for range 5000 {
				a, b, c := number(), number(), number()
				w := want(big.NewFloat(float64(a)), big.NewFloat(float64(b)), big.NewFloat(float64(c)))
				x, _ := new(big.Float).SetMode(bm).SetPrec(24).Set(w).Float32()
				if got := f(bits32(a), bits32(b), bits32(c)); got != bits32(x) {
					t.Fatalf("%s.%s of %v, %v, %v is %v, want %v", name, mode, a, b, c, unpack32(got), x)
				}
			}
		}
	}
}

// TestDirected: fp64 is rounded in every mode as math/big does it, and at the ends of its range as IEEE 754 says.
func TestDirected(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	number := func() float64 { return math.Ldexp(2*r.Float64()-1, r.IntN(60)-30) }
	operation := func(name, mode string) fn3 {
		c, m := &cursor{op: &isa.Op{Words: []string{name}}}, floatMode{round: roundings[mode]}
		switch name {
		case "fma":
			return m.fma(c, types["f64"])
		case "rcp", "sqrt":
			f := m.unary(c, types["f64"], nearestUnary[name])
			return func(a, _, _ uint64) uint64 { return f(a) }
		}
		f := m.binary(c, types["f64"], name)
		return func(a, b, _ uint64) uint64 { return f(a, b) }
	}
	exact := map[string]func(z, a, b, c *big.Float) *big.Float{
		"add":  func(z, a, b, _ *big.Float) *big.Float { return z.Add(a, b) },
		"sub":  func(z, a, b, _ *big.Float) *big.Float { return z.Sub(a, b) },
		"mul":  func(z, a, b, _ *big.Float) *big.Float { return z.Mul(a, b) },
		"div":  func(z, a, b, _ *big.Float) *big.Float { return z.Quo(a, b) },
		"rcp":  func(z, a, _, _ *big.Float) *big.Float { return z.Quo(big.NewFloat(1), a) },
		"sqrt": func(z, a, _, _ *big.Float) *big.Float { return z.Sqrt(new(big.Float).Abs(a)) },
		"fma":  func(z, a, b, c *big.Float) *big.Float { return z.Add(new(big.Float).SetPrec(500).Mul(a, b), c) },
	}
	for mode, bm := range bigModes {
		for name, want := range exact {
			f := operation(name, mode)
			for range 500 {
				a, b, c := number(), number(), number()
				if name == "sqrt" {
					a = math.Abs(a)
				}
				w := want(new(big.Float).SetPrec(500), big.NewFloat(a), big.NewFloat(b), big.NewFloat(c))
				x, _ := new(big.Float).SetMode(bm).SetPrec(53).Set(w).Float64()
				if got := math.Float64frombits(f(math.Float64bits(a), math.Float64bits(b), math.Float64bits(c))); got != x {
					t.Fatalf("%s.%s of %v, %v, %v is %v, want %v", name, mode, a, b, c, got, x)
				}
			}
		}
	}
	tiny, most, inf := math.SmallestNonzeroFloat64, math.MaxFloat64, math.Inf(1)
	for _, c := range []struct {
		name, mode string
		a, b, want float64
	}{
		{"add", "rz", most, most, most}, {"add", "rm", most, most, most}, {"add", "rp", most, most, inf},
		{"add", "rm", -most, -most, -inf}, {"add", "rp", -most, -most, -most}, {"add", "rz", inf, most, inf},
		{"mul", "rp", tiny, tiny, tiny}, {"mul", "rm", tiny, tiny, 0}, {"mul", "rm", -tiny, tiny, -tiny},
		{"mul", "rz", -tiny, tiny, math.Copysign(0, -1)},
		{"div", "rz", 1, 0, inf}, {"div", "rz", most, 0.5, most}, {"rcp", "rz", tiny, 0, most}, {"rcp", "rm", 0, 0, inf},
	} {
		got := operation(c.name, c.mode)(math.Float64bits(c.a), math.Float64bits(c.b), 0)
		if got != math.Float64bits(c.want) {
			t.Errorf("%s.%s of %v, %v is %v, want %v", c.name, c.mode, c.a, c.b, math.Float64frombits(got), c.want)
		}
	}
}
