package host

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/tensor"
)

// FuzzLoad runs arbitrary text on a small budget: whatever happens, it ends without a panic.
func FuzzLoad(f *testing.F) {
	files, _ := filepath.Glob("testdata/python/*.py")
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil {
			f.Add(string(text))
		}
	}
	programs := lines[program](f, "torch.jsonl.gz")
	for _, p := range programs[1:] {
		f.Add(programs[0].Prelude + p.Code)
	}
	for _, text := range []string{
		"import torch\nx = torch.rand(3, 4)\nx[0, ::2] = x.sum(1, keepdim=True)[:1]\nprint(x.max(1)[0], x @ x.T)",
		"import torch\nt = torch.ones(2, 3, requires_grad=True)\n(t[None].expand(2, -1, -1) * t).sum().backward()\nprint(t.grad)",
		"import torch\nz = torch.zeros(4)\nv = z.view(2, 2)[1]\nv += 1\nz[torch.tensor([0, 3])] = torch.arange(2.)\nprint(torch.einsum('i,j->ij', z, z))",
		"import torch.nn.functional as F, torch\nprint(F.pad(torch.ones(2, 2), (1, -1, 0, 2)).roll(1, 0).unfold(0, 2, 1).cumsum(1).sort())",
		"while True:\n    x = [x for x in range(10**9)]",
		"def f(*a, **k):\n    yield from f(*a)\nlist(f(1))",
		"class A:\n    def __getattr__(self, n): return self\n    def __getitem__(self, i): return A()\nprint(A().x[1].y)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		Load(source.NewFile("fuzz.py", text), withLibraries(Options{
			MaxSteps: 20_000, MaxItems: 1 << 20, MaxDepth: 200,
			Tensors: tensor.New(tensor.Options{MaxElements: 1 << 16, MaxBytes: 1 << 26}),
		}))
	})
}
