import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    # Wrong on purpose: fast, because the tile is stored as it lies in x.
    i = tl.program_id(1) * B1 + tl.arange(0, B1)
    j = tl.program_id(0) * B0 + tl.arange(0, B0)
    inside = (i[:, None] < N1) & (j[None, :] < N0)
    at = i[:, None] * N0 + j[None, :]
    tl.store(z_ptr + at, tl.load(x_ptr + at, mask=inside), mask=inside)
