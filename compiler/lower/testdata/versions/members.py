import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    h = x.to(tl.float16)
    a = x.exp()
    b = tl.exp(x)
    e = h.to(tl.float32).log()
    f = x.floor()
