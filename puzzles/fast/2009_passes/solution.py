import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, z_ptr, N0, T, B1: tl.constexpr):
    # No row is longer than 512: four elements a thread, loaded once, which stay in registers.
    j = tl.arange(0, 512)
    x = tl.load(x_ptr + tl.program_id(0) * T + j, mask=j < T, other=float("-inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(z_ptr + tl.program_id(0) * T + j, e / tl.sum(e, axis=0), mask=j < T)
