import triton
import triton.language as tl


@triton.jit
def mul_relu_block_back_kernel(
    x_ptr, y_ptr, dz_ptr, dx_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr
):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    first = tl.program_id(1) * B1
    # One row of the tile after the other. Along a row y is a single number.
    for j in tl.range(first, tl.minimum(first + B1, N1)):
        y = tl.load(y_ptr + j)
        x = tl.load(x_ptr + j * N0 + i, mask=i < N0)
        dz = tl.load(dz_ptr + j * N0 + i, mask=i < N0)
        tl.store(dx_ptr + j * N0 + i, tl.where(x * y > 0, y * dz, 0.0), mask=i < N0)
