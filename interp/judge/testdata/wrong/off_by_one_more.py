# against add: wrong out-of-bounds-load out-of-bounds-store
import torch
import triton
import triton.language as tl


@triton.jit
def long_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets <= n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)


def add(x, y):
    out = torch.empty(x.shape, device=x.device)
    long_kernel[(triton.cdiv(x.numel(), 64),)](x.contiguous(), y.contiguous(), out, x.numel(), BLOCK=64)
    return out
