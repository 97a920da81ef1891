import torch
import triton
import triton.language as tl


@triton.jit
def quantize_kernel(x_ptr, q_ptr, scale_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=0.0)
    absmax = tl.max(tl.abs(x), 0)
    scale = absmax / 127.0
    q = tl.floor(x / scale + 0.5)
    tl.store(q_ptr + row * n_cols + cols, q.to(tl.int8), mask=mask)
    tl.store(scale_ptr + row, scale)


@triton.jit
def dequantize_kernel(q_ptr, scale_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    q = tl.load(q_ptr + row * n_cols + cols, mask=mask)
    s = tl.load(scale_ptr + row)
    tl.store(y_ptr + row * n_cols + cols, q.to(tl.float32) * s, mask=mask)


x = torch.linspace(-3, 3, 60, device="cuda").view(4, 15) * torch.tensor([[1.], [2.], [4.], [8.]], device="cuda")
q = torch.empty(x.shape, dtype=torch.int8, device="cuda")
scale = torch.empty(4, device="cuda")
quantize_kernel[(4,)](x, q, scale, 15, BLOCK=16)
y = torch.empty_like(x)
dequantize_kernel[(4,)](q, scale, y, 15, BLOCK=16)
print(q)
print(scale)
print("max error below half a step:", bool(((x - y).abs() <= scale[:, None] * 0.501).all()))
print(q.dtype, q.element_size(), q.nbytes, x.nbytes)
