# against rowsum: right
import torch
import triton
import triton.language as tl


@triton.jit
def rowsum_kernel(x_ptr, out_ptr, m, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS, BLOCK), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        mask = (rows[:, None] < m) & (cols[None, :] < n)
        total += tl.load(x_ptr + rows[:, None] * n + cols[None, :], mask=mask, other=0.0)
    tl.store(out_ptr + rows, tl.sum(total, axis=1), mask=rows < m)


def rowsum(x):
    m, n = x.shape
    out = torch.empty(m, dtype=x.dtype, device=x.device)
    rowsum_kernel[(triton.cdiv(m, 4),)](x.contiguous(), out, m, n, ROWS=4, BLOCK=32)
    return out
