# against rowmax: wrong judge-wrong-values
import torch
import triton
import triton.language as tl


@triton.jit
def rowmax_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    top = 0.0
    for start in range(0, n, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + cols, mask=cols < n, other=float("-inf"))
        top = tl.maximum(top, tl.max(x, axis=0))
    tl.store(out_ptr + row, top)


def rowmax(x):
    out = torch.empty(x.shape[0], device=x.device)
    rowmax_kernel[(x.shape[0],)](x.contiguous(), out, x.shape[1], BLOCK=64)
    return out
