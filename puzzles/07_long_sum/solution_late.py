import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, z_ptr, N0, N1, T, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    # Every lane has a sum of its own; they are added up once, after the loop.
    sums = tl.zeros([B0, B1], dtype=tl.float32)
    for start in tl.range(0, T, B1):
        j = start + tl.arange(0, B1)
        mask = (i[:, None] < N0) & (j[None, :] < T)
        sums += tl.load(x_ptr + i[:, None] * T + j[None, :], mask=mask, other=0.0)
    tl.store(z_ptr + i, tl.sum(sums, axis=1), mask=i < N0)
