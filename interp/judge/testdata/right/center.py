# against center: right
import torch
import triton
import triton.language as tl


@triton.jit
def center_kernel(x_ptr, out_ptr, mean_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    x = tl.load(x_ptr + row * n + cols, mask=mask, other=0.0)
    mean = tl.sum(x, axis=0) / n
    tl.store(out_ptr + row * n + cols, x - mean, mask=mask)
    tl.store(mean_ptr + row, mean)


def center(x):
    x = x.contiguous()
    out, mean = torch.empty_like(x), torch.empty(x.shape[0], dtype=x.dtype, device=x.device)
    center_kernel[(x.shape[0],)](x, out, mean, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return out, mean
