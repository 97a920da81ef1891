import torch
import triton
import triton.language as tl


@triton.jit
def double(x_ptr, y_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(y_ptr + i, tl.load(x_ptr + i) * 2)


@triton.jit
def cast_to(x_ptr, y_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(y_ptr + i, tl.load(x_ptr + i).to(y_ptr.dtype.element_ty))


for dtype in [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int8, torch.int16, torch.int32,
              torch.int64, torch.uint8]:
    x = torch.arange(4, device="cuda").to(dtype)
    y = torch.empty_like(x)
    double[(1,)](x, y, N=4)
    print(y)
x = torch.tensor([0.1, -1.7, 100.25, 3.999], device="cuda")
for dtype in [torch.float16, torch.bfloat16, torch.int32, torch.int8, torch.float64]:
    y = torch.empty(4, device="cuda", dtype=dtype)
    cast_to[(1,)](x, y, N=4)
    print(dtype, y.tolist())
