# against rowsum: wrong out-of-bounds-load
# The lanes behind a row are loaded, and then not used.
import torch
import triton
import triton.language as tl


@triton.jit
def rowsum_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    for start in range(0, n, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + cols)
        total += tl.sum(tl.where(cols < n, x, 0.0), axis=0)
    tl.store(out_ptr + row, total)


def rowsum(x):
    out = torch.empty(x.shape[0], device=x.device)
    rowsum_kernel[(x.shape[0],)](x.contiguous(), out, x.shape[1], BLOCK=64)
    return out
