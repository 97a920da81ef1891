import triton
import triton.language as tl


@triton.jit
def transpose_kernel(
    x_ptr, z_ptr, N0, N1,
    B0: tl.constexpr, B1: tl.constexpr,
):
    # z[j, i] = x[i, j]. Right, and slow:
    # the lanes read along a row of x,
    # and so write down a column of z.
    k = tl.arange(0, B1 * B0)
    i = tl.program_id(1) * B1 + k // B0
    j = tl.program_id(0) * B0 + k % B0
    mask = (i < N1) & (j < N0)
    x = tl.load(x_ptr + i * N0 + j, mask=mask)
    tl.store(z_ptr + j * N1 + i, x, mask=mask)
