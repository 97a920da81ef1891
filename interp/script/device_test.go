package script

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
)

// far is a device that has memory of its own, and lists what is copied to it and from it.
type far struct {
	device.Device
	copies []string
}

type farMemory struct {
	device.Memory
	of *far
}

type farKernel struct{ device.Kernel }

func (f *far) Alloc(bytes int) (device.Memory, error) {
	m, err := f.Device.Alloc(bytes)
	return &farMemory{m, f}, err
}

func (f *far) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	k, err := f.Device.Load(fn, o)
	return farKernel{k}, err
}

func (m *farMemory) Write(at int, data []byte) error {
	m.of.copies = append(m.of.copies, fmt.Sprintf("write %d", len(data)))
	return m.Memory.Write(at, data)
}

func (m *farMemory) Read(at int, into []byte) error {
	m.of.copies = append(m.of.copies, fmt.Sprintf("read %d", len(into)))
	return m.Memory.Read(at, into)
}

func (k farKernel) Launch(ctx context.Context, l device.Launch) (*device.Report, error) {
	args := make([]device.Arg, len(l.Args))
	for i, a := range l.Args {
		if p, ok := a.(device.Pointer); ok {
			p.Memory = p.Memory.(*farMemory).Memory
			a = p
		}
		args[i] = a
	}
	l.Args = args
	return k.Kernel.Launch(ctx, l)
}

// TestTensorsStay: a tensor is copied to a device before the first launch that has it and back when the script looks at
// it, and neither time again; what a kernel only reads never comes back.
func TestTensorsStay(t *testing.T) {
	d := &far{Device: cpu.New(cpu.Options{})}
	for _, c := range []struct{ name, text, output, copies string }{
		{"a loop", "x = torch.ones(6, device='cuda')\nfor i in range(3):\n    add_one[(1,)](x, 6, 8)\nprint(x[0].item(), x[5].item())\nprint(x.sum().item())",
			"4.0 4.0\n24.0\n", "[write 24 read 24]"},
		{"zeros", "x = torch.zeros(4, device='cuda')\nadd_one[(1,)](x, 4, 8)\nx.zero_()\nadd_one[(1,)](x, 4, 8)\nprint(x)",
			"tensor([1., 1., 1., 1.], device='cuda:0')\n", "[read 16]"},
		{"a write between", "x = torch.zeros(4, device='cuda')\nadd_one[(1,)](x, 4, 8)\nx[0] = 5\nadd_one[(1,)](x, 4, 8)\nprint(x.shape, x.data_ptr() % 16)",
			"torch.Size([4]) 0\n", "[read 16 write 16]"},
		{"a view", "x = torch.zeros(4, 4, device='cuda')\nadd_one[(1,)](x[1], 4, 8)\nprint(x.T[0])",
			"tensor([0., 1., 0., 0.], device='cuda:0')\n", "[read 64]"},
		{"only read", "x = torch.ones(4, device='cuda')\ny = torch.empty_like(x)\ncopy[(1,)](x, y, 4)\nprint(x[0].item())\ndel y",
			"1.0\n", "[write 16]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d.copies = nil
			r, doc := start(t, kernel+"\n@triton.jit\ndef copy(x, y, N: tl.constexpr):\n    i = tl.arange(0, N)\n    tl.store(y + i, tl.load(x + i))\n\n"+c.text, Options{Script: true})
			r.o.Launcher.Device = d
			if r.All(t.Context()) != 0 || fmt.Sprint(d.copies) != c.copies || doc.Cells[0].Outputs[0].Text != c.output {
				t.Errorf("copies %v, want %s\n%v", d.copies, c.copies, doc.Cells[0].Outputs)
			}
		})
	}
}

// Capabilities says that the device measures: a launch takes as many milliseconds as it has programs.
func (f *far) Capabilities() device.Capabilities {
	c := f.Device.Capabilities()
	c.Name, c.Times = "far", true
	return c
}

func (k farKernel) Time(ctx context.Context, l device.Launch, _ device.TimingRequest) (*device.Timings, error) {
	for range 2 {
		if _, err := k.Launch(ctx, l); err != nil {
			return nil, err
		}
	}
	return &device.Timings{Samples: []time.Duration{time.Duration(l.Grid[0]) * time.Millisecond}}, nil
}

// compiling is far with machine code of its own.
type compiling struct{ *far }

func (c compiling) Capabilities() device.Capabilities {
	made := c.far.Capabilities()
	made.Arch = "sm_90a"
	return made
}

// TestProductTimes: do_bench times torch's product of matrices on a device that compiles kernels, and says so where torch
// computes the rest here. The document has launched nothing.
func TestProductTimes(t *testing.T) {
	for _, c := range []struct{ call, output, codes string }{
		{"x @ y", "2.0\n", "[]"},
		{"torch.matmul(x, y.T)", "2.0\n", "[]"},
		{"(x @ y).relu()", "True\n", "[measured-here]"},
		{"torch.addmm(y, x, y)", "True\n", "[measured-here]"},
		{"x.relu()", "True\n", "[measured-here]"},
	} {
		want := "ms"
		if c.output == "True\n" {
			want = "ms != 2"
		}
		r, doc := start(t, "import torch, triton\nx, y = torch.ones(64, 64, device='cuda'), torch.ones(64, 64, device='cuda')\n"+
			"ms = triton.testing.do_bench(lambda: "+c.call+")\nprint("+want+")", Options{Script: true, Keep: DefaultKeep})
		r.o.Launcher.Device = compiling{&far{Device: cpu.New(cpu.Options{})}}
		result := r.Cell(t.Context(), doc.Cells[0])
		codes := []string{}
		for _, d := range result.Diagnostics {
			codes = append(codes, d.Code)
		}
		launches, more := r.Launches()
		if got := doc.Cells[0].Outputs; len(got) != 1 || got[0].Text != c.output || fmt.Sprint(codes) != c.codes || len(launches)+more > 0 {
			t.Errorf("%s: %v, %v, %d launches\n%s", c.call, got, codes, len(launches)+more, result.Traceback)
		}
	}
}

// TestSweep: autotune on a device measures there, restores what it is told to, and tells each config's time at once;
// perf_report tells each point. What torch does alone is measured here, with a hint.
func TestSweep(t *testing.T) {
	text := kernel + `
tuned = triton.autotune([triton.Config({'B': 4}), triton.Config({'B': 8}), triton.Config({'B': 2})], ['n'], restore_value=['x'])(add_one)
x = torch.zeros(8, device='cuda')
tuned[lambda meta: (triton.cdiv(8, meta['B']),)](x, 8)
print(x[0].item(), tuned.best_config.kwargs)

@triton.testing.perf_report(triton.testing.Benchmark(x_names=['N'], x_vals=[4, 8], line_arg='provider',
    line_vals=['triton', 'torch'], line_names=['Triton', 'Torch'], plot_name='add', args={}))
def benchmark(N, provider):
    y = torch.zeros(N, device='cuda')
    if provider == 'torch':
        return triton.testing.do_bench(lambda: y + 1) * 0
    return triton.testing.do_bench(lambda: add_one[(N // 4,)](y, N, 4))
benchmark.run()
`
	var told []string
	r, doc := start(t, text, Options{Script: true, Emit: func(e Event) {
		if m := e.Sweep; e.Kind == Measured {
			label, _, _ := strings.Cut(m.Label, ", num_warps")
			best, _, _ := strings.Cut(m.Best, ", num_warps")
			told = append(told, fmt.Sprintf("%s %d/%d %s: %g %s", m.Name, m.Number, m.Total, label, m.Value, best))
		}
	}})
	r.o.Launcher.Device = &far{Device: cpu.New(cpu.Options{})}
	result := r.Cell(t.Context(), doc.Cells[0])
	want := []string{"add_one 1/3 B: 4: 2 B: 4", "add_one 2/3 B: 8: 1 B: 8", "add_one 3/3 B: 2: 4 B: 8",
		"add 1/4 Triton, N=4: 1 ", "add 2/4 Torch, N=4: 0 ", "add 3/4 Triton, N=8: 2 ", "add 4/4 Torch, N=8: 0 "}
	if !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
	if got := summary(doc.Cells[0]); len(got) != 1 || got[0] != "stream stdout1.0 {'B': 8}" {
		t.Errorf("%q", got)
	}
	var codes []string
	for _, d := range result.Diagnostics {
		codes = append(codes, d.Code)
	}
	if !slices.Equal(codes, []string{"measured-here"}) {
		t.Errorf("%v", codes)
	}
}
