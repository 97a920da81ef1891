# Elementwise kernels as activation libraries have them: one program a block, the last one masked.
import torch
import triton
import triton.language as tl

n, B = 1000, 256
grid = (triton.cdiv(n, B),)
x, y, b = torch.randn(n, device="cuda"), torch.randn(n, device="cuda"), torch.randn(40, device="cuda")


def out():
    return torch.empty(n, device="cuda")


def same(got, want, tolerance=1e-4):
    assert torch.allclose(got, want, atol=tolerance, rtol=tolerance)


@triton.jit
def add(x_ptr, y_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    mask = i < n
    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=mask) + tl.load(y_ptr + i, mask=mask), mask=mask)


z = out()
add[grid](x, y, z, n, B)
same(z, x + y)


@triton.jit
def relu(x_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    value = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(z_ptr + i, tl.maximum(value, 0.0), mask=i < n)


z = out()
relu[grid](x, z, n, B)
same(z, torch.relu(x))


@triton.jit
def leaky_relu(x_ptr, z_ptr, slope, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    value = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(z_ptr + i, tl.where(value >= 0, value, slope * value), mask=i < n)


z = out()
leaky_relu[grid](x, z, 0.1, n, B)
same(z, torch.where(x >= 0, x, 0.1 * x))


@triton.jit
def tanh(x):
    return 2 * tl.sigmoid(2 * x) - 1


@triton.jit
def gelu(x_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    value = tl.load(x_ptr + i, mask=i < n, other=0.0)
    inner = 0.7978845608 * (value + 0.044715 * value * value * value)
    tl.store(z_ptr + i, 0.5 * value * (1 + tanh(inner)), mask=i < n)


z = out()
gelu[grid](x, z, n, B)
same(z, torch.nn.functional.gelu(x, approximate="tanh"), 1e-3)


@triton.jit
def swiglu(gate_ptr, up_ptr, z_ptr, columns, stride, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    gate_ptr += row * stride
    up_ptr += row * stride
    z_ptr += row * stride
    i = tl.arange(0, B)
    mask = i < columns
    gate = tl.load(gate_ptr + i, mask=mask, other=0.0)
    up = tl.load(up_ptr + i, mask=mask, other=0.0)
    tl.store(z_ptr + i, gate * tl.sigmoid(gate) * up, mask=mask)


gate, up, z = x.view(25, 40), y.view(25, 40), torch.empty(25, 40, device="cuda")
swiglu[(25,)](gate, up, z, 40, z.stride(0), 64)
same(z, torch.nn.functional.silu(gate) * up)


@triton.jit
def silu_and_mul(x_ptr, z_ptr, columns, B: tl.constexpr):
    row = tl.program_id(0)
    for start in range(0, columns, B):
        i = start + tl.arange(0, B)
        gate = tl.load(x_ptr + row * 2 * columns + i, mask=i < columns)
        up = tl.load(x_ptr + row * 2 * columns + columns + i, mask=i < columns)
        tl.store(z_ptr + row * columns + i, gate * tl.sigmoid(gate) * up, mask=i < columns)


z = torch.empty(25, 20, device="cuda")
silu_and_mul[(25,)](gate, z, 20, 16)
same(z, torch.nn.functional.silu(gate[:, :20]) * gate[:, 20:])


@triton.jit
def bias_add(x_ptr, b_ptr, z_ptr, n, columns, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    mask = i < n
    bias = tl.load(b_ptr + i % columns, mask=mask)
    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=mask) + bias, mask=mask)


z = out()
bias_add[grid](x, b, z, n, 40, B)
same(z, (x.view(25, 40) + b).view(n))


@triton.jit
def dropout(x_ptr, z_ptr, p, seed, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    keep = tl.rand(seed, i) > p
    value = tl.load(x_ptr + i, mask=i < n)
    tl.store(z_ptr + i, tl.where(keep, value / (1 - p), 0.0), mask=i < n)


z = out()
dropout[grid](x, z, 0.25, 7, n, B)
kept = z != 0
same(z[kept], x[kept] / 0.75)


@triton.jit
def clamp_(x_ptr, low, high, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    value = tl.load(x_ptr + i, mask=i < n)
    tl.store(x_ptr + i, tl.minimum(tl.maximum(value, low), high), mask=i < n)


z = x.clone()
clamp_[grid](z, -0.5, 0.5, n, B)
same(z, x.clamp(-0.5, 0.5))


@triton.jit
def sigmoid_backward(z_ptr, dz_ptr, dx_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    z = tl.load(z_ptr + i, mask=i < n)
    dz = tl.load(dz_ptr + i, mask=i < n)
    tl.store(dx_ptr + i, dz * z * (1 - z), mask=i < n)


s, z = torch.sigmoid(x), out()
sigmoid_backward[grid](s, y, z, n, B)
same(z, y * s * (1 - s))


@triton.jit
def grid_stride_scale(x_ptr, z_ptr, scale, n, B: tl.constexpr):
    step = tl.num_programs(0) * B
    for start in range(tl.program_id(0) * B, n, step):
        i = start + tl.arange(0, B)
        tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < n) * scale, mask=i < n)


z = out()
grid_stride_scale[(3,)](x, z, 2.0, n, 128)
same(z, 2 * x)


@triton.jit
def cast_bf16(x_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < n).to(tl.bfloat16), mask=i < n)


z = torch.empty(n, device="cuda", dtype=torch.bfloat16)
cast_bf16[grid](x, z, n, B)
assert (z == x.bfloat16()).all()
