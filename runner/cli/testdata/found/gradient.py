import torch
import triton
import triton.language as tl


@triton.jit
def double(dy_ptr, dx_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    dy = tl.load(dy_ptr + offs, mask=offs < n, other=0.0)  # error: out-of-bounds-load
    tl.store(dx_ptr + offs, 2 * dy, mask=offs < n)


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, dy):
        # The gradient of a sum is one element with strides of 0: dy.contiguous() makes it eight.
        dx = torch.empty(dy.shape, device=dy.device)
        double[(1,)](dy, dx, dy.numel(), BLOCK=8)
        return dx


x = torch.ones(8, device="cuda", requires_grad=True)
Double.apply(x).sum().backward()
