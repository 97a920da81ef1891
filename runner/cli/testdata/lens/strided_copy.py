import torch
import triton
import triton.language as tl


@triton.jit
def strided_copy(x_ptr, y_ptr, n, STRIDE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i * STRIDE, mask=i < n)
    tl.store(y_ptr + i, x, mask=i < n)


n = 1000
for stride in (1, 2, 8, 32):
    x = torch.arange(n * stride, dtype=torch.float32, device="cuda")
    y = torch.empty(n, dtype=torch.float32, device="cuda")
    strided_copy[(triton.cdiv(n, 256),)](x, y, n, STRIDE=stride, BLOCK=256)
    assert torch.equal(y, x[::stride])
