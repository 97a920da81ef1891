# against add: wrong judge-not-computed judge-torch-computes
# The kernel has the output, but its mask leaves out every lane.
import torch
import triton
import triton.language as tl


@triton.jit
def show_kernel(out_ptr, BLOCK: tl.constexpr):
    tl.store(out_ptr + tl.arange(0, BLOCK), tl.zeros((BLOCK,), tl.float32), mask=tl.arange(0, BLOCK) < 0)


def add(x, y):
    out = x.clone()
    out += y
    show_kernel[(1,)](out, BLOCK=16)
    return out
