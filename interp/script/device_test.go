package script

import (
	"context"
	"fmt"
	"testing"

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
