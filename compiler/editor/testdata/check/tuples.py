# Classes of tuples with names are known from the text alone.
from collections import namedtuple
from typing import NamedTuple

import triton
import triton.language as tl


class View(NamedTuple):
    ptr: any
    shape: tuple
    stride: int = 1


Pair = namedtuple("Pair", ["low", "high"])


@triton.jit
def element(view, i):
    return tl.load(view.ptr + i * view.stride)


@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = View(x, shape=(n,))
    p = Pair(1, high=n)
    tl.store(out + i, element(v, i) + p.low, mask=i < v.shape[0])
    tl.store(out, v.strides)  # error: no-field "View has no field `strides`"
    q = Pair(1)  # error: missing-argument "high"
    w = View(x, (n,), step=2)  # error: unknown-keyword "step"
