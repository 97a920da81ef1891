import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def double_tiles(src, dst, M: tl.constexpr, N: tl.constexpr):
    m = tl.program_id(0) * M
    n = tl.program_id(1) * N
    dst.store([m, n], src.load([m, n]) * 2)


x = torch.arange(32 * 64, device="cuda", dtype=torch.float32).view(32, 64)
y = torch.zeros_like(x)
src = TensorDescriptor.from_tensor(x, [16, 16])
dst = TensorDescriptor(y, y.shape, y.stride(), [16, 16])
print(src.block_shape, src.shape, src.strides)
double_tiles[(2, 4)](src, dst, 16, 16)
print(torch.equal(y, 2 * x))
