# What optimizers and training loops do to parameters.
import torch
import triton
import triton.language as tl

n, B = 700, 256
grid = (triton.cdiv(n, B),)
w, g = torch.randn(n, device="cuda"), torch.randn(n, device="cuda")


def zeros():
    return torch.zeros(n, device="cuda")


def same(got, want):
    assert torch.allclose(got, want, atol=1e-4)


@triton.jit
def sgd(w_ptr, g_ptr, rate, decay, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    w = tl.load(w_ptr + i, mask=i < n)
    tl.store(w_ptr + i, w - rate * (tl.load(g_ptr + i, mask=i < n) + decay * w), mask=i < n)


p = w.clone()
sgd[grid](p, g, 0.1, 0.01, n, B)
same(p, w - 0.1 * (g + 0.01 * w))


@triton.jit
def momentum(w_ptr, g_ptr, v_ptr, rate, mu, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    mask = i < n
    v = mu * tl.load(v_ptr + i, mask=mask) + tl.load(g_ptr + i, mask=mask)
    tl.store(v_ptr + i, v, mask=mask)
    tl.store(w_ptr + i, tl.load(w_ptr + i, mask=mask) - rate * v, mask=mask)


p, v = w.clone(), zeros()
momentum[grid](p, g, v, 0.1, 0.9, n, B)
same(p, w - 0.1 * g)


@triton.jit
def adamw(w_ptr, g_ptr, m_ptr, v_ptr, rate, beta1, beta2, eps, decay, c1, c2, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    mask = i < n
    g = tl.load(g_ptr + i, mask=mask, other=0.0)
    m = beta1 * tl.load(m_ptr + i, mask=mask, other=0.0) + (1 - beta1) * g
    v = beta2 * tl.load(v_ptr + i, mask=mask, other=0.0) + (1 - beta2) * g * g
    w = tl.load(w_ptr + i, mask=mask, other=0.0) * (1 - rate * decay)
    tl.store(w_ptr + i, w - rate * (m / c1) / (tl.sqrt(v / c2) + eps), mask=mask)
    tl.store(m_ptr + i, m, mask=mask)
    tl.store(v_ptr + i, v, mask=mask)


p, m, v = w.clone(), zeros(), zeros()
adamw[grid](p, g, m, v, 0.01, 0.9, 0.99, 1e-8, 0.1, 0.1, 0.01, n, B)
same(p, w * 0.999 - 0.01 * g / (g.abs() + 1e-8))


@triton.jit
def lion(w_ptr, g_ptr, m_ptr, rate, beta1, beta2, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    mask = i < n
    g, m = tl.load(g_ptr + i, mask=mask), tl.load(m_ptr + i, mask=mask)
    u = beta1 * m + (1 - beta1) * g
    sign = tl.where(u > 0, 1.0, tl.where(u < 0, -1.0, 0.0))
    tl.store(w_ptr + i, tl.load(w_ptr + i, mask=mask) - rate * sign, mask=mask)
    tl.store(m_ptr + i, beta2 * m + (1 - beta2) * g, mask=mask)


p, m = w.clone(), zeros()
lion[grid](p, g, m, 0.1, 0.9, 0.99, n, B)
same(p, w - 0.1 * g.sign())


@triton.jit
def rmsprop(w_ptr, g_ptr, s_ptr, rate, alpha, eps, n, B: tl.constexpr):
    for start in range(tl.program_id(0) * B, n, tl.num_programs(0) * B):
        i = start + tl.arange(0, B)
        g = tl.load(g_ptr + i, mask=i < n, other=1.0)
        s = alpha * tl.load(s_ptr + i, mask=i < n, other=1.0) + (1 - alpha) * g * g
        tl.store(s_ptr + i, s, mask=i < n)
        tl.store(w_ptr + i, tl.load(w_ptr + i, mask=i < n) - rate * g / (tl.sqrt(s) + eps), mask=i < n)


p, v = w.clone(), zeros()
rmsprop[(2,)](p, g, v, 0.01, 0.9, 1e-8, n, 128)
same(p, w - 0.01 * g / ((0.1 * g * g).sqrt() + 1e-8))


@triton.jit
def squared_norm(g_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    g = tl.load(g_ptr + i, mask=i < n, other=0.0)
    tl.atomic_add(z_ptr, tl.sum(g * g, axis=0))


@triton.jit
def clip_by_norm(g_ptr, norm_ptr, limit, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    scale = tl.minimum(limit / (tl.sqrt(tl.load(norm_ptr)) + 1e-6), 1.0)
    tl.store(g_ptr + i, tl.load(g_ptr + i, mask=i < n) * scale, mask=i < n)


norm, p = torch.zeros(1, device="cuda"), g.clone()
squared_norm[grid](g, norm, n, B)
clip_by_norm[grid](p, norm, 1.0, n, B)
same(p.norm(), torch.tensor(1.0, device="cuda"))


@triton.jit
def moving_average(ema_ptr, w_ptr, decay, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    ema = tl.load(ema_ptr + i, mask=i < n)
    tl.store(ema_ptr + i, ema + (1 - decay) * (tl.load(w_ptr + i, mask=i < n) - ema), mask=i < n)


ema = zeros()
moving_average[grid](ema, w, 0.9, n, B)
same(ema, 0.1 * w)
