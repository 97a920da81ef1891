import triton
import triton.language as tl


@triton.jit
def dot_kernel(
    x_ptr, y_ptr, z_ptr, N0, N1, N2, MID,
    B0: tl.constexpr, B1: tl.constexpr, B2: tl.constexpr, B_MID: tl.constexpr,
):
    batch = tl.program_id(2)
    i = (tl.program_id(0) * B0 + tl.arange(0, B0))[:, None]
    j = (tl.program_id(1) * B1 + tl.arange(0, B1))[None, :]
    acc = tl.zeros((B0, B1), tl.float32)
    for start in range(0, MID, B_MID):
        l = start + tl.arange(0, B_MID)
        x = tl.load(x_ptr + batch * N0 * MID + i * MID + l[None, :], mask=(i < N0) & (l[None, :] < MID), other=0.0)
        y = tl.load(y_ptr + batch * MID * N1 + l[:, None] * N1 + j, mask=(l[:, None] < MID) & (j < N1), other=0.0)
        acc += tl.dot(x, y, input_precision="ieee")
    tl.store(z_ptr + batch * N0 * N1 + i * N1 + j, acc, mask=(i < N0) & (j < N1))
