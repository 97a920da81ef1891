# against add: wrong loop-budget
import torch
import triton
import triton.language as tl


@triton.jit
def endless_kernel(x_ptr):
    i = 0
    while i < 10:
        i = i - i
    tl.store(x_ptr, 1.0)


def add(x, y):
    out = torch.empty_like(x)
    endless_kernel[(1,)](out)
    return out
