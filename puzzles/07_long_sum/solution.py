import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, z_ptr, N0, N1, T, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    total = tl.zeros([B0], dtype=tl.float32)
    for start in tl.range(0, T, B1):
        j = start + tl.arange(0, B1)
        mask = (i[:, None] < N0) & (j[None, :] < T)
        # A lane past the end of the row must not change the sum: it loads a 0.
        x = tl.load(x_ptr + i[:, None] * T + j[None, :], mask=mask, other=0.0)
        total += tl.sum(x, axis=1)
    tl.store(z_ptr + i, total, mask=i < N0)
