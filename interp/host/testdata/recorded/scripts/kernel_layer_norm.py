import torch
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def _layer_norm_fwd(X, Y, W, B, Mean, Rstd, stride, N, eps, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK_SIZE)
    mask = cols < N
    x = tl.load(X + row * stride + cols, mask=mask, other=0.).to(tl.float32)
    mean = tl.sum(x, axis=0) / N
    xbar = tl.where(mask, x - mean, 0.)
    var = tl.sum(xbar * xbar, axis=0) / N
    rstd = 1 / tl.sqrt(var + eps)
    tl.store(Mean + row, mean)
    tl.store(Rstd + row, rstd)
    w = tl.load(W + cols, mask=mask)
    b = tl.load(B + cols, mask=mask)
    tl.store(Y + row * stride + cols, (x - mean) * rstd * w + b, mask=mask)


@triton.jit
def _layer_norm_bwd_dx(DX, DY, X, W, Mean, Rstd, stride, N, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK_SIZE)
    mask = cols < N
    x = tl.load(X + row * stride + cols, mask=mask, other=0)
    dy = tl.load(DY + row * stride + cols, mask=mask, other=0)
    w = tl.load(W + cols, mask=mask, other=0)
    mean = tl.load(Mean + row)
    rstd = tl.load(Rstd + row)
    xhat = tl.where(mask, (x - mean) * rstd, 0.)
    wdy = w * dy
    c1 = tl.sum(xhat * wdy, axis=0) / N
    c2 = tl.sum(wdy, axis=0) / N
    tl.store(DX + row * stride + cols, (wdy - (xhat * c1 + c2)) * rstd, mask=mask)


class LayerNorm(torch.autograd.Function):

    @staticmethod
    def forward(ctx, x, normalized_shape, weight, bias, eps):
        y = torch.empty_like(x)
        M, N = x.shape
        mean = torch.empty((M, ), dtype=torch.float32, device=x.device)
        rstd = torch.empty((M, ), dtype=torch.float32, device=x.device)
        BLOCK_SIZE = triton.next_power_of_2(N)
        _layer_norm_fwd[(M, )](x, y, weight, bias, mean, rstd, x.stride(0), N, eps, BLOCK_SIZE=BLOCK_SIZE, num_warps=4)
        ctx.save_for_backward(x, weight, mean, rstd)
        ctx.BLOCK_SIZE = BLOCK_SIZE
        return y

    @staticmethod
    def backward(ctx, dy):
        x, w, m, v = ctx.saved_tensors
        M, N = x.shape
        dx = torch.empty_like(dy)
        _layer_norm_bwd_dx[(M, )](dx, dy, x, w, m, v, x.stride(0), N, BLOCK_SIZE=ctx.BLOCK_SIZE)
        xhat = (x - m[:, None]) * v[:, None]
        return dx, None, (dy * xhat).sum(0), dy.sum(0), None


layer_norm = LayerNorm.apply
torch.manual_seed(0)
M, N, eps = 37, 100, 1e-5
weight = torch.rand(N, device="cuda", requires_grad=True)
bias = torch.rand(N, device="cuda", requires_grad=True)
x = -2.3 + 0.5 * torch.randn((M, N), device="cuda")
dy = .1 * torch.randn_like(x)
x.requires_grad_(True)

y_tri = layer_norm(x, (N, ), weight, bias, eps)
y_ref = F.layer_norm(x, (N, ), weight, bias, eps)
y_tri.backward(dy, retain_graph=True)
dx_tri, dw_tri, db_tri = [t.grad.clone() for t in [x, weight, bias]]
x.grad, weight.grad, bias.grad = None, None, None
y_ref.backward(dy, retain_graph=True)
dx_ref, dw_ref, db_ref = [t.grad.clone() for t in [x, weight, bias]]
for name, got, want in [("y", y_tri, y_ref), ("dx", dx_tri, dx_ref), ("dw", dw_tri, dw_ref), ("db", db_tri, db_ref)]:
    print(f"{name:<3}{str(tuple(got.shape)):>12} {torch.allclose(got, want, atol=1e-4, rtol=1e-4)}")
print(y_tri.grad_fn is not None, y_tri.requires_grad, x.is_leaf, y_tri.is_leaf)
