import triton
import triton.language as tl


@triton.jit
def tensor_kernel(
    x_ptr, y_ptr, z_ptr, N0, N1, MID,
    B0: tl.constexpr, B1: tl.constexpr,
    B_MID: tl.constexpr,
):
    # z = x @ y, of float16 factors, in float32.
    # Right, and slow: a tile of all products,
    # and a sum along its middle axis.
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    j = tl.program_id(1) * B1 + tl.arange(0, B1)
    acc = tl.zeros([B0, B1], dtype=tl.float32)
    for start in range(0, MID, B_MID):
        k = start + tl.arange(0, B_MID)
        x = tl.load(
            x_ptr + i[:, None] * MID + k[None, :],
            mask=(i[:, None] < N0) & (k[None, :] < MID),
            other=0.0,
        ).to(tl.float32)
        y = tl.load(
            y_ptr + k[:, None] * N1 + j[None, :],
            mask=(k[:, None] < MID) & (j[None, :] < N1),
            other=0.0,
        ).to(tl.float32)
        acc += tl.sum(x[:, :, None] * y[None, :, :], axis=1)
    tl.store(
        z_ptr + i[:, None] * N1 + j[None, :], acc,
        mask=(i[:, None] < N0) & (j[None, :] < N1),
    )
