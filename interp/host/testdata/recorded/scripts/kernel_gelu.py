import torch
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def gelu_erf(x):
    return 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))


@triton.jit
def gelu_tanh(x):
    inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
    e = tl.exp(2 * inner)
    return 0.5 * x * (1 + (e - 1) / (e + 1))


@triton.jit
def gelu_kernel(x_ptr, y_ptr, n, APPROX: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    if APPROX == "tanh":
        y = gelu_tanh(x)
    else:
        y = gelu_erf(x)
    tl.store(y_ptr + offs, y, mask=mask)


x = torch.linspace(-4, 4, 500, device="cuda")
for approximate in ["none", "tanh"]:
    y = torch.empty_like(x)
    gelu_kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), APPROX=approximate, BLOCK=128)
    ref = F.gelu(x, approximate=approximate)
    torch.testing.assert_close(y, ref, atol=1e-5, rtol=1e-4)
    print(f"{approximate:>5}: ok, min {y.min().item():.4f}")
