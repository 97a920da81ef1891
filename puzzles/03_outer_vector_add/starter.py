import triton
import triton.language as tl


@triton.jit
def add_vec_kernel(
    x_ptr, y_ptr, z_ptr, N0, N1,
    B0: tl.constexpr, B1: tl.constexpr,
):
    # z[j, i] = x[i] + y[j],
    # with i from 0 to N0 - 1, j from 0 to N1 - 1.
    # z is row-major:
    # z[j, i] is at z_ptr + j * N0 + i.
    # One program: B0 equals N0, B1 equals N1.
    i = tl.arange(0, B0)
    j = tl.arange(0, B1)
    # Your code:
    