"""Prints, a JSON line for each configuration, how much shared memory Triton gives a kernel, or wants for it."""
import json
import re
import sys
import torch
import triton
import triton.language as tl


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, sam, sak, sbk, sbn, scm, scn,
           BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, PREC: tl.constexpr):
    pid = tl.program_id(0)
    nm = tl.cdiv(M, BM)
    nn = tl.cdiv(N, BN)
    per = GROUP * nn
    g = pid // per
    first = g * GROUP
    size = min(nm - first, GROUP)
    pm = first + (pid % per) % size
    pn = (pid % per) // size
    om = (pm * BM + tl.arange(0, BM)) % M
    on = (pn * BN + tl.arange(0, BN)) % N
    ok = tl.arange(0, BK)
    a = a_ptr + om[:, None] * sam + ok[None, :] * sak
    b = b_ptr + ok[:, None] * sbk + on[None, :] * sbn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(a, mask=ok[None, :] < K - k * BK, other=0.0)
        y = tl.load(b, mask=ok[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PREC)
        a += BK * sak
        b += BK * sbk
    c = acc.to(c_ptr.dtype.element_ty)
    cm = pm * BM + tl.arange(0, BM)
    cn = pn * BN + tl.arange(0, BN)
    tl.store(c_ptr + cm[:, None] * scm + cn[None, :] * scn, c, mask=(cm[:, None] < M) & (cn[None, :] < N))


@triton.jit
def matmul_epilogue(a_ptr, b_ptr, c_ptr, K, sam, sbk, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    om = tl.program_id(0) * BM + tl.arange(0, BM)
    on = tl.program_id(1) * BN + tl.arange(0, BN)
    ok = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a_ptr + om[:, None] * sam + (k + ok)[None, :])
        y = tl.load(b_ptr + (k + ok)[:, None] * sbk + on[None, :])
        acc += tl.dot(x, y)
        tl.store(c_ptr + om[:, None] * scm + on[None, :], acc.to(tl.float16))


@triton.jit
def attention(q_ptr, k_ptr, v_ptr, o_ptr, L, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    om = tl.program_id(0) * BM + tl.arange(0, BM)
    on = tl.arange(0, BN)
    od = tl.arange(0, D)
    base = tl.program_id(1) * L * D
    q = tl.load(q_ptr + base + om[:, None] * D + od[None, :])
    m = tl.full((BM,), float("-inf"), tl.float32)
    s = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for j in range(0, L, BN):
        k = tl.load(k_ptr + base + (j + on)[None, :] * D + od[:, None])
        x = tl.dot(q, k) * scale
        new = tl.maximum(m, tl.max(x, 1))
        p = tl.exp2(x - new[:, None])
        alpha = tl.exp2(m - new)
        s = s * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + base + (j + on)[:, None] * D + od[None, :])
        acc = acc * alpha[:, None]
        acc = tl.dot(p.to(v.dtype), v, acc)
        m = new
    tl.store(o_ptr + base + om[:, None] * D + od[None, :], (acc / s[:, None]).to(o_ptr.dtype.element_ty))


@triton.jit
def softmax(x_ptr, y_ptr, n, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=-float("inf"))
    x = x - tl.max(x, 0)
    e = tl.exp(x)
    tl.store(y_ptr + row * n + i, e / tl.sum(e, 0), mask=i < n)


@triton.jit
def rowsum_loop(x_ptr, y_ptr, n, R: tl.constexpr, B: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    i = tl.arange(0, B)
    acc = tl.zeros((R, B), tl.float32)
    for j in range(0, n, B):
        acc += tl.load(x_ptr + r[:, None] * n + (j + i)[None, :])
    tl.store(y_ptr + r, tl.sum(acc, 1))


@triton.jit
def add(x_ptr, y_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < n) + tl.load(y_ptr + i, mask=i < n), mask=i < n)


@triton.jit
def transpose(x_ptr, y_ptr, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    x = tl.load(x_ptr + m[:, None] * N + n[None, :])
    tl.store(y_ptr + n[:, None] * M + m[None, :], tl.trans(x))


def emit(name, kernel, grid, args, meta, **what):
    row = {"kernel": name, **what, **meta}
    try:
        row["shared"] = kernel[grid](*args, **meta).metadata.shared
        row["ok"] = True
    except Exception as e:  # noqa: BLE001
        text = f"{type(e).__name__}: {e}"
        found = re.search(r"Required: (\d+), Hardware limit: (\d+)", text)
        row["ok"] = False
        row["error"] = text[:300]
        if found:
            row["required"], row["limit"] = int(found[1]), int(found[2])
    print(json.dumps(row), flush=True)


def main():
    dev = "cuda"
    print(json.dumps({"triton": triton.__version__, "torch": torch.__version__, "gpu": torch.cuda.get_device_name()}), flush=True)
    S = 1024
    kinds = {
        "fp16": (torch.float16, torch.float16, "tf32"),
        "fp8": (torch.float8_e4m3fn, torch.float16, "tf32"),
        "tf32": (torch.float32, torch.float32, "tf32"),
        "ieee": (torch.float32, torch.float32, "ieee"),
    }

    def mm(kind, bm, bn, bk, stages, warps, trans_b=False):
        dt, out, prec = kinds[kind]
        a = torch.randn(S, S, device=dev).to(dt)
        b = torch.randn(S, S, device=dev).to(dt)
        if trans_b:
            b = b.t()
        c = torch.empty(S, S, device=dev, dtype=out)
        emit("matmul", matmul, (triton.cdiv(S, bm) * triton.cdiv(S, bn),),
             (a, b, c, S, S, S, a.stride(0), a.stride(1), b.stride(0), b.stride(1), S, 1),
             dict(BM=bm, BN=bn, BK=bk, GROUP=8, PREC=prec, num_stages=stages, num_warps=warps),
             kind=kind, trans_b=trans_b)

    for stages in (1, 2, 3, 4, 5, 6):
        mm("fp16", 128, 256, 64, stages, 8)
    for stages in (2, 3, 5):
        mm("fp16", 128, 256, 128, stages, 8)
    for stages in (1, 3, 4, 5):
        mm("fp16", 128, 128, 64, stages, 4)
    mm("fp16", 128, 128, 64, 3, 8)
    mm("fp16", 64, 64, 32, 3, 4)
    mm("fp16", 64, 64, 64, 6, 4)
    mm("fp16", 32, 32, 32, 4, 4)
    mm("fp16", 16, 64, 64, 4, 2)
    mm("fp16", 128, 128, 64, 4, 4, trans_b=True)
    mm("fp16", 256, 128, 64, 4, 8, trans_b=True)
    for stages in (1, 3, 4, 5):
        mm("fp8", 128, 256, 128, stages, 8, trans_b=True)
    mm("fp8", 128, 256, 128, 3, 8)
    mm("fp8", 128, 128, 128, 4, 4)
    for stages in (1, 3, 4, 5):
        mm("tf32", 128, 128, 32, stages, 8, trans_b=True)
    mm("tf32", 128, 128, 32, 4, 8)
    mm("tf32", 128, 256, 64, 3, 8, trans_b=True)
    mm("tf32", 64, 64, 32, 3, 4)
    mm("ieee", 64, 64, 32, 3, 4)
    mm("ieee", 128, 128, 32, 4, 8)
    mm("ieee", 128, 128, 64, 5, 8)

    a = torch.randn(S, S, device=dev, dtype=torch.float16)
    b = torch.randn(S, S, device=dev, dtype=torch.float16)
    c = torch.empty(S, S, device=dev, dtype=torch.float16)
    for stages in (2, 3, 4, 5):
        emit("matmul_epilogue", matmul_epilogue, (S // 128, S // 256), (a, b, c, S, S, S, S),
             dict(BM=128, BN=256, BK=64, num_stages=stages, num_warps=8))

    for d in (64, 128, 256):
        q, k, v, o = (torch.randn(2, S, d, device=dev, dtype=torch.float16) for _ in range(4))
        for bm, bn, stages, warps in ((128, 64, 3, 8), (128, 128, 2, 8), (128, 128, 4, 8), (64, 64, 4, 4), (128, 64, 1, 4)):
            emit("attention", attention, (S // bm, 2), (q, k, v, o, S, 0.1),
                 dict(BM=bm, BN=bn, D=d, num_stages=stages, num_warps=warps))

    x = torch.randn(64, 8192, device=dev)
    y = torch.empty_like(x)
    for n, warps in ((1024, 4), (8192, 8), (256, 1)):
        emit("softmax", softmax, (8,), (x, y, n), dict(B=n, num_warps=warps, num_stages=3), n=n)
    for r, bb, stages in ((16, 256, 1), (16, 256, 3), (64, 128, 5)):
        emit("rowsum_loop", rowsum_loop, (1,), (x, y, 8192), dict(R=r, B=bb, num_warps=4, num_stages=stages))
    emit("add", add, (8,), (x, x, y, 8192), dict(B=1024, num_warps=4, num_stages=3))
    emit("transpose", transpose, (1,), (x, y), dict(M=64, N=128, num_warps=4, num_stages=3))
    h = x.half()
    emit("transpose", transpose, (1,), (h, torch.empty_like(h)), dict(M=128, N=128, num_warps=4, num_stages=3), kind="fp16")


if __name__ == "__main__":
    sys.exit(main())
