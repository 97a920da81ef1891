# The values are those that the rules of triton.tools.mxfp's source give.
import torch
from triton.tools.mxfp import MXFP4Tensor, MXScaleTensor

nan, inf = float("nan"), float("inf")
x = torch.tensor([0.0, -0.0, 0.2, 0.25, 0.3, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 5.5, -100.0, inf, -inf, nan], device="cuda")
f = MXFP4Tensor(data=x)
print(f.data.tolist(), f.to(torch.float32).tolist())
every = torch.arange(16, dtype=torch.uint8).reshape(2, 8)
t = MXFP4Tensor(size=(2, 8))
t.data = every
print(t.to(torch.float32).tolist(), torch.equal(MXFP4Tensor(data=t.to(torch.float32)).data, every))
for shape, dim in [((2, 8), 1), ((2, 8), 0), ((3, 5), 1), ((3, 5), 0)]:
    t = MXFP4Tensor(size=shape).random()
    packed = t.to_packed_tensor(dim)
    print(list(packed.shape), packed.dtype, torch.equal(t.unpack_packed_tensor(packed, dim, shape), t.data))
t.data = torch.tensor([[1, 2, 3]], dtype=torch.uint8)
print(t.to_packed_tensor(1).tolist())
s = MXScaleTensor(data=torch.tensor([1.0, 2.0, 0.75, 3.9, 0.0, -1.0, inf, nan, 2.0**-140]))
print(s.data.tolist(), s.to(torch.float32).tolist())
r = MXScaleTensor(size=(64,), device="cuda").random(low=2.0**-2, high=2.0**3)
print(r.data.dtype, r.data.min().item() >= 125, r.data.max().item() <= 130, r.data.is_cuda)
