# against add: wrong out-of-bounds-load out-of-bounds-store
import torch
import triton
import triton.language as tl


@triton.jit
def unmasked_kernel(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets) + tl.load(y_ptr + offsets))


def add(x, y):
    out = torch.empty(x.shape, device=x.device)
    unmasked_kernel[(triton.cdiv(x.numel(), 64),)](x.contiguous(), y.contiguous(), out, BLOCK=64)
    return out
