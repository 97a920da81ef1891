import triton
import triton.language as tl


@triton.jit
def softmax_kernel(
    x_ptr, z_ptr, N0, T, B1: tl.constexpr
):
    # The softmax of each row. Right, and slow:
    # three loops, and each loads the row.
    row = tl.program_id(0) * T
    j = tl.arange(0, B1)
    m = float("-inf")
    for start in range(0, T, B1):
        mask = start + j < T
        x = tl.load(x_ptr + row + start + j, mask=mask, other=float("-inf"))
        m = tl.maximum(m, tl.max(x, axis=0))
    s = 0.0
    for start in range(0, T, B1):
        mask = start + j < T
        x = tl.load(x_ptr + row + start + j, mask=mask, other=float("-inf"))
        s += tl.sum(tl.exp(x - m), axis=0)
    for start in range(0, T, B1):
        mask = start + j < T
        x = tl.load(x_ptr + row + start + j, mask=mask)
        tl.store(z_ptr + row + start + j, tl.exp(x - m) / s, mask=mask)
