import triton
import triton.language as tl


@triton.jit
def order_kernel(
    x_ptr, y_ptr, z_ptr, N0, N1, MID,
    B0: tl.constexpr, B1: tl.constexpr,
    B_MID: tl.constexpr,
):
    # z = x @ y, a tile of z per program.
    # Right, and slow: which tiles do programs
    # compute that run at the same time?
    pid = tl.program_id(0)
    columns = tl.cdiv(N1, B1)
    row = pid // columns
    column = pid % columns
    i = row * B0 + tl.arange(0, B0)
    j = column * B1 + tl.arange(0, B1)
    acc = tl.zeros([B0, B1], dtype=tl.float32)
    for start in range(0, MID, B_MID):
        k = start + tl.arange(0, B_MID)
        x = tl.load(
            x_ptr + i[:, None] * MID + k[None, :],
            mask=(i[:, None] < N0) & (k[None, :] < MID),
            other=0.0,
        )
        y = tl.load(
            y_ptr + k[:, None] * N1 + j[None, :],
            mask=(k[:, None] < MID) & (j[None, :] < N1),
            other=0.0,
        )
        acc = tl.dot(x, y, acc)
    tl.store(
        z_ptr + i[:, None] * N1 + j[None, :], acc,
        mask=(i[:, None] < N0) & (j[None, :] < N1),
    )
