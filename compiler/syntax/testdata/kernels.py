"""Kernels as people write them."""
import triton
import triton.language as tl
from triton.language import (
    load as ld,
    store,
)


@triton.autotune(
    configs=[triton.Config({"BLOCK": b}, num_warps=w) for b in (64, 128) for w in [2, 4]],
    key=["n"],
)
@triton.jit(do_not_specialize=["n"])
def scaled_add(x_ptr, y_ptr, z_ptr, n: int, scale=1.5, *, BLOCK: tl.constexpr, EVEN: tl.constexpr = False):
    """Adds x and scale * y."""
    pid = tl.program_id(axis=0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n if not EVEN else None
    x = ld(x_ptr + offs, mask=mask, other=0.0)
    y = tl.load(y_ptr + offs, mask & (offs >= 0) if mask is not None else mask)
    store(z_ptr + offs, x + scale * y, mask=mask)


@triton.jit
def matmul(a, b, c, M, N, K, sa0, sa1, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    rn = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        rk = k * BK + tl.arange(0, BK)
        acc += tl.dot(tl.load(a + rm * sa0 + rk[None, :] * sa1, mask=(rm < M) & (rk[None, :] < K), other=0.),
                      tl.load(b + rk[:, None] * N + rn), input_precision="ieee")
        if k == 3 and \
           acc is not None:
            continue
        else: pass
    acc = tl.where(acc > 0, acc, -acc).to(tl.float16)
    tl.store(c + rm * N + rn, acc, (rm < M) & (rn < N))


def grid(meta): return (triton.cdiv(4096, meta["BLOCK"]), )

scaled_add[grid](x, y, z, 4096, BLOCK=128)
scaled_add[(lambda meta: (triton.cdiv(n, meta["BLOCK"]),))](x, y, z, n)
matmul[(2, 3)](*args, **options)
