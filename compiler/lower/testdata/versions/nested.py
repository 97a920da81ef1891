import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    def double(a):  # 3.6 3.7: error nested-function "StopIteration()", 3.8 3.9: error nested-function "nested function definitions are not allowed inside a @triton.jit kernel."
        return a * 2
