package script

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/device/gpu"
)

// groupedMatmul multiplies pairs of matrices whose addresses are in tensors, one tile each.
const groupedMatmul = `
import torch, triton, triton.language as tl

@triton.jit
def grouped_matmul(a_at, b_at, c_at, sizes, B: tl.constexpr):
    g = tl.program_id(0)
    n = tl.load(sizes + 2 * g)
    k = tl.load(sizes + 2 * g + 1)
    a = tl.load(a_at + g).to(tl.pointer_type(tl.float16))
    b = tl.load(b_at + g).to(tl.pointer_type(tl.float16))
    c = tl.load(c_at + g).to(tl.pointer_type(tl.float16))
    i = tl.arange(0, B)
    a_ptrs = a + i[:, None] * k + i[None, :]
    b_ptrs = b + i[:, None] * n + i[None, :]
    acc = tl.zeros((B, B), tl.float32)
    for _ in range(0, k, B):
        tl.multiple_of(a_ptrs, [16, 16])
        tl.multiple_of(b_ptrs, [16, 16])
        acc += tl.dot(tl.load(a_ptrs), tl.load(b_ptrs))
        a_ptrs += B
        b_ptrs += B * n
    tl.store(c + i[:, None] * n + i[None, :], acc.to(tl.float16))

def group(a, b):
    c = [torch.empty(x.shape[0], y.shape[1], dtype=x.dtype, device='cuda') for x, y in zip(a, b)]
    at = [torch.tensor([t.data_ptr() for t in list], device='cuda', dtype=d)
          for list, d in ((a, torch.int64), (b, torch.uint64), (c, torch.int64))]
    sizes = torch.tensor([n for x, y in zip(a, b) for n in (y.shape[1], x.shape[1])], dtype=torch.int32, device='cuda')
    grouped_matmul[(len(a),)](*at, sizes, 32)
    return c

depths = (32, 96, 64)
a = [torch.randn(32, k, device='cuda').half() for k in depths]
b = [torch.randn(k, 32, device='cuda').half() for k in depths]
`

// scatteredKernel reads and writes elements by their addresses, and those of an argument.
const scatteredKernel = `
@triton.jit
def rotate(at, out, N: tl.constexpr):
    i = tl.arange(0, N)
    ptrs = tl.load(at + i).to(tl.pointer_type(tl.float32))
    v = tl.load(ptrs)
    tl.store(tl.where(i < 0, ptrs, out + i), v)
    tl.store(ptrs + 1, v + 1.0, mask=i // 2 == i % 2)
`

// scattered runs it on elements of two tensors.
const scattered = scatteredKernel + `
x = [torch.full((3,), 1.0, device='cuda'), torch.full((4,), 3.0, device='cuda')]
at = torch.tensor([t.data_ptr() for t in x] * 4, device='cuda')
at[3] += 4
out = torch.zeros(8, device='cuda')
rotate[(1,)](at, out, 8)
`

// TestAddresses: kernels reach tensors by what data_ptr has said, as long as there are such tensors.
func TestAddresses(t *testing.T) {
	for name, d := range map[string]device.Device{
		"cpu": cpu.New(cpu.Options{}), "simulator": gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{}),
	} {
		for _, c := range []struct{ name, text, output string }{
			{"products", "c = group(a, b)\nprint([torch.allclose(z, x @ y, atol=1e-2) for x, y, z in zip(a, b, c)])",
				"[True, True, True]"},
			{"a matrix that is too short", "b[1] = b[1][:64].clone()\ngroup(a, b)", "but it has 2048 elements"},
			{"an address of no tensor", `at = torch.tensor([1234], device='cuda')
sizes = torch.tensor([32, 32], dtype=torch.int32, device='cuda')
grouped_matmul[(1,)](at, at, at, sizes, 32)`, "this pointer does not point into any tensor"},
			{"many addresses at once", scattered + `
print(x[0].tolist(), x[1].tolist(), out.tolist())
`, "[1.0, 2.0, 1.0] [3.0, 3.0, 4.0, 3.0] [1.0, 3.0, 1.0, 3.0, 1.0, 3.0, 1.0, 3.0]"},
			{"one of many addresses of no tensor", scattered + `
at[5] += 4096
rotate[(1,)](at, out, 8)`, "this pointer does not point into any tensor"},
			{"the address of an argument", `
@triton.jit
def handed(x, at, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(at + i, (x + i).to(tl.int64))

x, at = 2 * torch.arange(8.0, device='cuda'), torch.empty(4, dtype=torch.int64, device='cuda')
out = torch.zeros(8, device='cuda')
handed[(1,)](x[2:], at, 4)
print([n - x.data_ptr() for n in at.tolist()])
` + scatteredKernel + `
rotate[(1,)](at, out, 4)
print(x.tolist(), out.tolist())
`, "[8, 12, 16, 20]\n[0.0, 2.0, 4.0, 5.0, 8.0, 10.0, 11.0, 14.0] [4.0, 6.0, 8.0, 10.0, 0.0, 0.0, 0.0, 0.0]"},
		} {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				r, doc := start(t, groupedMatmul+c.text, Options{Script: true})
				r.o.Launcher.Device = d
				r.All(t.Context())
				if got := doc.Cells[0].Outputs[0]; !strings.Contains(got.Text+got.Message, c.output) {
					t.Errorf("the output is %v\nwant %s", got, c.output)
				}
			})
		}
	}
}
