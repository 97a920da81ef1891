import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, z_ptr, N0, N1, T, B0: tl.constexpr, B1: tl.constexpr):
    rows = tl.program_id(0) * B0 + tl.arange(0, B0)
    total = tl.zeros((B0,), tl.float32)
    start = 0
    while start < T:
        columns = start + tl.arange(0, B1)
        inside = (rows < N0)[:, None] & (columns < T)[None, :]
        x = tl.load(x_ptr + rows[:, None] * T + columns[None, :], mask=inside, other=0.0)
        total += tl.sum(x, axis=1)
        start += B1
    tl.store(z_ptr + rows, total, mask=rows < N0)
