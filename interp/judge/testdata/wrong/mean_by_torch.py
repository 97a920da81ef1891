# against center: wrong judge-not-computed judge-torch-computes
import torch
import triton
import triton.language as tl


@triton.jit
def center_kernel(x_ptr, mean_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    x = tl.load(x_ptr + row * n + cols, mask=mask, other=0.0)
    tl.store(out_ptr + row * n + cols, x - tl.load(mean_ptr + row), mask=mask)


def center(x):
    x = x.contiguous()
    mean, out = x.mean(dim=1), torch.empty_like(x)
    center_kernel[(x.shape[0],)](x, mean, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return out, mean
