"""A launch fails only for what it reaches."""
import torch
import triton
import triton.language as tl


def never_called():
    return undefined_elsewhere + 1


@triton.jit
def never_launched(x):
    tl.store(x, also_undefined)


@triton.jit
def fill(x, n, KIND: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    if KIND == "one":
        tl.store(x + i, 1.0, mask=i < n)
    else:
        tl.store(x + i, undefined_in_a_branch, mask=i < n)


x = torch.zeros(4, device="cuda")
fill[(1,)](x, 4, "one", B=4)
print(x)
