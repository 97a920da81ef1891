import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, BLOCK: tl.constexpr, FLAG: tl.constexpr):
    tl.static_print("BLOCK is", BLOCK)
    tl.static_print(f"flag={FLAG}")
    tl.static_assert(BLOCK % 4 == 0)
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.static_print("x:", x.dtype, x.shape)
    tl.store(x_ptr + tl.arange(0, BLOCK), x * 2)


x = torch.ones(8, device="cuda")
kernel[(1,)](x, 8, True)
print(x)
kernel[(1,)](x, 8, True)
print(x)
kernel[(1,)](x.half(), 4, False)
print("end")
