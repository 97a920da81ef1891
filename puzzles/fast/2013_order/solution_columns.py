import triton
import triton.language as tl


@triton.jit
def order_kernel(
    x_ptr, y_ptr, z_ptr, N0, N1, MID, B0: tl.constexpr, B1: tl.constexpr, B_MID: tl.constexpr
):
    pid = tl.program_id(0)
    # Down the columns, which are shorter than the rows: sixteen programs in a row share all strips of x, and few of y.
    rows = tl.cdiv(N0, B0)
    row = pid % rows
    column = pid // rows
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
