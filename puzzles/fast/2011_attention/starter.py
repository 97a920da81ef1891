import triton
import triton.language as tl


@triton.jit
def scores(q, k_ptr, j, T):
    # A block of q @ k.T; -inf past the end.
    d = tl.arange(0, 32)
    k = tl.load(
        k_ptr + j[None, :] * 32 + d[:, None],
        mask=j[None, :] < T, other=0.0,
    )
    s = tl.dot(q, k)
    return tl.where(j[None, :] < T, s, float("-inf"))


@triton.jit
def attention_kernel(
    q_ptr, k_ptr, v_ptr, z_ptr, N0, T,
    B0: tl.constexpr, B1: tl.constexpr,
):
    # z = softmax(q @ k.T) @ v. Right, and slow:
    # three loops, and each loads all keys.
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    d = tl.arange(0, 32)
    at = i[:, None] * 32 + d[None, :]
    q_mask = i[:, None] < N0
    q = tl.load(q_ptr + at, mask=q_mask, other=0.0)

    m = tl.full([B0], float("-inf"), tl.float32)
    for start in range(0, T, B1):
        j = start + tl.arange(0, B1)
        x = scores(q, k_ptr, j, T)
        m = tl.maximum(m, tl.max(x, axis=1))

    s = tl.zeros([B0], tl.float32)
    for start in range(0, T, B1):
        j = start + tl.arange(0, B1)
        x = scores(q, k_ptr, j, T)
        s += tl.sum(tl.exp(x - m[:, None]), axis=1)

    acc = tl.zeros([B0, 32], tl.float32)
    for start in range(0, T, B1):
        j = start + tl.arange(0, B1)
        x = scores(q, k_ptr, j, T)
        p = tl.exp(x - m[:, None]) / s[:, None]
        v = tl.load(
            v_ptr + j[:, None] * 32 + d[None, :],
            mask=j[:, None] < T, other=0.0,
        )
        acc += tl.dot(p.to(tl.float16), v)
    tl.store(z_ptr + at, acc, mask=q_mask)
