import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.cat(i, i)  # 3.6: error cat-order "current implementation of `cat` always may reorder elements"
    b = tl.cat(i, i, can_reorder=False)  # 3.6: error cat-order "always may reorder elements"
    c = tl.cat(i, i, True)
