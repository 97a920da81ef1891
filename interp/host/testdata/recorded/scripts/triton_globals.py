import torch
import triton
import triton.language as tl

PLAIN = 4
WRAPPED = tl.constexpr(8)


@triton.jit
def uses_wrapped(x_ptr):
    tl.store(x_ptr + tl.arange(0, 4), WRAPPED)


@triton.jit
def with_default(x_ptr, value: tl.constexpr = PLAIN):
    tl.store(x_ptr + tl.arange(0, 4), value)


x = torch.zeros(4, device="cuda", dtype=torch.int32)
for kernel in (uses_wrapped, with_default):
    try:
        kernel[(1,)](x)
        print(kernel.__name__, x.tolist())
    except Exception as e:
        print(kernel.__name__, type(e).__name__)
        print(str(e))
