import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, z_ptr, N0, T, B1: tl.constexpr):
    # Wrong on purpose: without the maximum, large values overflow.
    j = tl.arange(0, 512)
    x = tl.load(x_ptr + tl.program_id(0) * T + j, mask=j < T, other=float("-inf"))
    e = tl.exp(x)
    tl.store(z_ptr + tl.program_id(0) * T + j, e / tl.sum(e, axis=0), mask=j < T)
