import triton
import triton.language as tl


@triton.jit
def add_vec_block_kernel(x_ptr, y_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    pid_0 = tl.program_id(0)
    pid_1 = tl.program_id(1)
    i = tl.arange(0, B0) + B0 * pid_0
    j = tl.arange(0, B1) + B1 * pid_1
    x = tl.load(x_ptr + tl.minimum(i, N0 - 1))
    y = tl.load(y_ptr + tl.minimum(j, N1 - 1))
    inside = (i < N0)[None, :] & (j < N1)[:, None]
    tl.store(z_ptr + i[None, :] + j[:, None] * N0, x[None, :] + y[:, None], mask=inside)
