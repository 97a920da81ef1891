# Losses: one program a row of logits, or a block of elements.
import torch
import triton
import triton.language as tl

rows, classes, B = 9, 50, 64
x, y = torch.randn(rows, classes, device="cuda"), torch.randn(rows, classes, device="cuda")
label = torch.randint(0, classes, (rows,), device="cuda")
n = rows * classes


def same(got, want):
    assert torch.allclose(got, want, atol=1e-3, rtol=1e-3)


@triton.jit
def cross_entropy(x_ptr, label_ptr, loss_ptr, classes, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    value = tl.load(x_ptr + row * classes + i, mask=i < classes, other=-float("inf"))
    largest = tl.max(value, axis=0)
    lse = largest + tl.log(tl.sum(tl.exp(value - largest), axis=0))
    right = tl.sum(tl.where(i == tl.load(label_ptr + row), value, 0.0), axis=0)
    tl.store(loss_ptr + row, lse - right)


z = torch.empty(rows, device="cuda")
cross_entropy[(rows,)](x, label, z, classes, B)
same(z, torch.nn.functional.cross_entropy(x, label, reduction="none"))


@triton.jit
def cross_entropy_gather(x_ptr, label_ptr, loss_ptr, ignore, classes, B: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(label_ptr + row)
    if label == ignore:
        tl.store(loss_ptr + row, 0.0)
        return
    largest, total = -float("inf"), 0.0
    for start in range(0, classes, B):
        i = start + tl.arange(0, B)
        value = tl.load(x_ptr + row * classes + i, mask=i < classes, other=-float("inf"))
        new = tl.maximum(largest, tl.max(value, axis=0))
        total = total * tl.exp(largest - new) + tl.sum(tl.exp(value - new), axis=0)
        largest = new
    tl.store(loss_ptr + row, largest + tl.log(total) - tl.load(x_ptr + row * classes + label))


some = label.clone()
some[2] = -100
cross_entropy_gather[(rows,)](x, some, z, -100, classes, 16)
same(z, torch.nn.functional.cross_entropy(x, some, reduction="none", ignore_index=-100))


@triton.jit
def cross_entropy_backward_(x_ptr, label_ptr, scale, classes, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    value = tl.load(x_ptr + row * classes + i, mask=i < classes, other=-float("inf"))
    e = tl.exp(value - tl.max(value, axis=0))
    p = e / tl.sum(e, axis=0)
    p = tl.where(i == tl.load(label_ptr + row), p - 1, p)
    tl.store(x_ptr + row * classes + i, p * scale, mask=i < classes)


dx = x.clone()
cross_entropy_backward_[(rows,)](dx, label, 1 / rows, classes, B)
same(dx.sum(1), torch.zeros(rows, device="cuda"))


@triton.jit
def label_smoothing(x_ptr, label_ptr, loss_ptr, eps, classes, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    mask = i < classes
    value = tl.load(x_ptr + row * classes + i, mask=mask, other=-float("inf"))
    largest = tl.max(value, axis=0)
    lse = largest + tl.log(tl.sum(tl.exp(value - largest), axis=0))
    mean = tl.sum(tl.where(mask, value, 0.0), axis=0) / classes
    right = tl.load(x_ptr + row * classes + tl.load(label_ptr + row))
    tl.store(loss_ptr + row, lse - (1 - eps) * right - eps * mean)


label_smoothing[(rows,)](x, label, z, 0.1, classes, B)
same(z, torch.nn.functional.cross_entropy(x, label, reduction="none", label_smoothing=0.1))


@triton.jit
def kl_divergence(log_q_ptr, p_ptr, loss_ptr, classes, B: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    for start in range(0, classes, B):
        i = start + tl.arange(0, B)
        p = tl.load(p_ptr + row * classes + i, mask=i < classes, other=0.0)
        log_q = tl.load(log_q_ptr + row * classes + i, mask=i < classes, other=0.0)
        total += tl.sum(tl.where(p > 0, p * (tl.log(p) - log_q), 0.0), axis=0)
    tl.store(loss_ptr + row, total)


log_q, p = torch.log_softmax(x, 1), torch.softmax(y, 1)
kl_divergence[(rows,)](log_q, p, z, classes, 16)
same(z, (p * (torch.log(p) - log_q)).sum(1))


@triton.jit
def mse(x_ptr, y_ptr, loss_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
    tl.atomic_add(loss_ptr, tl.sum(d * d, axis=0) / n)


total = torch.zeros(1, device="cuda")
mse[(triton.cdiv(n, B),)](x, y, total, n, B)
same(total[0], torch.nn.functional.mse_loss(x, y))


@triton.jit
def bce_with_logits(x_ptr, y_ptr, loss_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x, y = tl.load(x_ptr + i, mask=i < n), tl.load(y_ptr + i, mask=i < n)
    tl.store(loss_ptr + i, tl.maximum(x, 0.0) - x * y + tl.log(1 + tl.exp(-tl.abs(x))), mask=i < n)


target, loss = (y > 0).float(), torch.empty_like(x)
bce_with_logits[(triton.cdiv(n, B),)](x, target, loss, n, B)
same(loss, torch.nn.functional.binary_cross_entropy_with_logits(x, target, reduction="none"))


@triton.jit
def huber(x_ptr, y_ptr, loss_ptr, delta, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    d = tl.abs(tl.load(x_ptr + i, mask=i < n) - tl.load(y_ptr + i, mask=i < n))
    tl.store(loss_ptr + i, tl.where(d < delta, 0.5 * d * d, delta * (d - 0.5 * delta)), mask=i < n)


huber[(triton.cdiv(n, B),)](x, y, loss, 1.0, n, B)
same(loss, torch.nn.functional.huber_loss(x, y, reduction="none"))


@triton.jit
def cosine_similarity(x_ptr, y_ptr, z_ptr, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    x = tl.load(x_ptr + row * columns + i, mask=i < columns, other=0.0)
    y = tl.load(y_ptr + row * columns + i, mask=i < columns, other=0.0)
    tl.store(z_ptr + row, tl.sum(x * y, axis=0) / tl.sqrt(tl.sum(x * x, axis=0) * tl.sum(y * y, axis=0)))


cosine_similarity[(rows,)](x, y, z, classes, B)
same(z, torch.nn.functional.cosine_similarity(x, y))


@triton.jit
def triplet(a_ptr, p_ptr, n_ptr, loss_ptr, margin, columns, B: tl.constexpr):
    at = tl.program_id(0) * columns + tl.arange(0, B)
    mask = tl.arange(0, B) < columns
    a = tl.load(a_ptr + at, mask=mask, other=0.0)
    near = a - tl.load(p_ptr + at, mask=mask, other=0.0)
    far = a - tl.load(n_ptr + at, mask=mask, other=0.0)
    d = tl.sqrt(tl.sum(near * near, axis=0)) - tl.sqrt(tl.sum(far * far, axis=0))
    tl.store(loss_ptr + tl.program_id(0), tl.maximum(d + margin, 0.0))


w = torch.randn(rows, classes, device="cuda")
triplet[(rows,)](x, y, w, z, 1.0, classes, B)
same(z, torch.relu((x - y).norm(dim=1) - (x - w).norm(dim=1) + 1))


@triton.jit
def policy_loss(logp_ptr, old_ptr, adv_ptr, mask_ptr, loss_ptr, clip, T, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    at = row * T + i
    keep = tl.load(mask_ptr + at, mask=i < T, other=0.0)
    ratio = tl.exp(tl.load(logp_ptr + at, mask=i < T, other=0.0) - tl.load(old_ptr + at, mask=i < T, other=0.0))
    advantage = tl.load(adv_ptr + row)
    best = tl.minimum(ratio * advantage, tl.clamp(ratio, 1 - clip, 1 + clip) * advantage)
    tl.store(loss_ptr + row, -tl.sum(best * keep, axis=0) / tl.maximum(tl.sum(keep, axis=0), 1.0))


advantage, keep = torch.randn(rows, device="cuda"), target
policy_loss[(rows,)](x, y, advantage, keep, z, 0.2, classes, B)
ratio = torch.exp(x - y)
best = torch.minimum(ratio * advantage[:, None], ratio.clamp(0.8, 1.2) * advantage[:, None])
same(z, -(best * keep).sum(1) / keep.sum(1).clamp(min=1))
