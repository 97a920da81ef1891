import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    # Pieces of 4 rows and 16 columns: a warp writes 4 neighbors of each row of z, half a sector.
    k = tl.arange(0, B1 * B0)
    piece = k // 64
    i = tl.program_id(1) * B1 + piece // (B0 // 16) * 4 + k % 64 // 16
    j = tl.program_id(0) * B0 + piece % (B0 // 16) * 16 + k % 16
    mask = (i < N1) & (j < N0)
    x = tl.load(x_ptr + i * N0 + j, mask=mask)
    tl.store(z_ptr + j * N1 + i, x, mask=mask)
