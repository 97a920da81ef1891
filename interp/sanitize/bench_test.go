package sanitize_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/sanitize"
	"github.com/newtlab/newt/interp/trace"
)

// benchLaunch is a launch of a kernel. An argument is a tensor, as its dtype and the number of its elements, or the value
// of a number; the last tensor is the output.
type benchLaunch struct {
	path, kernel string
	args         []any
	grid         [3]int
}

type tensorOf struct {
	dtype    num.DType
	elements int
}

func f16(n int) tensorOf { return tensorOf{num.Float16, n} }
func f32(n int) tensorOf { return tensorOf{num.Float32, n} }
func i32(n int) tensorOf { return tensorOf{num.Int32, n} }

const samples = "../../compiler/testdata/kernels.py"

// benchLaunches are the bench kernels and the puzzles' solutions.
var benchLaunches = []benchLaunch{
	{samples, "vector_add", []any{f32(1 << 16), f32(1 << 16), f32(1 << 16), 65000, 1024}, [3]int{64, 1, 1}},
	{samples, "row_softmax", []any{f16(64 * 1000), f16(64 * 1000), 1000, 1024}, [3]int{64, 1, 1}},
	{samples, "layer_norm", []any{f16(64 * 1000), f16(1000), f16(1000), f16(64 * 1000), 1000, 0.5, 1024}, [3]int{64, 1, 1}},
	{samples, "matmul", []any{f16(1 << 14), f16(1 << 14), f16(1 << 14), 128, 128, 128, 128, 1, 128, 1, 128, 1, 64, 64, 32, 8,
		num.Float32, "ieee"}, [3]int{4, 1, 1}},
	{samples, "attention", []any{f16(1 << 14), f16(1 << 14), f16(1 << 14), f16(1 << 14), 0.125, 128, 64, 64, 32, true}, [3]int{2, 2, 1}},
	solution("01", []any{f32(1024), f32(1024), 1024, 1024}, 1),
	solution("02", []any{f32(20000), f32(20000), 20000, 1024}, 20),
	solution("03", []any{f32(128), f32(128), f32(128 * 128), 128, 128, 128, 128}, 1),
	solution("04", []any{f32(200), f32(180), f32(36000), 200, 180, 64, 64}, 4, 3),
	solution("05", []any{f32(200), f32(180), f32(36000), 200, 180, 64, 64}, 4, 3),
	solution("06", []any{f32(36000), f32(180), f32(36000), f32(36000), 200, 180, 64, 64}, 4, 3),
	solution("07", []any{f32(32 * 1000), f32(32), 32, 32, 1000, 1, 128}, 32),
	solution("08", []any{f32(32 * 1000), f32(32 * 1000), 32, 32, 1000, 1, 128}, 32),
	solution("09", []any{f32(200), f32(200), f32(200), f32(200), 200, 200, 64, 32}, 4),
	solution("10", []any{f32(4 * 32 * 32), f32(16), f32(4 * 32 * 32), 4, 32, 32, 4, 4, 1}, 4),
	solution("11", []any{f32(4096), f32(4096), f32(4096), 32, 32, 4, 32, 16, 16, 1, 16}, 2, 2, 4),
	solution("12", []any{f32(256), i32(32), i32(256), f32(2048), f32(1024), 32, 32, 64, 16, 16, 64}, 2, 2),
}

func solution(number string, args []any, grid ...int) benchLaunch {
	paths, _ := filepath.Glob("../../puzzles/" + number + "_*/solution.py")
	l := benchLaunch{paths[0], "", args, [3]int{1, 1, 1}}
	copy(l.grid[:], grid)
	return l
}

func (l benchLaunch) name() string {
	if l.kernel != "" {
		return l.kernel
	}
	return strings.Split(filepath.Base(filepath.Dir(l.path)), "_")[0]
}

// compile makes the kernel ready, with arguments of its own.
func (l benchLaunch) compile(t testing.TB) (*launch.Kernel, []launch.Arg) {
	t.Helper()
	text, err := os.ReadFile(l.path)
	if err != nil {
		t.Fatal(err)
	}
	kernel := l.kernel
	if kernel == "" {
		_, after, _ := strings.Cut(string(text), "\ndef ")
		kernel, _, _ = strings.Cut(after, "(")
	}
	var args []launch.Arg
	output := 0
	for i, a := range l.args {
		arg := launch.Arg{Value: a}
		switch a := a.(type) {
		case tensorOf:
			arg = launch.Arg{Tensor: &launch.Tensor{DType: a.dtype, Data: make([]byte, a.elements*a.dtype.Info().Bytes)}}
			output = i
		case int:
			arg.Value = int64(a)
		}
		args = append(args, arg)
	}
	args[output].Tensor.Undefined = true
	k, list := launch.Compile(source.NewFile(l.path, string(text)), kernel, args, false)
	if k == nil {
		t.Fatal(l.name(), list[0].In(0).Headline)
	}
	return k, args
}

// TestBenchKernels: no sanitizer finds anything in the launches of the benchmark.
func TestBenchKernels(t *testing.T) {
	for _, l := range benchLaunches {
		k, args := l.compile(t)
		for _, d := range k.Sanitize(t.Context(), args, device.Launch{Grid: l.grid}) {
			t.Errorf("%s: %s", l.name(), d.In(0).Headline)
		}
	}
}

// BenchmarkOverhead launches without an observer, under each sanitizer for itself, and under all. With -cpu 1 the plain
// launch has one worker, as the others have. The shortest run is reported, too: it depends least on what else runs.
func BenchmarkOverhead(b *testing.B) {
	watching := cpu.New(cpu.Options{Watch: sanitize.Watch})
	for _, l := range benchLaunches {
		k, args := l.compile(b)
		observed := func(on device.Device, o trace.Observer) func() {
			return func() {
				with := device.Launch{Grid: l.grid, Observer: o}
				if _, fault := k.Run(b.Context(), launch.Target{Device: on}, args, with); fault != nil {
					b.Fatal(fault.Code)
				}
			}
		}
		for _, c := range []struct {
			name string
			run  func()
		}{
			{"plain", observed(launch.Interpreter, nil)},
			{"races", observed(launch.Interpreter, &sanitize.Races{})},
			{"unwritten", observed(launch.Interpreter, &sanitize.Unwritten{})},
			{"undefined", observed(watching, &sanitize.Undefined{})},
			{"hints", observed(watching, &sanitize.Hints{})},
			{"nonfinite", observed(launch.Interpreter, &sanitize.NonfiniteStores{})},
			{"all", func() {
				if list := k.Sanitize(b.Context(), args, device.Launch{Grid: l.grid}); len(list) > 0 {
					b.Fatal(list[0].Code)
				}
			}},
		} {
			b.Run(l.name()+"/"+c.name, func(b *testing.B) {
				best := time.Duration(1 << 62)
				for b.Loop() {
					start := time.Now()
					c.run()
					best = min(best, time.Since(start))
				}
				b.ReportMetric(float64(best.Nanoseconds())/1000, "best-µs")
			})
		}
	}
}
