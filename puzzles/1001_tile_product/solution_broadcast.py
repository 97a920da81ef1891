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
    j = tl.arange(0, B0)
    k = tl.arange(0, B1)
    l = tl.arange(0, B_MID)
    x_mask = (j[:, None] < N0) & (l[None, :] < MID)
    y_mask = (l[:, None] < MID) & (k[None, :] < N1)
    x = tl.load(x_ptr + j[:, None] * MID + l[None, :], mask=x_mask, other=0.0)
    y = tl.load(y_ptr + l[:, None] * N1 + k[None, :], mask=y_mask, other=0.0)
    # [B0, B_MID, 1] times [1, B_MID, B1], all products at once, then their sums along l.
    z = tl.sum(x[:, :, None] * y[None, :, :], axis=1)
    tl.store(z_ptr + j[:, None] * N1 + k[None, :], z, mask=(j[:, None] < N0) & (k[None, :] < N1))
