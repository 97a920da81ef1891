# Where control never comes, a number that is not positive counted as a positive divisor, and the prover divided by 0.
# *i32:16, *i32:16, i32
# 4 1 1 64 64 0
# x:size z:size | x:size z:size if z.numel() >= grid[0]
import triton
import triton.language as tl


@triton.jit
def k(x, z, N):
    d = N * 1
    if N > 0:
        q = (tl.program_id(0) + 8) // d
        tl.store(x + q, q)
    tl.store(z + tl.program_id(0), 1)
