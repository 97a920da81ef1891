import torch
import triton
import triton.language as tl


@triton.jit
def every_other(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y + i, tl.load(x + 2 * i))


@triton.jit
def count(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.atomic_add(y + i % 32, tl.load(x + i))


@triton.jit
def turn(x, y, N: tl.constexpr):
    m = tl.arange(0, N)
    tl.store(y + m[:, None] * N + m[None, :], tl.trans(tl.load(x + m[:, None] * N + m[None, :])))


x = torch.ones(2048, device="cuda")
y = torch.zeros(1024, device="cuda")
every_other[(1,)](x, y, B=1024)
count[(1,)](x, y, B=1024)
b = torch.zeros(64, 64, device="cuda", dtype=torch.int8)
turn[(1,)](b, torch.empty_like(b), N=64)
