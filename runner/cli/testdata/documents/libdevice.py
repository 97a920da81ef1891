"""libdevice under its import paths, in a kernel and as names of the module."""
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

try:
    from triton.language.extra.libdevice import tanh as triton_tanh
except ModuleNotFoundError:
    from triton.language.extra.cuda.libdevice import tanh as triton_tanh

fast_tanh = libdevice.tanh
triton_pow = tl.extra.cuda.libdevice.pow


@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    a = triton_tanh(v) + fast_tanh(v) + libdevice.round(v) + triton_pow(v, 2) + triton_pow(v, 2.0) + tl.extra.libdevice.rint(v)
    b = tl.where(libdevice.isnan(v), 0.0, a)
    c = triton_pow(v.to(tl.float16), 2.0)
    tl.store(z + i, b + c + libdevice.llrint(v))


x = torch.arange(8, dtype=torch.float32, device="cuda")
z = torch.zeros(8, device="cuda")
k[(1,)](x, z, N=8)
print(z)
print(2 * torch.tanh(x) + torch.round(x) * 3 + 3 * x * x)
