import triton
import triton.language as tl


@triton.jit
def add_vec_kernel(x_ptr, y_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    # One lane for each element of z, in the order in which they lie in memory.
    k = tl.arange(0, B0 * B1)
    i = k % B0
    j = k // B0
    # Each element of x is loaded by B1 lanes, each element of y by B0.
    x = tl.load(x_ptr + i)
    y = tl.load(y_ptr + j)
    tl.store(z_ptr + j * N0 + i, x + y)
