import math

import triton
import triton.language as tl

W = 16
F = 1.5
WC = tl.constexpr(16)


def plain(a):
    return a + 1


@triton.jit
def addh(a, b):
    return a + b


@triton.jit
def shaped(N: tl.constexpr):
    return tl.arange(0, N)


