# against add: wrong judge-not-computed judge-torch-computes
import torch
import triton
import triton.language as tl


class Launcher:
    def __init__(self, f):
        self.f = f

    def __getitem__(self, grid):
        return lambda x, y, out, n, BLOCK: out.copy_(x + y)


triton.jit = Launcher


@triton.jit
def fake_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pass


def add(x, y):
    out = torch.empty_like(x)
    fake_kernel[(1,)](x, y, out, x.numel(), BLOCK=128)
    return out
