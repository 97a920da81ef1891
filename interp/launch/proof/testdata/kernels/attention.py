# Attention, and what serving a model does around it.
import torch
import triton
import triton.language as tl

H, T, D = 2, 40, 16
q, k, v = (torch.randn(H, T, D, device="cuda") for _ in range(3))
B = 16
blocks = triton.cdiv(T, B)


def same(got, want):
    assert torch.allclose(got, want, atol=1e-2, rtol=1e-2)


def reference(mask=None, bias=0.0):
    scores = q @ k.transpose(1, 2) / D ** 0.5 + bias
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, -1) @ v


@triton.jit
def flash(q_ptr, k_ptr, v_ptr, z_ptr, T, scale, D: tl.constexpr, B: tl.constexpr):
    head = tl.program_id(1) * T * D
    r, d = tl.program_id(0) * B + tl.arange(0, B), tl.arange(0, D)
    q = tl.load(q_ptr + head + r[:, None] * D + d[None, :], mask=r[:, None] < T, other=0.0)
    largest = tl.full([B], -float("inf"), tl.float32)
    total = tl.zeros([B], tl.float32)
    out = tl.zeros([B, D], tl.float32)
    for start in range(0, T, B):
        c = start + tl.arange(0, B)
        k = tl.load(k_ptr + head + c[None, :] * D + d[:, None], mask=c[None, :] < T, other=0.0)
        s = tl.where(c[None, :] < T, tl.dot(q, k) * scale, -float("inf"))
        new = tl.maximum(largest, tl.max(s, axis=1))
        p = tl.exp(s - new[:, None])
        shrink = tl.exp(largest - new)
        v = tl.load(v_ptr + head + c[:, None] * D + d[None, :], mask=c[:, None] < T, other=0.0)
        out = out * shrink[:, None] + tl.dot(p, v)
        total = total * shrink + tl.sum(p, axis=1)
        largest = new
    tl.store(z_ptr + head + r[:, None] * D + d[None, :], out / total[:, None], mask=r[:, None] < T)


z = torch.empty_like(q)
flash[(blocks, H)](q, k, v, z, T, D ** -0.5, D, B)
same(z, reference())


@triton.jit
def flash_causal(q_ptr, k_ptr, v_ptr, z_ptr, lse_ptr, T, scale, D: tl.constexpr, B: tl.constexpr):
    pid, h = tl.program_id(0), tl.program_id(1)
    head = h * T * D
    r, d = pid * B + tl.arange(0, B), tl.arange(0, D)
    q = tl.load(q_ptr + head + r[:, None] * D + d[None, :], mask=r[:, None] < T, other=0.0)
    largest = tl.full([B], -float("inf"), tl.float32)
    total = tl.zeros([B], tl.float32)
    out = tl.zeros([B, D], tl.float32)
    for start in range(0, tl.minimum((pid + 1) * B, T), B):
        c = start + tl.arange(0, B)
        k = tl.load(k_ptr + head + c[None, :] * D + d[:, None], mask=c[None, :] < T, other=0.0)
        s = tl.where(r[:, None] >= c[None, :], tl.dot(q, k) * scale, -1e30)
        new = tl.maximum(largest, tl.max(s, axis=1))
        p = tl.exp(s - new[:, None])
        shrink = tl.exp(largest - new)
        v = tl.load(v_ptr + head + c[:, None] * D + d[None, :], mask=c[:, None] < T, other=0.0)
        out = out * shrink[:, None] + tl.dot(p, v)
        total = total * shrink + tl.sum(p, axis=1)
        largest = new
    tl.store(z_ptr + head + r[:, None] * D + d[None, :], out / total[:, None], mask=r[:, None] < T)
    tl.store(lse_ptr + h * T + r, largest + tl.log(total), mask=r < T)


z, lse = torch.empty_like(q), torch.empty(H, T, device="cuda")
flash_causal[(blocks, H)](q, k, v, z, lse, T, D ** -0.5, D, B)
at = torch.arange(T, device="cuda")
same(z, reference(at[:, None] >= at))


@triton.jit
def sliding_window(q_ptr, k_ptr, v_ptr, z_ptr, T, W, scale, D: tl.constexpr, B: tl.constexpr):
    head = tl.program_id(1) * T * D
    row = tl.program_id(0)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + head + row * D + d)
    c = row - W + 1 + tl.arange(0, B)
    mask = (c >= 0) & (c <= row)
    k = tl.load(k_ptr + head + c[:, None] * D + d[None, :], mask=mask[:, None], other=0.0)
    s = tl.where(mask, tl.sum(q[None, :] * k, axis=1) * scale, -float("inf"))
    p = tl.exp(s - tl.max(s, axis=0))
    v = tl.load(v_ptr + head + c[:, None] * D + d[None, :], mask=mask[:, None], other=0.0)
    tl.store(z_ptr + head + row * D + d, tl.sum(p[:, None] * v, axis=0) / tl.sum(p, axis=0))


z = torch.empty_like(q)
sliding_window[(T, H)](q, k, v, z, T, 6, D ** -0.5, D, 8)
same(z, reference((at[:, None] >= at) & (at[:, None] < at + 6)))


@triton.jit
def alibi_scores(q_ptr, k_ptr, slope_ptr, s_ptr, T, scale, D: tl.constexpr, B: tl.constexpr):
    h = tl.program_id(2)
    r, c, d = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B), tl.arange(0, D)
    q = tl.load(q_ptr + (h * T + r[:, None]) * D + d[None, :], mask=r[:, None] < T, other=0.0)
    k = tl.load(k_ptr + (h * T + c[None, :]) * D + d[:, None], mask=c[None, :] < T, other=0.0)
    s = tl.dot(q, k) * scale + tl.load(slope_ptr + h) * (c[None, :] - r[:, None])
    tl.store(s_ptr + (h * T + r[:, None]) * T + c[None, :], s, mask=(r[:, None] < T) & (c[None, :] < T))


slopes, s = torch.tensor([0.5, 0.25], device="cuda"), torch.empty(H, T, T, device="cuda")
alibi_scores[(blocks, blocks, H)](q, k, slopes, s, T, D ** -0.5, D, B)
same(s, q @ k.transpose(1, 2) / D ** 0.5 + slopes[:, None, None] * (at - at[:, None]))


@triton.jit
def decode(q_ptr, k_ptr, v_ptr, length_ptr, z_ptr, T, scale, D: tl.constexpr, B: tl.constexpr):
    h = tl.program_id(0)
    length = tl.load(length_ptr)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + h * D + d)
    largest, total = -float("inf"), 0.0
    out = tl.zeros([D], tl.float32)
    for start in range(0, length, B):
        c = start + tl.arange(0, B)
        at = (h * T + c[:, None]) * D + d[None, :]
        mask = (c < length) & (c < T)
        k = tl.load(k_ptr + at, mask=mask[:, None], other=0.0)
        s = tl.where(mask, tl.sum(q[None, :] * k, axis=1) * scale, -float("inf"))
        new = tl.maximum(largest, tl.max(s, axis=0))
        p = tl.exp(s - new)
        v = tl.load(v_ptr + at, mask=mask[:, None], other=0.0)
        out = out * tl.exp(largest - new) + tl.sum(p[:, None] * v, axis=0)
        total = total * tl.exp(largest - new) + tl.sum(p, axis=0)
        largest = new
    tl.store(z_ptr + h * D + d, out / total)


one, z = q[:, 0].contiguous(), torch.empty(H, D, device="cuda")
length = torch.tensor([27], device="cuda", dtype=torch.int32)
decode[(H,)](one, k, v, length, z, T, D ** -0.5, D, B)
same(z, reference(at < 27)[:, 0])


@triton.jit
def paged_decode(q_ptr, cache_k, cache_v, table_ptr, z_ptr, T, scale, D: tl.constexpr, PAGE: tl.constexpr):
    d, slot = tl.arange(0, D), tl.arange(0, PAGE)
    q = tl.load(q_ptr + d)
    largest, total = -float("inf"), 0.0
    out = tl.zeros([D], tl.float32)
    for page in range(0, tl.cdiv(T, PAGE)):
        where = tl.load(table_ptr + page) * PAGE + slot
        mask = page * PAGE + slot < T
        k = tl.load(cache_k + where[:, None] * D + d[None, :], mask=mask[:, None], other=0.0)
        s = tl.where(mask, tl.sum(q[None, :] * k, axis=1) * scale, -float("inf"))
        new = tl.maximum(largest, tl.max(s, axis=0))
        p = tl.exp(s - new)
        v = tl.load(cache_v + where[:, None] * D + d[None, :], mask=mask[:, None], other=0.0)
        out = out * tl.exp(largest - new) + tl.sum(p[:, None] * v, axis=0)
        total = total * tl.exp(largest - new) + tl.sum(p, axis=0)
        largest = new
    tl.store(z_ptr + d, out / total)


table = torch.tensor([3, 0, 4, 1, 2], device="cuda", dtype=torch.int32)
cache_k, cache_v = torch.empty(5, 8, D, device="cuda"), torch.empty(5, 8, D, device="cuda")
for page in range(5):
    cache_k[table[page].item()], cache_v[table[page].item()] = k[0, 8 * page:8 * page + 8], v[0, 8 * page:8 * page + 8]
z = torch.empty(D, device="cuda")
paged_decode[(1,)](q[0, 0].clone(), cache_k, cache_v, table, z, T, D ** -0.5, D, 8)
same(z, reference()[0, 0])


@triton.jit
def write_cache(k_ptr, cache_ptr, slot_ptr, D: tl.constexpr):
    token = tl.program_id(0)
    slot = tl.load(slot_ptr + token)
    d = tl.arange(0, D)
    if slot >= 0:
        tl.store(cache_ptr + slot * D + d, tl.load(k_ptr + token * D + d))


slots = torch.tensor([9, 4, -1, 0], device="cuda", dtype=torch.int32)
cache = torch.zeros(12, D, device="cuda")
write_cache[(4,)](k[0, :4].clone(), cache, slots, D)
same(cache[9], k[0, 0])


@triton.jit
def rotary(x_ptr, cos_ptr, sin_ptr, T, D: tl.constexpr):
    t, h = tl.program_id(0), tl.program_id(1)
    i = tl.arange(0, D // 2)
    x = x_ptr + (h * T + t) * D + i
    cos, sin = tl.load(cos_ptr + t * (D // 2) + i), tl.load(sin_ptr + t * (D // 2) + i)
    first, second = tl.load(x), tl.load(x + D // 2)
    tl.store(x, first * cos - second * sin)
    tl.store(x + D // 2, second * cos + first * sin)


angle = torch.rand(T, D // 2, device="cuda")
z = q.clone()
rotary[(T, H)](z, torch.cos(angle), torch.sin(angle), T, D)
same(z[..., :8], q[..., :8] * torch.cos(angle) - q[..., 8:] * torch.sin(angle))


@triton.jit
def backward_delta(z_ptr, dz_ptr, delta_ptr, T, D: tl.constexpr, B: tl.constexpr):
    r, d = tl.program_id(0) * B + tl.arange(0, B), tl.arange(0, D)
    at = (tl.program_id(1) * T + r[:, None]) * D + d[None, :]
    product = tl.load(z_ptr + at, mask=r[:, None] < T, other=0.0) * tl.load(dz_ptr + at, mask=r[:, None] < T, other=0.0)
    tl.store(delta_ptr + tl.program_id(1) * T + r, tl.sum(product, axis=1), mask=r < T)


delta = torch.empty(H, T, device="cuda")
backward_delta[(blocks, H)](q, v, delta, T, D, B)
same(delta, (q * v).sum(-1))


@triton.jit
def merge_splits(part_ptr, lse_ptr, z_ptr, splits, D: tl.constexpr, S: tl.constexpr):
    row = tl.program_id(0)
    s, d = tl.arange(0, S), tl.arange(0, D)
    lse = tl.load(lse_ptr + row * splits + s, mask=s < splits, other=-float("inf"))
    weight = tl.exp(lse - tl.max(lse, axis=0))
    part = tl.load(part_ptr + (row * splits + s[:, None]) * D + d[None, :], mask=s[:, None] < splits, other=0.0)
    tl.store(z_ptr + row * D + d, tl.sum(part * weight[:, None], axis=0) / tl.sum(weight, axis=0))


parts, lse, z = torch.randn(5, 3, D, device="cuda"), torch.randn(5, 3, device="cuda"), torch.empty(5, D, device="cuda")
merge_splits[(5,)](parts, lse, z, 3, D, 4)
same(z, (parts * torch.softmax(lse, 1)[:, :, None]).sum(1))
