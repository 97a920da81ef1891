import triton
import triton.language as tl


@triton.jit
def fused_kernel(
    x_ptr, y_ptr, z_ptr, N0, B0: tl.constexpr
):
    # z[i] = max(x[i] * x[i] - y[i], 0).
    # Right, and slow: each step leaves its
    # result in memory, for the next to load.
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    mask = i < N0
    # z = x * x
    x = tl.load(x_ptr + i, mask=mask)
    tl.store(z_ptr + i, x * x, mask=mask)
    # z = z - y
    z = tl.load(z_ptr + i, mask=mask)
    y = tl.load(y_ptr + i, mask=mask)
    tl.store(z_ptr + i, z - y, mask=mask)
    # z = relu(z)
    z = tl.load(z_ptr + i, mask=mask)
    tl.store(z_ptr + i, tl.maximum(z, 0.0), mask=mask)
