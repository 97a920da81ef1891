# against transpose: wrong judge-wrong-strided
import torch
import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x_ptr, out_ptr, m, n, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    x = tl.load(x_ptr + rows[:, None] * n + cols[None, :], mask=mask)
    tl.store(out_ptr + cols[None, :] * m + rows[:, None], x, mask=mask)


def transpose(x):
    m, n = x.shape
    out = torch.empty((n, m), device=x.device)
    transpose_kernel[(triton.cdiv(m, 16), triton.cdiv(n, 16))](x, out, m, n, BLOCK=16)
    return out
