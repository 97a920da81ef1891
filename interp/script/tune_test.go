package script

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
)

const tuned = `
import torch, triton
import triton.language as tl

def prepare(nargs):
    nargs["y"].zero_()

@triton.autotune(configs=[triton.Config({"BLOCK": b}, num_warps=w, pre_hook=prepare) for b, w in [(8, 1), (64, 2), (16, 4), (32, 8)]],
                 key=["n"])
@triton.heuristics({"WIDE": lambda args: args["BLOCK"] > 16})
@triton.jit
def double(x, y, n, BLOCK: tl.constexpr, WIDE: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, i < n) * 2, i < n)

x, y = torch.ones(64, device="cuda"), torch.empty(64, device="cuda")
assert not hasattr(double, "configs_timings")
for n in [64, 64]:
    double[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n)
times = double.configs_timings
print(double.best_config.kwargs, y.sum().item(), len(times), min(times, key=times.get) is double.best_config,
      [t for t in times.values() if t[0] <= 0])
`

// TestTune: the configs that the model puts first are timed, by a device that times what it compiles; any other uses the
// first, and a model that fails leaves all of them. Each key is ranked once.
func TestTune(t *testing.T) {
	var warps []int
	slowest := func(_ context.Context, k *launch.Kernel, args []launch.Arg, o device.Options, grid [3]int) (host.Estimate,
		*diag.Diagnostic) {
		warps = append(warps, o.NumWarps)
		return host.Estimate{MS: 1 / float64(grid[0]), Bound: "memory"}, nil
	}
	here, apart := cpu.New(cpu.Options{}), compiling{&far{Device: cpu.New(cpu.Options{})}}
	for _, c := range []struct {
		name           string
		on             device.Device
		model          Model
		ranked, timed  string
		output, warped string
	}{
		// The device takes as many milliseconds as there are programs; the model expects the opposite.
		{"a GPU", apart, slowest, "8* 16* 32 64", "8 16", "{'BLOCK': 16} 128.0 2 True []\n", "[1 2 4 8]"},
		{"no GPU", here, slowest, "8* 16 32 64", "", "{'BLOCK': 8} 128.0 4 True []\n", "[1 2 4 8]"},
		{"no model", apart, nil, "", "8 64 16 32", "{'BLOCK': 64} 128.0 4 True []\n", "[]"},
		{"a model that fails", apart, func(context.Context, *launch.Kernel, []launch.Arg, device.Options, [3]int) (host.Estimate,
			*diag.Diagnostic) {
			return host.Estimate{}, launch.Diagnostic(errors.New("no memory"))
		}, "", "8 64 16 32", "{'BLOCK': 64} 128.0 4 True []\n", "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			warps = []int{}
			var ranked, timed, failed []string
			var said diag.List
			block := func(label string) string {
				return strings.TrimPrefix(strings.SplitN(label, ",", 2)[0], "BLOCK: ")
			}
			r, doc := start(t, tuned, Options{Script: true, Host: host.Options{Tune: 2}, Emit: func(e Event) {
				switch e.Kind {
				case Ranked:
					for _, x := range e.Order.Configs {
						ranked = append(ranked, block(x.Label)+map[bool]string{true: "*"}[x.Kept])
						if x.Expected.Bound != "memory" {
							t.Errorf("%s is bound by %q", x.Label, x.Expected.Bound)
						}
					}
				case Measured:
					timed = append(timed, block(e.Sweep.Label))
				case Ended:
					said = e.Result.Diagnostics
				case Failed:
					failed = e.Output.Traceback
				}
			}})
			r.o.Launcher.Device, r.o.Launcher.Model = c.on, c.model
			hints := 0
			status := r.All(t.Context())
			for _, d := range said {
				if d.Code == "autotune-unranked" {
					hints++
				}
			}
			if want := c.name == "a model that fails"; (hints > 0) != want {
				t.Errorf("%v", said)
			}
			if status != 0 || strings.Join(ranked, " ") != c.ranked ||
				strings.Join(timed, " ") != c.timed || doc.Cells[0].Outputs[0].Text != c.output || fmt.Sprint(warps) != c.warped {
				t.Errorf("status %d, ranked %v, timed %v, warps %v, output %v %v", status, ranked, timed, warps,
					doc.Cells[0].Outputs, failed)
			}
		})
	}
}

// TestTooManyWarps: a program with more threads than a GPU has is out of resources, as in Triton, and no error of newt.
func TestTooManyWarps(t *testing.T) {
	text := kernel + `
x = torch.zeros(4, device="cuda")
try:
    add_one[(1,)](x, 4, 8, num_warps=64)
except triton.runtime.errors.OutOfResources as e:
    print(e)
`
	r, doc := start(t, text, Options{Script: true})
	r.o.Launcher.Device = gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{})
	want := "out of resource: threads, Required: 2048, Hardware limit: 1024. Reducing block sizes or `num_stages` may help.\n"
	if status := r.All(t.Context()); status != 0 || doc.Cells[0].Outputs[0].Text != want {
		t.Errorf("status %d: %v", status, doc.Cells[0].Outputs)
	}
}

// accumulating are kernels under triton.autotune, each launched once on a line of its own. Under Triton 3.6 on an H200
// the first result of those that are marked is not that of one launch.
const accumulating = `
import torch, triton
import triton.language as tl

def tuned(f, **options):
    return triton.autotune([triton.Config({"B": 64}), triton.Config({"B": 128})], key=["n"], **options)(f)

@triton.jit
def add(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.load(y + o, o < n) + tl.load(x + o, o < n), o < n)

@triton.jit
def total(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(y, tl.sum(tl.load(x + o, o < n, other=0.0)))

@triton.jit
def largest(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_max(y, tl.max(tl.load(x + o, o < n, other=0.0)))

@triton.jit
def relu(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + o, tl.maximum(tl.load(x + o, o < n), 0.0), o < n)

@triton.jit
def double(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.load(x + o, o < n) * 2, o < n)

n, grid = 200, lambda meta: (triton.cdiv(200, meta["B"]),)
x, y, z = torch.arange(1.0, 201, device="cuda"), torch.empty(200, device="cuda"), torch.zeros(200, device="cuda")
zeros = lambda nargs, reset_only=False: nargs["y"].zero_()
tuned(double)[grid](x, y, n)
tuned(relu)[grid](x, y, n)
tuned(largest)[grid](x, z.zero_(), n)
tuned(add, reset_to_zero=["y"])[grid](x, z.zero_(), n)
tuned(add, restore_value=["y"])[grid](x, z.zero_(), n)
tuned(total, pre_hook=zeros)[grid](x, z.zero_(), n)
add[(4,)](x, z.zero_(), n, B=64)
tuned(double)[grid](z.copy_(x), z, n)  # accumulates
tuned(add)[grid](x, z.zero_(), n)  # accumulates
tuned(total)[grid](x, z.zero_(), n)  # accumulates
`

// TestAutotuneAccumulates: a launch whose tensors the timing of configs would have changed is reported, and no other.
func TestAutotuneAccumulates(t *testing.T) {
	var said diag.List
	r, _ := start(t, accumulating, Options{Script: true, Emit: func(e Event) {
		if e.Kind == Ended {
			said = e.Result.Diagnostics
		}
	}})
	if status := r.All(t.Context()); status != 0 {
		t.Fatal(said)
	}
	var got, want []int
	for _, d := range said {
		if d.Code == "autotune-accumulates" {
			got = append(got, strings.Count(accumulating[:d.Primary.Span.Start], "\n"))
		}
	}
	for i, line := range strings.Split(accumulating, "\n") {
		if strings.HasSuffix(line, "# accumulates") {
			want = append(want, i)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("lines %v, want %v", got, want)
	}
}
