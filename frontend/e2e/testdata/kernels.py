"""How fast launches are in the page: lines of a name, a rate and its unit."""
import torch
import triton
import triton.language as tl
from triton.testing import do_bench


@triton.jit
def add(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=mask) + tl.load(y_ptr + i, mask=mask), mask=mask)


@triton.jit
def softmax(z_ptr, x_ptr, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + i, mask=i < columns, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(z_ptr + row * stride + i, e / tl.sum(e, axis=0), mask=i < columns)


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK: tl.constexpr, BLOCK_K: tl.constexpr):
    m = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)) % M
    n = (tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)) % N
    k = tl.arange(0, BLOCK_K)
    a = a_ptr + m[:, None] * K + k[None, :]
    b = b_ptr + k[:, None] * N + n[None, :]
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for step in range(0, tl.cdiv(K, BLOCK_K)):
        x = tl.load(a, mask=k[None, :] < K - step * BLOCK_K, other=0.0)
        y = tl.load(b, mask=k[:, None] < K - step * BLOCK_K, other=0.0)
        acc = tl.dot(x, y, acc, input_precision="ieee")
        a += BLOCK_K
        b += BLOCK_K * N
    m = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    n = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tl.store(c_ptr + N * m[:, None] + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def attention(q_ptr, k_ptr, v_ptr, z_ptr, T, BLOCK: tl.constexpr, D: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + i[:, None] * D + d[None, :], mask=i[:, None] < T, other=0.0)
    m = tl.full([BLOCK], -float("inf"), tl.float32)
    s = tl.zeros([BLOCK], tl.float32)
    acc = tl.zeros([BLOCK, D], tl.float32)
    for start in range(0, (tl.program_id(0) + 1) * BLOCK, BLOCK):
        j = start + tl.arange(0, BLOCK)
        k = tl.load(k_ptr + j[None, :] * D + d[:, None], mask=j[None, :] < T, other=0.0)
        v = tl.load(v_ptr + j[:, None] * D + d[None, :], mask=j[:, None] < T, other=0.0)
        x = tl.where(i[:, None] >= j[None, :], tl.dot(q, k, input_precision="ieee"), -float("inf"))
        higher = tl.maximum(m, tl.max(x, axis=1))
        fade = tl.exp(m - higher)
        p = tl.exp(x - higher[:, None])
        s = s * fade + tl.sum(p, axis=1)
        acc = acc * fade[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = higher
    tl.store(z_ptr + i[:, None] * D + d[None, :], acc / s[:, None], mask=i[:, None] < T)


def report(name, work, unit, launch):
    print(name, f"{work / (do_bench(launch, quantiles=[0.5]) * 1e-3) / 1e9:.3g}", unit)


n = 1 << 20
x, y = torch.rand(n, device="cuda"), torch.rand(n, device="cuda")
z = torch.empty_like(x)
for block in [32, 128, 1024]:
    report(f"add {block}", 12 * n, "GB/s", lambda: add[(triton.cdiv(n, block),)](x, y, z, n - 3, BLOCK=block))

x = torch.randn(1024, 1000, device="cuda")
z = torch.empty_like(x)
report("softmax 1024 x 1000", 8 * x.numel(), "GB/s", lambda: softmax[(1024,)](z, x, 1000, 1000, BLOCK=1024))

for dtype in [torch.float32, torch.float16]:
    a, b = torch.randn(512, 512, device="cuda", dtype=dtype), torch.randn(512, 512, device="cuda", dtype=dtype)
    c = torch.empty(512, 512, device="cuda")
    report(f"matmul 512 {dtype}", 2 * 512**3, "GFLOP/s", lambda: matmul[(8, 8)](a, b, c, 512, 512, 512, BLOCK=64, BLOCK_K=32))

for dtype in [torch.float32, torch.float16]:
    q, k, v = (torch.randn(1024, 64, device="cuda", dtype=dtype) for _ in range(3))
    z = torch.empty(1024, 64, device="cuda")
    report(f"attention 1024 {dtype}", 2 * 1024 * 1024 * 64, "GFLOP/s", lambda: attention[(16,)](q, k, v, z, 1024, BLOCK=64, D=64))
print("end")
