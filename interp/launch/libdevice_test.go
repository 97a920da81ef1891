package launch_test

import (
	"context"
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/launch"
)

// deviceFunction is a function of libdevice of one or two floats, what it computes, and how far off it may be, in ulps.
type deviceFunction struct {
	name         string
	of           func(x, y float64) float64
	low, high    float64 // of the arguments that are drawn; others are drawn from all floats
	ulps, ulps64 float64
}

func one(f func(float64) float64) func(x, y float64) float64 {
	return func(x, _ float64) float64 { return f(x) }
}

// deviceFunctions have fp64's references. Those of package math are off by an ulp or two themselves, as ulps64 includes.
var deviceFunctions = []deviceFunction{
	{"copysign", math.Copysign, -9, 9, 0, 0},
	{"trunc", one(math.Trunc), -9, 9, 0, 0},
	{"rint", one(math.RoundToEven), -9, 9, 0, 0},
	{"round", one(math.Round), -9, 9, 0, 0},
	{"fmod", math.Mod, -90, 90, 0, 0},
	{"remainder", math.Remainder, -90, 90, 0, 0},
	{"logb", one(math.Logb), 0, 9, 0, 0},
	{"fdim", fdim, -9, 9, 0.5, 0.5},
	{"rcp_rn", one(func(x float64) float64 { return 1 / x }), -9, 9, 0.5, 0.5},
	{"exp", one(math.Exp), -90, 90, 1, 1},
	{"expm1", one(math.Expm1), -3, 90, 1, 2},
	{"exp10", one(func(x float64) float64 { return math.Pow(10, x) }), -40, 40, 1, 8},
	{"log1p", one(math.Log1p), -1, 9, 1, 2},
	{"log10", one(math.Log10), 0, 9, 2, 3},
	{"pow", pow, 0, 20, 1, 1},
	{"pow", pow, -30, 30, 1, 1},
	{"sinh", one(math.Sinh), -90, 90, 2, 4},
	{"cosh", one(math.Cosh), -90, 90, 2, 4},
	{"tanh", one(math.Tanh), -5, 5, 2, 4},
	{"asinh", one(math.Asinh), -9, 9, 2, 4},
	{"acosh", one(math.Acosh), 1, 9, 2, 5},
	{"atanh", one(math.Atanh), -1, 1, 2, 4},
	{"tan", one(math.Tan), -3, 3, 3, 4},
	{"asin", one(math.Asin), -1, 1, 2, 3},
	{"acos", one(func(x float64) float64 { return 2 * math.Atan2(math.Sqrt(1-x), math.Sqrt(1+x)) }), -1, 1, 2, 3},
	{"atan", one(math.Atan), -9, 9, 2, 3},
	{"atan2", atan2, -9, 9, 3, 3},
	{"sinpi", one(func(x float64) float64 { return sinOfTurns(x, 0) }), -9, 9, 2, 2},
	{"cospi", one(func(x float64) float64 { return sinOfTurns(x, 1) }), -9, 9, 2, 2},
	{"cbrt", one(math.Cbrt), -9, 9, 1, 2},
	{"rcbrt", one(func(x float64) float64 { return 1 / math.Cbrt(x) }), -9, 9, 2, 3},
	// package math is off by dozens and by hundreds of ulps in fp64, of which TestSpecialFunctions has exact values.
	{"erfc", one(math.Erfc), -6, 27, 1, 4},
	{"tgamma", one(gamma), -20, 60, 1, 30},
	{"lgamma", one(logGamma), 0, 60, 1, 1000},
	{"hypot", math.Hypot, -9, 9, 2, 3},
	{"rhypot", func(x, y float64) float64 { return 1 / math.Hypot(x, y) }, -9, 9, 3, 4},
}

// gamma is math.Gamma, which has limits of its own for a pole at a negative integer.
func gamma(x float64) float64 {
	if x < 0 && x == math.Trunc(x) {
		return math.NaN()
	}
	return math.Gamma(x)
}

// logGamma is math.Lgamma, but of -Inf as C has it, and of subnormals exact.
func logGamma(x float64) float64 {
	r, _ := math.Lgamma(x)
	switch f, e := math.Frexp(math.Abs(x)); {
	case math.IsInf(x, -1):
		return math.Inf(1)
	case x != 0 && math.Abs(x) < 1e-20:
		return -math.Log(f) - float64(e)*math.Ln2
	}
	return r
}

func fdim(x, y float64) float64 {
	if x <= y {
		return 0
	}
	return x - y
}

// atan2 is math.Atan2, which takes a quotient that underflows for +0.
func atan2(y, x float64) float64 { return math.Copysign(math.Atan2(math.Abs(y), x), y) }

// pow is math.Pow, which is off by dozens of ulps; where y is a multiple of ¼ and not large, it is exact.
func pow(x, y float64) float64 {
	rough := math.Pow(x, y)
	if n := 4 * y; n != math.Trunc(n) || math.Abs(n) > 4096 || x-x != 0 || rough-rough != 0 || rough == 0 {
		return rough
	}
	r := big.NewFloat(math.Abs(x)).SetPrec(512)
	power := big.NewFloat(1).SetPrec(512)
	for range int(math.Abs(4 * y)) {
		power.Mul(power, r)
	}
	power.Sqrt(power.Sqrt(power))
	if y < 0 {
		power.Quo(big.NewFloat(1), power)
	}
	exact, _ := power.Float64()
	return math.Copysign(exact, rough)
}

// sinOfTurns is sin(π·x + quarters·π/2).
func sinOfTurns(x float64, quarters int) float64 {
	n := math.RoundToEven(2 * x)
	t := math.Pi * (x - n/2)
	value := math.Sin(t)
	if (int(n)+quarters)&1 != 0 {
		value = math.Cos(t)
	}
	if (int(n)+quarters)&2 != 0 {
		value = -value
	}
	return value
}

// drawnOnly are those whose references are of use for the arguments that are drawn alone.
var drawnOnly = map[string]bool{"sinpi": true, "cospi": true, "tan": true}

var specialFloats = []float64{0, math.Copysign(0, -1), 1, -1, 2, -2, 0.5, -0.5, 1.5, 2.5, -3, 1e-30, -1e-30, 1e-42, 1e30, -1e30,
	math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, math.SmallestNonzeroFloat32}

// drawn is how many arguments a function is tried with.
const drawn = 1024

// TestLibdevice: libdevice's functions of fp32 and fp64, of special values and of random ones, on the CPU and the PTX
// simulator. Only tan rests on a function that the two approximate differently.
func TestLibdevice(t *testing.T) {
	for _, f := range deviceFunctions {
		for _, d := range []num.DType{num.Float32, num.Float64} {
			t.Run(f.name+" "+d.String(), func(t *testing.T) { f.test(t, d) })
		}
	}
}

func (f deviceFunction) test(t *testing.T, d num.DType) {
	r := rand.New(rand.NewPCG(1, 2))
	xs, ys := make([]float64, drawn), make([]float64, drawn)
	k := len(specialFloats)
	for i := range xs {
		switch {
		case i < k*k && !drawnOnly[f.name]:
			xs[i], ys[i] = specialFloats[i/k], specialFloats[i%k]
		case i%2 == 0 && !drawnOnly[f.name]:
			xs[i], ys[i] = anyFloat(r, d), anyFloat(r, d)
		default:
			xs[i], ys[i] = f.low+(f.high-f.low)*r.Float64(), f.low+(f.high-f.low)*r.Float64()
			if f.name == "pow" {
				ys[i] = math.Round(4*ys[i]) / 4
			}
		}
	}
	x, y, z := tensorOf(d, xs), tensorOf(d, ys), tensorOf(d, make([]float64, drawn))
	args := []launch.Arg{{Tensor: x}, {Tensor: y}, {Tensor: z}, {Value: int64(drawn), Constexpr: true}}
	call := "libdevice." + f.name + "(tl.load(x + i))"
	if strings.Contains(tl.LookupIn("triton.language.extra.libdevice", f.name).Params, ",") {
		call = "libdevice." + f.name + "(tl.load(x + i), tl.load(y + i))"
	}
	kernel, list := launch.Compile(deviceKernel(call), "k", args, true)
	if kernel == nil {
		t.Fatal(list[0].In(diag.English))
	}
	run(t, kernel, launch.Interpreter, args)
	onSimulator := tensorOf(d, make([]float64, drawn))
	args[2].Tensor = onSimulator
	run(t, kernel, gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{}), args)
	for i := range xs {
		if got, want := value(onSimulator, i), value(z, i); got != want && (got == got || want == want) && f.name != "tan" {
			t.Errorf("%s(%v, %v) is %v on the CPU and %v on the simulator", f.name, xs[i], ys[i], want, got)
			break
		}
	}
	most := f.ulps
	if d == num.Float64 {
		most = f.ulps64
	}
	worst, failed := 0.0, 0
	for i := range xs {
		a, b, got := value(x, i), value(y, i), value(z, i)
		want := f.of(a, b)
		if d == num.Float32 && !math.IsInf(want, 0) && math.IsInf(float64(float32(want)), 0) {
			want = float64(float32(want))
		}
		off := ulpsOff(d, got, want)
		worst = max(worst, off)
		if off > most || want == 0 && got == 0 && math.Signbit(got) != math.Signbit(want) {
			if failed++; failed <= 8 {
				t.Errorf("%s(%v, %v) = %v, want %v: %.3g ulps", f.name, a, b, got, want, off)
			}
		}
	}
	t.Logf("%.2f ulps", worst)
}

func run(t *testing.T, k *launch.Kernel, on device.Device, args []launch.Arg) {
	t.Helper()
	l := device.Launch{Grid: [3]int{1, 1, 1}}
	if _, fault := k.Run(context.Background(), launch.Target{Device: on}, args, l); fault != nil {
		t.Fatal(fault.In(diag.English))
	}
}

func deviceKernel(call string) *source.File { return deviceKernelOf("x, y, z", call) }

// deviceKernelOf is a kernel that stores what a call gives to the last of its tensors.
func deviceKernelOf(tensors, call string) *source.File {
	return source.NewFile("k.py", "import triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n\n\n"+
		"@triton.jit\ndef k("+tensors+", N: tl.constexpr):\n    i = tl.arange(0, N)\n    tl.store(z + i, "+call+")\n")
}

// anyFloat is one of all finite floats of d.
func anyFloat(r *rand.Rand, d num.DType) float64 {
	for {
		v := float64(math.Float32frombits(r.Uint32()))
		if d == num.Float64 {
			v = math.Float64frombits(r.Uint64())
		}
		if v-v == 0 {
			return v
		}
	}
}

func tensorOf(d num.DType, values []float64) *launch.Tensor {
	data := make([]byte, 0, 8*len(values))
	for _, v := range values {
		if d == num.Float32 {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
		} else {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
	}
	return &launch.Tensor{DType: d, Data: data}
}

func value(t *launch.Tensor, i int) float64 {
	if t.DType == num.Float32 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(t.Data[4*i:])))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(t.Data[8*i:]))
}

// ulpsOff is how far got is from want, in units of want's last place in d.
func ulpsOff(d num.DType, got, want float64) float64 {
	switch {
	case got == want, got != got && want != want:
		return 0
	case got-got != 0 || want-want != 0:
		return math.Inf(1)
	}
	bits, least := 23, -149
	if d == num.Float64 {
		bits, least = 52, -1074
	}
	exponent := least + bits
	if want != 0 {
		exponent = max(exponent, math.Ilogb(want))
	}
	return math.Abs(got-want) / math.Ldexp(1, exponent-bits)
}
