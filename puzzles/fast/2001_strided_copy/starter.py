import triton
import triton.language as tl


@triton.jit
def copy_kernel(
    x_ptr, z_ptr, N0, B0: tl.constexpr
):
    # z[i] = 2 * x[i]. Right, and slow:
    # lane k of every program is a whole grid
    # away from lane k + 1.
    pid = tl.program_id(0)
    i = pid + tl.arange(0, B0) * tl.num_programs(0)
    x = tl.load(x_ptr + i, mask=i < N0)
    tl.store(z_ptr + i, 2 * x, mask=i < N0)
