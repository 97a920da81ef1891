# against argmax: wrong judge-wrong-values
# Where a whole row is negative, a lane behind it is the largest.
import torch
import triton
import triton.language as tl


@triton.jit
def argmax_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + cols, mask=cols < n, other=0.0)
    tl.store(out_ptr + row, tl.argmax(x, axis=0).to(tl.int64))


def argmax(x):
    out = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
    argmax_kernel[(x.shape[0],)](x.contiguous(), out, x.shape[1], BLOCK=2 * triton.next_power_of_2(x.shape[1]))
    return out
