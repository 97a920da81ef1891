import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, z_ptr, N0, T, B1: tl.constexpr):
    # Rows of any length in two passes: the sum is corrected whenever the maximum rises.
    row = tl.program_id(0) * T
    j = tl.arange(0, B1)
    m = float("-inf")
    s = 0.0
    for start in range(0, T, B1):
        x = tl.load(x_ptr + row + start + j, mask=start + j < T, other=float("-inf"))
        higher = tl.maximum(m, tl.max(x, axis=0))
        s = s * tl.exp(m - higher) + tl.sum(tl.exp(x - higher), axis=0)
        m = higher
    for start in range(0, T, B1):
        x = tl.load(x_ptr + row + start + j, mask=start + j < T)
        tl.store(z_ptr + row + start + j, tl.exp(x - m) / s, mask=start + j < T)
