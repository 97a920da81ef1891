import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    block = tl.program_id(0)
    range_ = tl.arange(0, B0) + block * B0
    mask = range_ < N0
    tl.store(z_ptr + range_, tl.load(x_ptr + range_, mask) + 10, mask)
