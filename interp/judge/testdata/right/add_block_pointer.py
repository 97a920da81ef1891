# against add: right
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, stride_x, stride_y, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    x = tl.make_block_ptr(x_ptr, (n,), (stride_x,), (start,), (BLOCK,), (0,))
    y = tl.make_block_ptr(y_ptr, (n,), (stride_y,), (start,), (BLOCK,), (0,))
    out = tl.make_block_ptr(out_ptr, (n,), (1,), (start,), (BLOCK,), (0,))
    tl.store(out, tl.load(x, boundary_check=(0,)) + tl.load(y, boundary_check=(0,)), boundary_check=(0,))


def add(x, y):
    n = x.numel()
    out = torch.empty(n, dtype=x.dtype, device=x.device)
    add_kernel[(triton.cdiv(n, 64),)](x, y, out, n, x.stride(0), y.stride(0), BLOCK=64)
    return out
