import triton
import triton.language as tl


@triton.jit
def packed_kernel(
    x_ptr, q_ptr, s_ptr, work_ptr, z_ptr, N0, MID, B0: tl.constexpr, B_MID: tl.constexpr
):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    shift = tl.arange(0, 8) * 4
    acc = tl.zeros([B0], tl.float32)
    for start in range(0, MID, B_MID):
        # Each word once: its eight values become a dimension of their own on chip, next to eight neighbors of x.
        group = start // 8 + tl.arange(0, B_MID // 8)
        mask = (i[:, None] < N0) & (group[None, :] < MID // 8)
        word = tl.load(q_ptr + i[:, None] * (MID // 8) + group[None, :], mask=mask, other=0)
        w = (word[:, :, None] >> shift[None, None, :]) & 15
        k = start + tl.arange(0, B_MID)
        x = tl.load(x_ptr + k, mask=k < MID, other=0.0)
        x = tl.reshape(x, [1, B_MID // 8, 8])
        acc += tl.sum(tl.sum((w - 8.0) * x, axis=2), axis=1)
    s = tl.load(s_ptr + i, mask=i < N0, other=0.0)
    tl.store(z_ptr + i, s * acc, mask=i < N0)
