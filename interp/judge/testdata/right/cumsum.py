# against cumsum: right
import torch
import triton
import triton.language as tl


@triton.jit
def cumsum_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    before = 0.0
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
        tl.store(out_ptr + offsets, before + tl.cumsum(x, axis=0), mask=offsets < n)
        before += tl.sum(x, axis=0)


def cumsum(x):
    x = x.contiguous()
    out = torch.empty_like(x)
    cumsum_kernel[(1,)](x, out, x.numel(), BLOCK=64)
    return out
