"""What Triton's sixth tutorial does: attention and its gradients, causal and not, tuned, beside torch's."""
import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def inner(acc, l, m, q, k_ptrs, v_ptrs, stride_kn, stride_vn, start_m, scale, BLOCK_M: tl.constexpr, HEAD_DIM: tl.constexpr,
          BLOCK_N: tl.constexpr, STAGE: tl.constexpr, offs_m: tl.constexpr, offs_n: tl.constexpr, N_CTX: tl.constexpr):
    if STAGE == 1:
        lo, hi = 0, start_m * BLOCK_M
    elif STAGE == 2:
        lo, hi = start_m * BLOCK_M, (start_m + 1) * BLOCK_M
        lo = tl.multiple_of(lo, BLOCK_M)
    else:
        lo, hi = 0, N_CTX
    k_ptrs += lo * stride_kn
    v_ptrs += lo * stride_vn
    for start_n in tl.range(lo, hi, BLOCK_N):
        start_n = tl.multiple_of(start_n, BLOCK_N)
        scores = tl.dot(q, tl.load(k_ptrs))
        if STAGE == 2:
            mask = offs_m[:, None] >= (start_n + offs_n[None, :])
            scores = scores * scale + tl.where(mask, 0, -1.0e6)
            higher = tl.maximum(m, tl.max(scores, 1))
            scores -= higher[:, None]
        else:
            higher = tl.maximum(m, tl.max(scores, 1) * scale)
            scores = scores * scale - higher[:, None]
        p = tl.math.exp2(scores)
        fade = tl.math.exp2(m - higher)
        l = l * fade + tl.sum(p, 1)
        acc = acc * fade[:, None]
        acc = tl.dot(p.to(tl.float16), tl.load(v_ptrs), acc)
        m = higher
        k_ptrs += BLOCK_N * stride_kn
        v_ptrs += BLOCK_N * stride_vn
    return acc, l, m


configs = [
    triton.Config({"BLOCK_M": BM, "BLOCK_N": BN}, num_stages=s, num_warps=w)
    for BM in [64, 128] for BN in [32, 64, 128] for s in [2, 3, 4] for w in [4, 8]
]


def keep(conf):
    BM, BN = conf.kwargs["BLOCK_M"], conf.kwargs["BLOCK_N"]
    return BM >= BN and not (BM * BN < 128 * 128 and conf.num_warps == 8)


@triton.autotune(list(filter(keep, configs)), key=["N_CTX", "HEAD_DIM"])
@triton.jit
def forward_kernel(Q, K, V, scale, M, Out, stride_z, stride_h, stride_n, Z, H, N_CTX, HEAD_DIM: tl.constexpr,
                   BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, STAGE: tl.constexpr):
    tl.static_assert(BLOCK_N <= 2 * HEAD_DIM)
    start_m, hz = tl.program_id(0), tl.program_id(1)
    base = (hz // H).to(tl.int64) * stride_z + (hz % H).to(tl.int64) * stride_h
    offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs_d = tl.arange(0, HEAD_DIM)
    q_ptrs = Q + base + offs_m[:, None] * stride_n + offs_d[None, :]
    k_ptrs = K + base + offs_n[None, :] * stride_n + offs_d[:, None]
    v_ptrs = V + base + offs_n[:, None] * stride_n + offs_d[None, :]
    m = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    l = tl.zeros([BLOCK_M], dtype=tl.float32) + 1.0
    acc = tl.zeros([BLOCK_M, HEAD_DIM], dtype=tl.float32)
    scale *= 1.44269504
    q = tl.load(q_ptrs)
    if STAGE & 1:
        acc, l, m = inner(acc, l, m, q, k_ptrs, v_ptrs, stride_n, stride_n, start_m, scale, BLOCK_M, HEAD_DIM, BLOCK_N,
                          4 - STAGE, offs_m, offs_n, N_CTX)
    if STAGE & 2:
        acc, l, m = inner(acc, l, m, q, k_ptrs, v_ptrs, stride_n, stride_n, start_m, scale, BLOCK_M, HEAD_DIM, BLOCK_N,
                          2, offs_m, offs_n, N_CTX)
    m += tl.math.log2(l)
    tl.store(M + hz * N_CTX + offs_m, m)
    tl.store(Out + base + offs_m[:, None] * stride_n + offs_d[None, :], (acc / l[:, None]).to(Out.type.element_ty))


@triton.jit
def preprocess_kernel(O, DO, Delta, N_CTX, BLOCK_M: tl.constexpr, HEAD_DIM: tl.constexpr):
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    hz = tl.program_id(1)
    d = tl.arange(0, HEAD_DIM)
    o = tl.load(O + hz * HEAD_DIM * N_CTX + m[:, None] * HEAD_DIM + d[None, :])
    do = tl.load(DO + hz * HEAD_DIM * N_CTX + m[:, None] * HEAD_DIM + d[None, :]).to(tl.float32)
    tl.store(Delta + hz * N_CTX + m, tl.sum(o * do, axis=1))


@triton.jit
def dkdv(dk, dv, Q, k, v, DO, M, D, stride_tok, stride_d, BLOCK_M1: tl.constexpr, BLOCK_N1: tl.constexpr,
         HEAD_DIM: tl.constexpr, start_n, start_m, num_steps, MASK: tl.constexpr):
    offs_m = start_m + tl.arange(0, BLOCK_M1)
    offs_n = start_n + tl.arange(0, BLOCK_N1)
    offs_k = tl.arange(0, HEAD_DIM)
    qT_ptrs = Q + offs_m[None, :] * stride_tok + offs_k[:, None] * stride_d
    do_ptrs = DO + offs_m[:, None] * stride_tok + offs_k[None, :] * stride_d
    tl.static_assert(BLOCK_N1 % BLOCK_M1 == 0)
    current = start_m
    for _ in range(num_steps):
        qT = tl.load(qT_ptrs)
        offs_m = current + tl.arange(0, BLOCK_M1)
        m = tl.load(M + offs_m)
        pT = tl.math.exp2(tl.dot(k, qT) - m[None, :])
        if MASK:
            pT = tl.where(offs_m[None, :] >= offs_n[:, None], pT, 0.0)
        do = tl.load(do_ptrs)
        dv += tl.dot(pT.to(tl.float16), do)
        Di = tl.load(D + offs_m)
        dpT = tl.dot(v, tl.trans(do)).to(tl.float32)
        dsT = (pT * (dpT - Di[None, :])).to(tl.float16)
        dk += tl.dot(dsT, tl.trans(qT))
        current += BLOCK_M1
        qT_ptrs += BLOCK_M1 * stride_tok
        do_ptrs += BLOCK_M1 * stride_tok
    return dk, dv


@triton.jit
def dq_of(dq, q, K, V, do, m, D, stride_tok, stride_d, BLOCK_M2: tl.constexpr, BLOCK_N2: tl.constexpr,
          HEAD_DIM: tl.constexpr, start_m, start_n, num_steps, MASK: tl.constexpr):
    offs_m = start_m + tl.arange(0, BLOCK_M2)
    offs_n = start_n + tl.arange(0, BLOCK_N2)
    offs_k = tl.arange(0, HEAD_DIM)
    kT_ptrs = K + offs_n[None, :] * stride_tok + offs_k[:, None] * stride_d
    vT_ptrs = V + offs_n[None, :] * stride_tok + offs_k[:, None] * stride_d
    Di = tl.load(D + offs_m)
    tl.static_assert(BLOCK_M2 % BLOCK_N2 == 0)
    current = start_n
    for _ in range(num_steps):
        kT, vT = tl.load(kT_ptrs), tl.load(vT_ptrs)
        p = tl.math.exp2(tl.dot(q, kT) - m)
        if MASK:
            offs_n = current + tl.arange(0, BLOCK_N2)
            p = tl.where(offs_m[:, None] >= offs_n[None, :], p, 0.0)
        dp = tl.dot(do, vT).to(tl.float32)
        ds = (p * (dp - Di[:, None])).to(tl.float16)
        dq += tl.dot(ds, tl.trans(kT))
        current += BLOCK_N2
        kT_ptrs += BLOCK_N2 * stride_tok
        vT_ptrs += BLOCK_N2 * stride_tok
    return dq


@triton.jit
def backward_kernel(Q, K, V, scale, DO, DQ, DK, DV, M, D, stride_z, stride_h, stride_tok, stride_d, H, N_CTX,
                    BLOCK_M1: tl.constexpr, BLOCK_N1: tl.constexpr, BLOCK_M2: tl.constexpr, BLOCK_N2: tl.constexpr,
                    SLICES: tl.constexpr, HEAD_DIM: tl.constexpr, CAUSAL: tl.constexpr):
    LN2: tl.constexpr = 0.6931471824645996
    bhid = tl.program_id(2)
    adj = (stride_h * (bhid % H) + stride_z * (bhid // H)).to(tl.int64)
    pid = tl.program_id(0)
    Q += adj
    K += adj
    V += adj
    DO += adj
    DQ += adj
    DK += adj
    DV += adj
    M += (bhid * N_CTX).to(tl.int64)
    D += (bhid * N_CTX).to(tl.int64)
    offs_k = tl.arange(0, HEAD_DIM)

    start_n = pid * BLOCK_N1
    start_m = 0
    MASK_M1: tl.constexpr = BLOCK_M1 // SLICES
    offs_n = start_n + tl.arange(0, BLOCK_N1)
    dv = tl.zeros([BLOCK_N1, HEAD_DIM], dtype=tl.float32)
    dk = tl.zeros([BLOCK_N1, HEAD_DIM], dtype=tl.float32)
    k = tl.load(K + offs_n[:, None] * stride_tok + offs_k[None, :] * stride_d)
    v = tl.load(V + offs_n[:, None] * stride_tok + offs_k[None, :] * stride_d)
    if CAUSAL:
        start_m = start_n
        num_steps = BLOCK_N1 // MASK_M1
        dk, dv = dkdv(dk, dv, Q, k, v, DO, M, D, stride_tok, stride_d, MASK_M1, BLOCK_N1, HEAD_DIM, start_n, start_m,
                      num_steps, MASK=True)
        start_m += num_steps * MASK_M1
    num_steps = (N_CTX - start_m) // BLOCK_M1
    dk, dv = dkdv(dk, dv, Q, k, v, DO, M, D, stride_tok, stride_d, BLOCK_M1, BLOCK_N1, HEAD_DIM, start_n, start_m,
                  num_steps, MASK=False)
    tl.store(DV + offs_n[:, None] * stride_tok + offs_k[None, :] * stride_d, dv)
    tl.store(DK + offs_n[:, None] * stride_tok + offs_k[None, :] * stride_d, dk * scale)

    start_m = pid * BLOCK_M2
    start_n = 0
    num_steps = N_CTX // BLOCK_N2
    MASK_N2: tl.constexpr = BLOCK_N2 // SLICES
    offs_m = start_m + tl.arange(0, BLOCK_M2)
    q = tl.load(Q + offs_m[:, None] * stride_tok + offs_k[None, :] * stride_d)
    dq = tl.zeros([BLOCK_M2, HEAD_DIM], dtype=tl.float32)
    do = tl.load(DO + offs_m[:, None] * stride_tok + offs_k[None, :] * stride_d)
    m = tl.load(M + offs_m)[:, None]
    if CAUSAL:
        end_n = start_m + BLOCK_M2
        num_steps = BLOCK_M2 // MASK_N2
        dq = dq_of(dq, q, K, V, do, m, D, stride_tok, stride_d, BLOCK_M2, MASK_N2, HEAD_DIM, start_m,
                   end_n - num_steps * MASK_N2, num_steps, MASK=True)
        end_n -= num_steps * MASK_N2
        num_steps = end_n // BLOCK_N2
        start_n = end_n - num_steps * BLOCK_N2
    dq = dq_of(dq, q, K, V, do, m, D, stride_tok, stride_d, BLOCK_M2, BLOCK_N2, HEAD_DIM, start_m, start_n, num_steps,
               MASK=False)
    tl.store(DQ + offs_m[:, None] * stride_tok + offs_k[None, :] * stride_d, dq * LN2)


class Attention(torch.autograd.Function):

    @staticmethod
    def forward(ctx, q, k, v, causal, scale):
        HEAD_DIM = q.shape[-1]
        assert HEAD_DIM == k.shape[-1] == v.shape[-1] and HEAD_DIM in {16, 32, 64, 128, 256}
        o = torch.empty_like(q)
        M = torch.empty((q.shape[0], q.shape[1], q.shape[2]), device=q.device, dtype=torch.float32)
        grid = lambda meta: (triton.cdiv(q.shape[2], meta["BLOCK_M"]), q.shape[0] * q.shape[1], 1)
        forward_kernel[grid](q, k, v, scale, M, o, q.stride(0), q.stride(1), q.stride(2), q.shape[0], q.shape[1],
                             N_CTX=q.shape[2], HEAD_DIM=HEAD_DIM, STAGE=3 if causal else 1)
        ctx.save_for_backward(q, k, v, o, M)
        ctx.scale, ctx.HEAD_DIM, ctx.causal = scale, HEAD_DIM, causal
        return o

    @staticmethod
    def backward(ctx, do):
        q, k, v, o, M = ctx.saved_tensors
        assert do.is_contiguous()
        assert q.stride() == k.stride() == v.stride() == o.stride() == do.stride()
        dq, dk, dv = torch.empty_like(q), torch.empty_like(k), torch.empty_like(v)
        BATCH, N_HEAD, N_CTX = q.shape[:3]
        BLOCK_M1, BLOCK_N1, BLOCK_M2, BLOCK_N2, SLICES = 32, 128, 128, 32, 2
        scaled = k * (ctx.scale * 1.4426950408889634)
        assert N_CTX % 128 == 0
        delta = torch.empty_like(M)
        preprocess_kernel[(N_CTX // 128, BATCH * N_HEAD)](o, do, delta, N_CTX, BLOCK_M=128, HEAD_DIM=ctx.HEAD_DIM)
        backward_kernel[(N_CTX // BLOCK_N1, 1, BATCH * N_HEAD)](
            q, scaled, v, ctx.scale, do, dq, dk, dv, M, delta, q.stride(0), q.stride(1), q.stride(2), q.stride(3), N_HEAD, N_CTX,
            BLOCK_M1=BLOCK_M1, BLOCK_N1=BLOCK_N1, BLOCK_M2=BLOCK_M2, BLOCK_N2=BLOCK_N2, SLICES=SLICES,
            HEAD_DIM=ctx.HEAD_DIM, CAUSAL=ctx.causal, num_warps=4, num_stages=5)
        return dq, dk, dv, None, None


attention = Attention.apply


def test_op(Z, H, N_CTX, HEAD_DIM, causal, dtype=torch.float16):
    torch.manual_seed(20)
    q, k, v = ((torch.empty((Z, H, N_CTX, HEAD_DIM), dtype=dtype, device=DEVICE).normal_(mean=0.0, std=0.5).requires_grad_())
               for _ in range(3))
    scale = 0.5
    M = torch.tril(torch.ones((N_CTX, N_CTX), device=DEVICE))
    p = torch.matmul(q, k.transpose(2, 3)) * scale
    if causal:
        p[:, :, M == 0] = float("-inf")
    p = torch.softmax(p.float(), dim=-1).to(dtype)
    theirs = torch.matmul(p, v).half()
    dout = torch.randn_like(q)
    theirs.backward(dout)
    their_grads = [t.grad.clone() for t in (q, k, v)]
    q.grad = k.grad = v.grad = None
    ours = attention(q, k, v, causal, scale).half()
    ours.backward(dout)
    torch.testing.assert_close(ours, theirs, atol=1e-2, rtol=0)
    for our, their in zip([t.grad.clone() for t in (q, k, v)], their_grads):
        torch.testing.assert_close(our, their, atol=1e-2, rtol=0)


for causal in (False, True):
    test_op(1, 2, 1024, 64, causal)
    print("causal:", causal)
print("end")
