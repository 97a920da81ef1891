import triton
import triton.language as tl


@triton.jit
def affine_kernel(x_ptr, w_ptr, b_ptr, z_ptr, N0, T, B0: tl.constexpr, B1: tl.constexpr):
    j = tl.arange(0, B1)
    # Once for all rows of the program; they stay in registers.
    w = tl.load(w_ptr + j, mask=j < T)
    b = tl.load(b_ptr + j, mask=j < T)
    for k in range(B0):
        i = tl.program_id(0) * B0 + k
        mask = (i < N0) & (j < T)
        x = tl.load(x_ptr + i * T + j, mask=mask)
        tl.store(z_ptr + i * T + j, x * w + b, mask=mask)
