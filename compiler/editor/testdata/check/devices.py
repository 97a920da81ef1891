# Functions for kernels to call are not judged as kernels.
import triton
import triton.language as tl


@triton.jit
def silu(x):
    return x * tl.sigmoid(x)


@triton.jit
def rows_of(tile):
    return tl.sum(tile, axis=1)[:, None]


@triton.jit
def pair(*values):
    return values[0], values[1]


@triton.jit
def add_up(a, b):
    return a + b


@triton.jit
def total(x_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(z_ptr, tl.reduce(tl.load(x_ptr + i), 0, add_up))


@triton.jit
def unused_helper(x):
    y = tl.sigmod(x)  # error: unknown-name "`tl` has no `sigmod`"
    return y


@triton.jit
def launched(x_ptr, n):
    return tl.load(x_ptr)  # error: kernel-returns "return a value"


def run(x):
    launched[(1,)](x, 1)
