import triton
import triton.language as tl


@triton.jit
def panel_kernel(x_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    # Tiles of 32 x 32, one after the other, in the same 4 KiB of shared memory.
    for row in range(0, B1, 32):
        for column in range(0, B0, 32):
            i = tl.program_id(1) * B1 + row + tl.arange(0, 32)
            j = tl.program_id(0) * B0 + column + tl.arange(0, 32)
            x = tl.load(x_ptr + i[:, None] * N0 + j[None, :], mask=(i[:, None] < N1) & (j[None, :] < N0))
            z_mask = (j[:, None] < N0) & (i[None, :] < N1)
            tl.store(z_ptr + j[:, None] * N1 + i[None, :], tl.trans(x), mask=z_mask)
