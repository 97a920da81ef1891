import triton
import triton.language as tl


@triton.jit
def mul_relu_block_kernel(x_ptr, y_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    j = tl.program_id(1) * B1 + tl.arange(0, B1)
    x = tl.load(x_ptr + i, mask=i < N0, other=0.0)[None, :]
    y = tl.load(y_ptr + j, mask=j < N1, other=0.0)[:, None]
    mask = (i[None, :] < N0) & (j[:, None] < N1)
    tl.store(z_ptr + j[:, None] * N0 + i[None, :], tl.maximum(x * y, 0.0), mask=mask)
