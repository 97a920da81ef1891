# against total: right
# The sums of blocks are left to torch: few elements next to those of the input.
import torch
import triton
import triton.language as tl


@triton.jit
def partial_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + pid, tl.sum(tl.load(x_ptr + offsets, mask=offsets < n, other=0.0), axis=0))


def total(x):
    blocks = triton.cdiv(x.numel(), 256)
    out = torch.empty(blocks, dtype=x.dtype, device=x.device)
    partial_kernel[(blocks,)](x.contiguous(), out, x.numel(), BLOCK=256)
    return out.sum()
