# against cumsum: wrong judge-wrong-values
import torch
import triton
import triton.language as tl


@triton.jit
def cumsum_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(out_ptr + offsets, tl.cumsum(x, axis=0), mask=offsets < n)


def cumsum(x):
    out = torch.empty(x.shape, device=x.device)
    cumsum_kernel[(triton.cdiv(x.numel(), 64),)](x.contiguous(), out, x.numel(), BLOCK=64)
    return out
