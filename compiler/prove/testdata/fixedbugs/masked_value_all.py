# The same where all conditions are known: the value is one of the tensor's.
# *i32:16, *fp32:16, i32, 16
# 4 1 1 64:0..59 60 60
# x:size z:grid | z:no if x.numel() >= N
import triton
import triton.language as tl


@triton.jit
def k(x, z, N, B: tl.constexpr):
    c = tl.program_id(0) * B + tl.arange(0, B)
    d = tl.load(x + c, mask=(c < N) & (c > 1), other=1000)
    tl.store(z + d, 1.0, mask=(c < N) & (c > 1))
