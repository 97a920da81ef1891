# Normalizations: one program a row, which fits a block or is looped over.
import torch
import triton
import triton.language as tl

rows, columns, B = 13, 50, 64
x, dz = torch.randn(rows, columns, device="cuda"), torch.randn(rows, columns, device="cuda")
w, b = torch.randn(columns, device="cuda"), torch.randn(columns, device="cuda")


def out():
    return torch.empty_like(x)


def same(got, want):
    assert torch.allclose(got, want, atol=1e-3, rtol=1e-3)


@triton.jit
def softmax(x_ptr, z_ptr, stride, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    value = tl.load(x_ptr + row * stride + i, mask=i < columns, other=-float("inf"))
    e = tl.exp(value - tl.max(value, axis=0))
    tl.store(z_ptr + row * stride + i, e / tl.sum(e, axis=0), mask=i < columns)


z = out()
softmax[(rows,)](x, z, x.stride(0), columns, B)
same(z, torch.softmax(x, 1))


@triton.jit
def online_softmax(x_ptr, z_ptr, columns, B: tl.constexpr):
    row = tl.program_id(0)
    largest = -float("inf")
    total = 0.0
    for start in range(0, columns, B):
        i = start + tl.arange(0, B)
        value = tl.load(x_ptr + row * columns + i, mask=i < columns, other=-float("inf"))
        new = tl.maximum(largest, tl.max(value, axis=0))
        total = total * tl.exp(largest - new) + tl.sum(tl.exp(value - new), axis=0)
        largest = new
    for start in range(0, columns, B):
        i = start + tl.arange(0, B)
        value = tl.load(x_ptr + row * columns + i, mask=i < columns)
        tl.store(z_ptr + row * columns + i, tl.exp(value - largest) / total, mask=i < columns)


z = out()
online_softmax[(rows,)](x, z, columns, 16)
same(z, torch.softmax(x, 1))


@triton.jit
def log_softmax(x_ptr, z_ptr, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    mask = i < columns
    value = tl.load(x_ptr + row * columns + i, mask=mask, other=-float("inf"))
    value = value - tl.max(value, axis=0)
    tl.store(z_ptr + row * columns + i, value - tl.log(tl.sum(tl.exp(value), axis=0)), mask=mask)


z = out()
log_softmax[(rows,)](x, z, columns, B)
same(z, torch.log_softmax(x, 1))


@triton.jit
def softmax_backward(z_ptr, dz_ptr, dx_ptr, columns, B: tl.constexpr):
    at = tl.program_id(0) * columns + tl.arange(0, B)
    mask = tl.arange(0, B) < columns
    z = tl.load(z_ptr + at, mask=mask, other=0.0)
    dz = tl.load(dz_ptr + at, mask=mask, other=0.0)
    tl.store(dx_ptr + at, z * (dz - tl.sum(z * dz, axis=0)), mask=mask)


s, z = torch.softmax(x, 1), out()
softmax_backward[(rows,)](s, dz, z, columns, B)
same(z, s * (dz - (s * dz).sum(1, keepdim=True)))


@triton.jit
def layer_norm(x_ptr, w_ptr, b_ptr, z_ptr, mean_ptr, rstd_ptr, columns, eps, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    mask = i < columns
    value = tl.load(x_ptr + row * columns + i, mask=mask, other=0.0)
    mean = tl.sum(value, axis=0) / columns
    centred = tl.where(mask, value - mean, 0.0)
    rstd = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / columns + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    weight, bias = tl.load(w_ptr + i, mask=mask), tl.load(b_ptr + i, mask=mask)
    tl.store(z_ptr + row * columns + i, centred * rstd * weight + bias, mask=mask)


z, mean, rstd = out(), torch.empty(rows, device="cuda"), torch.empty(rows, device="cuda")
layer_norm[(rows,)](x, w, b, z, mean, rstd, columns, 1e-5, B)
same(z, torch.nn.functional.layer_norm(x, (columns,), w, b))


@triton.jit
def layer_norm_loop(x_ptr, z_ptr, columns, eps, B: tl.constexpr):
    row = tl.program_id(0)
    x_ptr += row * columns
    total = tl.zeros([B], dtype=tl.float32)
    for start in range(0, columns, B):
        i = start + tl.arange(0, B)
        total += tl.load(x_ptr + i, mask=i < columns, other=0.0)
    mean = tl.sum(total, axis=0) / columns
    square = tl.zeros([B], dtype=tl.float32)
    for start in range(0, columns, B):
        i = start + tl.arange(0, B)
        d = tl.where(i < columns, tl.load(x_ptr + i, mask=i < columns, other=0.0) - mean, 0.0)
        square += d * d
    rstd = tl.rsqrt(tl.sum(square, axis=0) / columns + eps)
    for start in range(0, columns, B):
        i = start + tl.arange(0, B)
        value = tl.load(x_ptr + i, mask=i < columns)
        tl.store(z_ptr + row * columns + i, (value - mean) * rstd, mask=i < columns)


z = out()
layer_norm_loop[(rows,)](x, z, columns, 1e-5, 16)
same(z, torch.nn.functional.layer_norm(x, (columns,)))


@triton.jit
def layer_norm_backward(x_ptr, w_ptr, dz_ptr, mean_ptr, rstd_ptr, dx_ptr, dw_ptr, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    mask = i < columns
    value = tl.load(x_ptr + row * columns + i, mask=mask, other=0.0)
    dz = tl.load(dz_ptr + row * columns + i, mask=mask, other=0.0)
    weight = tl.load(w_ptr + i, mask=mask, other=0.0)
    rstd = tl.load(rstd_ptr + row)
    hat = tl.where(mask, (value - tl.load(mean_ptr + row)) * rstd, 0.0)
    wdz = weight * dz
    c1 = tl.sum(hat * wdz, axis=0) / columns
    c2 = tl.sum(wdz, axis=0) / columns
    tl.store(dx_ptr + row * columns + i, (wdz - hat * c1 - c2) * rstd, mask=mask)
    tl.atomic_add(dw_ptr + i, dz * hat, mask=mask)


z, dw = out(), torch.zeros(columns, device="cuda")
layer_norm_backward[(rows,)](x, w, dz, mean, rstd, z, dw, columns, B)
same(dw, (dz * (x - mean[:, None]) * rstd[:, None]).sum(0))


@triton.jit
def rms_norm(x_ptr, w_ptr, z_ptr, stride, columns, eps, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    value = tl.load(x_ptr + row * stride + i, mask=i < columns, other=0.0).to(tl.float32)
    rrms = tl.rsqrt(tl.sum(value * value, axis=0) / columns + eps)
    weight = tl.load(w_ptr + i, mask=i < columns)
    tl.store(z_ptr + row * stride + i, value * rrms * weight, mask=i < columns)


z = out()
rms_norm[(rows,)](x, w, z, columns, columns, 1e-6, B)
same(z, x * torch.rsqrt((x * x).mean(1, keepdim=True) + 1e-6) * w)


@triton.jit
def add_rms_norm(x_ptr, r_ptr, w_ptr, columns, eps, B: tl.constexpr):
    at = tl.program_id(0) * columns + tl.arange(0, B)
    mask = tl.arange(0, B) < columns
    value = tl.load(x_ptr + at, mask=mask, other=0.0) + tl.load(r_ptr + at, mask=mask, other=0.0)
    tl.store(r_ptr + at, value, mask=mask)
    rrms = tl.rsqrt(tl.sum(value * value, axis=0) / columns + eps)
    weight = tl.load(w_ptr + tl.arange(0, B), mask=mask, other=0.0)
    tl.store(x_ptr + at, value * rrms * weight, mask=mask)


z, residual = x.clone(), dz.clone()
add_rms_norm[(rows,)](z, residual, w, columns, 1e-6, B)
same(residual, x + dz)


@triton.jit
def group_norm(x_ptr, w_ptr, z_ptr, channels, size, groups, eps, B: tl.constexpr):
    n, g = tl.program_id(0), tl.program_id(1)
    per = channels // groups
    i = tl.arange(0, B)
    mask = i < per * size
    at = (n * groups + g) * per * size + i
    value = tl.load(x_ptr + at, mask=mask, other=0.0)
    mean = tl.sum(value, axis=0) / (per * size)
    d = tl.where(mask, value - mean, 0.0)
    rstd = tl.rsqrt(tl.sum(d * d, axis=0) / (per * size) + eps)
    weight = tl.load(w_ptr + g * per + i // size, mask=mask)
    tl.store(z_ptr + at, d * rstd * weight, mask=mask)


images, scale = torch.randn(2, 6, 5, device="cuda"), torch.randn(6, device="cuda")
z = torch.empty_like(images)
group_norm[(2, 3)](images, scale, z, 6, 5, 3, 1e-5, 16)
same(z, torch.nn.functional.group_norm(images, 3, scale))


@triton.jit
def l2_norm(x_ptr, z_ptr, columns, eps, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    value = tl.load(x_ptr + row * columns + i, mask=i < columns, other=0.0)
    tl.store(z_ptr + row * columns + i, value / tl.sqrt(tl.sum(value * value, axis=0) + eps), mask=i < columns)


z = out()
l2_norm[(rows,)](x, z, columns, 1e-12, B)
same(z, torch.nn.functional.normalize(x, dim=1))


@triton.jit
def batch_norm_inference(x_ptr, mean_ptr, var_ptr, w_ptr, b_ptr, z_ptr, channels, size, eps, B: tl.constexpr):
    n, c = tl.program_id(0), tl.program_id(1)
    scale = tl.load(w_ptr + c) / tl.sqrt(tl.load(var_ptr + c) + eps)
    shift = tl.load(b_ptr + c) - tl.load(mean_ptr + c) * scale
    at = (n * channels + c) * size + tl.arange(0, B)
    mask = tl.arange(0, B) < size
    tl.store(z_ptr + at, tl.load(x_ptr + at, mask=mask) * scale + shift, mask=mask)


m, v, bias = torch.randn(6, device="cuda"), torch.rand(6, device="cuda") + 1, torch.randn(6, device="cuda")
z = torch.empty_like(images)
batch_norm_inference[(2, 6)](images, m, v, scale, bias, z, 6, 5, 1e-5, 8)
same(z, torch.nn.functional.batch_norm(images, m, v, scale, bias))
