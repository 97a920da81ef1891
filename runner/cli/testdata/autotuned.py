import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"M": 128, "N": 256, "K": 64}, num_warps=64),
        triton.Config({"M": 16, "N": 16, "K": 16}, num_warps=1, num_stages=2),
        triton.Config({"M": 64, "N": 64, "K": 32}, num_warps=4, num_stages=3),
        triton.Config({"M": 128, "N": 128, "K": 64}, num_warps=8, num_stages=3),
    ],
    key=["n"],
)
@triton.jit
def matmul(a, b, c, n, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i = tl.program_id(0) * M + tl.arange(0, M)
    j = tl.program_id(1) * N + tl.arange(0, N)
    k = tl.arange(0, K)
    total = tl.zeros((M, N), tl.float32)
    for at in range(0, n, K):
        x = tl.load(a + i[:, None] * n + (at + k)[None, :])
        y = tl.load(b + (at + k)[:, None] * n + j[None, :])
        total = tl.dot(x, y, total)
    tl.store(c + i[:, None] * n + j[None, :], total.to(tl.float16))


n = 1024
a = torch.ones(n, n, device="cuda", dtype=torch.float16)
b, c = torch.ones_like(a), torch.empty_like(a)
matmul[lambda meta: (n // meta["M"], n // meta["N"])](a, b, c, n)
print(c[0, 0].item(), matmul.best_config.kwargs)
