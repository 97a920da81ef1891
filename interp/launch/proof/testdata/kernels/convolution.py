# Convolutions and pooling.
import torch
import triton
import triton.language as tl

C, H, W = 3, 9, 11
x = torch.randn(2, C, H, W, device="cuda")


def same(got, want):
    assert torch.allclose(got, want, atol=1e-3)


@triton.jit
def causal_conv1d(x_ptr, w_ptr, z_ptr, T, K: tl.constexpr, B: tl.constexpr):
    c = tl.program_id(1)
    t = tl.program_id(0) * B + tl.arange(0, B)
    total = tl.zeros([B], tl.float32)
    for k in tl.static_range(K):
        at = t - (K - 1) + k
        total += tl.load(w_ptr + c * K + k) * tl.load(x_ptr + c * T + at, mask=(at >= 0) & (at < T), other=0.0)
    tl.store(z_ptr + c * T + t, total, mask=t < T)


s, w = torch.randn(1, 4, 50, device="cuda"), torch.randn(4, 1, 4, device="cuda")
z = torch.empty_like(s)
causal_conv1d[(4, 4)](s, w, z, 50, 4, 16)
same(z, torch.nn.functional.conv1d(torch.nn.functional.pad(s, (3, 0)), w, groups=4))


@triton.jit
def conv2d(x_ptr, w_ptr, z_ptr, C, H, W, OH, OW, K: tl.constexpr, B: tl.constexpr):
    n, o = tl.program_id(1), tl.program_id(2)
    p = tl.program_id(0) * B + tl.arange(0, B)
    r, c = p // OW, p % OW
    total = tl.zeros([B], tl.float32)
    for i in range(0, C):
        for y in tl.static_range(K):
            for u in tl.static_range(K):
                value = tl.load(x_ptr + ((n * C + i) * H + r + y) * W + c + u, mask=p < OH * OW, other=0.0)
                total += value * tl.load(w_ptr + ((o * C + i) * K + y) * K + u)
    tl.store(z_ptr + (n * tl.num_programs(2) + o) * OH * OW + p, total, mask=p < OH * OW)


w, z = torch.randn(5, C, 3, 3, device="cuda"), torch.empty(2, 5, 7, 9, device="cuda")
conv2d[(4, 2, 5)](x, w, z, C, H, W, 7, 9, 3, 16)
same(z, torch.nn.functional.conv2d(x, w))


@triton.jit
def depthwise(x_ptr, w_ptr, z_ptr, C, H, W, B: tl.constexpr):
    image, row = tl.program_id(0), tl.program_id(1)
    c = tl.arange(0, B)
    total = tl.zeros([B], tl.float32)
    for y in tl.static_range(3):
        for u in tl.static_range(3):
            r, at = row + y - 1, c + u - 1
            inside = (r >= 0) & (r < H) & (at >= 0) & (at < W)
            value = tl.load(x_ptr + (image * H + r) * W + at, mask=inside, other=0.0)
            total += value * tl.load(w_ptr + image % C * 9 + y * 3 + u)
    tl.store(z_ptr + (image * H + row) * W + c, total, mask=c < W)


w, z = torch.randn(C, 1, 3, 3, device="cuda"), torch.empty_like(x)
depthwise[(2 * C, H)](x, w, z, C, H, W, 16)
same(z, torch.nn.functional.conv2d(x, w, padding=1, groups=C))


@triton.jit
def max_pool(x_ptr, z_ptr, H, W, OH, OW, B: tl.constexpr):
    image, row = tl.program_id(0), tl.program_id(1)
    c = tl.arange(0, B)
    best = tl.full([B], -float("inf"), tl.float32)
    for y in tl.static_range(2):
        for u in tl.static_range(2):
            at = (image * H + 2 * row + y) * W + 2 * c + u
            best = tl.maximum(best, tl.load(x_ptr + at, mask=c < OW, other=-float("inf")))
    tl.store(z_ptr + (image * OH + row) * OW + c, best, mask=c < OW)


z = torch.empty(2, C, 4, 5, device="cuda")
max_pool[(2 * C, 4)](x, z, H, W, 4, 5, 8)
same(z, torch.nn.functional.max_pool2d(x, 2))


@triton.jit
def global_average(x_ptr, z_ptr, size, B: tl.constexpr):
    image = tl.program_id(0)
    i = tl.arange(0, B)
    tl.store(z_ptr + image, tl.sum(tl.load(x_ptr + image * size + i, mask=i < size, other=0.0), axis=0) / size)


z = torch.empty(2, C, device="cuda")
global_average[(2 * C,)](x, z, H * W, 128)
same(z, x.mean((2, 3)))


@triton.jit
def upsample_nearest(x_ptr, z_ptr, H, W, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    c, r, image = i % (F * W), i // (F * W) % (F * H), i // (F * W * F * H)
    value = tl.load(x_ptr + (image * H + r // F) * W + c // F, mask=i < n)
    tl.store(z_ptr + i, value, mask=i < n)


z = torch.empty(2, C, 2 * H, 2 * W, device="cuda")
upsample_nearest[(triton.cdiv(z.numel(), 256),)](x, z, H, W, z.numel(), 2, 256)
same(z, torch.nn.functional.interpolate(x, scale_factor=2))


@triton.jit
def pixel_shuffle(x_ptr, z_ptr, H, W, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    c, r, image = i % (F * W), i // (F * W) % (F * H), i // (F * W * F * H)
    channel = r % F * F + c % F
    tl.store(z_ptr + i, tl.load(x_ptr + ((image * F * F + channel) * H + r // F) * W + c // F, mask=i < n), mask=i < n)


s, z = torch.randn(1, 4, 3, 5, device="cuda"), torch.empty(1, 1, 6, 10, device="cuda")
pixel_shuffle[(1,)](s, z, 3, 5, 60, 2, 64)
same(z, torch.nn.functional.pixel_shuffle(s, 2))
