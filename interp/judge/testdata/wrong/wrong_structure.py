# against center: wrong judge-result-structure
import torch
import triton
import triton.language as tl


@triton.jit
def center_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    x = tl.load(x_ptr + row * n + cols, mask=mask, other=0.0)
    tl.store(out_ptr + row * n + cols, x - tl.sum(x, axis=0) / n, mask=mask)


def center(x):
    x = x.contiguous()
    out = torch.empty_like(x)
    center_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return out
