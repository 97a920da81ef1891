import os

os.environ["TRITON_INTERPRET"] = "1"

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask, other=0)
    print("pid", pid)
    print("offs", offs, "mask", mask)
    print(f"x = {x}")
    tl.store(y_ptr + offs, x + 10, mask)


x = torch.arange(6)
y = torch.zeros_like(x)
add_kernel[(2,)](x, y, 6, BLOCK=4)
print(y)
xf = torch.linspace(0, 1, 4)
yf = torch.zeros(4)
add_kernel[(1,)](xf, yf, 3, BLOCK=4)
print(yf)
