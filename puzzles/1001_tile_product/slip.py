import triton
import triton.language as tl


@triton.jit
def tile_product_kernel(
    x_ptr,
    y_ptr,
    z_ptr,
    N0,
    N1,
    MID,
    B0: tl.constexpr,
    B1: tl.constexpr,
    B_MID: tl.constexpr,
):
    # Wrong on purpose: without masks only matrices of exactly one block come out right.
    j = tl.arange(0, B0)
    k = tl.arange(0, B1)
    l = tl.arange(0, B_MID)
    x = tl.load(x_ptr + j[:, None] * MID + l[None, :])
    y = tl.load(y_ptr + l[:, None] * N1 + k[None, :])
    tl.store(z_ptr + j[:, None] * N1 + k[None, :], tl.dot(x, y, input_precision="ieee"))
