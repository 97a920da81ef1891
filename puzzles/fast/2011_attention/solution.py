import triton
import triton.language as tl


@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, z_ptr, N0, T, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    d = tl.arange(0, 32)
    at = i[:, None] * 32 + d[None, :]
    q = tl.load(q_ptr + at, mask=i[:, None] < N0, other=0.0)
    m = tl.full([B0], float("-inf"), tl.float32)
    s = tl.zeros([B0], tl.float32)
    acc = tl.zeros([B0, 32], tl.float32)
    for start in range(0, T, B1):
        j = start + tl.arange(0, B1)
        k = tl.load(k_ptr + j[None, :] * 32 + d[:, None], mask=j[None, :] < T, other=0.0)
        v = tl.load(v_ptr + j[:, None] * 32 + d[None, :], mask=j[:, None] < T, other=0.0)
        x = tl.where(j[None, :] < T, tl.dot(q, k), float("-inf"))
        # What was summed up for a smaller maximum is scaled down to the new one.
        higher = tl.maximum(m, tl.max(x, axis=1))
        fade = tl.exp(m - higher)
        p = tl.exp(x - higher[:, None])
        s = s * fade + tl.sum(p, axis=1)
        acc = acc * fade[:, None] + tl.dot(p.to(tl.float16), v)
        m = higher
    tl.store(z_ptr + at, acc / s[:, None], mask=i[:, None] < N0)
