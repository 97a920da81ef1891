# against total: right
import torch
import triton
import triton.language as tl


@triton.jit
def partial_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + pid, tl.sum(tl.load(x_ptr + offsets, mask=offsets < n, other=0.0), axis=0))


def total(x):
    x, n = x.contiguous(), x.numel()
    while True:
        blocks = triton.cdiv(n, 64)
        out = torch.empty(blocks, dtype=x.dtype, device=x.device)
        partial_kernel[(blocks,)](x, out, n, BLOCK=64)
        if blocks == 1:
            return out[0]
        x, n = out, blocks
