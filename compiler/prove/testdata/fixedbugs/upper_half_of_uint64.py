# The upper half of uint64 is negative as an int64, and counted as not negative: the store was proved in bounds.
# *u64:16, *fp32:16, i32, 16
# 4 1 1 60 60 60
# x:grid z:no | z:no
import triton
import triton.language as tl


@triton.jit
def k(x, z, N, B: tl.constexpr):
    d = tl.load(x + tl.arange(0, B)).to(tl.int64)
    tl.store(z + d, 1.0, mask=d < N)
