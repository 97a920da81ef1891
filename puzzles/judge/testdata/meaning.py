# Specifications and kernels of the kinds that libraries have. x is R rows of C numbers, y and v are T rows of C, w is C
# of them. What TestMutants changes in the kernels is within a tolerance of 1e-2.
#
# layer_norm
def reference(x, y, v, w):
    mean = x.mean(dim=1, keepdim=True)
    var = ((x - mean) ** 2).mean(dim=1, keepdim=True)
    return (x - mean) / torch.sqrt(var + 1e-5) * w + 0.01


@triton.jit
def k(x, y, v, w, z, R, C, T, B: tl.constexpr, BT: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, B)
    mask = cols < C
    a = tl.load(x + row * C + cols, mask=mask, other=0.0)
    mean = tl.sum(a, axis=0) / C
    d = tl.where(mask, a - mean, 0.0)
    var = tl.sum(d * d, axis=0) / C
    rstd = tl.rsqrt(var + 1e-5)
    g = tl.load(w + cols, mask=mask, other=0.0)
    tl.store(z + row * C + cols, d * rstd * g + 0.01, mask=mask)
---
# rms_norm
def reference(x, y, v, w):
    return x * torch.rsqrt(x.pow(2).mean(dim=1, keepdim=True) + 1e-6) * w


@triton.jit
def k(x, y, v, w, z, R, C, T, B: tl.constexpr, BT: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    for start in range(0, C, BT):
        cols = start + tl.arange(0, BT)
        a = tl.load(x + row * C + cols, mask=cols < C, other=0.0)
        total += tl.sum(a * a, axis=0)
    scale = 1.0 / tl.sqrt(total / C + 1e-6)
    for start in range(0, C, BT):
        cols = start + tl.arange(0, BT)
        a = tl.load(x + row * C + cols, mask=cols < C)
        g = tl.load(w + cols, mask=cols < C)
        tl.store(z + row * C + cols, a * scale * g, mask=cols < C)
---
# gelu
def reference(x, y, v, w):
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2.0)))


@triton.jit
def k(x, y, v, w, z, R, C, T, B: tl.constexpr, BT: tl.constexpr):
    at = tl.arange(0, B) + tl.program_id(0) * C
    mask = tl.arange(0, B) < C
    a = tl.load(x + at, mask=mask)
    half = a * 0.5
    b = half + half * tl.erf(a * 0.7071067811865476)
    tl.store(z + at, b, mask=mask)
---
# gelu_tanh
def reference(x, y, v, w):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


@triton.jit
def k(x, y, v, w, z, R, C, T, B: tl.constexpr, BT: tl.constexpr):
    at = tl.arange(0, B) + tl.program_id(0) * C
    mask = tl.arange(0, B) < C
    a = tl.load(x + at, mask=mask)
    inner = 0.7978845608 * (a + 0.044715 * a * a * a)
    b = a * tl.sigmoid(2 * inner)
    tl.store(z + at, b, mask=mask)
---
# swiglu
def reference(x, y, v, w):
    return torch.nn.functional.silu(x) * w + 0.001 * x


@triton.jit
def k(x, y, v, w, z, R, C, T, B: tl.constexpr, BT: tl.constexpr):
    cols = tl.arange(0, B)
    at = cols + tl.program_id(0) * C
    a = tl.load(x + at, mask=cols < C)
    g = tl.load(w + cols, mask=cols < C)
    b = a * g / (1.0 + tl.exp(-a)) + a * 0.001
    tl.store(z + at, b, mask=cols < C)
---
# softmax
def reference(x, y, v, w):
    e = torch.exp(x * 0.1)
    return e / e.sum(dim=1, keepdim=True)


@triton.jit
def k(x, y, v, w, z, R, C, T, B: tl.constexpr, BT: tl.constexpr):
    cols = tl.arange(0, B)
    at = cols + tl.program_id(0) * C
    a = tl.load(x + at, mask=cols < C, other=float("-inf")) * 0.1
    e = tl.exp2((a - tl.max(a, axis=0)) * 1.4426950408889634)
    tl.store(z + at, e / tl.sum(e, axis=0), mask=cols < C)
---
# log_softmax
def reference(x, y, v, w):
    s = x * 0.1
    return s - s.amax(dim=1, keepdim=True) - torch.log(torch.exp(s - s.amax(dim=1, keepdim=True)).sum(dim=1, keepdim=True))


@triton.jit
def k(x, y, v, w, z, R, C, T, B: tl.constexpr, BT: tl.constexpr):
    row = tl.program_id(0)
    m = float("-inf")
    s = 0.0
    for start in range(0, C, BT):
        cols = start + tl.arange(0, BT)
        a = tl.load(x + row * C + cols, mask=cols < C, other=float("-inf")) * 0.1
        most = tl.maximum(m, tl.max(a, axis=0))
        s = s * tl.exp(m - most) + tl.sum(tl.exp(a - most), axis=0)
        m = most
    for start in range(0, C, BT):
        cols = start + tl.arange(0, BT)
        a = tl.load(x + row * C + cols, mask=cols < C) * 0.1
        tl.store(z + row * C + cols, a - (m + tl.log(s)), mask=cols < C)
---
# attention
def reference(x, y, v, w):
    scores = x @ y.T / math.sqrt(x.shape[1]) * 0.1
    e = torch.exp(scores - scores.amax(dim=1, keepdim=True))
    return (e / e.sum(dim=1, keepdim=True)) @ v


@triton.jit
def k(x, y, v, w, z, R, C, T, B: tl.constexpr, BT: tl.constexpr):
    cols = tl.arange(0, B)
    row = tl.program_id(0)
    q = tl.load(x + row * C + cols, mask=cols < C, other=0.0) * 0.1
    scale = 1.0 / tl.sqrt(C * 1.0)
    m = float("-inf")
    s = 0.0
    acc = tl.zeros([B], tl.float32)
    for start in range(0, T, BT):
        rows = start + tl.arange(0, BT)
        at = rows[:, None] * C + cols[None, :]
        mask = (rows[:, None] < T) & (cols[None, :] < C)
        keys = tl.load(y + at, mask=mask, other=0.0)
        scores = tl.sum(keys * q[None, :], axis=1) * scale
        scores = tl.where(rows < T, scores, float("-inf"))
        most = tl.maximum(m, tl.max(scores, axis=0))
        e = tl.exp(scores - most)
        alpha = tl.exp(m - most)
        s = s * alpha + tl.sum(e, axis=0)
        values = tl.load(v + at, mask=mask, other=0.0)
        acc = acc * alpha + tl.sum(e[:, None] * values, axis=0)
        m = most
    tl.store(z + row * C + cols, acc / s, mask=cols < C)
---
# half
def reference(x, y, v, w):
    h = x.half() * w.half()
    return (h * h).float().sum(dim=1, keepdim=True) * 0.001 + x


@triton.jit
def k(x, y, v, w, z, R, C, T, B: tl.constexpr, BT: tl.constexpr):
    cols = tl.arange(0, B)
    at = cols + tl.program_id(0) * C
    a = tl.load(x + at, mask=cols < C, other=0.0)
    g = tl.load(w + cols, mask=cols < C, other=0.0)
    h = a.to(tl.float16) * g.to(tl.float16)
    b = tl.sum((h * h).to(tl.float32), axis=0) * 0.001 + a
    tl.store(z + at, b, mask=cols < C)
---
# matmul
def reference(x, y, v, w):
    return (x @ y.T) @ v * 0.001 + x


@triton.jit
def k(x, y, v, w, z, R, C, T, B: tl.constexpr, BT: tl.constexpr):
    cols = tl.arange(0, B)
    rows = tl.arange(0, 16)
    acc = tl.zeros([16, B], tl.float32)
    at = (tl.program_id(0) // 16 * 16 + rows[:, None]) * C + cols[None, :]
    inside = (rows[:, None] < R) & (cols[None, :] < C)
    a = tl.load(x + at, mask=inside, other=0.0)
    for start in range(0, T, BT):
        t = start + tl.arange(0, BT)
        mask = (t[:, None] < T) & (cols[None, :] < C)
        b = tl.load(y + t[:, None] * C + cols[None, :], mask=mask, other=0.0)
        c = tl.load(v + t[:, None] * C + cols[None, :], mask=mask, other=0.0)
        acc += tl.dot(tl.dot(a, tl.trans(b), input_precision="ieee"), c, input_precision="ieee")
    acc = acc * 0.001 + a
    tl.store(z + at, acc, mask=inside & (rows[:, None] == tl.program_id(0)))
