# What Triton 3.6 computes differently on an H200: see compiler/FOUND.md. Every line should say 0.
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

device = "cuda"


def report(name, got, want, atol=0.0):
    wrong = int(((got - want).abs() > atol).sum())
    print(f"{name}: {wrong} of {want.numel()} elements differ")


# A product with the nibbles of a byte: even rows are the low ones, odd rows the high ones.


@triton.jit
def nibbles_dot(w_ptr, x_ptr, y_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    half, m, n, k = tl.arange(0, M // 2), tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    packed = tl.load(w_ptr + k[None, :] * (M // 2) + half[:, None])
    both = tl.join((packed << 4) >> 4, packed >> 4)
    w = tl.reshape(tl.trans(both, 0, 2, 1), (M, K)).to(tl.bfloat16)
    x = tl.load(x_ptr + k[:, None] * N + n[None, :])
    tl.store(y_ptr + m[:, None] * N + n[None, :], tl.dot(w, x))


def nibbles():
    m, n, k = 64, 64, 16
    low, high = torch.randint(-8, 8, (k, m // 2), device=device), torch.randint(-8, 8, (k, m // 2), device=device)
    packed = ((low & 15) | ((high & 15) << 4)).to(torch.uint8).view(torch.int8)
    x = torch.randn(k, n, device=device).to(torch.bfloat16)
    y = torch.empty(m, n, device=device)
    nibbles_dot[(1,)](packed, x, y, M=m, N=n, K=k, num_warps=2)
    rows = torch.stack((low.t(), high.t()), 1).reshape(m, k).float()
    report("a product with nibbles", y, rows @ x.float(), 1e-3)


# The exponent of a 4-bit float (e2m1) moved to that of fp32, in arithmetic on bytes.


@triton.jit
def exponents(x_ptr, z_ptr, N: tl.constexpr, BIAS: tl.constexpr):
    packed = tl.load(x_ptr + tl.arange(0, N))
    x = tl.interleave(packed >> 4, packed & 15)
    sign = x & 8
    magnitude = x ^ sign
    exponent = (magnitude >> 1) - 1 + BIAS
    bits = (exponent.to(tl.int32) << 23) | ((magnitude & 1).to(tl.int32) << 22)
    bits = tl.where(magnitude == 0, 0, bits)
    bits = tl.where(magnitude == 1, 0x3F000000, bits)
    bits = bits | (sign.to(tl.int32) << 28)
    tl.store(z_ptr + tl.arange(0, 2 * N), bits.to(tl.float32, bitcast=True).to(tl.bfloat16))


def floats():
    n = 512
    x = torch.randint(0, 256, (n,), dtype=torch.int32, device=device)
    z = torch.empty(2 * n, dtype=torch.bfloat16, device=device)
    exponents[(1,)](x.to(torch.uint8), z, N=n, BIAS=127)
    table = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6], device=device)
    want = table[torch.stack((x >> 4, x & 15), 1).reshape(-1)]
    report("4-bit floats", z.float(), want)


# Sums of the rows of a tile with two columns, in a loop, by one warp.


@triton.jit
def row_sums(x_ptr, y_ptr, M: tl.constexpr):
    rows = tl.arange(0, M)
    total = tl.zeros((M,), tl.float32)
    for _ in range(2):
        pair = tl.load(x_ptr + rows[:, None] + M * tl.arange(0, 2)[None, :])
        total += tl.sum(pair, axis=1)
    tl.store(y_ptr + rows, total)


def sums():
    x, y = torch.randn(2, 256, device=device), torch.empty(256, device=device)
    for warps in (1, 4):
        row_sums[(1,)](x, y, M=256, num_warps=warps)
        report(f"sums of rows, num_warps={warps}", y, 2 * x.sum(0), 1e-5)


# What a compare-and-swap has found, stored by four CTAs.


@triton.jit
def found(lock_ptr, z_ptr, N: tl.constexpr):
    old = tl.atomic_cas(lock_ptr, 0, 1)
    tl.store(z_ptr + tl.arange(0, N), old)


def swap():
    lock, z = torch.full((1,), 7, dtype=torch.int32, device=device), torch.zeros(512, dtype=torch.int32, device=device)
    for ctas in (1, 4):
        found[(1,)](lock, z, N=512, num_ctas=ctas)
        report(f"a compare-and-swap, num_ctas={ctas}", z, torch.full_like(z, 7))


# A tile stored by a descriptor over the first columns of a tensor: the columns after them keep their values.


@triton.jit
def into_columns(desc, N: tl.constexpr, VALUE: tl.constexpr):
    desc.store([0, 0], tl.full((8, N), VALUE, desc.dtype))


def columns():
    for dtype in (torch.int8, torch.int16, torch.int32):
        for width in (100, 112, 119, 120):
            z = torch.full((8, 128), 3, dtype=dtype, device=device)
            view = torch.as_strided(z, (8, width), (128, 1))
            into_columns[(1,)](TensorDescriptor(view, [8, width], [128, 1], [8, 128]), N=128, VALUE=5)
            changed = int((z[:, width:] != 3).sum()) // 8
            print(f"a descriptor of {width} columns of {dtype}: {changed} columns differ")


# A sum of products, in fp32 throughout.


@triton.jit
def product_sums(x_ptr, y_ptr, z_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    x = tl.load(x_ptr + m[:, None] * K + k[None, :])
    y = tl.load(y_ptr + k[:, None] * N + n[None, :])
    z = tl.sum(x[:, :, None] * y[None, :, :], axis=1)
    tl.store(z_ptr + m[:, None] * N + n[None, :], z)


def products():
    x, y, z = torch.randn(64, 32, device=device), torch.randn(32, 32, device=device), torch.empty(64, 32, device=device)
    product_sums[(1,)](x, y, z, M=64, N=32, K=32)
    report("a sum of products", z, (x.double() @ y.double()).float(), 1e-4)


torch.manual_seed(0)
nibbles()
floats()
sums()
swap()
columns()
products()
