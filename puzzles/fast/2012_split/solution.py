import triton
import triton.language as tl


@triton.jit
def split_kernel(
    x_ptr, y_ptr, z_ptr, N0, N1, MID, B0: tl.constexpr, B1: tl.constexpr, B_MID: tl.constexpr
):
    i = tl.arange(0, B0)
    j = tl.arange(0, B1)
    # Each program has a slab of the inner dimension, and adds its part of the product to z.
    k = tl.program_id(0) * B_MID + tl.arange(0, B_MID)
    x_mask = (i[:, None] < N0) & (k[None, :] < MID)
    y_mask = (k[:, None] < MID) & (j[None, :] < N1)
    x = tl.load(x_ptr + i[:, None] * MID + k[None, :], mask=x_mask, other=0.0)
    y = tl.load(y_ptr + k[:, None] * N1 + j[None, :], mask=y_mask, other=0.0)
    mask = (i[:, None] < N0) & (j[None, :] < N1)
    tl.atomic_add(z_ptr + i[:, None] * N1 + j[None, :], tl.dot(x, y), mask=mask)
