# against rowsum: right
import torch
import triton
import triton.language as tl


@triton.jit
def rowsum_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + cols, mask=cols < n, other=0.0)
    tl.atomic_add(out_ptr + row, tl.sum(x, axis=0))


def rowsum(x):
    m, n = x.shape
    out = torch.zeros(m, dtype=x.dtype, device=x.device)
    rowsum_kernel[(m, max(1, triton.cdiv(n, 64)))](x.contiguous(), out, n, BLOCK=64)
    return out
