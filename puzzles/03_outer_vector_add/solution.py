import triton
import triton.language as tl


@triton.jit
def add_vec_kernel(x_ptr, y_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.arange(0, B0)
    j = tl.arange(0, B1)
    x = tl.load(x_ptr + i)
    y = tl.load(y_ptr + j)
    # x lies along the columns [1, B0], y along the rows [B1, 1]; the sum is [B1, B0].
    z = x[None, :] + y[:, None]
    tl.store(z_ptr + j[:, None] * N0 + i[None, :], z)
