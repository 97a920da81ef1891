package launch_test

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/launch/launchtest"
)

// helpers are the functions and globals that the kernels of the tests use.
func helpers(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/helpers.py")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func floats(n int, f func(i int) float32) *launch.Tensor {
	data := make([]byte, 4*n)
	for i := range n {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(f(i)))
	}
	return &launch.Tensor{DType: num.Float32, Data: data}
}

func at(b *launch.Tensor, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b.Data[4*i:]))
}

// comment finds "# key: value" in a chunk.
func comment(chunk, key string) string {
	for line := range strings.Lines(chunk) {
		if rest, ok := strings.CutPrefix(line, "# "+key+":"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// TestLanguage runs kernels on the CPU and the PTX simulator, and looks at what they stored and what was said about
// them. Whatever gives a warning is an error under Strict.
func TestLanguage(t *testing.T) {
	text, err := os.ReadFile("testdata/language.py")
	if err != nil {
		t.Fatal(err)
	}
	for chunk := range strings.SplitSeq(string(text), "\n---\n") {
		t.Run(comment(chunk, "name"), func(t *testing.T) {
			body := "    " + strings.ReplaceAll(strings.TrimSpace(chunk), "\n", "\n    ")
			version := ""
			if v := comment(chunk, "triton"); v != "" {
				version = "# triton: " + v + "\n"
			}
			file := source.NewFile("k.py", version+helpers(t)+"@triton.jit\ndef k(x, out, n, B: tl.constexpr):\n"+body+"\n")
			x, out := floats(64, func(i int) float32 { return float32(i) }), floats(64, func(int) float32 { return 0 })
			args := []launch.Arg{{Tensor: x}, {Tensor: out}, {Value: int64(10)}, {Value: int64(8), Constexpr: true}}
			k, list := launch.Compile(file, "k", args, false)
			var said []string
			warned := false
			for _, d := range list {
				warned = warned || d.Severity == diag.Warning
				if !slices.Contains(said, d.Code) {
					said = append(said, d.Code)
				}
			}
			if got := strings.Join(said, " "); got != comment(chunk, "says") {
				t.Errorf("says %q", got)
			}
			if k == nil {
				t.Fatal(list[0].In(diag.English).Headline)
			}
			if _, strict := launch.Compile(file, "k", args, true); strict.HasErrors() != warned {
				t.Errorf("strict: %v", strict)
			}
			simulator := gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{})
			for _, on := range []device.Device{launch.Interpreter, simulator} {
				clear(out.Data)
				report, fault := k.Run(context.Background(), launch.Target{Device: on}, args, device.Launch{Grid: [3]int{1, 1, 1}})
				if fault != nil {
					t.Fatal(fault.In(diag.English).Headline)
				}
				var lines []string
				for _, p := range report.Prints {
					lines = append(lines, p.Text)
				}
				if got := strings.Join(lines, "; "); got != comment(chunk, "prints") {
					t.Errorf("prints %q on %v", got, on.Capabilities().Name)
				}
				for i, want := range strings.Fields(comment(chunk, "out")) {
					if w, _ := strconv.ParseFloat(want, 32); at(out, i) != float32(w) {
						t.Errorf("out[%d] is %v, want %s, on %v", i, at(out, i), want, on.Capabilities().Name)
					}
				}
			}
		})
	}
}

// ownTerms are what some examples cannot do without.
var ownTerms = []string{"lambda", "builtin-unavailable", "for-over-tuple", "name-deprecated"}

// silent are the names whose example has nothing to show.
var silent = []string{"tl.debug_barrier", "tl.static_assert", "tl.device_assert"}

// memory is what the tensors hold.
func memory(tensors []launch.Tensor) string {
	var b strings.Builder
	for _, a := range tensors {
		b.Write(a.Data)
	}
	return b.String()
}

// TestRowExamples runs the example of every name of the language on the interpreter, and on the PTX simulator.
func TestRowExamples(t *testing.T) {
	var before []launch.Tensor
	for _, a := range launchtest.ExampleArgs()[:3] {
		before = append(before, *a.Tensor)
	}
	for _, row := range tl.Rows() {
		r := launchtest.Example(t, &row, launch.Interpreter)
		for _, d := range r.Said {
			if !slices.Contains(ownTerms, d.Code) {
				t.Errorf("%s: %s", row.Path(), d.In(diag.English).Headline)
			}
		}
		if len(r.Prints) == 0 && memory(r.Stored) == memory(before) && !slices.Contains(silent, row.Path()) {
			t.Errorf("%s: its example shows nothing", row.Path())
		}
	}
	launchtest.Examples(t, gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{}))
}
