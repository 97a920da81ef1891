import torch
import triton
import triton.language as tl


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, N: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, N, BK):
        a = tl.load(a_ptr + m[:, None] * N + (start + k)[None, :])
        b = tl.load(b_ptr + (start + k)[:, None] * N + n[None, :])
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + m[:, None] * N + n[None, :], acc.to(tl.float16))


a = torch.randn(128, 128, dtype=torch.float16, device="cuda")
b = torch.randn(128, 128, dtype=torch.float16, device="cuda")
c = torch.empty_like(a)
matmul[(2, 2)](a, b, c, N=128, BM=64, BN=64, BK=32)
assert torch.allclose(c.cpu(), a.cpu() @ b.cpu(), atol=1e-1)
