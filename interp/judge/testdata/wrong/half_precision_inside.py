# against add: wrong judge-wrong-values
import torch
import triton
import triton.language as tl


@triton.jit
def half_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float16)
    y = tl.load(y_ptr + offsets, mask=mask).to(tl.float16)
    tl.store(out_ptr + offsets, (x + y).to(tl.float32), mask=mask)


def add(x, y):
    out = torch.empty(x.shape, device=x.device)
    half_kernel[(triton.cdiv(x.numel(), 128),)](x.contiguous(), y.contiguous(), out, x.numel(), BLOCK=128)
    return out
