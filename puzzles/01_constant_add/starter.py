import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    # z[i] = x[i] + 10 for every i from 0 to N0 - 1.
    # There is one program, and its block is as long as x: B0 equals N0.
    i = tl.arange(0, B0)
    x = tl.load(x_ptr + i)
    # Two things are left: add 10 to x, and store the sum through z_ptr.
