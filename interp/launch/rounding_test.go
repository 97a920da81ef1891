package launch_test

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/launch"
)

// exactly is an operation on finite floats: its exact value, or enough digits of it; nil where it has none.
type exactly func(x, y, z *big.Float) *big.Float

func precise() *big.Float { return new(big.Float).SetPrec(5000) }

// roundedOperations are the operations that libdevice rounds in each direction.
var roundedOperations = map[string]exactly{
	"add": func(x, y, _ *big.Float) *big.Float { return precise().Add(x, y) },
	"sub": func(x, y, _ *big.Float) *big.Float { return precise().Sub(x, y) },
	"mul": func(x, y, _ *big.Float) *big.Float { return precise().Mul(x, y) },
	"div": func(x, y, _ *big.Float) *big.Float {
		if y.Sign() == 0 {
			return nil
		}
		return precise().Quo(x, y)
	},
	"rcp": func(x, _, _ *big.Float) *big.Float {
		if x.Sign() == 0 {
			return nil
		}
		return precise().Quo(big.NewFloat(1), x)
	},
	"sqrt": func(x, _, _ *big.Float) *big.Float {
		if x.Sign() <= 0 {
			return nil
		}
		return precise().Sqrt(x)
	},
	"fma": func(x, y, z *big.Float) *big.Float { return precise().Add(precise().Mul(x, y), z) },
}

// roundingDirections are the suffixes of the functions.
var roundingDirections = map[string]big.RoundingMode{
	"rz": big.ToZero, "rd": big.ToNegativeInf, "ru": big.ToPositiveInf,
}

// TestDirectedRounding: arithmetic rounded towards zero, down and up has the bits of math/big, of special values and of
// random ones, on the CPU and the PTX simulator.
func TestDirectedRounding(t *testing.T) {
	for name, of := range roundedOperations {
		for suffix, mode := range roundingDirections {
			for _, d := range []num.DType{num.Float32, num.Float64} {
				if name == "fma" && d == num.Float64 {
					continue
				}
				t.Run(name+"_"+suffix+" "+d.String(), func(t *testing.T) { testRounding(t, name, suffix, of, mode, d) })
			}
		}
	}
}

// TestDirectedConversions: conversions to narrower floats that round in each direction.
func TestDirectedConversions(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n = 1024
	ints := make([]uint64, n)
	for i := range ints {
		ints[i] = r.Uint64() >> r.IntN(64)
		if i%4 == 0 {
			ints[i] = -ints[i]
		}
		if i < 128 { // next to powers of two
			ints[i] = 1<<(i/2) + uint64(i%2*2) - 1
		}
	}
	for _, c := range []struct {
		name     string
		from, to num.DType
	}{
		{"int2float", num.Int32, num.Float32}, {"uint2float", num.Uint32, num.Float32},
		{"ll2float", num.Int64, num.Float32}, {"ull2float", num.Uint64, num.Float32},
		{"ll2double", num.Int64, num.Float64}, {"ull2double", num.Uint64, num.Float64},
		{"double2float", num.Float64, num.Float32},
	} {
		for suffix, mode := range roundingDirections {
			t.Run(c.name+"_"+suffix, func(t *testing.T) {
				in := &launch.Tensor{DType: c.from}
				exact := make([]*big.Float, n)
				for i, v := range ints {
					switch c.from {
					case num.Int32:
						exact[i] = precise().SetInt64(int64(int32(v)))
					case num.Uint32:
						exact[i] = precise().SetUint64(uint64(uint32(v)))
					case num.Int64:
						exact[i] = precise().SetInt64(int64(v))
					case num.Uint64:
						exact[i] = precise().SetUint64(v)
					default:
						x := math.Ldexp(anyFloat(r, num.Float32), r.IntN(3)-1) * (1 + r.Float64()*0x1p-20)
						v, exact[i] = math.Float64bits(x), precise().SetFloat64(x)
					}
					in.Data = binary.LittleEndian.AppendUint64(in.Data, v)[:(i+1)*c.from.Info().Bytes]
				}
				out := tensorOf(c.to, make([]float64, n))
				args := []launch.Arg{{Tensor: in}, {Tensor: out}, {Value: int64(n), Constexpr: true}}
				kernel, list := launch.Compile(deviceKernelOf("x, z", "libdevice."+c.name+"_"+suffix+"(tl.load(x + i))"), "k",
					args, true)
				if kernel == nil {
					t.Fatal(list[0].In(diag.English))
				}
				run(t, kernel, launch.Interpreter, args)
				for i, v := range exact {
					want := 0.0
					if v.Sign() != 0 {
						want = roundBig(v, mode, c.to)
					}
					if got := value(out, i); got != want {
						t.Errorf("%v is %v, want %v", v, got, want)
					}
				}
			})
		}
	}
}

func testRounding(t *testing.T, name, suffix string, of exactly, mode big.RoundingMode, d num.DType) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 2048
	var in [3][]float64
	for i := range n {
		for k := range in {
			v := anyFloat(r, d)
			switch s := len(specialFloats); {
			case i < s*s && k < 2:
				v = specialFloats[[2]int{i / s, i % s}[k]]
			case i%3 == 0: // near each other, so that sums cancel and products are subnormal now and then
				v = math.Ldexp(r.NormFloat64(), r.IntN(30)-15)
			case i%3 == 1:
				v = math.Ldexp(r.NormFloat64(), []int{-75, -540}[d-num.Float32])
			}
			if d == num.Float32 {
				v = float64(float32(v))
			}
			in[k] = append(in[k], v)
		}
	}
	names := []string{"x", "y", "w"}[:map[string]int{"rcp": 1, "sqrt": 1, "fma": 3}[name]]
	if len(names) == 0 {
		names = []string{"x", "y"}
	}
	var operands []string
	for _, s := range names {
		operands = append(operands, "tl.load("+s+" + i)")
	}
	file := deviceKernelOf("x, y, w, z", "libdevice."+name+"_"+suffix+"("+strings.Join(operands, ", ")+")")
	var results [2]*launch.Tensor
	for k := range results {
		results[k] = tensorOf(d, make([]float64, n))
		args := []launch.Arg{{Tensor: tensorOf(d, in[0])}, {Tensor: tensorOf(d, in[1])}, {Tensor: tensorOf(d, in[2])},
			{Tensor: results[k]}, {Value: int64(n), Constexpr: true}}
		kernel, list := launch.Compile(file, "k", args, true)
		if kernel == nil {
			t.Fatal(list[0].In(diag.English))
		}
		if k == 0 {
			run(t, kernel, launch.Interpreter, args)
		} else {
			run(t, kernel, gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{}), args)
		}
	}
	failed := 0
	for i := range n {
		x, y, z := in[0][i], in[1][i], in[2][i]
		want := directed(name, of, mode, d, x, y, z)
		for k, got := range []float64{value(results[0], i), value(results[1], i)} {
			if (math.Float64bits(got) != math.Float64bits(want)) && (got == got || want == want) {
				if failed++; failed <= 8 {
					t.Errorf("%s_%s(%v, %v, %v) = %v, want %v, on %s", name, suffix, x, y, z, got, want,
						[]string{"the CPU", "the simulator"}[k])
				}
			}
		}
	}
}

// directed is the result of an operation, rounded in a direction to d.
func directed(name string, of exactly, mode big.RoundingMode, d num.DType, x, y, z float64) float64 {
	finite := x-x == 0 && (y-y == 0 || name == "rcp" || name == "sqrt") && (z-z == 0 || name != "fma")
	if finite {
		if v := of(big.NewFloat(x), big.NewFloat(orZero(y)), big.NewFloat(orZero(z))); v != nil && v.Sign() != 0 {
			return roundBig(v, mode, d)
		}
	}
	// What is exact: infinities, NaN and zeros, whose sign follows the direction only in sums.
	var r float64
	switch name {
	case "add":
		r = x + y
	case "sub":
		r, y = x-y, -y
	case "mul":
		return x * y
	case "div":
		return x / y
	case "rcp":
		return 1 / x
	case "sqrt":
		return math.Sqrt(x)
	case "fma":
		r, x, y = math.FMA(x, y, z), x*y, z
	}
	if r == 0 && mode == big.ToNegativeInf && (x != 0 || math.Signbit(x) || y != 0 || math.Signbit(y)) {
		return math.Copysign(0, -1)
	}
	return r
}

func orZero(v float64) float64 {
	if v-v != 0 {
		return 0
	}
	return v
}

// roundBig rounds a number other than 0 to d, with its subnormals and its largest number.
func roundBig(v *big.Float, mode big.RoundingMode, d num.DType) float64 {
	digits, least, most := 24, -149, 128
	if d == num.Float64 {
		digits, least, most = 53, -1074, 1024
	}
	// v is f·2**e with ½ ≤ f < 1: of e digits above the binary point, all down to 2**least are kept.
	e := v.MantExp(nil)
	keep := min(digits, e-least)
	up := (mode == big.ToPositiveInf) == (v.Sign() > 0) && mode != big.ToZero
	sign := float64(v.Sign())
	if keep < 1 {
		if up {
			return sign * math.Ldexp(1, least)
		}
		return math.Copysign(0, sign)
	}
	out := new(big.Float).SetMode(mode).SetPrec(uint(keep)).Set(v)
	if out.MantExp(nil) > most {
		if up {
			return math.Inf(int(sign))
		}
		return sign * math.Ldexp(1-math.Ldexp(1, -digits), most)
	}
	f, _ := out.Float64()
	return f
}

// TestRsqrtRN: the reciprocal of a root has the bits of math/big's, on the CPU and the PTX simulator.
func TestRsqrtRN(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	const n = 4096
	x := append([]float64{}, specialFloats...)
	for len(x) < n {
		x = append(x, math.Abs(anyFloat(r, num.Float32)))
	}
	for _, on := range []device.Device{launch.Interpreter, gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{})} {
		z := tensorOf(num.Float32, make([]float64, n))
		args := []launch.Arg{{Tensor: tensorOf(num.Float32, x)}, {Tensor: z}, {Value: int64(n), Constexpr: true}}
		kernel, list := launch.Compile(deviceKernelOf("x, z", "libdevice.rsqrt_rn(tl.load(x + i))"), "k", args, true)
		if kernel == nil {
			t.Fatal(list[0].In(diag.English))
		}
		run(t, kernel, on, args)
		for i := range x {
			v := float64(float32(x[i]))
			want := float32(1 / math.Sqrt(v)) // of what is not positive and finite
			if v > 0 && v-v == 0 {
				want, _ = precise().Quo(big.NewFloat(1), precise().Sqrt(big.NewFloat(v))).Float32()
			}
			if got := value(z, i); got != float64(want) && (got == got || want == want) {
				t.Errorf("rsqrt_rn(%v) is %v, want %v", v, got, want)
			}
		}
	}
}
