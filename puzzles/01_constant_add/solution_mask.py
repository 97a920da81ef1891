import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    i = tl.arange(0, B0)
    # The block is as long as x, so the mask lets every lane through. It would not if the block were longer.
    mask = i < N0
    x = tl.load(x_ptr + i, mask=mask)
    tl.store(z_ptr + i, x + 10.0, mask=mask)
