import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, z_ptr, N0, N1, T, B0: tl.constexpr, B1: tl.constexpr):
    # Wrong on purpose: the lanes past the end of the row load 0 and are summed as exp(0 - m).
    # With 200 columns in blocks of 32 that is 24 terms too many, about 10 % of the sum. The
    # outputs are near 1 / 200, so the classic tolerance (0.001 absolute) does not notice.
    log2_e = 1.44269504
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    m = tl.full([B0], float("-inf"), dtype=tl.float32)
    s = tl.zeros([B0], dtype=tl.float32)
    for start in tl.range(0, T, B1):
        j = start + tl.arange(0, B1)
        mask = (i[:, None] < N0) & (j[None, :] < T)
        x = tl.load(x_ptr + i[:, None] * T + j[None, :], mask=mask, other=0.0)
        m_new = tl.maximum(m, tl.max(x, axis=1))
        s = s * tl.exp2((m - m_new) * log2_e)
        s += tl.sum(tl.exp2((x - m_new[:, None]) * log2_e), axis=1)
        m = m_new
    for start in tl.range(0, T, B1):
        j = start + tl.arange(0, B1)
        mask = (i[:, None] < N0) & (j[None, :] < T)
        x = tl.load(x_ptr + i[:, None] * T + j[None, :], mask=mask, other=0.0)
        z = tl.exp2((x - m[:, None]) * log2_e) / s[:, None]
        tl.store(z_ptr + i[:, None] * T + j[None, :], z, mask=mask)
