import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    # Wrong on purpose: fast, because every second block is left out.
    i = tl.program_id(0) * 2 * B0 + tl.arange(0, B0)
    x = tl.load(x_ptr + i, mask=i < N0)
    tl.store(z_ptr + i, 2 * x, mask=i < N0)
