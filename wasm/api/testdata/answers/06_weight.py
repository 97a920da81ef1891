import triton
import triton.language as tl


@triton.jit
def mul_relu_block_back_kernel(
    x_ptr, y_ptr, dz_ptr, dx_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr
):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    j = tl.program_id(1) * B1 + tl.arange(0, B1)
    rows, cols = j[:, None], i[None, :]
    mask = (rows < N1) & (cols < N0)
    at = rows * N0 + cols
    y = tl.load(y_ptr + rows, mask=rows < N1, other=0.0)
    x = tl.load(x_ptr + at, mask=mask, other=0.0)
    dz = tl.load(dz_ptr + at, mask=mask, other=0.0)
    tl.store(dx_ptr + at, (x * y > 0).to(tl.float32) * y * dz, mask=mask)
