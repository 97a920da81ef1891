import triton
import triton.language as tl


@triton.jit
def row_max_kernel(x_ptr, z_ptr, N0, T, B1: tl.constexpr):
    # Wrong on purpose: where all elements of a row are negative, a 0 past its end is the largest.
    i = tl.program_id(0)
    j = tl.arange(0, B1)
    x = tl.load(x_ptr + i * T + j, mask=j < T, other=0.0)
    tl.store(z_ptr + i, tl.max(x, axis=0))
