import triton
import triton.language as tl


@triton.jit
def add_mask2_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    start = tl.program_id(0) * B0
    x_ptrs = x_ptr + start + tl.arange(0, B0)
    z_ptrs = z_ptr + start + tl.arange(0, B0)
    left = N0 - start
    keep = tl.arange(0, B0) < left
    x = tl.load(x_ptrs, mask=keep, other=0.0)
    tl.store(z_ptrs, x + 10.0, mask=keep)
