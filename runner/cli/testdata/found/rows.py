import torch
import triton
import triton.language as tl


@triton.jit
def total(x_ptr, out_ptr, rows, cols, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):
    r = tl.program_id(0) * BLOCK_R + tl.arange(0, BLOCK_R)
    c = tl.arange(0, BLOCK_C)
    # The mask ends the columns, and nothing ends the rows.
    x = tl.load(x_ptr + r[:, None] * cols + c, mask=c < cols, other=0.0)  # error: out-of-bounds-load
    tl.store(out_ptr + r, tl.sum(x, axis=1), mask=r < rows)


x = torch.ones(3, 5, device="cuda")
out = torch.empty(3, device="cuda")
total[(1,)](x, out, 3, 5, BLOCK_R=4, BLOCK_C=8)
