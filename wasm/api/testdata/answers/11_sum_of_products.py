import triton
import triton.language as tl


@triton.jit
def dot_kernel(
    x_ptr, y_ptr, z_ptr, N0, N1, N2, MID, B0: tl.constexpr, B1: tl.constexpr, B2: tl.constexpr,
):
    batch = tl.program_id(2)
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    j = tl.program_id(1) * B1 + tl.arange(0, B1)
    x_at = x_ptr + batch * N0 * MID + i * MID
    y_at = y_ptr + batch * MID * N1 + j
    acc = tl.zeros((B0, B1), tl.float32)
    for _ in range(MID):
        acc += tl.load(x_at, mask=i < N0, other=0.0)[:, None] * tl.load(y_at, mask=j < N1, other=0.0)[None, :]
        x_at += 1
        y_at += N1
    at = batch * N0 * N1 + i[:, None] * N1 + j[None, :]
    tl.store(z_ptr + at, acc, mask=(i < N0)[:, None] & (j < N1)[None, :])
