import triton
import triton.language as tl


@triton.jit
def add_kernel(
    x_ptr, z_ptr, N0, B0: tl.constexpr
):
    # z[i] = x[i] + 10, with i from 0 to N0 - 1.
    # One program, and its block is as long as x.
    i = tl.arange(0, B0)
    x = tl.load(x_ptr + i)
    # Left to do: add 10 to x,
    # and store the sum through z_ptr.
    