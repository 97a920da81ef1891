import triton
import triton.language as tl


@triton.jit
def mul_relu_block_kernel(x_ptr, y_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    j = tl.program_id(1) * B1 + tl.arange(0, B1)
    x = tl.load(x_ptr + i, mask=i < N0)
    y = tl.load(y_ptr + j, mask=j < N1)
    # relu is the larger of the product and 0: one operation, and nothing to choose between.
    z = tl.maximum(x[None, :] * y[:, None], 0.0)
    mask = (j[:, None] < N1) & (i[None, :] < N0)
    tl.store(z_ptr + j[:, None] * N0 + i[None, :], z, mask=mask)
