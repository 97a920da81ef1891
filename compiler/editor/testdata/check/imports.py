# What other modules provide is unknown, and so is what is computed from it.
import math

import torch
import triton
import triton.language as tl
from torch.nn import functional as F

import my_extension as tle
from . import swizzles
from .op import exp, load_tile
from .constants import LOG2E
from ..utils import device_name

if device_name == "other":
    from .other import rsqrt
else:
    rsqrt = tl.rsqrt

if torch.cuda.is_available():

    @triton.jit
    def twice(x, times=2):
        return x * times

else:

    def twice(*args):
        raise RuntimeError("no device")


LN2 = tl.constexpr(math.log(2.0))


@triton.jit
def softplus(x, z, n, B: tl.constexpr):
    pid = tle.program_id(0)
    i = swizzles.order(pid, n) * B + tl.arange(0, B)
    v = exp(tl.load(x + i, mask=i < n)) * LOG2E
    w = load_tile(x, i, [0, 1])
    tl.store(z + i, rsqrt(v + w[0].sum() + LN2), mask=i < n)
    if v.shape[0] > tle.limit:
        tl.store(z, tle.max(v))


@triton.jit
def with_stub(x, z):
    tl.store(z, twice(tl.load(x), times=3))


@triton.jit
def by_unknown(x, z):
    if tle.width(x) == 8:
        t = tl.int8
    elif tle.width(x) == 16:
        t = tl.int16
    else:
        raise ValueError("no such width")
    tl.store(z, tl.load(x).to(t))


@triton.jit
def dtype_of_host(x, z, T: tl.constexpr):
    if T == torch.float16:
        tl.store(z, tl.load(x))


@triton.jit
def host_functions(x, z, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(z + i, torch.exp(v))  # error: module-in-kernel "`torch.exp` cannot"
    tl.store(z + i, F.relu(v))  # error: module-in-kernel "`F.relu` cannot"
    tl.store(z + i, tl.exq(v))  # error: unknown-name "`tl` has no `exq`"
