# Quantization, routing to experts, and recurrences.
import torch
import triton
import triton.language as tl

rows, columns, B = 10, 48, 64
x = torch.randn(rows, columns, device="cuda")
n = rows * columns


def same(got, want, tolerance=1e-3):
    assert torch.allclose(got, want, atol=tolerance, rtol=tolerance)


@triton.jit
def quantize_rows(x_ptr, q_ptr, scale_ptr, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    value = tl.load(x_ptr + row * columns + i, mask=i < columns, other=0.0)
    scale = tl.maximum(tl.max(tl.abs(value), axis=0), 1e-6) / 127
    tl.store(q_ptr + row * columns + i, tl.floor(value / scale + 0.5).to(tl.int8), mask=i < columns)
    tl.store(scale_ptr + row, scale)


@triton.jit
def dequantize_rows(q_ptr, scale_ptr, z_ptr, n, columns, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    scale = tl.load(scale_ptr + i // columns, mask=i < n)
    tl.store(z_ptr + i, tl.load(q_ptr + i, mask=i < n).to(tl.float32) * scale, mask=i < n)


q, scale = torch.empty(rows, columns, device="cuda", dtype=torch.int8), torch.empty(rows, device="cuda")
z = torch.empty_like(x)
quantize_rows[(rows,)](x, q, scale, columns, B)
dequantize_rows[(triton.cdiv(n, B),)](q, scale, z, n, columns, B)
same(z, x, 0.05)


@triton.jit
def absmax(x_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_max(z_ptr, tl.max(tl.abs(tl.load(x_ptr + i, mask=i < n, other=0.0)), axis=0))


z = torch.zeros(1, device="cuda")
absmax[(triton.cdiv(n, B),)](x, z, n, B)
same(z[0], x.abs().max())


@triton.jit
def unpack_int4(q_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    packed = tl.load(q_ptr + i // 8, mask=i < n)
    tl.store(z_ptr + i, (packed >> i % 8 * 4 & 15) - 8, mask=i < n)


packed = torch.randint(0, 1 << 30, (12,), device="cuda", dtype=torch.int32)
z = torch.empty(96, device="cuda", dtype=torch.int32)
unpack_int4[(2,)](packed, z, 96, B)
shifts = torch.arange(0, 32, 4, device="cuda", dtype=torch.int32)
assert (z.view(12, 8) == ((packed[:, None] >> shifts) & 15) - 8).all()


@triton.jit
def matmul_int8(a_ptr, b_ptr, sa_ptr, sb_ptr, z_ptr, M, N, K, B: tl.constexpr, BK: tl.constexpr):
    r, c = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    total = tl.zeros([B, B], tl.int32)
    for k in range(0, K, BK):
        i = k + tl.arange(0, BK)
        a = tl.load(a_ptr + r[:, None] * K + i[None, :], mask=(r[:, None] < M) & (i[None, :] < K), other=0)
        b = tl.load(b_ptr + i[:, None] * N + c[None, :], mask=(i[:, None] < K) & (c[None, :] < N), other=0)
        total += tl.dot(a, b)
    sa, sb = tl.load(sa_ptr + r, mask=r < M, other=0.0), tl.load(sb_ptr + c, mask=c < N, other=0.0)
    value = total.to(tl.float32) * sa[:, None] * sb[None, :]
    tl.store(z_ptr + r[:, None] * N + c[None, :], value, mask=(r[:, None] < M) & (c[None, :] < N))


bt = torch.randint(-128, 127, (columns, 20), device="cuda", dtype=torch.int8)
sb, z = torch.rand(20, device="cuda"), torch.empty(rows, 20, device="cuda")
matmul_int8[(1, 2)](q, bt, scale, sb, z, rows, 20, columns, 16, 32)
same(z, (q.float() * scale[:, None]) @ (bt.float() * sb))


@triton.jit
def count_experts(expert_ptr, count_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    expert = tl.load(expert_ptr + i, mask=i < n, other=0)
    tl.atomic_add(count_ptr + expert, 1, mask=i < n)


expert = torch.randint(0, 4, (50,), device="cuda", dtype=torch.int32)
count = torch.zeros(4, device="cuda", dtype=torch.int32)
count_experts[(4,)](expert, count, 50, 16)
assert (count == torch.bincount(expert.long(), minlength=4)).all()


@triton.jit
def route(expert_ptr, start_ptr, fill_ptr, token_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    expert = tl.load(expert_ptr + i, mask=i < n, other=0)
    slot = tl.atomic_add(fill_ptr + expert, 1, mask=i < n)
    tl.store(token_ptr + tl.load(start_ptr + expert, mask=i < n, other=0) + slot, i, mask=i < n)


start = (count.cumsum(0) - count).to(torch.int32)
fill, token = torch.zeros(4, device="cuda", dtype=torch.int32), torch.full((50,), -1, device="cuda", dtype=torch.int32)
route[(4,)](expert, start, fill, token, 50, 16)
assert (expert[token.long()].sort().values == expert[token.long()]).all()


@triton.jit
def combine_experts(y_ptr, slot_ptr, weight_ptr, z_ptr, columns, K: tl.constexpr, B: tl.constexpr):
    token = tl.program_id(0)
    i = tl.arange(0, B)
    total = tl.zeros([B], tl.float32)
    for k in tl.static_range(K):
        slot = tl.load(slot_ptr + token * K + k)
        weight = tl.load(weight_ptr + token * K + k)
        total += weight * tl.load(y_ptr + slot * columns + i, mask=i < columns, other=0.0)
    tl.store(z_ptr + token * columns + i, total, mask=i < columns)


slot, weight = torch.randint(0, rows, (7, 2), device="cuda"), torch.rand(7, 2, device="cuda")
z = torch.empty(7, columns, device="cuda")
combine_experts[(7,)](x, slot, weight, z, columns, 2, B)
same(z, (x[slot] * weight[:, :, None]).sum(1))


@triton.jit
def linear_recurrence(a_ptr, x_ptr, z_ptr, T, D, B: tl.constexpr):
    d = tl.program_id(0) * B + tl.arange(0, B)
    h = tl.zeros([B], tl.float32)
    for t in range(0, T):
        a = tl.load(a_ptr + t * D + d, mask=d < D, other=0.0)
        h = a * h + tl.load(x_ptr + t * D + d, mask=d < D, other=0.0)
        tl.store(z_ptr + t * D + d, h, mask=d < D)


a, z = torch.rand(rows, columns, device="cuda"), torch.empty_like(x)
linear_recurrence[(3,)](a, x, z, rows, columns, 16)
h = torch.zeros(columns, device="cuda")
for t in range(rows):
    h = a[t] * h + x[t]
    same(z[t], h)


@triton.jit
def step(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def scan_recurrence(a_ptr, x_ptr, z_ptr, T, D, B: tl.constexpr):
    d = tl.program_id(0)
    t = tl.arange(0, B)
    a = tl.load(a_ptr + t * D + d, mask=t < T, other=1.0)
    x = tl.load(x_ptr + t * D + d, mask=t < T, other=0.0)
    _, h = tl.associative_scan((a, x), 0, step)
    tl.store(z_ptr + t * D + d, h, mask=t < T)


again = torch.empty_like(x)
scan_recurrence[(columns,)](a, x, again, rows, columns, 16)
same(again, z)


@triton.jit
def linear_attention(q_ptr, k_ptr, v_ptr, z_ptr, T, D: tl.constexpr):
    i = tl.arange(0, D)
    state = tl.zeros([D, D], tl.float32)
    for t in range(0, T):
        k, v = tl.load(k_ptr + t * D + i), tl.load(v_ptr + t * D + i)
        state += k[:, None] * v[None, :]
        q = tl.load(q_ptr + t * D + i)
        tl.store(z_ptr + t * D + i, tl.sum(q[:, None] * state, axis=0))


q, k, v, z = (torch.randn(12, 16, device="cuda") for _ in range(4))
linear_attention[(1,)](q, k, v, z, 12, 16)
same(z, torch.tril(q @ k.t()) @ v, 1e-2)
