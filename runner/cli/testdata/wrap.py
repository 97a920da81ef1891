import torch
import triton
import triton.language as tl


@triton.jit
def rows(x, stride, n, B: tl.constexpr):
    cols = tl.arange(0, B)
    at = tl.program_id(0) * stride + cols
    tl.store(x + at, 1.0, mask=at < n)


@triton.jit
def gather(x, index, stride, B: tl.constexpr):
    at = tl.load(index + tl.arange(0, B)) * stride
    tl.store(x + at, 1.0, mask=at < 64)


x = torch.zeros(64, device="cuda")
index = torch.arange(16, dtype=torch.int32, device="cuda")
rows[(4,)](x, 16, 64, 16)
gather[(1,)](x, index, 4, 16)
try:
    rows[(8,)](x, 400_000_000, 64, 16)
except RuntimeError as e:
    print(e)
try:
    gather[(1,)](x, index, 400_000_000, 16)
except RuntimeError as e:
    print(e)
