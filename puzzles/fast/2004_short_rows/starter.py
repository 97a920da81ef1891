import triton
import triton.language as tl


@triton.jit
def short_rows_kernel(
    x_ptr, z_ptr, N0, T,
    B0: tl.constexpr, B1: tl.constexpr,
):
    # z[i] = the sum of row i. Right, and slow:
    # one row at a time, and of the B1 lanes
    # at most 16 have an element.
    j = tl.arange(0, B1)
    for k in range(B0):
        i = tl.program_id(0) * B0 + k
        mask = (i < N0) & (j < T)
        x = tl.load(x_ptr + i * T + j, mask=mask, other=0.0)
        tl.store(z_ptr + i, tl.sum(x, axis=0), mask=i < N0)
