import triton
import triton.language as tl


@triton.jit
def exp_of(x):
    return tl.exp2(x * 1.44269504)


@triton.jit
def flashatt_kernel(q_ptr, k_ptr, v_ptr, z_ptr, N0, T, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    q = tl.load(q_ptr + i, i < N0, 0.0)[:, None]
    most = tl.full([B0], float("-inf"), tl.float32)
    weight = tl.zeros([B0], tl.float32)
    z = tl.zeros([B0], tl.float32)
    for j in tl.range(0, tl.cdiv(T, B1)):
        at = j * B1 + tl.arange(0, B1)
        k = tl.load(k_ptr + at, at < T, 0.0)[None, :]
        v = tl.load(v_ptr + at, at < T, 0.0)[None, :]
        scores = tl.where((at < T)[None, :], q * k, float("-inf"))
        above = tl.maximum(most, tl.max(scores, 1))
        p = exp_of(scores - above[:, None])
        old = exp_of(most - above)
        weight = weight * old + tl.sum(p, 1)
        z = z * old + tl.sum(p * v, 1)
        most = above
    tl.store(z_ptr + i, z / weight, i < N0)
