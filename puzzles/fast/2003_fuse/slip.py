import triton
import triton.language as tl


@triton.jit
def fused_kernel(x_ptr, y_ptr, z_ptr, N0, B0: tl.constexpr):
    # Wrong on purpose: fused, but without the last step.
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    mask = i < N0
    x = tl.load(x_ptr + i, mask=mask)
    y = tl.load(y_ptr + i, mask=mask)
    tl.store(z_ptr + i, x * x - y, mask=mask)
