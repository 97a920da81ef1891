import triton
import triton.language as tl


@triton.jit
def ripple(out_ptr, H, W, BLOCK: tl.constexpr):
    # Each program draws one row of the picture.
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)

    y = (row - H / 2) / 8
    x = (cols - W / 2) / 8
    wave = tl.cos(x * x + y * y)

    tl.store(out_ptr + row * W + cols, wave, mask=cols < W)
