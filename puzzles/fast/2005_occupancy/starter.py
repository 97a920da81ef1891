import triton
import triton.language as tl


@triton.jit
def panel_kernel(
    x_ptr, z_ptr, N0, N1,
    B0: tl.constexpr, B1: tl.constexpr,
):
    # z[j, i] = x[i, j]. Right and coalesced,
    # but of tiles of 64 KiB a multiprocessor
    # has room for three.
    i = tl.program_id(1) * B1 + tl.arange(0, B1)
    j = tl.program_id(0) * B0 + tl.arange(0, B0)
    x = tl.load(
        x_ptr + i[:, None] * N0 + j[None, :],
        mask=(i[:, None] < N1) & (j[None, :] < N0),
    )
    tl.store(
        z_ptr + j[:, None] * N1 + i[None, :],
        tl.trans(x),
        mask=(j[:, None] < N0) & (i[None, :] < N1),
    )
