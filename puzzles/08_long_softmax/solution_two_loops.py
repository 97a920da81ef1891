import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, z_ptr, N0, N1, T, B0: tl.constexpr, B1: tl.constexpr):
    log2_e = 1.44269504
    i = tl.program_id(0) * B0 + tl.arange(0, B0)

    # First walk: the largest element so far and, measured against it, the sum so far.
    m = tl.full([B0], float("-inf"), dtype=tl.float32)
    s = tl.zeros([B0], dtype=tl.float32)
    for start in tl.range(0, T, B1):
        j = start + tl.arange(0, B1)
        mask = (i[:, None] < N0) & (j[None, :] < T)
        x = tl.load(x_ptr + i[:, None] * T + j[None, :], mask=mask, other=float("-inf"))
        m_new = tl.maximum(m, tl.max(x, axis=1))
        # The old sum was measured against the old maximum: bring it to the new one.
        s = s * tl.exp2((m - m_new) * log2_e)
        s += tl.sum(tl.exp2((x - m_new[:, None]) * log2_e), axis=1)
        m = m_new

    # Second walk: divide and store.
    for start in tl.range(0, T, B1):
        j = start + tl.arange(0, B1)
        mask = (i[:, None] < N0) & (j[None, :] < T)
        x = tl.load(x_ptr + i[:, None] * T + j[None, :], mask=mask, other=float("-inf"))
        z = tl.exp2((x - m[:, None]) * log2_e) / s[:, None]
        tl.store(z_ptr + i[:, None] * T + j[None, :], z, mask=mask)
