import math

import torch
import triton
import triton.language as tl


@triton.jit
def attn_fwd(Q, K, V, O, stride_h, stride_n, N, scale,
             BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    start_m = tl.program_id(0)
    head = tl.program_id(1)
    base = head * stride_h
    offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_d = tl.arange(0, D)
    q = tl.load(Q + base + offs_m[:, None] * stride_n + offs_d[None, :], mask=offs_m[:, None] < N, other=0.)
    m_i = tl.full([BLOCK_M], float("-inf"), tl.float32)
    l_i = tl.zeros([BLOCK_M], tl.float32)
    acc = tl.zeros([BLOCK_M, D], tl.float32)
    end = N
    if CAUSAL:
        end = tl.minimum(N, (start_m + 1) * BLOCK_M)
    for start_n in range(0, end, BLOCK_N):
        offs_n = start_n + tl.arange(0, BLOCK_N)
        k = tl.load(K + base + offs_n[:, None] * stride_n + offs_d[None, :], mask=offs_n[:, None] < N, other=0.)
        v = tl.load(V + base + offs_n[:, None] * stride_n + offs_d[None, :], mask=offs_n[:, None] < N, other=0.)
        qk = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        keep = offs_n[None, :] < N
        if CAUSAL:
            keep = keep & (offs_n[None, :] <= offs_m[:, None])
        qk = tl.where(keep, qk, float("-inf"))
        m_new = tl.maximum(m_i, tl.max(qk, 1))
        alpha = tl.exp(m_i - m_new)
        p = tl.exp(qk - m_new[:, None])
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None] + tl.dot(p, v, input_precision="ieee")
        m_i = m_new
    acc = acc / l_i[:, None]
    tl.store(O + base + offs_m[:, None] * stride_n + offs_d[None, :], acc, mask=offs_m[:, None] < N)


def attention(q, k, v, causal):
    H, N, D = q.shape
    o = torch.empty_like(q)
    grid = (triton.cdiv(N, 32), H)
    attn_fwd[grid](q, k, v, o, q.stride(0), q.stride(1), N, 1 / math.sqrt(D),
                   BLOCK_M=32, BLOCK_N=32, D=D, CAUSAL=causal)
    return o


torch.manual_seed(20)
q, k, v = (torch.empty((3, 80, 32), device="cuda").normal_(mean=0.0, std=0.5) for _ in range(3))
for causal in (False, True):
    tri = attention(q, k, v, causal)
    p = (q @ k.transpose(1, 2)) / math.sqrt(32)
    if causal:
        M = torch.tril(torch.ones((80, 80), device="cuda"))
        p[:, M == 0] = float("-inf")
    ref = torch.softmax(p.float(), dim=-1) @ v
    print(f"causal={causal!s:5} shape={list(tri.shape)} match={torch.allclose(tri, ref, atol=1e-3, rtol=0)}")
    sdpa = torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=causal)[0]
    print("             sdpa", torch.allclose(sdpa, ref, atol=1e-3))
