# against relu_: right
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, n, stride, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets * stride, mask=mask)
    tl.store(x_ptr + offsets * stride, tl.maximum(x, 0.0), mask=mask)


def relu_(x):
    relu_kernel[(triton.cdiv(x.numel(), 128),)](x, x.numel(), x.stride(0), BLOCK=128)
    return x
