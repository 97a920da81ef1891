import torch
import triton
import triton.language as tl


@triton.constexpr_function
def log2(n):
    return n.bit_length() - 1


@triton.jit
def kernel(out_ptr, N: tl.constexpr):
    K: tl.constexpr = log2(N)
    tl.store(out_ptr + tl.arange(0, N), tl.full((N,), K, tl.int32))


for n in (1, 8, 64):
    out = torch.empty(n, dtype=torch.int32, device="cuda")
    kernel[(1,)](out, N=n)
    print(n, out.unique().item(), log2(n))
