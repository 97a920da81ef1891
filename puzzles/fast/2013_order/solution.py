import triton
import triton.language as tl


@triton.jit
def order_kernel(
    x_ptr, y_ptr, z_ptr, N0, N1, MID, B0: tl.constexpr, B1: tl.constexpr, B_MID: tl.constexpr
):
    pid = tl.program_id(0)
    rows = tl.cdiv(N0, B0)
    columns = tl.cdiv(N1, B1)
    # Bands of four rows of tiles, each from left to right: sixteen programs in a row take a square of 4 × 4 tiles, which
    # share four strips of x and four of y. The last band may be lower.
    first = pid // (4 * columns) * 4
    height = tl.minimum(rows - first, 4)
    within = pid % (4 * columns)
    row = first + within % height
    column = within // height
    i = row * B0 + tl.arange(0, B0)
    j = column * B1 + tl.arange(0, B1)
    acc = tl.zeros([B0, B1], dtype=tl.float32)
    for start in range(0, MID, B_MID):
        k = start + tl.arange(0, B_MID)
        x_mask = (i[:, None] < N0) & (k[None, :] < MID)
        y_mask = (k[:, None] < MID) & (j[None, :] < N1)
        x = tl.load(x_ptr + i[:, None] * MID + k[None, :], mask=x_mask, other=0.0)
        y = tl.load(y_ptr + k[:, None] * N1 + j[None, :], mask=y_mask, other=0.0)
        acc = tl.dot(x, y, acc)
    mask = (i[:, None] < N0) & (j[None, :] < N1)
    tl.store(z_ptr + i[:, None] * N1 + j[None, :], acc, mask=mask)
