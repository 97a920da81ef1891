import torch
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def silu(x):
    return x * tl.sigmoid(x)


@triton.jit
def swiglu_forward(a, b, c, stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    a += row * stride
    b += row * stride
    c += row * stride
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(a + cols, mask=mask, other=0).to(tl.float32)
    y = tl.load(b + cols, mask=mask, other=0)
    tl.store(c + cols, silu(x).cast(y.dtype) * y, mask=mask)


@triton.jit
def swiglu_backward(dc, a, b, stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    dc += row * stride
    a += row * stride
    b += row * stride
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    g = tl.load(dc + cols, mask=mask, other=0)
    x = tl.load(a + cols, mask=mask, other=0).to(tl.float32)
    y = tl.load(b + cols, mask=mask, other=0)
    sig = tl.sigmoid(x)
    s = x * sig
    tl.store(a + cols, g * (s * (1 - sig) + sig) * y, mask=mask)
    tl.store(b + cols, g * s, mask=mask)


class SiLUMul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        c = torch.empty_like(a)
        swiglu_forward[(a.shape[0],)](a, b, c, c.stride(-2), a.shape[1], BLOCK=triton.next_power_of_2(a.shape[1]))
        ctx.save_for_backward(a, b)
        return c

    @staticmethod
    def backward(ctx, dc):
        a, b = (t.clone() for t in ctx.saved_tensors)
        dc = dc.contiguous()
        swiglu_backward[(a.shape[0],)](dc, a, b, dc.stride(-2), a.shape[1],
                                       BLOCK=triton.next_power_of_2(a.shape[1]))
        return a, b


a = torch.linspace(-2, 2, 36, device="cuda").view(4, 9).requires_grad_()
b = torch.linspace(1, -1, 36, device="cuda").view(4, 9).requires_grad_()
SiLUMul.apply(a, b).sum().backward()
ga, gb = a.grad.clone(), b.grad.clone()
a.grad = b.grad = None
(F.silu(a) * b).sum().backward()
print(torch.allclose(ga, a.grad, atol=1e-6), torch.allclose(gb, b.grad, atol=1e-6))
print(gb[0])
