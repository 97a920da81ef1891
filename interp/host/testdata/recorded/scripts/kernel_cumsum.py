import torch
import triton
import triton.language as tl


@triton.jit
def cumsum_kernel(x_ptr, y_ptr, BLOCK: tl.constexpr, REVERSE: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs)
    tl.store(y_ptr + offs, tl.cumsum(x, 0, reverse=REVERSE))


x = torch.arange(1, 17, device="cuda", dtype=torch.int32)
y = torch.empty_like(x)
cumsum_kernel[(1,)](x, y, 16, False)
print(y)
cumsum_kernel[(1,)](x, y, 16, True)
print(y)
print(y.flip(0).tolist() == torch.cumsum(x.flip(0), 0).tolist())
