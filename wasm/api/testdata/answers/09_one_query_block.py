import triton
import triton.language as tl


@triton.jit
def flashatt_kernel(q_ptr, k_ptr, v_ptr, z_ptr, N0, T, B0: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    q = tl.load(q_ptr + i, mask=i < N0, other=0.0)
    top = tl.full((B0,), float("-inf"), tl.float32)
    total = tl.zeros((B0,), tl.float32)
    acc = tl.zeros((B0,), tl.float32)
    for j in range(0, T):
        score = q * tl.load(k_ptr + j)
        new = tl.maximum(top, score)
        scale = tl.exp(top - new)
        p = tl.exp(score - new)
        total = total * scale + p
        acc = acc * scale + p * tl.load(v_ptr + j)
        top = new
    tl.store(z_ptr + i, acc / total, mask=i < N0)
