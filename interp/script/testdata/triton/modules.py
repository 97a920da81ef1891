# Kernels use names under the modules of Triton that define them, functions that run while they are compiled, and
# recursion on constexprs.
import torch
import triton
import triton.language as tl
import triton.language.core as core
from triton.language import random, standard
from triton.language.core import CONSTEXPR_0, float32
from triton.language.extra.cuda import gdc_wait
from triton.language.random import uint_to_uniform_float
from triton.language.standard import _log2

log2 = tl.standard._log2
combine = standard._sum_combine


@triton.constexpr_function
def bits(n):
    count = 0
    while n > 0:
        n >>= 1
        count += 1
    return count


@tl.constexpr
def accumulator(dtype):
    if dtype.is_int():
        return tl.int64
    return tl.float32


@triton.jit
def power(x, n: tl.constexpr):
    if n == 0:
        return x * 0 + 1
    return power(x, n - 1) * x


@triton.jit
def kernel(x, out, BLOCK: tl.constexpr, first: tl.constexpr = CONSTEXPR_0):
    gdc_wait()
    i = core.arange(first, BLOCK)
    v = core.load(x + i)
    t: tl.constexpr = accumulator(v.dtype)
    tl.store(out, _log2(BLOCK) + log2(BLOCK) * 10 + bits(BLOCK) * 100)
    tl.store(out + 1, tl.reduce(v.to(t), 0, combine))
    tl.store(out + 2, power(tl.load(x + 3), 4))
    u = uint_to_uniform_float(random.randint(7, i))
    tl.store(out + 3, tl.sum((u == tl.rand(7, i)).to(core.get_int_dtype(32, True))))


x, out = torch.arange(8, dtype=torch.int32), torch.zeros(4)
kernel[(1,)](x, out, 8)
print(out)
print(float32, tl.core.int8, bits(9), tl.TRITON_MAX_TENSOR_NUMEL // 2)
