package launch_test

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/launch"
)

// specialFunctionUlps is how far the functions in testdata/special_functions.txt may be off in fp64.
var specialFunctionUlps = map[string]float64{"erfc": 2, "erfcx": 3, "normcdf": 3, "tgamma": 4, "lgamma": 4}

// TestSpecialFunctions: values of special functions that have been computed with 60 digits. The logarithm of gamma at a
// negative number is held to the size of the terms that cancel in it.
func TestSpecialFunctions(t *testing.T) {
	text, err := os.ReadFile("testdata/special_functions.txt")
	if err != nil {
		t.Fatal(err)
	}
	xs, want := map[string][]float64{}, map[string][]float64{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		x, err1 := strconv.ParseFloat(f[1], 64)
		y, err2 := strconv.ParseFloat(f[2], 64)
		if f[0] != "#" && err1 == nil && err2 == nil {
			xs[f[0]], want[f[0]] = append(xs[f[0]], x), append(want[f[0]], y)
		}
	}
	for name, most := range specialFunctionUlps {
		t.Run(name, func(t *testing.T) {
			const n = 256
			x := append(xs[name], make([]float64, n-len(xs[name]))...)
			var results [2]*launch.Tensor
			for i := range results {
				results[i] = tensorOf(num.Float64, make([]float64, n))
				args := []launch.Arg{{Tensor: tensorOf(num.Float64, x)}, {Tensor: results[i]}, {Value: int64(n), Constexpr: true}}
				kernel, list := launch.Compile(deviceKernelOf("x, z", "libdevice."+name+"(tl.load(x + i))"), "k", args, true)
				if kernel == nil {
					t.Fatal(list[0].In(diag.English))
				}
				if i == 0 {
					run(t, kernel, launch.Interpreter, args)
				} else {
					run(t, kernel, gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{}), args)
				}
			}
			worst := 0.0
			for i, w := range want[name] {
				got := value(results[0], i)
				if on := value(results[1], i); on != got {
					t.Errorf("%s(%v) is %v on the CPU and %v on the simulator", name, x[i], got, on)
				}
				off := ulpsOff(num.Float64, got, w)
				if name == "lgamma" && x[i] < 0 {
					size := math.Max(math.Abs(w), math.Abs(logGamma(-x[i]))+math.Abs(math.Log(math.Abs(math.Sin(math.Pi*x[i])))))
					off = math.Abs(got-w) / size * 0x1p52
				}
				if worst = max(worst, off); off > most {
					t.Errorf("%s(%v) = %v, want %v: %.3g ulps", name, x[i], got, w, off)
				}
			}
			t.Logf("%.2f ulps", worst)
		})
	}
}
