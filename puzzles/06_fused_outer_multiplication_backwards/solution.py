import triton
import triton.language as tl


@triton.jit
def mul_relu_block_back_kernel(
    x_ptr, y_ptr, dz_ptr, dx_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr
):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    j = tl.program_id(1) * B1 + tl.arange(0, B1)
    mask = (j[:, None] < N1) & (i[None, :] < N0)
    # x, dz and dx have the same shape, so one tile of offsets serves all three.
    tile = j[:, None] * N0 + i[None, :]
    x = tl.load(x_ptr + tile, mask=mask)
    dz = tl.load(dz_ptr + tile, mask=mask)
    y = tl.load(y_ptr + j, mask=j < N1)[:, None]
    # relu lets the gradient through where its argument was positive; the product adds a factor y.
    dx = tl.where(x * y > 0, y * dz, 0.0)
    tl.store(dx_ptr + tile, dx, mask=mask)
