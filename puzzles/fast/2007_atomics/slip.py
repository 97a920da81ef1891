import triton
import triton.language as tl


@triton.jit
def norm_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    # Wrong on purpose: a store instead of an atomic keeps the sum of one program alone.
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    x = tl.load(x_ptr + i, mask=i < N0, other=0.0)
    tl.store(z_ptr, tl.sum(x * x, axis=0))
