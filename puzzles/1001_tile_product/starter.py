import triton
import triton.language as tl


@triton.jit
def tile_product_kernel(
    x_ptr, y_ptr, z_ptr, N0, N1, MID,
    B0: tl.constexpr, B1: tl.constexpr,
    B_MID: tl.constexpr,
):
    # z[j, k] = the sum over l of x[j, l] * y[l, k].
    # One program; each matrix fits into a block.
    j = tl.arange(0, B0)
    k = tl.arange(0, B1)
    l = tl.arange(0, B_MID)
    # Your code:
    