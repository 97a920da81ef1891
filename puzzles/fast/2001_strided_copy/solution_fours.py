import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    # Four neighbors, then a jump to the next four of this program: half of each sector is used.
    k = tl.arange(0, B0)
    i = (tl.program_id(0) + k // 4 * tl.num_programs(0)) * 4 + k % 4
    x = tl.load(x_ptr + i, mask=i < N0)
    tl.store(z_ptr + i, 2 * x, mask=i < N0)
