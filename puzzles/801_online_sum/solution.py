import triton
import triton.language as tl


@triton.jit
def online_sum_kernel(x_ptr, z_ptr, N0, T, B1: tl.constexpr):
    i = tl.program_id(0)
    m = float("-inf")
    s = 0.0
    for start in tl.range(0, T, B1):
        j = start + tl.arange(0, B1)
        x = tl.load(x_ptr + i * T + j, mask=j < T, other=float("-inf"))
        m_new = tl.maximum(m, tl.max(x, axis=0))
        # The old sum was relative to m; from now on it has to be relative to m_new.
        s = s * tl.exp(m - m_new) + tl.sum(tl.exp(x - m_new), axis=0)
        m = m_new
    tl.store(z_ptr + i, s)
