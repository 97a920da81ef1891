package launch_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/launch"
)

// microscaled is one side of a scaled product: rows of K elements and a scale for each 32 of them, or none.
type microscaled struct {
	format string
	pack   bool // of e2m1: along K
	scales []byte
	codes  []uint16 // of the elements, rows × K
}

// scaledCases are formats of the two sides; the first has its scales, the second too where the flag says so.
var scaledCases = []struct {
	left, right         string
	leftPack, rightPack bool
	scaled, fast        bool
	batches             int
}{
	{"e4m3", "e4m3", true, true, true, false, 0},
	{"e5m2", "e4m3", true, true, true, false, 0},
	{"e2m1", "e2m1", true, true, true, false, 0},
	{"e2m1", "e2m1", false, false, true, false, 0},
	{"e2m1", "bf16", true, true, false, false, 0},
	{"e5m2", "fp16", true, true, false, false, 0},
	{"fp16", "e2m1", true, false, true, false, 0},
	{"e4m3", "e2m1", true, true, true, true, 0},
	{"e4m3", "e2m1", true, true, true, false, 2},
}

// scaledDTypes are the dtypes whose bits a code is; of e2m1, its values.
var scaledDTypes = map[string]num.DType{"e4m3": num.Float8E4M3, "e5m2": num.Float8E5M2, "fp16": num.Float16, "bf16": num.BFloat16}

// TestDotScaled: products of microscaled tiles, on the CPU and the PTX simulator, against factors that are rounded to
// half one by one and summed in fp64.
func TestDotScaled(t *testing.T) {
	const m, n, k = 32, 16, 64
	for _, c := range scaledCases {
		t.Run(fmt.Sprint(c.left, " ", c.leftPack, " by ", c.right, " ", c.rightPack, " ", c.fast, " ", c.batches), func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, 8))
			batches := max(1, c.batches)
			left := newMicroscaled(r, c.left, c.leftPack, batches*m, k, true)
			right := newMicroscaled(r, c.right, c.rightPack, batches*n, k, c.scaled)
			half := num.BFloat16
			if c.left == "fp16" || c.right == "fp16" {
				half = num.Float16
			}
			x, y := left.factors(half, k, c.fast), right.factors(half, k, c.fast)
			kernel := scaledKernel(left, right, batches, c.batches > 0, c.fast, m, n, k)
			for _, on := range []device.Device{launch.Interpreter, gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{})} {
				z := tensorOf(num.Float32, make([]float64, batches*m*n))
				args := []launch.Arg{{Tensor: left.tensor(batches, m, k, true)}, {Tensor: bytesOf(left.scales)},
					{Tensor: right.tensor(batches, n, k, false)}, {Tensor: bytesOf(right.scales)}, {Tensor: z}}
				compiled, list := launch.Compile(source.NewFile("k.py", kernel), "k", args, true)
				if compiled == nil {
					t.Fatal(list[0].In(diag.English))
				}
				run(t, compiled, on, args)
				for i := range batches * m * n {
					b, row, col := i/(m*n), i/n%m, i%n
					want, scale := 1.5, 1.5 // of acc
					for j := range k {
						p := x[(b*m+row)*k+j] * y[(b*n+col)*k+j]
						want, scale = want+p, scale+math.Abs(p)
					}
					got := value(z, i)
					if got != want && !(got != got && want != want) && !(math.Abs(got-want) <= scale*1e-5) {
						t.Fatalf("element %d is %v, want %v, on %s", i, got, want, on.Capabilities().Name)
					}
				}
			}
		})
	}
}

// newMicroscaled draws finite elements of a format, and scales about 1, with a 0 and a NaN among them.
func newMicroscaled(r *rand.Rand, format string, pack bool, rows, k int, scaled bool) *microscaled {
	s := &microscaled{format: format, pack: pack}
	for range rows * k {
		code := uint16(r.IntN(16))
		if d, ok := scaledDTypes[format]; ok {
			code = uint16(num.FromFloat(d, r.NormFloat64()).Bits)
		}
		s.codes = append(s.codes, code)
	}
	for i := range rows * k / 32 {
		switch scale := byte(120 + r.IntN(14)); {
		case !scaled:
		case i == 3:
			s.scales = append(s.scales, 255)
		case i == 6:
			s.scales = append(s.scales, 0)
		default:
			s.scales = append(s.scales, scale)
		}
	}
	return s
}

// e2m1Values are the magnitudes of e2m1.
var e2m1Values = []float64{0, 0.5, 1, 1.5, 2, 3, 4, 6}

// factors are the elements times their scales, rounded to half.
func (s *microscaled) factors(half num.DType, k int, fast bool) []float64 {
	out := make([]float64, len(s.codes))
	for i, code := range s.codes {
		if d, ok := scaledDTypes[s.format]; ok {
			out[i] = num.Scalar{DType: d, Bits: uint64(code)}.Float()
		} else {
			out[i] = math.Copysign(e2m1Values[code&7], 1-float64(code&8))
		}
		if s.scales == nil {
			continue
		}
		e := s.scales[i/32]
		factor := math.Ldexp(1, int(e)-127)
		switch {
		case e == 0: // bf16's exponent 0, as Triton takes it
			factor = 0
		case e == 255 && fast:
			factor = math.Inf(1)
		case e == 255:
			factor = math.NaN()
		}
		scale := num.FromFloat(half, factor).Float()
		out[i] = num.FromFloat(half, out[i]*scale).Float()
	}
	return out
}

// tensor is the operand in memory: [rows, K] of the left, [K, rows] of the right.
func (s *microscaled) tensor(batches, rows, k int, left bool) *launch.Tensor {
	t := &launch.Tensor{DType: num.Uint8}
	d, ok := scaledDTypes[s.format]
	if ok {
		t.DType = d
	}
	at := func(b, row, j int) uint16 { return s.codes[(b*rows+row)*k+j] }
	outer, inner := rows, k
	if !left {
		outer, inner = k, rows
		of := at
		at = func(b, j, row int) uint16 { return of(b, row, j) }
	}
	stepOuter, stepInner := 1, 1
	if !ok && s.pack == left {
		stepInner = 2
	} else if !ok {
		stepOuter = 2
	}
	for b := range batches {
		for i := 0; i < outer; i += stepOuter {
			for j := 0; j < inner; j += stepInner {
				code := at(b, i, j)
				switch {
				case !ok && stepInner == 2:
					code |= at(b, i, j+1) << 4
				case !ok:
					code |= at(b, i+1, j) << 4
				}
				t.Data = binary.LittleEndian.AppendUint16(t.Data, code)[:len(t.Data)+t.DType.Info().Bytes]
			}
		}
	}
	return t
}

func bytesOf(data []byte) *launch.Tensor {
	if data == nil {
		data = []byte{0}
	}
	return &launch.Tensor{DType: num.Uint8, Data: data}
}

// scaledKernel loads both sides and multiplies them, on top of 1.5.
func scaledKernel(left, right *microscaled, batches int, batched, fast bool, m, n, k int) string {
	load := func(p string, dims ...int) string {
		if batched {
			dims = append([]int{batches}, dims...)
		}
		var terms []string
		stride := 1
		for i := len(dims) - 1; i >= 0; i-- {
			index := make([]string, len(dims))
			for j := range index {
				index[j] = "None"
			}
			index[i] = ":"
			terms = append(terms, fmt.Sprintf("%d * tl.arange(0, %d)[%s]", stride, dims[i], strings.Join(index, ", ")))
			stride *= dims[i]
		}
		return p + " + " + strings.Join(terms, " + ")
	}
	packed := func(s *microscaled, rows int) (int, int) {
		switch {
		case s.format != "e2m1":
			return rows, k
		case s.pack:
			return rows, k / 2
		}
		return rows / 2, k
	}
	lm, lk := packed(left, m)
	rn, rk := packed(right, n)
	rightScale := "None"
	if right.scales != nil {
		rightScale = "tl.load(" + load("ys", n, k/32) + ")"
	}
	python := map[bool]string{false: "False", true: "True"}
	shape := fmt.Sprintf("(%d, %d)", m, n)
	if batched {
		shape = fmt.Sprintf("(%d, %d, %d)", batches, m, n)
	}
	return "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x, xs, y, ys, z):\n" +
		"    a = tl.load(" + load("x", lm, lk) + ")\n    b = tl.load(" + load("y", rk, rn) + ")\n" +
		"    c = tl.dot_scaled(a, tl.load(" + load("xs", m, k/32) + "), '" + left.format + "', b, " + rightScale + ", '" +
		right.format + "', acc=tl.full(" + shape + ", 1.5, tl.float32), fast_math=" + python[fast] + ", lhs_k_pack=" +
		python[left.pack] + ", rhs_k_pack=" + python[right.pack] + ")\n    tl.store(" + load("z", m, n) + ", c)\n"
}
