"""Kernels whose counts nsight.py compares with hardware. Each is launched once; its label goes to standard output."""

import torch
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < n) + tl.load(y_ptr + i, mask=i < n), mask=i < n)


@triton.jit
def strided(x_ptr, y_ptr, STRIDE: tl.constexpr, SHIFT: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i * STRIDE + SHIFT))


@triton.jit
def strided_store(x_ptr, y_ptr, STRIDE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i * STRIDE, tl.load(x_ptr + i))


@triton.jit
def gather(x_ptr, index_ptr, y_ptr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + tl.load(index_ptr + i)))


@triton.jit
def transpose(x_ptr, y_ptr, N: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + rows[:, None] * N + cols[None, :])
    tl.store(y_ptr + cols[:, None] * N + rows[None, :], x.T)


@triton.jit
def transpose_direct(x_ptr, y_ptr, N: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i % N * N + i // N, tl.load(x_ptr + i))


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, N: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, N, BK):
        a = tl.load(a_ptr + m[:, None] * N + (start + k)[None, :])
        b = tl.load(b_ptr + (start + k)[:, None] * N + n[None, :])
        acc = tl.dot(a, b, acc, input_precision="ieee")
    tl.store(c_ptr + m[:, None] * N + n[None, :], acc.to(c_ptr.dtype.element_ty))


@triton.jit
def softmax(x_ptr, y_ptr, N: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * N + i, mask=i < N, other=-float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(y_ptr + tl.program_id(0) * N + i, e / tl.sum(e, 0), mask=i < N)


@triton.jit
def layer_norm(x_ptr, w_ptr, b_ptr, y_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + tl.program_id(0) * N + i)
    x = x - tl.sum(x, 0) / N
    scale = 1 / tl.sqrt(tl.sum(x * x, 0) / N + 1e-5)
    tl.store(y_ptr + tl.program_id(0) * N + i, x * scale * tl.load(w_ptr + i) + tl.load(b_ptr + i))


@triton.jit
def column_sums(x_ptr, y_ptr, N: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows, columns = tl.arange(0, ROWS), tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    tl.store(y_ptr + columns, tl.sum(tl.load(x_ptr + rows[:, None] * N + columns[None, :]), 0))


@triton.jit
def cumulative(x_ptr, y_ptr, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(y_ptr + i, tl.cumsum(tl.load(x_ptr + i), 0))


@triton.jit
def histogram(x_ptr, y_ptr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(y_ptr + tl.load(x_ptr + i), 1)


def zeros(*shape, dtype=torch.float32):
    return torch.zeros(*shape, dtype=dtype, device="cuda")


n = 1 << 14
x, y, z = zeros(n), zeros(n), zeros(n)
print("add, fp32")
add[(n // 1024,)](x, y, z, n, BLOCK=1024)
print("add, fp16")
h = zeros(n, dtype=torch.float16)
add[(n // 1024,)](h, h, zeros(n, dtype=torch.float16), n, BLOCK=1024)
print("add, masked tail")
add[(10,)](x, y, z, 10000 - 3, BLOCK=1024)
for stride in (2, 8, 32):
    print(f"load, stride {stride}")
    strided[(n // 256,)](zeros(n * stride), y, STRIDE=stride, SHIFT=0, BLOCK=256)
print("load, shifted by one")
strided[(n // 256,)](zeros(n + 1), y, STRIDE=1, SHIFT=1, BLOCK=256)
print("store, stride 8")
strided_store[(n // 256,)](x, zeros(n * 8), STRIDE=8, BLOCK=256)
torch.manual_seed(0)
index = torch.randint(0, n, (n,), dtype=torch.int32).to("cuda")
print("gather")
gather[(n // 256,)](x, index, y, BLOCK=256)
square, other = zeros(128, 128), zeros(128, 128)
print("transpose")
transpose[(4, 4)](square, other, N=128, BLOCK=32)
print("transpose without shared memory")
transpose_direct[(16,)](square, other, N=128, BLOCK=1024)
for dtype, tiles in (("float16", (64, 64, 32)), ("float16", (128, 128, 64)), ("float16", (32, 32, 32)),
                     ("float32", (32, 32, 32))):
    bm, bn, bk = tiles
    m, out = zeros(256, 256, dtype=getattr(torch, dtype)), zeros(256, 256, dtype=getattr(torch, dtype))
    print(f"matmul, {dtype}, {bm}x{bn}x{bk}")
    matmul[(256 // bm, 256 // bn)](m, m, out, N=256, BM=bm, BN=bn, BK=bk)
print("softmax")
softmax[(64,)](zeros(64, 1000), zeros(64, 1000), N=1000, BLOCK=1024)
print("layer norm")
layer_norm[(64,)](zeros(64, 1024), zeros(1024), zeros(1024), zeros(64, 1024), N=1024)
print("column sums")
column_sums[(8,)](zeros(64, 256), zeros(256), N=256, ROWS=64, COLUMNS=32)
print("cumulative sums")
cumulative[(16,)](x, y, N=1024)
print("histogram by atomics")
bins = torch.randint(0, 64, (n,), dtype=torch.int32).to("cuda")
histogram[(n // 1024,)](bins, zeros(64, dtype=torch.int32), BLOCK=1024)
