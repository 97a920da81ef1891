package host

import "testing"

// TestEinopsOnTensors checks what library_einops.py, which is recorded with NumPy, cannot: tensors, views, gradients and
// the modules.
func TestEinopsOnTensors(t *testing.T) {
	const text = `
import torch
from einops import rearrange, reduce, repeat, einsum, pack, unpack, asnumpy
from einops.layers.torch import Rearrange, Reduce
x = torch.arange(24.).reshape(2, 3, 4).requires_grad_()
layer = torch.nn.Sequential(Rearrange("a b (c d) -> (a c) b d", c=2), Reduce("a b c -> a", "sum"))
print(layer)
y = layer(x)
print(torch.equal(y, x.reshape(2, 3, 2, 2).permute(0, 2, 1, 3).reshape(4, 3, 2).sum((1, 2))))
(y * torch.tensor([1., 2., 3., 4.])).sum().backward()
print(x.grad[:, 0].tolist())
x = x.detach()
rearrange(x, "a b c -> c (b a)"), rearrange(x, "a b c -> b a c").zero_()
print(x.abs().sum().item(), rearrange(x, "a b c -> a b c") is x)
print(repeat(torch.ones(2), "a -> a b", b=3).stride(), asnumpy(x).shape, einsum(x, x, "a b c, a d c -> b d").shape)
packed, shapes = pack([x, x[0, 0, 0]], "*")
print(packed.shape, shapes, [t.shape for t in unpack(packed, shapes, "*")])
for name in "any all".split():
    print(reduce(x > -1, "a b c -> b", name).tolist())
try:
    Rearrange("a b -> a")
except RuntimeError as e:
    print(type(e).__name__, str(e).splitlines()[0])
`
	const want = `Sequential(
  (0): Rearrange('a b (c d) -> (a c) b d', c=2)
  (1): Reduce('a b c -> a', 'sum')
)
True
[[1.0, 1.0, 2.0, 2.0], [3.0, 3.0, 4.0, 4.0]]
0.0 True
(1, 0) (2, 3, 4) torch.Size([3, 3])
torch.Size([25]) [torch.Size([2, 3, 4]), torch.Size([])] [torch.Size([2, 3, 4]), torch.Size([])]
[True, True, True]
[True, True, True]
EinopsError  Error while preparing Rearrange('a b -> a')
`
	if got, diags := run(text, withLibraries(Options{})); got != want || diags.HasErrors() {
		t.Errorf("prints\n%s%s\nwant\n%s", got, words(diags), want)
	}
}
