# Products of matrices, as tutorials and libraries tile them.
import torch
import triton
import triton.language as tl

M, N, K = 40, 36, 52
a, b = torch.randn(M, K, device="cuda"), torch.randn(K, N, device="cuda")
bias = torch.randn(N, device="cuda")
B = 16
tiles = (triton.cdiv(M, B), triton.cdiv(N, B))


def out(*shape):
    return torch.empty(*(shape or (M, N)), device="cuda")


def same(got, want):
    assert torch.allclose(got, want, atol=1e-2, rtol=1e-2)


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)[:, None]
    c = tl.program_id(1) * B + tl.arange(0, B)[None, :]
    total = tl.zeros([B, B], dtype=tl.float32)
    for k in range(0, K, B):
        kc, kr = k + tl.arange(0, B)[None, :], k + tl.arange(0, B)[:, None]
        x = tl.load(a_ptr + r * K + kc, mask=(r < M) & (kc < K), other=0.0)
        y = tl.load(b_ptr + kr * N + c, mask=(kr < K) & (c < N), other=0.0)
        total += tl.dot(x, y)
    tl.store(c_ptr + r * N + c, total, mask=(r < M) & (c < N))


z = out()
matmul[tiles](a, b, z, M, N, K, B)
same(z, a @ b)


@triton.jit
def matmul_strides(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                   BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    in_group = GROUP * tiles_n
    first = pid // in_group * GROUP
    size = min(tiles_m - first, GROUP)
    pid_m = first + pid % in_group % size
    pid_n = pid % in_group // size
    rm = (pid_m * BM + tl.arange(0, BM)) % M
    rn = (pid_n * BN + tl.arange(0, BN)) % N
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + rm[:, None] * stride_am + rk[None, :] * stride_ak
    b_ptrs = b_ptr + rk[:, None] * stride_bk + rn[None, :] * stride_bn
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(a_ptrs, mask=rk[None, :] < K - k * BK, other=0.0)
        y = tl.load(b_ptrs, mask=rk[:, None] < K - k * BK, other=0.0)
        total = tl.dot(x, y, total)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    cm = pid_m * BM + tl.arange(0, BM)
    cn = pid_n * BN + tl.arange(0, BN)
    mask = (cm[:, None] < M) & (cn[None, :] < N)
    tl.store(c_ptr + stride_cm * cm[:, None] + stride_cn * cn[None, :], total, mask=mask)


z = out()
matmul_strides[(tiles[0] * tiles[1],)](a, b, z, M, N, K, *a.stride(), *b.stride(), *z.stride(), B, B, 16, 2)
same(z, a @ b)


@triton.jit
def linear_gelu(x_ptr, w_ptr, b_ptr, z_ptr, M, N, K, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    total = tl.zeros([B, B], dtype=tl.float32)
    for k in range(0, K, B):
        i = k + tl.arange(0, B)
        x = tl.load(x_ptr + r[:, None] * K + i[None, :], mask=(r[:, None] < M) & (i[None, :] < K), other=0.0)
        w = tl.load(w_ptr + c[None, :] * K + i[:, None], mask=(c[None, :] < N) & (i[:, None] < K), other=0.0)
        total += tl.dot(x, w)
    total += tl.load(b_ptr + c, mask=c < N, other=0.0)[None, :]
    total *= tl.sigmoid(1.702 * total)
    tl.store(z_ptr + r[:, None] * N + c[None, :], total, mask=(r[:, None] < M) & (c[None, :] < N))


weight, z = b.t().contiguous(), out()
linear_gelu[tiles](a, weight, bias, z, M, N, K, B)
linear = torch.nn.functional.linear(a, weight, bias)
same(z, linear * torch.sigmoid(1.702 * linear))


@triton.jit
def batched_matmul(a_ptr, b_ptr, c_ptr, M, N, K, B: tl.constexpr):
    batch = tl.program_id(2)
    a_ptr += batch * M * K
    b_ptr += batch * K * N
    c_ptr += batch * M * N
    r = tl.program_id(0) * B + tl.arange(0, B)[:, None]
    c = tl.program_id(1) * B + tl.arange(0, B)[None, :]
    total = tl.zeros([B, B], dtype=tl.float32)
    for k in range(0, K, B):
        i = k + tl.arange(0, B)
        x = tl.load(a_ptr + r * K + i[None, :], mask=(r < M) & (i[None, :] < K), other=0.0)
        y = tl.load(b_ptr + i[:, None] * N + c, mask=(i[:, None] < K) & (c < N), other=0.0)
        total += tl.dot(x, y)
    tl.store(c_ptr + r * N + c, total, mask=(r < M) & (c < N))


many, others, z = torch.randn(3, 20, 24, device="cuda"), torch.randn(3, 24, 18, device="cuda"), out(3, 20, 18)
batched_matmul[(2, 2, 3)](many, others, z, 20, 18, 24, B)
same(z, many @ others)


@triton.jit
def split_k(a_ptr, b_ptr, c_ptr, M, N, K, B: tl.constexpr, SPLIT: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)[:, None]
    c = tl.program_id(1) * B + tl.arange(0, B)[None, :]
    total = tl.zeros([B, B], dtype=tl.float32)
    for k in range(tl.program_id(2) * B, K, B * SPLIT):
        i = k + tl.arange(0, B)
        x = tl.load(a_ptr + r * K + i[None, :], mask=(r < M) & (i[None, :] < K), other=0.0)
        y = tl.load(b_ptr + i[:, None] * N + c, mask=(i[:, None] < K) & (c < N), other=0.0)
        total += tl.dot(x, y)
    tl.atomic_add(c_ptr + r * N + c, total, mask=(r < M) & (c < N))


z = torch.zeros(M, N, device="cuda")
split_k[(*tiles, 2)](a, b, z, M, N, K, B, 2)
same(z, a @ b)


@triton.jit
def persistent_matmul(a_ptr, b_ptr, c_ptr, M, N, K, B: tl.constexpr):
    tiles_n = tl.cdiv(N, B)
    for tile in range(tl.program_id(0), tl.cdiv(M, B) * tiles_n, tl.num_programs(0)):
        r = tile // tiles_n * B + tl.arange(0, B)
        c = tile % tiles_n * B + tl.arange(0, B)
        total = tl.zeros([B, B], dtype=tl.float32)
        for k in range(0, K, B):
            i = k + tl.arange(0, B)
            x = tl.load(a_ptr + r[:, None] * K + i[None, :], mask=(r[:, None] < M) & (i[None, :] < K), other=0.0)
            y = tl.load(b_ptr + i[:, None] * N + c[None, :], mask=(i[:, None] < K) & (c[None, :] < N), other=0.0)
            total += tl.dot(x, y)
        tl.store(c_ptr + r[:, None] * N + c[None, :], total, mask=(r[:, None] < M) & (c[None, :] < N))


z = out()
persistent_matmul[(4,)](a, b, z, M, N, K, B)
same(z, a @ b)


@triton.jit
def gemv(a_ptr, x_ptr, z_ptr, M, K, BM: tl.constexpr, BK: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    total = tl.zeros([BM], dtype=tl.float32)
    for k in range(0, K, BK):
        i = k + tl.arange(0, BK)
        tile = tl.load(a_ptr + r[:, None] * K + i[None, :], mask=(r[:, None] < M) & (i[None, :] < K), other=0.0)
        total += tl.sum(tile * tl.load(x_ptr + i, mask=i < K, other=0.0)[None, :], axis=1)
    tl.store(z_ptr + r, total, mask=r < M)


v, z = torch.randn(K, device="cuda"), out(M)
gemv[(triton.cdiv(M, 8),)](a, v, z, M, K, 8, 32)
same(z, a @ v)


@triton.jit
def outer_product(x_ptr, y_ptr, z_ptr, M, N, B: tl.constexpr):
    r, c = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    x, y = tl.load(x_ptr + r, mask=r < M), tl.load(y_ptr + c, mask=c < N)
    tl.store(z_ptr + r[:, None] * N + c[None, :], x[:, None] * y[None, :], mask=(r[:, None] < M) & (c[None, :] < N))


v, z = torch.randn(M, device="cuda"), out()
outer_product[tiles](v, bias, z, M, N, B)
same(z, v[:, None] * bias)


@triton.jit
def transpose(x_ptr, z_ptr, M, N, B: tl.constexpr):
    r, c = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    tile = tl.load(x_ptr + r[:, None] * N + c[None, :], mask=(r[:, None] < M) & (c[None, :] < N))
    tl.store(z_ptr + c[:, None] * M + r[None, :], tl.trans(tile), mask=(c[:, None] < N) & (r[None, :] < M))


x, z = torch.randn(M, N, device="cuda"), out(N, M)
transpose[tiles](x, z, M, N, B)
same(z, x.t())


@triton.jit
def block_pointers(a_ptr, b_ptr, c_ptr, M, N, K, B: tl.constexpr):
    pm, pn = tl.program_id(0) * B, tl.program_id(1) * B
    x = tl.make_block_ptr(a_ptr, (M, K), (K, 1), (pm, 0), (B, B), (1, 0))
    y = tl.make_block_ptr(b_ptr, (K, N), (N, 1), (0, pn), (B, B), (1, 0))
    total = tl.zeros([B, B], dtype=tl.float32)
    for _ in range(0, K, B):
        total += tl.dot(tl.load(x, boundary_check=(0, 1), padding_option="zero"),
                        tl.load(y, boundary_check=(0, 1), padding_option="zero"))
        x, y = tl.advance(x, (0, B)), tl.advance(y, (B, 0))
    tl.store(tl.make_block_ptr(c_ptr, (M, N), (N, 1), (pm, pn), (B, B), (1, 0)), total, boundary_check=(0, 1))


z = out()
block_pointers[tiles](a, b, z, M, N, K, B)
same(z, a @ b)


@triton.jit
def grouped_gemm(a_ptr, b_ptr, c_ptr, sizes_ptr, starts_ptr, N, K, B: tl.constexpr):
    g = tl.program_id(0)
    size, start = tl.load(sizes_ptr + g), tl.load(starts_ptr + g)
    c = tl.program_id(1) * B + tl.arange(0, B)
    for m in range(0, size, B):
        r = m + tl.arange(0, B)
        total = tl.zeros([B, B], dtype=tl.float32)
        for k in range(0, K, B):
            i = k + tl.arange(0, B)
            x = tl.load(a_ptr + (start + r)[:, None] * K + i[None, :], mask=(r[:, None] < size) & (i[None, :] < K),
                        other=0.0)
            y = tl.load(b_ptr + g * K * N + i[:, None] * N + c[None, :], mask=(i[:, None] < K) & (c[None, :] < N),
                        other=0.0)
            total += tl.dot(x, y)
        tl.store(c_ptr + (start + r)[:, None] * N + c[None, :], total, mask=(r[:, None] < size) & (c[None, :] < N))


experts = torch.randn(3, K, N, device="cuda")
sizes = torch.tensor([10, 17, 13], device="cuda", dtype=torch.int32)
starts = torch.tensor([0, 10, 27], device="cuda", dtype=torch.int32)
z = out()
grouped_gemm[(3, tiles[1])](a, experts, z, sizes, starts, N, K, B)
same(z, torch.cat([a[:10] @ experts[0], a[10:27] @ experts[1], a[27:] @ experts[2]]))
