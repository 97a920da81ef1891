# against add: wrong judge-not-computed judge-torch-computes
# The kernel writes to memory that nobody reads.
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)


def launch(x, y, out):
    add_kernel[(triton.cdiv(x.numel(), 128),)](x.contiguous(), y.contiguous(), out, x.numel(), BLOCK=128)
    return out


def add(x, y):
    launch(x, y, torch.empty(x.shape, device=x.device))
    return x + y
