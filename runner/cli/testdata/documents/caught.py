"""A launch that fails raises an exception, which a script can catch."""
import torch
import triton
import triton.language as tl


@triton.jit
def broken(x):
    tl.store(x, undefined_name)


@triton.jit
def outside(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, 1.0, mask=i < n)


x = torch.zeros(4, device="cuda")
try:
    broken[(1,)](x)
except triton.CompilationError as e:
    print(type(e).__name__, isinstance(e, triton.TritonError), e)
try:
    outside[(1,)](x, 8, B=8)
except RuntimeError as e:
    print(type(e).__name__, e)
try:
    outside[(1,)]([1.0], 8, B=8)
except TypeError as e:
    print(type(e).__name__, e)
try:
    torch.not_there(x)
except AttributeError as e:
    print(type(e).__name__, e)
try:
    import scipy
except ImportError as e:
    print(type(e).__name__, e)
print(hasattr(torch, "not_there"), getattr(torch, "not_there", None))


def step(size):
    outside[(1,)](x, size, B=8)


def run():
    for size in (4, 8):
        step(size)


run()
