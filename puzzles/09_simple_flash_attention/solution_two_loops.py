import triton
import triton.language as tl


@triton.jit
def flashatt_kernel(q_ptr, k_ptr, v_ptr, z_ptr, N0, T, B0: tl.constexpr, B1: tl.constexpr):
    log2_e = 1.44269504
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    q = tl.load(q_ptr + i, mask=i < N0, other=0.0)

    # First walk: the largest score of each query.
    m = tl.full([B0], float("-inf"), dtype=tl.float32)
    for start in tl.range(0, T, B1):
        j = start + tl.arange(0, B1)
        k = tl.load(k_ptr + j, mask=j < T, other=0.0)
        scores = tl.where(j[None, :] < T, q[:, None] * k[None, :], float("-inf"))
        m = tl.maximum(m, tl.max(scores, axis=1))

    # Second walk: the maximum is final, so nothing that was added up has to be corrected.
    s = tl.zeros([B0], dtype=tl.float32)
    acc = tl.zeros([B0], dtype=tl.float32)
    for start in tl.range(0, T, B1):
        j = start + tl.arange(0, B1)
        k = tl.load(k_ptr + j, mask=j < T, other=0.0)
        v = tl.load(v_ptr + j, mask=j < T, other=0.0)
        scores = tl.where(j[None, :] < T, q[:, None] * k[None, :], float("-inf"))
        p = tl.exp2((scores - m[:, None]) * log2_e)
        s += tl.sum(p, axis=1)
        acc += tl.sum(p * v[None, :], axis=1)
    tl.store(z_ptr + i, acc / s, mask=i < N0)
