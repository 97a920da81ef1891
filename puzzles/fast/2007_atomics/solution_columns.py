import triton
import triton.language as tl


@triton.jit
def norm_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    x = tl.load(x_ptr + i, mask=i < N0, other=0.0)
    # Added up down the columns of a tile: 32 sums of each program are left for atomics.
    columns = tl.sum(tl.reshape(x * x, (B0 // 32, 32)), axis=0)
    tl.atomic_add(z_ptr + tl.arange(0, 32) * 0, columns)
