import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.program_id(1) * B1 + tl.arange(0, B1)
    j = tl.program_id(0) * B0 + tl.arange(0, B0)
    inside = (i[:, None] < N1) & (j[None, :] < N0)
    x = tl.load(x_ptr + i[:, None] * N0 + j[None, :], mask=inside)
    # Between two layouts of a tile lies shared memory: lanes hand over what they have read to those that write it.
    z_mask = (j[:, None] < N0) & (i[None, :] < N1)
    tl.store(z_ptr + j[:, None] * N1 + i[None, :], tl.trans(x), mask=z_mask)
