# against add: wrong operator-unsupported
import torch
import triton
import triton.language as tl


@triton.jit
def broken_kernel(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), tl.arange(0, BLOCK) @ 3)


def add(x, y):
    out = torch.empty_like(x)
    broken_kernel[(1,)](out, BLOCK=16)
    return out
