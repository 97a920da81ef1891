import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, z_ptr, N0, N1, T, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    partial = tl.zeros((B0, B1), tl.float32)
    for k in range(0, tl.cdiv(T, B1)):
        j = k * B1 + tl.arange(0, B1)
        inside = (j < T)[None, :] & (i < N0)[:, None]
        partial += tl.load(x_ptr + T * i[:, None] + j[None, :], inside, 0)
    tl.store(z_ptr + i, tl.sum(partial, 1), i < N0)
