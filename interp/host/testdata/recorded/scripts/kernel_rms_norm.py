import torch
import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(x_ptr, w_ptr, y_ptr, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < N
    x = tl.load(x_ptr + row * N + cols, mask=mask, other=0.0).to(tl.float32)
    rstd = tl.rsqrt(tl.sum(x * x, 0) / N + eps)
    w = tl.load(w_ptr + cols, mask=mask)
    tl.store(y_ptr + row * N + cols, (x * rstd * w).to(y_ptr.dtype.element_ty), mask=mask)


def rms_norm(x, w, eps=1e-6):
    y = torch.empty_like(x)
    N = x.shape[-1]
    rms_norm_kernel[(x.numel() // N,)](x, w, y, N, eps, BLOCK=triton.next_power_of_2(N))
    return y


def rms_norm_ref(x, w, eps=1e-6):
    xf = x.float()
    return (xf * torch.rsqrt(xf.pow(2).mean(-1, keepdim=True) + eps) * w).to(x.dtype)


for dtype, tolerance in ((torch.float32, 1e-5), (torch.float16, 2e-3), (torch.bfloat16, 2e-2)):
    x = torch.cos(torch.arange(2 * 3 * 50, device="cuda").float()).view(2, 3, 50).to(dtype)
    w = torch.linspace(0.5, 1.5, 50, device="cuda")
    y = rms_norm(x, w)
    torch.testing.assert_close(y, rms_norm_ref(x, w), atol=tolerance, rtol=tolerance)
    print("passed", y.dtype, y.shape)
