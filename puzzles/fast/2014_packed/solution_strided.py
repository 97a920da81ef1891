import triton
import triton.language as tl


@triton.jit
def packed_kernel(
    x_ptr, q_ptr, s_ptr, work_ptr, z_ptr, N0, MID, B0: tl.constexpr, B_MID: tl.constexpr
):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    acc = tl.zeros([B0], tl.float32)
    for start in range(0, MID, B_MID):
        # Each word once. What its values are multiplied by is eight elements from what the next word's are.
        group = start // 8 + tl.arange(0, B_MID // 8)
        mask = (i[:, None] < N0) & (group[None, :] < MID // 8)
        word = tl.load(q_ptr + i[:, None] * (MID // 8) + group[None, :], mask=mask, other=0)
        for n in tl.static_range(8):
            w = (word >> (4 * n)) & 15
            x = tl.load(x_ptr + group * 8 + n, mask=group < MID // 8, other=0.0)
            acc += tl.sum((w - 8.0) * x[None, :], axis=1)
    s = tl.load(s_ptr + i, mask=i < N0, other=0.0)
    tl.store(z_ptr + i, s * acc, mask=i < N0)
