import triton
import triton.language as tl


@triton.jit
def online_sum_kernel(x_ptr, z_ptr, N0, T, B1: tl.constexpr):
    # Wrong on purpose: the old sum stays relative to the old maximum.
    i = tl.program_id(0)
    m = float("-inf")
    s = 0.0
    for start in tl.range(0, T, B1):
        j = start + tl.arange(0, B1)
        x = tl.load(x_ptr + i * T + j, mask=j < T, other=float("-inf"))
        m = tl.maximum(m, tl.max(x, axis=0))
        s += tl.sum(tl.exp(x - m), axis=0)
    tl.store(z_ptr + i, s)
