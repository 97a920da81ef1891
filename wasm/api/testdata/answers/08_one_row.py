import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, z_ptr, N0, N1, T, B0: tl.constexpr, B1: tl.constexpr):
    row = tl.program_id(0)
    top, total = -float("inf"), 0.0
    for start in range(0, T, B1):
        j = start + tl.arange(0, B1)
        x = tl.load(x_ptr + row * T + j, mask=j < T, other=-float("inf"))
        new = tl.maximum(top, tl.max(x))
        total = total * tl.exp(top - new) + tl.sum(tl.exp(x - new))
        top = new
    for start in range(0, T, B1):
        j = start + tl.arange(0, B1)
        x = tl.load(x_ptr + row * T + j, mask=j < T)
        tl.store(z_ptr + row * T + j, tl.exp(x - top) / total, mask=j < T)
