import triton
import triton.language as tl


@triton.jit
def online_sum_kernel(x_ptr, z_ptr, N0, T, B1: tl.constexpr):
    i = tl.program_id(0) + tl.arange(0, 1)
    largest = tl.full([1], float("-inf"), tl.float32)
    total = tl.zeros([1], tl.float32)
    for start in range(0, T, B1):
        j = start + tl.arange(0, B1)[None, :]
        x = tl.load(x_ptr + i[:, None] * T + j, mask=j < T, other=float("-inf"))
        before = largest
        largest = tl.maximum(largest, tl.max(x, axis=1))
        total *= tl.exp(before - largest)
        total += tl.sum(tl.exp(x - largest[:, None]), axis=1)
    tl.store(z_ptr + i, total)
