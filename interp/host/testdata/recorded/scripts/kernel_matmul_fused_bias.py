import torch
import triton
import triton.language as tl


@triton.jit
def matmul_bias_relu(a_ptr, b_ptr, bias_ptr, c_ptr, M, N, K, HAS_BIAS: tl.constexpr, RELU: tl.constexpr,
                     BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k0 in range(0, K, BK):
        rk = k0 + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
    if HAS_BIAS:
        acc += tl.load(bias_ptr + rn, mask=rn < N, other=0.0)[None, :]
    if RELU:
        acc = tl.maximum(acc, 0.0)
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


def fused(a, b, bias=None, relu=False):
    (M, K), N = a.shape, b.shape[1]
    c = a.new_empty(M, N)
    matmul_bias_relu[(triton.cdiv(M, 16), triton.cdiv(N, 16))](
        a, b, bias, c, M, N, K, HAS_BIAS=bias is not None, RELU=relu, BM=16, BN=16, BK=16)
    return c


a = torch.randint(-3, 4, (20, 30), generator=torch.Generator().manual_seed(1)).float().cuda()
b = torch.randint(-3, 4, (30, 10), generator=torch.Generator().manual_seed(2)).float().cuda()
bias = torch.arange(-5, 5, device="cuda").float()
print(torch.equal(fused(a, b), a @ b))
print(torch.equal(fused(a, b, bias), torch.addmm(bias, a, b)))
print(torch.equal(fused(a, b, bias, relu=True), (a @ b + bias).relu()))
print(fused(a, b, bias, relu=True)[:4])
