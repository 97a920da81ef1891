import torch
import triton
import triton.language as tl


@triton.jit
def fwd(x_ptr, y_ptr, n, slope, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(y_ptr + offs, tl.where(x > 0, x, slope * x), mask=offs < n)


@triton.jit
def bwd(x_ptr, dy_ptr, dx_ptr, n, slope, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    dy = tl.load(dy_ptr + offs, mask=offs < n)
    tl.store(dx_ptr + offs, tl.where(x > 0, dy, slope * dy), mask=offs < n)


class LeakyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        y = torch.empty_like(x)
        fwd[lambda m: (triton.cdiv(x.numel(), m["BLOCK"]),)](x, y, x.numel(), slope, BLOCK=32)
        ctx.save_for_backward(x)
        ctx.slope = slope
        ctx.mark_non_differentiable()
        return y

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        print("needs", ctx.needs_input_grad)
        dx = torch.empty_like(x)
        bwd[lambda m: (triton.cdiv(x.numel(), m["BLOCK"]),)](x, dy.contiguous(), dx, x.numel(), ctx.slope, BLOCK=32)
        return dx, None


x = torch.linspace(-2, 2, 9, device="cuda", dtype=torch.float64).requires_grad_()
y = LeakyReLU.apply(x, 0.1)
print(y)
y.sum().backward()
print(x.grad)
print(torch.autograd.gradcheck(lambda t: LeakyReLU.apply(t, 0.1), (torch.tensor([-1.0, 2.0], device="cuda", dtype=torch.float64, requires_grad=True),)))
