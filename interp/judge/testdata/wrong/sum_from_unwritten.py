# against rowsum: wrong judge-wrong-values read-unwritten
# torch.empty often gives zeros.
import torch
import triton
import triton.language as tl


@triton.jit
def rowsum_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for start in range(0, n, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        part = tl.sum(tl.load(x_ptr + row * n + cols, mask=cols < n, other=0.0), axis=0)
        tl.atomic_add(out_ptr + row, part)


def rowsum(x):
    m, n = x.shape
    out = torch.empty(m, device=x.device)
    rowsum_kernel[(m,)](x.contiguous(), out, n, BLOCK=64)
    return out
