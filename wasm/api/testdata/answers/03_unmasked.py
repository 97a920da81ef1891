import triton
import triton.language as tl


@triton.jit
def add_vec_kernel(x_ptr, y_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.arange(0, B0)[None, :]
    j = tl.arange(0, B1)[:, None]
    z = tl.load(x_ptr + i) + tl.load(y_ptr + j)
    tl.store(z_ptr + j * N0 + i, z)
