import triton
import triton.language as tl


@triton.jit
def add_vec_kernel(x_ptr, y_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.arange(0, B0)
    j = tl.arange(0, B1)
    x = tl.load(x_ptr + i, i < N0)
    y = tl.load(y_ptr + j, j < N1)
    z = x[None, :] + y[:, None]
    tl.store(z_ptr + (j[:, None] * B0 + i[None, :]), z, (i < N0)[None, :] & (j < N1)[:, None])
