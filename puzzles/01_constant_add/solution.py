import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    # One program, and a block as long as x: every lane has an element, so no mask.
    i = tl.arange(0, B0)
    x = tl.load(x_ptr + i)
    tl.store(z_ptr + i, x + 10.0)
