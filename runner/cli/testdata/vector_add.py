import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out_ptr + offs, tl.load(x_ptr + offs, mask=mask) + tl.load(y_ptr + offs, mask=mask), mask=mask)


n = 1000
x = torch.rand(n, device="cuda")
y = torch.rand(n, device="cuda")
out = torch.empty(n, device="cuda")
add_kernel[(triton.cdiv(n, 256),)](x, y, out, n, BLOCK=256, num_warps=2)
print("largest difference from torch:", float((out - (x + y)).abs().max()))
