# against scale: right
import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, out_ptr, n, factor, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, factor * tl.load(x_ptr + offsets, mask=mask), mask=mask)


def scale(x, factor):
    """The kernel writes to padded memory in float64; the result is a converted copy of a part of it."""
    n = x.numel()
    out = torch.empty(n + 16, dtype=torch.float64, device=x.device)
    scale_kernel[(triton.cdiv(n, 32),)](x.contiguous(), out, n, factor, BLOCK=32)
    return out[:n].float()
