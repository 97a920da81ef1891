import triton
import triton.language as tl


@triton.jit
def dot_kernel(
    x_ptr,
    y_ptr,
    z_ptr,
    N0,
    N1,
    N2,
    MID,
    B0: tl.constexpr,
    B1: tl.constexpr,
    B2: tl.constexpr,
    B_MID: tl.constexpr,
):
    row = (tl.program_id(0) * B0 + tl.arange(0, B0))[:, None]
    col = (tl.program_id(1) * B1 + tl.arange(0, B1))[None, :]
    mid = tl.arange(0, B_MID)

    # One matrix after the other, each with tiles of two dimensions.
    for b in tl.range(0, B2):
        batch = tl.program_id(2) * B2 + b
        x_tile = x_ptr + batch * N0 * MID + row * MID + mid[None, :]
        y_tile = y_ptr + batch * MID * N1 + mid[:, None] * N1 + col
        acc = tl.zeros([B0, B1], dtype=tl.float32)
        for start in tl.range(0, MID, B_MID):
            x_mask = (batch < N2) & (row < N0) & (start + mid[None, :] < MID)
            y_mask = (batch < N2) & (start + mid[:, None] < MID) & (col < N1)
            x = tl.load(x_tile, mask=x_mask, other=0.0)
            y = tl.load(y_tile, mask=y_mask, other=0.0)
            acc += tl.dot(x, y, input_precision="ieee")
            # The tiles slide on, instead of being computed anew from start.
            x_tile += B_MID
            y_tile += B_MID * N1

        z_mask = (batch < N2) & (row < N0) & (col < N1)
        tl.store(z_ptr + batch * N0 * N1 + row * N1 + col, acc, mask=z_mask)
