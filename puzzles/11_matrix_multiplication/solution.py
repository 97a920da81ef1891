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
    # Three axes throughout: which matrix, row, column.
    row = (tl.program_id(0) * B0 + tl.arange(0, B0))[None, :, None]
    col = (tl.program_id(1) * B1 + tl.arange(0, B1))[None, None, :]
    batch = (tl.program_id(2) * B2 + tl.arange(0, B2))[:, None, None]

    acc = tl.zeros([B2, B0, B1], dtype=tl.float32)
    for start in tl.range(0, MID, B_MID):
        mid = start + tl.arange(0, B_MID)
        x_mid = mid[None, None, :]
        y_mid = mid[None, :, None]
        x_mask = (batch < N2) & (row < N0) & (x_mid < MID)
        y_mask = (batch < N2) & (y_mid < MID) & (col < N1)
        x = tl.load(x_ptr + batch * N0 * MID + row * MID + x_mid, mask=x_mask, other=0.0)
        y = tl.load(y_ptr + batch * MID * N1 + y_mid * N1 + col, mask=y_mask, other=0.0)
        # "ieee" keeps all 24 bits of each factor; the GPU's default, tf32, keeps 11.
        acc += tl.dot(x, y, input_precision="ieee")

    z_mask = (batch < N2) & (row < N0) & (col < N1)
    tl.store(z_ptr + batch * N0 * N1 + row * N1 + col, acc, mask=z_mask)
