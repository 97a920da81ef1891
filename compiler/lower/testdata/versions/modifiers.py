import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    a = tl.load(x_ptr, cache_modifier=".ca")
    b = tl.load(x_ptr, cache_modifier=".cs")  # 3.6 3.7: error bad-choice "cache_modifier"
    c = tl.load(x_ptr, cache_modifier=".cg")
    d = tl.load(x_ptr, cache_modifier=".cv")
    tl.store(x_ptr, 1.0, cache_modifier=".cs")
    tl.store(x_ptr, 1.0, cache_modifier=".wt")
