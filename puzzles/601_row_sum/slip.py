import triton
import triton.language as tl


@triton.jit
def row_sum_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    # Wrong on purpose: without other= the lanes past the end hold anything, and they are summed too.
    i = tl.arange(0, B0)
    x = tl.load(x_ptr + i, mask=i < N0)
    tl.store(z_ptr, tl.sum(x, axis=0))
