# against total: right
import torch
import triton
import triton.language as tl


@triton.jit
def total_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out_ptr, tl.sum(tl.load(x_ptr + offsets, mask=offsets < n, other=0.0), axis=0))


def total(x):
    out = torch.zeros((), dtype=x.dtype, device=x.device)
    total_kernel[(triton.cdiv(x.numel(), 128),)](x.contiguous(), out, x.numel(), BLOCK=128)
    return out
