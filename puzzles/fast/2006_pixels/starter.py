import triton
import triton.language as tl


@triton.jit
def gray_kernel(
    x_ptr, z_ptr, N0, B0: tl.constexpr
):
    # z[i] = (r + 2 * g + b) * a of pixel i.
    # Right, and slow: each of the four loads
    # takes every fourth element.
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    mask = i < N0
    r = tl.load(x_ptr + i * 4, mask=mask)
    g = tl.load(x_ptr + i * 4 + 1, mask=mask)
    b = tl.load(x_ptr + i * 4 + 2, mask=mask)
    a = tl.load(x_ptr + i * 4 + 3, mask=mask)
    tl.store(z_ptr + i, (r + 2 * g + b) * a, mask=mask)
