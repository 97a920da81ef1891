import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    c = 0 < n < 3  # 3.6 3.7 3.8 3.9: error chained-comparison "simultaneous multiple comparison is not supported"
    d = [e for e in (1, 2, 3)]
    g = [e for e in (1, 2, 3) if e > 1]
    h: tl.constexpr = 3
    k, m = 1, 2
