import torch
import triton
import triton.language as tl


@triton.jit
def swap_pairs(x_ptr, y_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i)
    a, b = tl.split(tl.reshape(x, (N // 2, 2)))
    tl.store(y_ptr + i, tl.reshape(tl.join(b, a), (N,)))


@triton.jit
def interleave(a_ptr, b_ptr, y_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    y = tl.interleave(tl.load(a_ptr + i), tl.load(b_ptr + i))
    tl.store(y_ptr + tl.arange(0, 2 * N), y)


x = torch.arange(16, device="cuda", dtype=torch.int32)
y = torch.empty_like(x)
swap_pairs[(1,)](x, y, N=16)
print(y)
interleave[(1,)](x, x + 100, z := torch.empty(16, dtype=torch.int32, device="cuda"), N=8)
print(z)
