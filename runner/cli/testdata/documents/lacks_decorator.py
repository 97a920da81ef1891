"""A decorator that newt does not have is named."""
import triton
import triton.language as tl
from triton.runtime.jit import jit


@jit
def known(x):
    tl.store(x, 1.0)


@triton.experimental.traced
@triton.jit
def unknown(x):
    tl.store(x, 1.0)
