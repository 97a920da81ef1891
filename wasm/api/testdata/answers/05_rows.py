import triton
import triton.language as tl


@triton.jit
def mul_relu_block_kernel(x_ptr, y_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    x = tl.load(x_ptr + i, mask=i < N0)
    for r in tl.range(0, B1):
        j = tl.program_id(1) * B1 + r
        if j < N1:
            xy = x * tl.load(y_ptr + j)
            tl.store(z_ptr + j * N0 + i, tl.where(xy > 0, xy, 0), mask=i < N0)
