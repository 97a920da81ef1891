import triton
import triton.language as tl


@triton.jit
def row_softmax_kernel(x_ptr, z_ptr, N0, T, B1: tl.constexpr):
    row = tl.program_id(0) * T
    j = tl.arange(0, B1)
    x = tl.load(x_ptr + row + j, j < T)
    x = tl.where(j < T, x, -float("inf"))
    x = x - tl.max(x, 0)
    e = tl.exp2(x * 1.44269504)
    z = e / tl.sum(e, 0)
    tl.store(z_ptr + row + j, z, j < T)
