import torch
import triton
import triton.language as tl

kernels = []


def case(fn):
    kernels.append(triton.jit(fn))
    return kernels[-1]


@case
def block_in_if(x_ptr, n):
    if tl.arange(0, 4) < n:
        tl.store(x_ptr, 1.0)


@case
def wrong_keyword(x_ptr, n):
    tl.store(x_ptr, tl.load(x_ptr, msk=True))


@case
def no_such_op(x_ptr, n):
    tl.store(x_ptr, tl.foo(n))


@case
def small_dot(x_ptr, n):
    a = tl.load(x_ptr + tl.arange(0, 8)[:, None] * 8 + tl.arange(0, 8)[None, :])
    tl.store(x_ptr, tl.sum(tl.dot(a, a)))


@case
def load_value(x_ptr, n):
    tl.store(x_ptr, tl.load(n))


@case
def store_shape(x_ptr, n):
    tl.store(x_ptr + tl.arange(0, 4), tl.arange(0, 8))


@case
def float_index(x_ptr, n):
    tl.store(x_ptr + 1.5, 1.0)


x = torch.zeros(64, device="cuda")
for kernel in kernels:
    try:
        kernel[(1,)](x, 7)
        print(kernel.__name__, "compiled")
    except Exception as e:
        print(f"{kernel.__name__}: {type(e).__name__}: {str(e).splitlines()[-1]}")
