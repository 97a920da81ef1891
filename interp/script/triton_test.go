package script_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/host/codec"
	"github.com/newtlab/newt/interp/script"
)

var update = flag.Bool("update", false, "write what the scripts print to testdata")

// TestTritonHost runs the scripts of testdata/triton on the CPU and compares what they print.
func TestTritonHost(t *testing.T) {
	files, _ := filepath.Glob("testdata/triton/*.py")
	if len(files) == 0 {
		t.Fatal("no scripts")
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".py"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got, list := runScript(string(text), &script.Launcher{})
			if list.HasErrors() {
				last := list[len(list)-1]
				t.Errorf("line %d: %s", source.NewFile("", string(text)).Position(last.Primary.Span.Start).Line,
					last.In(diag.English).Headline)
			}
			golden := strings.TrimSuffix(name, ".py") + ".out"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			compareLines(t, got, string(want))
		})
	}
}

// TestTuplesOnGPU: tuples are arguments in a kernel's PTX, too, and objects of aggregates are values in it.
func TestTuplesOnGPU(t *testing.T) {
	for _, name := range []string{"tuples", "aggregates"} {
		text, err := os.ReadFile("testdata/triton/" + name + ".py")
		if err != nil {
			t.Fatal(err)
		}
		want, _ := runScript(string(text), &script.Launcher{})
		simulator := gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{})
		got, list := runScript(string(text), &script.Launcher{Device: simulator})
		if list.HasErrors() || want == "" {
			t.Fatal(list, want)
		}
		compareLines(t, got, want)
	}
}

// TestDescriptorMinMax: atomics of descriptors that keep the smaller and the larger of 16-bit floats, on both engines.
func TestDescriptorMinMax(t *testing.T) {
	const text = `
import torch, triton, triton.language as tl

@triton.jit
def keep(least, most, x, B: tl.constexpr):
    i = tl.program_id(0)
    v = tl.load(x + i * B + tl.arange(0, B))
    tl.make_tensor_descriptor(least, [B - 2], [1], [B]).atomic_min([0], v)
    tl.make_tensor_descriptor(most, [B - 2], [1], [B]).atomic_max([0], v)

for dtype in (torch.float16, torch.bfloat16):
    x = torch.tensor([[3, -1, 0.5, 2, -4, 9, 1, 8], [-2, 5, 0.25, 2, -6, 7, 0, 9], [1, 4, 2, -3, -5, 8, 9, 0]], dtype=dtype)
    least, most = torch.zeros(8, dtype=dtype), torch.zeros(8, dtype=dtype)
    keep[(3,)](least, most, x, 8)
    print(least.tolist(), most.tolist())
`
	const want = "[-2.0, -1.0, 0.0, -3.0, -6.0, 0.0, 0.0, 0.0] [3.0, 5.0, 2.0, 2.0, 0.0, 9.0, 0.0, 0.0]\n"
	for _, d := range []device.Device{nil, gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{})} {
		if got, list := runScript(text, &script.Launcher{Device: d}); got != want+want {
			t.Errorf("%s, want %s, %v", got, want+want, list)
		}
	}
}

// runScript runs a script, on the interpreter where l has no device, and gives what it printed.
func runScript(text string, l *script.Launcher) (string, diag.List) {
	var out bytes.Buffer
	if l.Device == nil {
		l.Device = cpu.New(cpu.Options{})
	}
	l.Context, l.Anywhere = context.Background(), true
	l.Triton, _ = triton.Requested(text)
	_, list := host.Load(source.NewFile("script.py", text), host.Options{Libraries: host.AllLibraries(), Codecs: codec.Go{},
		Stdout: &out, Launcher: l, Triton: l.Triton})
	return out.String(), list
}

// elapsed is a time in the output, which no two runs share.
var elapsed = regexp.MustCompile(`finished after [0-9.]+s`)

func compareLines(t *testing.T, got, want string) {
	t.Helper()
	got, want = elapsed.ReplaceAllString(got, "finished"), elapsed.ReplaceAllString(want, "finished")
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		switch {
		case i >= len(g):
			t.Errorf("line %d is missing: %s", i+1, w[i])
		case i >= len(w):
			t.Errorf("line %d is not expected: %s", i+1, g[i])
		case g[i] != w[i]:
			t.Errorf("line %d:\n%s\nwant\n%s", i+1, g[i], w[i])
		}
	}
}
