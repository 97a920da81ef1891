import triton
import triton.language as tl


@triton.jit
def norm_kernel(
    x_ptr, z_ptr, N0, B0: tl.constexpr
):
    # z[0] = the sum of x[i] * x[i]. It is 0
    # when the programs begin. Right, and slow:
    # every lane adds to one word.
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    mask = i < N0
    x = tl.load(x_ptr + i, mask=mask)
    tl.atomic_add(z_ptr + i * 0, x * x, mask=mask)
